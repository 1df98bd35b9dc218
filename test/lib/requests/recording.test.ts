import { expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { createPetstore, StoreUnavailable, type RequestEntry } from "../../../lib/index.ts";
import type { FetchContext } from "../../../lib/http/exchange.ts";
import { createRequests } from "../../../lib/requests/create-requests.ts";
import type { LoggedRequest } from "../../../lib/requests/model.ts";
import type { RequestBatch, RequestStore } from "../../../lib/requests/request-store.ts";
import { memoryRequestStore } from "../../../lib/requests/storage/memory-request-store.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../testing/clock.ts";
import { api } from "../../helpers/api.ts";
import { must } from "../../helpers/outcome.ts";

const START = 1_794_960_000_000;
const MINUTE_LIMIT = 5;

/** A petstore whose requests are logged, and one of its accounts. */
async function open({
  context = {},
  perMinute = MINUTE_LIMIT,
  wrap = (made) => made,
}: {
  readonly context?: FetchContext;
  readonly perMinute?: number;
  readonly wrap?: (made: RequestStore) => RequestStore;
} = {}) {
  const clock = manualClock(START);
  const store = memoryStore();
  const requestStore = memoryRequestStore({ store });
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  const requests = createRequests({
    store,
    requestStore: wrap(requestStore),
    clock,
    log: { debug: log, info: log, warn: log, error: log },
  });
  const { requestLog } = requests;
  const petstore = createPetstore({ store, clock, requestLog });
  const staging = createPetstore({ store, clock, requestLog, environment: "staging" });
  const limits = { perMinute, perDay: 1_000 };
  const account = { name: "Small", plan: "enterprise", limits } as const;
  const { id: accountId } = must(await petstore.client.accounts.create(account));
  const issue = async (more: Parameters<typeof petstore.client.keys.create>[0] = {}) =>
    must(await petstore.client.keys.create({ accountId, ...more }));
  const { token, view } = await issue();
  const shopAt = (key: string | undefined) =>
    api({ fetch: (request) => petstore.fetch(request, context), key });
  /** Stores what was answered, and returns it, the oldest first. */
  const all = async (): Promise<readonly LoggedRequest[]> => {
    await requests.jobs.tick();
    clock.advance(SECOND_MS);
    await requests.jobs.tick();
    const { rows } = await requestStore.list(accountId, {}, { limit: 1_000 });
    return rows.toReversed();
  };
  return {
    ...{ clock, store, petstore, staging, requests, requestStore, accountId, issue, logged },
    ...{ key: token, keyId: view.id, shop: shopAt(token), shopAt, all },
  };
}

test("a request is logged with its limits, and found by the id that its client saw", async () => {
  const { shop, all, keyId, requestStore, accountId } = await open();
  const reply = await shop.get("/v1/pets?status=available&limit=5");
  const [row] = await all();
  const id = reply.headers.get("x-request-id") ?? "";
  expect(row).toMatchObject({
    requestId: id,
    at: START,
    environment: "production",
    keyId,
    method: "GET",
    operation: "listPets",
    path: "/pets",
    query: "status=available&limit=5",
    status: 200,
    counter: "catalogue",
    cost: 1,
    represents: 1,
  });
  const minute = row?.windows.find(({ name }) => name === "minute");
  expect(minute).toEqual({
    name: "minute",
    limit: MINUTE_LIMIT,
    remaining: Number(reply.headers.get("x-ratelimit-remaining")),
    resetsAt: Number(reply.headers.get("x-ratelimit-reset")) * 1_000,
  });
  expect(await requestStore.withId(accountId, id, 5)).toHaveLength(1);
});

test("a request to Staging belongs to the same account", async () => {
  const { staging, issue, all } = await open();
  const { token } = await issue({ environment: "staging" });
  await api({ fetch: staging.fetch, key: token }).get("/v1/pets");
  expect(await all()).toMatchObject([{ environment: "staging", status: 200 }]);
});

test("each refusal is logged with the rule that refused it", async () => {
  const { shop, shopAt, issue, all, petstore, accountId, clock } = await open();
  const reader = await issue({ scopes: ["pets:read"] });
  const placed = await issue({ allowedAddresses: ["192.0.2.0/24"] });
  await shopAt(reader.token).post("/v1/pets", { name: "Rex", categoryId: 1 });
  await shopAt(placed.token).get("/v1/pets");
  await shop.get("/v1/pets?colour=red");
  await shop.get("/v1/pets/77");
  for (let sent = 0; sent < MINUTE_LIMIT; sent++) await shop.get("/v1/pets");
  const rows = await all();
  expect(rows.map(({ status, code, rule, scope }) => [status, code, rule, scope])).toEqual([
    [403, "insufficient_scope", "scope", "pets:write"],
    [403, "address_not_allowed", "networks", undefined],
    [400, "unknown_parameter", undefined, undefined],
    [404, "not_found", undefined, undefined],
    [200, undefined, undefined, undefined],
    [200, undefined, undefined, undefined],
    ...[0, 1, 2].map(() => [429, "rate_limited", "minute_limit", undefined]),
  ]);
  // Refused requests cost nothing; the address's own windows are not those of the account.
  expect(rows.map(({ cost, counter }) => `${cost} ${counter}`)).toEqual([
    "1 catalogue",
    "1 address",
    ...[0, 1, 2, 3].map(() => "1 catalogue"),
    ...[0, 1, 2].map(() => "0 catalogue"),
  ]);
  clock.advance(MINUTE_MS);
  must(await petstore.client.accounts.suspend(accountId));
  await shop.get("/v1/pets");
  expect((await all()).at(-1)).toMatchObject({ code: "account_suspended", rule: "suspension" });
});

test("the limit of failed authentication and that of reading the limits are told apart", async () => {
  const { shop, shopAt, issue, all } = await open({ context: { address: "198.51.100.7" } });
  const placed = await issue({ allowedAddresses: ["192.0.2.0/24"] });
  for (let sent = 0; sent < 61; sent++) await shopAt(placed.token).get("/v1/pets");
  for (let sent = 0; sent < 61; sent++) await shop.get("/v1/rate-limit");
  const limited = (await all()).filter(({ status }) => status === 429);
  expect(limited.map(({ rule, counter }) => [rule, counter])).toEqual([
    ["address_limit", "address"],
    ["inquiry_limit", "inquiries"],
  ]);
});

test("a request with an expired or a revoked key belongs to the key's account", async () => {
  const { shopAt, issue, all, petstore, clock } = await open();
  const short = await issue({ expiresInMs: HOUR_MS });
  const revoked = await issue();
  must(await petstore.client.keys.revoke(revoked.view.id));
  clock.advance(HOUR_MS);
  await shopAt(short.token).get("/v1/pets");
  await shopAt(revoked.token).get("/v1/pets");
  expect((await all()).map(({ code, keyId }) => [code, keyId])).toEqual([
    ["expired_api_key", short.view.id],
    ["revoked_api_key", revoked.view.id],
  ]);
});

test("a wrong path is logged if its key was used lately", async () => {
  const { shop, all, keyId } = await open();
  await shop.get("/v1/pets");
  await shop.get("/v1/pet");
  await shop.delete("/v1/pets");
  expect((await all()).map((row) => [row.path, row.code, row.keyId, row.operation])).toEqual([
    ["/pets", undefined, keyId, "listPets"],
    ["/pet", "route_not_found", keyId, "unknown"],
    ["/pets", "method_not_allowed", keyId, "unknown"],
  ]);
});

test("failures without a valid key belong to no account, and other anonymous requests are not logged", async () => {
  const { shopAt, requests, requestStore, accountId, keyId } = await open();
  const strange = shopAt(undefined);
  const missing = await strange.get("/v1/pets");
  await shopAt(`pet_live_${keyId}_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`).get("/v1/pets");
  await strange.get("/v1/openapi.json", { headers: { "x-request-id": "the-document" } });
  await strange.raw("OPTIONS", "/v1/pets", { headers: { "x-request-id": "the-options" } });
  await requests.jobs.tick();
  const { rows } = await requestStore.list(accountId, {}, { limit: 10 });
  expect(rows).toEqual([]);
  const id = missing.headers.get("x-request-id") ?? "";
  const [found, ...others] = await requestStore.findAll(id, 5);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ status: 401, code: "missing_api_key", counter: "address" });
  expect(found?.accountId).toBeUndefined();
  for (const other of ["the-document", "the-options"]) {
    expect(await requestStore.findAll(other, 5)).toEqual([]);
  }
});

test("our own failure is logged as costing nothing", async () => {
  const { shop, store, all } = await open();
  await shop.get("/v1/pets");
  store.catalogues.revision = () => {
    throw new StoreUnavailable("down");
  };
  await shop.get("/v1/pets");
  expect((await all()).at(-1)).toMatchObject({ status: 503, code: "unavailable", cost: 0 });
});

const SECRETS = ["Kim Petersen", "kim@example.com", "s3cretValue9", "Leberwurst", "015112345678x"];

test("no key, body, header or free value gets into a row", async () => {
  const batches: RequestBatch[] = [];
  const { shop, shopAt, key, all, petstore, staging } = await open({
    perMinute: 100,
    wrap: (made) => ({
      ...made,
      add: (batch) => {
        batches.push(batch);
        return made.add(batch);
      },
    }),
  });
  const [name = "", email = "", secret = "", word = ""] = SECRETS;
  const query = encodeURIComponent(name);
  await shop.get("/v1/pets");
  await shop.get(`/v1/pets?include=profile&q=${query}&cursor=${secret}`);
  await shop.get(`/v1/pets?status=${word}&${secret}=1&api_key=${key}`);
  await shop.get(`/v1/pets/${encodeURIComponent(email)}`);
  await shop.get(`/v1/${secret}/${word}/${key}`);
  await shop.get("/v1/pets?status=sold", {
    headers: { "idempotency-key": secret, "if-match": secret, cookie: secret, referer: email },
  });
  await shop.post("/v1/pets", { name, categoryId: 1, status: word });
  await shop.raw("POST", "/v1/pets", { body: `{"${secret}": "${email}"` });
  const weird = { authorization: `Bearer ${key}`, "x-request-id": key };
  await shopAt(undefined).get("/v1/pets", { headers: weird });
  await staging.fetch(
    new Request("http://petstore.test/v1/pets", { headers: { authorization: `Bearer ${key}` } }),
  );
  await petstore.fetch(new Request(`http://petstore.test/v1/pets/7?fields=${secret}#${word}`));
  expect((await all()).length).toBeGreaterThan(8);
  const strangers = batches.flatMap(({ rows }) => rows.filter((row) => !row.accountId));
  expect(strangers.length).toBeGreaterThan(1);
  const stored = JSON.stringify(batches);
  for (const one of [...SECRETS, query, key, key.slice(-20)]) expect(stored).not.toContain(one);
  // What is useful and tells nothing about a person stays.
  expect(stored).toContain("include=profile&q=…&cursor=…");
  expect(stored).toContain("status=…&…&api_key=…");
  expect(stored).toContain('"/pets/…"');
  expect(stored).toContain("status=sold");
});

test("a path and a query of any length become short", async () => {
  const { shop, all } = await open();
  await shop.get("/v1/pets");
  await shop.get(`/v1/${"pets/".repeat(500)}pets?${"status=sold&".repeat(500)}limit=1`);
  const row = (await all()).at(-1);
  expect(row?.path.length).toBeLessThanOrEqual(200);
  expect(row?.query.length).toBeLessThanOrEqual(200);
});

test("a request is answered while the log cannot be written, and is stored later", async () => {
  let isDown = true;
  const { shop, all, requests, logged, clock } = await open({
    wrap: (made) => ({
      ...made,
      add: (batch) => (isDown ? Promise.reject(new Error("down")) : made.add(batch)),
    }),
  });
  expect((await shop.get("/v1/pets")).status).toBe(200);
  for (let round = 0; round < 3; round++) {
    await requests.jobs.tick();
    clock.advance(SECOND_MS);
  }
  expect(logged).toEqual(["writing the request log failed and is retried"]);
  isDown = false;
  expect(await all()).toHaveLength(1);
});

test("a batch whose confirmation was lost is stored once", async () => {
  let isLost = true;
  const { shop, all, requestStore, accountId } = await open({
    wrap: (made) => ({
      ...made,
      add: async (batch) => {
        await made.add(batch);
        if (isLost) throw new Error("the connection was lost");
      },
    }),
  });
  await shop.get("/v1/pets");
  await all();
  isLost = false;
  expect(await all()).toHaveLength(1);
  expect(await requestStore.days(accountId)).toMatchObject([{ answered: 1, logged: 1 }]);
});

test("two processes write into one log", async () => {
  const { store, requestStore, shop, key, all, accountId } = await open();
  const other = createRequests({ store, requestStore });
  const clock = manualClock(START);
  const beside = createPetstore({ store, clock, requestLog: other.requestLog });
  await shop.get("/v1/pets");
  await api({ fetch: beside.fetch, key }).get("/v1/pets");
  await other.close();
  expect(await all()).toHaveLength(2);
  const days = await requestStore.days(accountId);
  expect(days.reduce((sum, { answered }) => sum + answered, 0)).toBe(2);
});

test("requests are deleted after their time", async () => {
  const { shop, all, clock } = await open();
  await shop.get("/v1/pets");
  expect(await all()).toHaveLength(1);
  clock.advance(7 * DAY_MS - MINUTE_MS);
  expect(await all()).toHaveLength(1);
  clock.advance(11 * MINUTE_MS);
  expect(await all()).toHaveLength(0);
});

test("stopping stores what waits", async () => {
  const { shop, requests, requestStore, accountId } = await open();
  await shop.get("/v1/pets");
  await requests.close();
  const { rows } = await requestStore.list(accountId, {}, { limit: 10 });
  expect(rows).toHaveLength(1);
});

test("a log of the host that throws does not change the answer", async () => {
  const store = memoryStore();
  const offered: RequestEntry[] = [];
  const petstore = createPetstore({
    store,
    clock: manualClock(START),
    requestLog: {
      offer: (_account, _status, _at, make) => {
        offered.push(make());
        throw new Error("full");
      },
    },
  });
  const reply = await api({ fetch: petstore.fetch }).get("/v1/pets");
  expect(reply.status).toBe(401);
  expect(offered).toHaveLength(1);
});
