import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { hostsWithPackage, installedMiniflare } from "../helpers/nested.ts";
import { longTest } from "../helpers/long.ts";

const HOSTS = join(import.meta.dir, "project");
const NODE = join(HOSTS, "node_modules/node24/bin/node");
const MANUAL = join(import.meta.dir, "../../docs/embedding-durable-objects.md");

const hosts = await hostsWithPackage();
const miniflare = await installedMiniflare();
const lacking = hosts ?? ("lacking" in miniflare ? miniflare.lacking : undefined);
const folder = "folder" in miniflare ? miniflare.folder : "";

const manual = await Bun.file(MANUAL).text();

/** Returns the first block of code of the page that contains a text. */
function codeWith(part: string): string {
  const blocks = [...manual.matchAll(/```\w+\n(.*?)```/gs)].map(([, code = ""]) => code);
  const found = blocks.find((code) => code.includes(part));
  if (found === undefined) throw new Error(`${MANUAL} has no code with ${part}`);
  return found;
}

interface Wrangler {
  readonly main: string;
  readonly compatibility_date: string;
  readonly compatibility_flags?: readonly string[];
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly migrations: readonly { readonly new_sqlite_classes: readonly string[] }[];
}

// Bun reads JSON with comments and trailing commas.
const wrangler = Bun.JSONC.parse(codeWith("new_sqlite_classes")) as Wrangler;

/** Returns the bundle of the page's example, alone or with what the tests add. */
async function bundle(entry: string): Promise<string> {
  const at = (name: string): string => join(HOSTS, name);
  const { outputs } = await Bun.build({
    entrypoints: [at(entry)],
    files: {
      [at("example.js")]: codeWith("export default"),
      [at("sender.js")]: codeWith("export const sender"),
    },
    target: "browser",
    conditions: ["workerd", "worker", "module"],
    // Without `nodejs_compat`, a module of Node fails to load in workerd.
    external: ["cloudflare:*", "node:*"],
  });
  return (await outputs[0]?.text()) ?? "";
}

const ADMIN_TOKEN = "a secret of the operator";

/** The objects as the page's `wrangler.jsonc` configures them, and those of the tests. `persist` is a folder to keep them in. */
function options(persist?: string): object {
  const sqlite = new Set(wrangler.migrations.flatMap((one) => one.new_sqlite_classes));
  const own = wrangler.durable_objects.bindings.map(({ name, class_name: className }) => [
    name,
    { className, useSQLite: sqlite.has(className) },
  ]);
  return {
    compatibilityDate: wrangler.compatibility_date,
    compatibilityFlags: wrangler.compatibility_flags ?? [],
    bindings: { ADMIN_TOKEN, ALARMS: persist !== undefined },
    durableObjects: {
      ...Object.fromEntries(own),
      CONTRACTS: { className: "Contracts", useSQLite: true },
    },
    ...(persist === undefined ? {} : { durableObjectsPersist: persist }),
  };
}

describe.skipIf(lacking !== undefined)(`a Durable Object${lacking ? ` (${lacking})` : ""}`, () => {
  let directory = "";
  let host: ReturnType<typeof spawn>;
  let base = "";

  function spawn(persist?: string) {
    const more = JSON.stringify(options(persist));
    const command = [NODE, "hosts/workerd.js", join(directory, "worker.mjs"), folder, more];
    // A group of its own, so that workerd ends with it when it is killed.
    return Bun.spawn(command, { cwd: HOSTS, stdio: ["pipe", "pipe", "inherit"], detached: true });
  }

  async function start(persist?: string): Promise<void> {
    host = spawn(persist);
    const lines = host.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    base = (await lines.next()).value?.trim() ?? "";
  }

  async function stop(): Promise<void> {
    await host.stdin.end();
    await host.exited;
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "petstore-object-"));
    await Bun.write(join(directory, "worker.mjs"), await bundle("hosts/durable-object.js"));
    await start();
  });
  afterAll(async () => {
    await stop();
    await rm(directory, { recursive: true });
  });

  const ask = (path: string, token: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, base), {
      ...init,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });

  /** Calls a method of the object. */
  const call = async (method: string): Promise<unknown> =>
    (await fetch(new URL(`/object/${method}`, base))).json();

  const newKey = async (): Promise<string> => {
    const answer = await ask("/keys", ADMIN_TOKEN, { method: "POST" });
    expect(answer.status).toBe(201);
    const { token }: { readonly token: string } = await answer.json();
    return token;
  };

  const create = (token: string, name: string): Promise<Response> => {
    const body = JSON.stringify({ name, categoryId: 1 });
    return ask("/v1/pets", token, { method: "POST", body });
  };

  const remaining = ({ headers }: Response): number => Number(headers.get("x-ratelimit-remaining"));

  test("the page's example makes keys for the operator only, and stores animals", async () => {
    for (const wrong of ["undefined", "", `${ADMIN_TOKEN}!`, "pet_live_x"]) {
      expect((await ask("/keys", wrong, { method: "POST" })).status).toBe(404);
    }
    const token = await newKey();
    const created = await create(token, "Rex");
    expect([created.status, created.headers.get("location")]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/pets\?id=1$|\/v1\/pets\/1$/),
    ]);
    const ids = Array.from({ length: 100 }, (_, index) => index + 1).join(",");
    for (const path of ["/v1/pets", `/v1/pets?id=${ids}`, `/v1/pets?id=${ids}&include=profile`]) {
      const listed = await ask(path, token);
      expect([listed.status, await listed.json()]).toMatchObject([200, [{ id: 1, name: "Rex" }]]);
    }
    expect((await ask("/v1/pets", "pet_live_x")).status).toBe(401);
    // Compressed once, although it passes through two Workers.
    const described = await ask("/v1/openapi.json", token);
    expect(described.headers.get("content-encoding")).toBe("gzip");
    expect(await described.json()).toMatchObject({ openapi: "3.1.0" });
  });

  test("limits are true, and an evicted object continues them from its last alarm", async () => {
    const { token } = (await call("limitedKey")) as { readonly token: string };
    expect(remaining(await ask("/v1/pets", token))).toBe(2);
    await call("runAlarm");
    // What no alarm has saved yet is lost, in the caller's favour.
    expect(remaining(await ask("/v1/pets", token))).toBe(1);
    await call("evict").catch(() => undefined);
    expect(remaining(await ask("/v1/pets", token))).toBe(1);
    await call("runAlarm");
    await call("evict").catch(() => undefined);
    expect(remaining(await ask("/v1/pets", token))).toBe(0);
    const refused = await ask("/v1/pets", token);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(1, 61);
  });

  test("what was answered survives an eviction without an alarm", async () => {
    const token = await newKey();
    const { id }: { readonly id: number } = await (await create(token, "Otter")).json();
    await call("evict").catch(() => undefined);
    expect(await (await ask(`/v1/pets?id=${id}`, token)).json()).toMatchObject([{ name: "Otter" }]);
  });

  test("the page's sender of webhooks ends with a part of the answer, or why there is none", async () => {
    const receiver = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/moved") return Response.redirect("/ok");
        const sent = `${request.headers.get("webhook-id")} ${await request.text()}\n`;
        const headers = { "retry-after": "7" };
        return new Response(sent + "x".repeat(100_000), { status: 503, headers });
      },
    });
    const send = async (url: string) => {
      const path = `/send?url=${encodeURIComponent(url)}`;
      return (await fetch(new URL(path, base))).json();
    };
    const text = expect.stringMatching(/^msg_1 the body x{100,4081}$/);
    const slow = { status: 503, retryAfterMs: 7_000, text };
    expect(await send(`${receiver.url}ok`)).toEqual(slow);
    expect(await send(`${receiver.url}moved`)).toMatchObject({ status: 302 });
    const { port } = receiver;
    await receiver.stop(true);
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ fault: "unreachable" });
  });

  const contracts = [
    ["sql", "store"],
    torture ? "projects tokens members mail webhooks requests audit enquiries".split(" ") : [],
  ].flat();
  test.each(contracts)("fulfils the contract %s", async (name) => {
    const ran = await fetch(new URL(`/contracts/${name}`, base));
    expect(await ran.json()).toEqual({ count: expect.any(Number), broken: [] });
  });

  longTest("all jobs, the management API and long lists of names work", async () => {
    const more = await fetch(new URL("/more", base));
    expect(await more.json()).toEqual({ found: [0, 0], status: 200, failures: [] });
  });

  longTest("alarms run on time, and a restarted host has everything", async () => {
    await stop();
    const persist = join(directory, "objects");
    await start(persist);
    const { token } = (await call("limitedKey")) as { readonly token: string };
    expect(remaining(await ask("/v1/pets", token))).toBe(2);
    const first = (await call("pendingAlarm")) as number;
    // The next alarm is a minute after the one that saved.
    const isSaved = async (): Promise<boolean> =>
      ((await call("pendingAlarm")) as number) > first + 10_000;
    while (!(await isSaved())) await Bun.sleep(50);
    process.kill(-host.pid, "SIGKILL");
    await host.exited;
    await start(persist);
    expect(remaining(await ask("/v1/pets", token))).toBe(1);
  });
});

test.skipIf(lacking !== undefined)("the example is as small as the page says", async () => {
  const code = await bundle("example.js");
  expect(code).not.toContain('from "node:');
  const [, most] = /uploads less than (\d+) KB/.exec(manual) ?? [];
  expect(Bun.gzipSync(Buffer.from(code)).length).toBeLessThan(Number(most) * 1_000);
});
