import { expect, test } from "bun:test";

import { createPetstore, type Petstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/index.ts";
import { must } from "../helpers/outcome.ts";

async function tokenOf(petstore: Petstore): Promise<string> {
  const issued = must(await petstore.client.keys.create({}));
  return issued.token;
}

function get(petstore: Petstore, path: string, token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  return Promise.resolve(petstore.fetch(new Request(`http://localhost${path}`, { headers })));
}

async function add(petstore: Petstore, token: string, name: string): Promise<Response> {
  const request = new Request("http://localhost/v1/pets", {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  return petstore.fetch(request);
}

test("two petstores in one process share no keys, animals or counters", async () => {
  const [a, b] = [
    createPetstore({ store: memoryStore() }),
    createPetstore({ store: memoryStore() }),
  ];
  const [tokenA, tokenB] = [await tokenOf(a), await tokenOf(b)];
  expect((await add(a, tokenA, "Ada")).status).toBe(201);
  expect((await get(b, "/v1/pets", tokenA)).status).toBe(401);
  const seen = await get(b, "/v1/pets", tokenB);
  expect(await seen.json()).toEqual([]);
  const { headers } = seen;
  expect(Number(headers.get("x-ratelimit-remaining"))).toBe(
    Number(headers.get("x-ratelimit-limit")) - 1,
  );
});

test("two environments over one store share only the accounts", async () => {
  const store: Store = memoryStore();
  const production = createPetstore({ store });
  const staging = createPetstore({ store, environment: "staging", prefix: "/staging" });
  const live = await tokenOf(production);
  const trial = must(await staging.client.keys.create({ environment: "staging" }));
  await add(production, live, "Ada");
  const shown = await get(staging, "/staging/v1/pets", trial.token);
  expect(await shown.json()).toEqual([]);
  const refused = await get(staging, "/staging/v1/pets", live);
  expect(await refused.json()).toMatchObject({ code: "wrong_environment", status: 401 });
});

test("the caller's Request is unchanged except for its body", async () => {
  const petstore = createPetstore({ store: memoryStore() });
  const token = await tokenOf(petstore);
  const request = new Request("http://localhost/v1/pets?limit=5", {
    headers: { authorization: `Bearer ${token}`, "x-mine": "1" },
  });
  const state = (): unknown => [
    request.url,
    request.method,
    [...request.headers],
    Reflect.ownKeys(request),
    request.bodyUsed,
    Object.getPrototypeOf(request) === Request.prototype,
  ];
  const before = state();
  Object.freeze(request);
  expect((await petstore.fetch(request)).status).toBe(200);
  expect(state()).toEqual(before);
});
