import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { bunHandler } from "../../adapters/hosts/bun.ts";
import { createPetstore, type Petstore } from "../../lib/index.ts";
import { webhookSecret } from "../../lib/base/webhook-signature.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { openBrowser, openTab, type Tab } from "../helpers/browser.ts";
import { must } from "../helpers/outcome.ts";
import { Webhook } from "standardwebhooks";

const sight = { width: 400, scheme: "light" } as const;

let browser: Browser;
let tab: Tab;
let page: Page;
let petstore: Petstore;
let api: Bun.Server<unknown>;
let site: Bun.Server<unknown>;
/** Requests that the service got. */
const arrived: string[] = [];
/** When a request without an answer arrives, and when the browser abandons it. */
const [held, abandoned] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];

beforeAll(async () => {
  petstore = createPetstore({ store: memoryStore() });
  for (const name of ["Ada", "Bo", "Cy", "Dot", "Eve"]) {
    must(await petstore.client.pets.create({ name, categoryId: 1 }));
  }
  const { token } = must(await petstore.client.keys.create({ scopes: ["pets:read"] }));
  const handle = bunHandler(petstore);
  api = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request, server) => {
      const { pathname } = new URL(request.url);
      arrived.push(`${request.method} ${pathname}`);
      if (pathname === "/slow/v1/pets" && request.method === "GET") {
        request.signal.addEventListener("abort", () => abandoned.resolve());
        held.resolve();
        return new Promise(() => {});
      }
      if (pathname === "/moved/v1/pets" && request.method === "GET") {
        const headers = { location: "/v1/pets", "access-control-allow-origin": "*" };
        return new Response(null, { status: 307, headers });
      }
      // The preflights of the two.
      if (/^\/(slow|moved)\//.test(pathname)) {
        return handle(new Request(new URL("/v1/pets", request.url), request), server);
      }
      return handle(request, server);
    },
  });
  const entry = join(import.meta.dir, "../../lib/client/index.ts");
  const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
  const client = (await outputs[0]?.text()) ?? "";
  site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: {
      "/client.js": new Response(client, { headers: { "content-type": "text/javascript" } }),
      "/": new Response(
        `<!doctype html><link rel="icon" href="data:,"><script type="module">
          import * as petstore from "/client.js";
          const api = ${JSON.stringify(api.url.origin)};
          const apiKey = ${JSON.stringify(token)};
          const client = (path = "/v1", more = {}) =>
            petstore.createClient({ baseUrl: api + path, apiKey, ...more });
          const failure = (call) =>
            call.then(() => "none", ({ name, code, status, message }) => ({ name, code, status, message }));
          Object.assign(window, { ...petstore, client, failure });
        </script>`,
        { headers: { "content-type": "text/html" } },
      ),
    },
  });
  browser = await openBrowser();
  tab = await openTab(browser, sight);
  ({ page } = tab);
  await page.goto(site.url.href);
  await page.waitForFunction("window.client !== undefined");
});

afterAll(async () => {
  await tab?.[Symbol.asyncDispose]();
  await browser?.close();
  await Promise.all([api?.stop(true), site?.stop(true)]);
  await petstore?.close();
});

/** Runs the body of an async function in the page, whose globals are the client's exports, `client` and `failure`. */
function inPage<Value>(body: string): Promise<Value> {
  return page.evaluate<Value>(`(async () => { ${body} })()`);
}

test("a page of another origin reads a list, whose pages and numbers it may see", async () => {
  const found = await inPage(`
    const names = [];
    for await (const { name } of client().pets.all({ limit: 2 })) names.push(name);
    const { total, next } = await client().pets.list({ count: true, limit: 2 });
    const { etag } = await client().pets.get(1);
    return { names, total, next: typeof next, etag };`);
  expect(found).toEqual({
    names: ["Eve", "Dot", "Cy", "Bo", "Ada"],
    total: 5,
    next: "string",
    etag: expect.stringMatching(/^"/),
  });
});

test("leaving a loop requests no more pages", async () => {
  const before = arrived.length;
  const first = await inPage(`
    for await (const { name } of client().pets.all({ limit: 1 })) return name;`);
  expect(first).toBe("Eve");
  expect(arrived.slice(before).filter((one) => one === "GET /v1/pets")).toHaveLength(1);
});

test("a key that may only read is refused a change, with the code, status and ID of the request", async () => {
  const refused = await inPage(`
    const [created, deleted] = await Promise.allSettled([
      client().pets.create({ name: "Rex", categoryId: 1 }),
      client().pets.delete(1, { ifMatch: '"1-1"' }),
    ]);
    return [created, deleted].map(({ reason }) => [
      reason instanceof PetstoreError, reason.code, reason.status, typeof reason.requestId,
    ]);`);
  const expected = [true, "insufficient_scope", 403, "string"];
  expect(refused).toEqual([expected, expected]);
  expect(must(await petstore.client.pets.page({}))).toHaveLength(5);
});

test("a signal ends a call, and the browser drops its connection", async () => {
  const outcome = inPage(`
    window.leave = new AbortController();
    return (await failure(client("/slow/v1").pets.list({}, { signal: leave.signal }))).message;`);
  await held.promise;
  await inPage(`leave.abort(new Error("enough"));`);
  expect(await outcome).toBe("enough");
  await abandoned.promise;
});

test("an attempt that takes too long is an unreachable service", async () => {
  const outcome = await inPage(`
    return failure(client("/slow/v1", { timeoutMs: 1, attempts: 1 }).pets.list());`);
  expect(outcome).toEqual({
    name: "PetstoreUnreachable",
    message: "The service could not be reached.",
  });
});

test("an address without /v1 fails with the right one, although the browser hides the response", async () => {
  const outcome = await inPage(`return failure(client("", { attempts: 1 }).pets.list());`);
  expect(outcome).toEqual({
    name: "PetstoreUnreachable",
    message: `The service could not be reached. Should baseUrl be ${api.url.origin}/v1?`,
  });
});

test("a redirect is not followed", async () => {
  const before = arrived.length;
  const outcome = await inPage(`return failure(client("/moved/v1").pets.list());`);
  expect(outcome).toEqual({
    name: "PetstoreError",
    code: "unexpected_answer",
    status: 0,
    message: "The server redirects to another address.",
  });
  expect(arrived.slice(before).filter((one) => one.endsWith("/v1/pets"))).toEqual([
    "OPTIONS /moved/v1/pets",
    "GET /moved/v1/pets",
  ]);
});

test("a webhook's message is verified with Web Crypto", async () => {
  const secret = webhookSecret(crypto.getRandomValues(new Uint8Array(32)));
  const body = JSON.stringify({ type: "pet.created", timestamp: "2026-11-20T09:30:00Z", data: {} });
  const now = new Date();
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
    "webhook-signature": new Webhook(secret).sign("msg_1", now, body),
  };
  // On plain HTTP, only loopback has Web Crypto.
  const given = JSON.stringify({ secret, body, headers });
  const outcome = await inPage(`
    const { secret, body, headers } = ${given};
    const { id, message } = await verifyWebhook({ headers, body }, { secret });
    const forged = verifyWebhook({ headers, body: body + " " }, { secret });
    return { id, type: message.type, forged: (await failure(forged)).code };`);
  expect(outcome).toEqual({ id: "msg_1", type: "pet.created", forged: "wrong_signature" });
});
