import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";

import { nodeHandler, type NodeRequest } from "../../adapters/hosts/node.ts";
import { askedText, isolated, isolatedLog } from "../../lib/base/hook.ts";
import { createPetstore, type Log, type PetstoreOptions } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { must } from "../../testing/shelter.ts";
import { until } from "../helpers/dns/until.ts";

/** How the function of a host fails. */
const failing: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new Error("of the host");
  },
  rejects: () => Promise.reject(new Error("of the host")),
  "rejects with nothing": () => Promise.reject(),
  "never settles": () => new Promise<never>(() => undefined),
  "returns what is no promise": () => 1,
};

const ways = Object.keys(failing);

let unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled = [];
  process.on("unhandledRejection", note);
});

afterEach(async () => {
  await turns();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

/** A log that only counts. */
function countingLog(fail: () => unknown = () => undefined): Log & { readonly errors: string[] } {
  const errors: string[] = [];
  const write = (): undefined => fail() as undefined;
  return {
    errors,
    debug: write,
    info: write,
    warn: write,
    error: (message) => {
      errors.push(message);
      return fail() as undefined;
    },
  };
}

/** Creates a category, and returns how that went. */
async function create(options: Partial<PetstoreOptions>, context: object = {}) {
  const petstore = createPetstore({ store: memoryStore(), ...options });
  const account = await petstore.client.accounts.create({ name: "One" });
  if (!account.ok) throw new Error("no account");
  const key = await petstore.client.keys.create({ accountId: account.value.id, name: "key" });
  if (!key.ok) throw new Error("no key");
  const send = async (path: string, token = key.value.token): Promise<number> => {
    const request = new Request(`http://one.test/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: '{"name":"Turtles"}',
    });
    return (await petstore.fetch(request, context)).status;
  };
  return { petstore, send };
}

describe.each(ways)("a function of the host that %s does not change an answer", (way) => {
  const fail = must(failing[way], way) as () => undefined;
  const reports = way.startsWith("throws") || way.startsWith("rejects") ? 1 : 0;

  test("onAnswer, whose first failure is logged", async () => {
    const log = countingLog();
    const { petstore, send } = await create({ onAnswer: fail, log });
    expect(await send("/categories")).toBe(201);
    expect(await send("/pats")).toBe(404);
    await turns();
    expect(log.errors).toHaveLength(reports);
    await petstore.close();
  });

  test("onAnswer, while the log fails too", async () => {
    const { petstore, send } = await create({ onAnswer: fail, log: countingLog(fail) });
    expect(await send("/categories")).toBe(201);
    await petstore.close();
  });

  test("log, while a request fails", async () => {
    const log = countingLog(fail);
    const store = memoryStore();
    const { petstore, send } = await create({
      log,
      store: { ...store, answers: { find: () => Promise.reject(new Error("of the store")) } },
    });
    expect(await send("/categories")).toBe(201);
    await petstore.close();
  });

  test("address", async () => {
    const log = countingLog();
    const { petstore, send } = await create({ log }, { address: fail });
    expect(await send("/categories")).toBe(201);
    expect(await send("/categories", "unknown")).toBe(401);
    await turns();
    expect(log.errors.length > 0).toBe(reports > 0);
    await petstore.close();
  });

  test("a listener of events, and the others still receive them", async () => {
    const log = countingLog();
    const { petstore, send } = await create({ log });
    const received: string[] = [];
    petstore.events.subscribe(fail);
    petstore.events.subscribe(({ type }) => void received.push(type));
    await turns();
    petstore.jobs.start();
    expect(await send("/categories")).toBe(201);
    await until(() => received.includes("category.created"));
    expect(log.errors).toHaveLength(reports);
    await petstore.close();
  });

  test("onError of an adapter", async () => {
    const service = { fetch: () => Promise.reject(new Error("of the service")) };
    const message = Object.assign(new PassThrough(), {
      method: "GET",
      url: "/v1/pets",
      rawHeaders: ["Host", "one.test"],
      headers: { host: "one.test" },
      httpVersionMajor: 1,
      socket: {},
    }) as unknown as NodeRequest;
    const target = new EventEmitter();
    const response = Object.assign(target, {
      statusCode: 0,
      writableEnded: false,
      req: { method: "GET", httpVersionMajor: 1 },
      getHeader: () => undefined,
      setHeader: () => undefined,
      write: () => true,
      end: () => target.emit("ended"),
      destroy: () => undefined,
    });
    const ended = new Promise((resolve) => target.once("ended", resolve));
    nodeHandler(service, { onError: fail })(message, response);
    await ended;
    expect(response.statusCode).toBe(500);
  });

  test("any other, by the same wrapper", async () => {
    const reported: unknown[] = [];
    const hook = isolated(fail, (error) => reported.push(error));
    for (let call = 0; call < 3; call++) hook();
    await turns();
    expect(reported).toHaveLength(reports);
    isolated(fail, fail)();
    const safe = isolatedLog(countingLog(fail));
    safe.debug("");
    safe.info("");
    safe.warn("");
    safe.error("", undefined);
    expect(askedText(fail, () => undefined)).toBeUndefined();
  });
});

test("parts that share a log share its wrapper", () => {
  const log = countingLog();
  expect(isolatedLog(log)).toBe(isolatedLog(log));
  expect(isolatedLog(isolatedLog(log))).toBe(isolatedLog(log));
});

test("onAnswer gets the operation's path, in the asynchronous context of the request", async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const { petstore, send } = await create({
    onAnswer: ({ operation, route }) => seen.push(`${requests.getStore()} ${operation} ${route}`),
  });
  const ask = (path: string): Promise<number> => requests.run(path, () => send(path));
  await Promise.all(["/categories", "/categories?a", "/pets", "/pats"].map(ask));
  const url = "http://one.test/tenants/7/v1/pets/9";
  await petstore.fetch(new Request(url, { method: "PATCH" }), { prefix: "/tenants/7" });
  expect(seen.toSorted()).toEqual([
    "/categories createCategory /v1/categories",
    "/categories?a createCategory /v1/categories",
    "/pats unknown undefined",
    "/pets createPet /v1/pets",
    "undefined updatePet /v1/pets/{petId}",
  ]);
  await petstore.close();
});

test("without a log, the console gets each error once, and no values", async () => {
  const printed = spyOn(console, "error").mockImplementation(() => undefined);
  try {
    const petstore = createPetstore({ store: memoryStore() });
    const ask = async (userId: unknown): Promise<number> => {
      const principal = { account: "acc_none", actor: { id: userId }, scopes: ["pets:read"] };
      const request = new Request("http://localhost/v1/pets");
      return (await petstore.fetch(request, { principal: () => principal as never })).status;
    };
    expect([await ask(7), await ask(7), await ask({ secret: "hunter2" })]).toEqual([500, 500, 500]);
    const lines = printed.mock.calls.map(([line]) => String(line));
    expect(lines[0]).toMatch(/^petstore: a request failed\nTypeError: .*actor/);
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.join()).not.toContain("hunter2");

    printed.mockClear();
    const log = isolatedLog();
    const failure = Object.assign(new Error("no such column"), { parameters: ["hunter2"] });
    for (let index = 0; index < 100; index++) log.error(`task ${index}`, failure);
    log.error("thrown", "hunter2");
    log.warn("no error");
    expect(printed).toHaveBeenCalledTimes(50);
    expect(printed.mock.calls.flat().map(String).join()).not.toContain("hunter2");
  } finally {
    printed.mockRestore();
  }
});
