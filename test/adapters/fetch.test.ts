import { describe, expect, test } from "bun:test";
import { EventEmitter, once } from "node:events";
import { Readable } from "node:stream";

import {
  fetchHandler,
  oncePerProcess,
  type FetchHandlerOptions,
} from "../../adapters/hosts/fetch.ts";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

const petstore = createPetstore({ store: memoryStore() });
const issued = await petstore.client.keys.create({ name: "test" });
const token = issued.ok ? issued.value.token : "";

/** Returns the first page's address in the response to `url` with these headers. */
async function firstPage(
  url: string,
  headers: Readonly<Record<string, string>>,
  options?: FetchHandlerOptions,
): Promise<string | undefined> {
  const request = new Request(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const answer = await fetchHandler(petstore, options)(request);
  return /<([^>]*)>; rel="first"/.exec(answer.headers.get("link") ?? "")?.[1];
}

const forwarded = {
  host: "inside:3000",
  "x-forwarded-host": "evil.test, pets.example.org:8443",
  "x-forwarded-proto": "https",
};

test.each([
  ["the Host header", { host: "pets.example.org:8443" }, {}, "http://pets.example.org:8443"],
  ["the URL where there is none", {}, {}, "http://localhost:3000"],
  ["the URL where it is none", { host: "a b/c@d" }, {}, "http://localhost:3000"],
  ["what it was sent, when no proxy is trusted", forwarded, {}, "http://inside:3000"],
  ["a trusted proxy", forwarded, { trustProxy: true }, "https://pets.example.org:8443"],
] as const)("the origin of links comes from %s", async (_name, headers, options, origin) => {
  const at = (path: string): string => `http://localhost:3000${path}`;
  expect(await firstPage(at("/v1/pets"), headers, options)).toBe(`${origin}/v1/pets`);
  const mounted = { ...options, prefix: "/api" };
  expect(await firstPage(at("/api/v1/pets"), headers, mounted)).toBe(`${origin}/api/v1/pets`);
  const below = { ...options, prefix: "/docs/api" };
  // The host left a part of the mount.
  expect(await firstPage(at("/api/v1/pets"), headers, below)).toBe(`${origin}/docs/api/v1/pets`);
  expect(await firstPage(at("/v1/pets"), headers, below)).toBe(`${origin}/docs/api/v1/pets`);
  // The host removed the mount.
  expect(await firstPage(at("/v1/pets"), headers, mounted)).toBe(`${origin}/api/v1/pets`);
});

describe("the route for Next.js in docs/hosts", () => {
  /** Runs the code of the manual, with more options for its handler. */
  async function handlerWith(more: string) {
    const page = await Bun.file(`${import.meta.dir}/../../docs/hosts/next.md`).text();
    const code = /```js\n(.*?)```/s.exec(page)?.[1] ?? "";
    const body = code.replaceAll(/^(import|export) .*$/gm, "");
    const given = {
      fetchHandler,
      oncePerProcess: (name: string, open: () => Promise<object>) =>
        oncePerProcess(name + more, open),
      clientAddress: () => () => "198.51.100.7",
      createPetstore,
      nodeSqliteStore: () => memoryStore(),
    };
    // The code of the page.
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval
    const made = new Function(
      ...Object.keys(given),
      `${body.replace("prefix:", `${more} prefix:`)}; return api;`,
    );
    const handle: (request: Request) => Promise<Response> = made(...Object.values(given));
    return async (headers: Readonly<Record<string, string>>): Promise<Response> =>
      handle(new Request("http://localhost:3000/api/v1/pets", { headers }));
  }

  const evil = { host: "pets.example.org", "x-forwarded-host": "evil.test" };
  const attempt = (index: number) => ({ ...evil, "x-forwarded-for": `192.0.2.${index}` });

  test("lets no client evade the counter of failed authentication", async () => {
    const send = await handlerWith("");
    const statuses = new Set<number>();
    for (let index = 0; index < 80; index++) statuses.add((await send(attempt(index))).status);
    expect([...statuses]).toEqual([401, 429]);
  });

  test("counts by the address that a trusted proxy names", async () => {
    const send = await handlerWith("trustProxy: true,");
    const statuses = new Set<number>();
    for (let index = 0; index < 80; index++) statuses.add((await send(attempt(index))).status);
    expect([...statuses]).toEqual([401]);
  });
});

test("no recipe trusts a proxy unless its reader says that there is one", async () => {
  const patterns = ["examples/**/*.js", "docs/**/*.md", "README.md"];
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(".")]);
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = await Bun.file(file).text();
    const codes = file.endsWith(".md")
      ? [...text.matchAll(/```[jt]sx?\n(.*?)```/gs)].map(([, code = ""]) => code)
      : [text];
    for (const code of codes)
      expect([file, /trust ?proxy["']?\s*[:,]\s*true/i.test(code)]).toEqual([file, false]);
  }
});

test("the OpenAPI document contains the mount, whether or not the host leaves it in the URL", async () => {
  const handle = fetchHandler(petstore, { prefix: "/api" });
  for (const path of ["/api/v1/openapi.json", "/v1/openapi.json"]) {
    const answer = await handle(new Request(`http://localhost${path}`));
    const { servers }: { servers: unknown } = await answer.json();
    expect(servers).toEqual([{ url: "/api/v1", description: "Production" }]);
  }
  const below = fetchHandler(petstore, { prefix: "/docs/api" });
  const partly = await below(new Request("http://localhost/api/v1/openapi.json"));
  expect((await partly.json()).servers[0].url).toBe("/docs/api/v1");
});

test("a path below neither the mount nor /v1 is not found", async () => {
  const handle = fetchHandler(petstore, { prefix: "/api" });
  expect((await handle(new Request("http://localhost/other/v1/pets"))).status).toBe(404);
  const deeper = fetchHandler(petstore, { prefix: "/docs/api" });
  for (const path of ["/docs/v1/pets", "/api", "/other/api/v1/pets"]) {
    expect((await deeper(new Request(`http://localhost${path}`))).status).toBe(404);
  }
});

test("documents stay correct, however many mounts callers invent", async () => {
  for (let city = 0; city < 40; city++) {
    const request = new Request(`http://localhost/of/${city}/v1/openapi.json`);
    const answer = await petstore.fetch(request, { prefix: `/of/${city}` });
    const { servers }: { servers: unknown } = await answer.json();
    expect(servers).toEqual([{ url: `/of/${city}/v1`, description: "Production" }]);
  }
});

test("an environment's address can be set", async () => {
  const staging = createPetstore({
    store: memoryStore(),
    environment: "staging",
    prefix: "/staging",
    servers: { production: "https://pets.example.org/v1" },
  });
  const answer = await staging.fetch(new Request("http://localhost/staging/v1/openapi.json"));
  const { servers }: { servers: unknown } = await answer.json();
  expect(servers).toEqual([
    { url: "https://pets.example.org/v1", description: "Production" },
    { url: "/staging/v1", description: "Staging" },
  ]);
});

describe("a service that is opened at the first request", () => {
  test("is opened once, when it is needed, also by requests at the same time", async () => {
    let times = 0;
    const handle = fetchHandler(async () => {
      times++;
      return createPetstore({ store: memoryStore() });
    });
    expect(times).toBe(0);
    const ask = async () => handle(new Request("http://localhost/v1/pets"));
    const statuses = await Promise.all(
      [ask(), ask(), ask()].map(async (one) => (await one).status),
    );
    expect([times, ...statuses, (await ask()).status]).toEqual([1, 401, 401, 401, 401]);
    expect(times).toBe(1);
  });

  test("is opened again after a failure, which the host learns", async () => {
    let times = 0;
    const handle = fetchHandler(() => {
      times++;
      if (times === 1) throw new Error("the database is away");
      return petstore;
    });
    const ask = async () => handle(new Request("http://localhost/v1/pets"));
    await expect(ask()).rejects.toThrow("the database is away");
    expect((await ask()).status).toBe(401);
    expect(times).toBe(2);
  });

  test("must be a petstore", async () => {
    // @ts-expect-error It returns none.
    const handle = fetchHandler(() => Promise.resolve({}));
    const ask = async () => handle(new Request("http://localhost/v1/pets"));
    await expect(ask()).rejects.toThrow(
      "fetchHandler takes a petstore, such as createPetstore() returns, not",
    );
  });
});

test("the function for the address gets everything that the host passes", async () => {
  const options = {
    address: (_request: Request, event: { readonly getClientAddress: () => string }) =>
      event.getClientAddress(),
  };
  const handle = fetchHandler(createPetstore({ store: memoryStore() }), options);
  const from = async (address: string): Promise<number> =>
    (await handle(new Request("http://localhost/v1/pets"), { getClientAddress: () => address }))
      .status;
  for (let time = 0; time < 60; time++) expect(await from("192.0.2.1")).toBe(401);
  expect([await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([429, 401]);
});

test("Next.js gets plain responses, because it drops Content-Encoding", async () => {
  const headers = { "accept-encoding": "gzip" };
  const codingOf = async (request: Request): Promise<string | null> =>
    (await fetchHandler(petstore)(request)).headers.get("content-encoding");
  const url = "http://localhost/v1/openapi.json";
  expect(await codingOf(new Request(url, { headers }))).toBe("gzip");
  const next = Object.assign(new Request(url, { headers }), { nextUrl: new URL(url) });
  expect(await codingOf(next)).toBeNull();
});

describe("oncePerProcess", () => {
  test("opens once for calls at the same time, whichever module they are in", async () => {
    const open = Promise.withResolvers<object>();
    let times = 0;
    const [first, second] = [1, 2].map(() =>
      oncePerProcess("a test", () => {
        times++;
        return open.promise;
      }),
    );
    const both = [first?.(), second?.(), first?.()];
    open.resolve({});
    const [one, two, three] = await Promise.all(both);
    expect([times, one === two, one === three]).toEqual([1, true, true]);
    expect(await oncePerProcess("another test", () => ({ other: true }))()).toEqual({
      other: true,
    });
  });

  test("opens again after a failure, which all waiting calls get", async () => {
    let times = 0;
    const open = oncePerProcess("a test that fails", () => {
      times++;
      if (times === 1) throw new Error("the database is away");
      return times;
    });
    const failed = await Promise.allSettled([open(), open()]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([await open(), await open()]).toEqual([2, 2]);
  });

  test("refuses wrong arguments", () => {
    const wrong = oncePerProcess as (name: unknown, open?: unknown) => unknown;
    expect(() => wrong(() => undefined)).toThrow("oncePerProcess takes a text that is not empty");
    expect(() => wrong("petstore", {})).toThrow("oncePerProcess takes a function");
  });
});

describe("a request that a framework made from node:http", () => {
  /** A message of `node:http` and its response, as srvx gives them. */
  function message(method: string, fields: readonly string[], body?: string) {
    const socket = Object.assign(new EventEmitter(), {
      destroyed: false,
      paused: 0,
      pause: () => socket.paused++,
      resume: () => socket.paused--,
    });
    const source = Readable.from(body === undefined ? [] : [Buffer.from(body)]);
    const facts = { method, rawHeaders: fields, headers: {}, httpVersionMajor: 1, socket };
    const req = Object.assign(source, facts);
    const res = Object.assign(new EventEmitter(), { writableEnded: false });
    return { req, res, socket };
  }
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const from = (node: object, init: RequestInit): Request =>
    Object.assign(new Request("http://localhost/v1/categories", init), { runtime: { node } });

  test("is refused with two credentials, of which the framework kept one", async () => {
    const field = ["Authorization", headers.authorization];
    const handle = fetchHandler(petstore);
    const sent = (fields: readonly string[]) => handle(from(message("GET", fields), { headers }));
    expect((await sent(field)).status).toBe(200);
    expect((await sent([...field, ...field])).status).toBe(401);
  });

  test("has no effect if malformed bytes follow in the same packet", async () => {
    const body = '{"name":"Otters"}';
    const fields = [...Object.entries(headers).flat(), "content-length", String(body.length)];
    const init = { method: "POST", headers, body };
    const { req, res, socket } = message("POST", fields, body);
    const cut = fetchHandler(petstore)(from({ req, res }, init));
    socket.destroyed = true;
    expect((await cut).status).toBe(400);

    const whole = message("POST", fields, body);
    expect((await fetchHandler(petstore)(from(whole, init))).status).toBe(201);
    // Nothing more is read before the response has been sent.
    expect(whole.socket.paused).toBe(1);
    whole.res.emit("finish");
    expect(whole.socket.paused).toBe(0);
  });

  test("is taken as it is if the framework has read its body", async () => {
    const init = { method: "POST", headers, body: '{"name":"Foxes"}' };
    const read = message("POST", [], "something else");
    read.req.resume();
    await once(read.req, "end");
    expect((await fetchHandler(petstore)(from(read, init))).status).toBe(201);
  });
});
