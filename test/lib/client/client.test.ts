import { expect, test } from "bun:test";

import { petDefaults } from "../../../lib/catalogue/model.ts";
import { createClient, PetstoreError, type Client } from "../../../lib/client/index.ts";
import { createPetstore, scopes, type Petstore } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { manualClock } from "../../../testing/index.ts";
import { START } from "./scripted.ts";
import { must } from "../../helpers/outcome.ts";

/** Returns a client of a petstore in this process, with all scopes. */
async function open(
  prefix = "",
): Promise<{ readonly client: Client; readonly petstore: Petstore }> {
  const petstore = createPetstore({ store: memoryStore(), clock: manualClock(START), prefix });
  const issued = must(await petstore.client.keys.create({ scopes }));
  const client = createClient({
    baseUrl: `http://petstore.test${prefix}/v1/`,
    apiKey: issued.token,
    clock: manualClock(START),
    fetch: (request) => petstore.fetch(request),
  });
  return { client, petstore };
}

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof PetstoreError ? error.code : String(error)),
  );
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("an animal is created, read, changed, deleted and restored", async () => {
  const { pets } = (await open()).client;
  const rex = await pets.create({ name: "Rex", categoryId: 1 });
  expect(rex).toEqual({ id: 1, name: "Rex", categoryId: 1, ...petDefaults, etag: rex.etag });
  expect(await pets.get(1)).toEqual(rex);
  const pending = await pets.update(1, { status: "pending" }, { ifMatch: rex.etag });
  expect(pending.status).toBe("pending");
  await pets.delete(1, { ifMatch: pending.etag });
  expect(await pets.get(1)).toBeUndefined();
  expect(await pets.restore(1)).toMatchObject({ id: 1, name: "Rex", status: "pending" });
});

test("a change based on an older version is refused", async () => {
  const { pets } = (await open()).client;
  const { etag } = await pets.create({ name: "Rex", categoryId: 1 });
  await pets.update(1, { name: "Max" });
  expect(await codeOf(pets.update(1, { name: "Bo" }, { ifMatch: etag }))).toBe(
    "precondition_failed",
  );
  expect(await codeOf(pets.delete(1, { ifMatch: etag }))).toBe("precondition_failed");
});

test("a creation sent twice with one idempotency key takes effect once", async () => {
  const { pets } = (await open()).client;
  const first = await pets.create({ name: "Rex", categoryId: 1 }, { idempotencyKey: "k" });
  expect(await pets.create({ name: "Rex", categoryId: 1 }, { idempotencyKey: "k" })).toEqual(first);
  expect((await pets.list({ count: true })).total).toBe(1);
});

test("iterating a list returns every animal once, also under a prefix", async () => {
  const { pets } = (await open("/shelter")).client;
  for (let index = 1; index <= 7; index++) await pets.create({ name: `P${index}`, categoryId: 1 });
  const ids = (await collect(pets.all({ limit: 3 }))).map(({ id }) => id);
  expect(ids).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(
    (await collect(pets.pages({ limit: 3, sort: "id" }))).map(({ items }) => items.length),
  ).toEqual([3, 3, 1]);
});

test("a loop may change the list that it walks: each animal that it finds is seen once", async () => {
  const { pets } = (await open()).client;
  for (let index = 1; index <= 7; index++) await pets.create({ name: `P${index}`, categoryId: 1 });
  const seen: number[] = [];
  for await (const { id } of pets.all({ status: "available", limit: 2 })) {
    seen.push(id);
    // Neither is in the list any more, and the new one is before its beginning.
    await (id % 2 === 0 ? pets.delete(id) : pets.update(id, { status: "pending" }));
    await pets.create({ name: "New", categoryId: 1 });
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

test("a page can be requested with the previous page's cursor", async () => {
  const { pets } = (await open()).client;
  for (const name of ["Ada", "Bo", "Cy"]) await pets.create({ name, categoryId: 1 });
  const { next } = await pets.list({ limit: 2 });
  if (next === undefined) throw new Error("There is no next page.");
  expect((await pets.list({ limit: 2, cursor: next })).items).toMatchObject([{ name: "Ada" }]);
});

test("animals can be filtered", async () => {
  const { pets } = (await open()).client;
  await pets.create({ name: "Ada", categoryId: 1, status: "sold" });
  await pets.create({ name: "Bo", categoryId: 2 });
  const names = async (query: Parameters<typeof pets.list>[0]): Promise<string[]> =>
    (await pets.list(query)).items.map(({ name }) => name);
  expect(await names({ status: "sold" })).toEqual(["Ada"]);
  expect(await names({ categoryId: 2 })).toEqual(["Bo"]);
  expect(await names({ id: [1, 2] })).toEqual(["Bo", "Ada"]);
});

test("categories are created, read, changed and deleted", async () => {
  const { categories } = (await open()).client;
  const made = await categories.create({ name: "Rabbits" });
  expect(await categories.get(made.id)).toEqual(made);
  const renamed = await categories.update(made.id, { name: "Hares" }, { ifMatch: made.etag });
  expect(await codeOf(categories.delete(made.id, { ifMatch: made.etag }))).toBe(
    "precondition_failed",
  );
  await categories.delete(made.id, { ifMatch: renamed.etag });
  expect(await categories.get(made.id)).toBeUndefined();
  expect((await collect(categories.all({ sort: "id" }))).map(({ name }) => name)).toEqual([
    "Dogs",
    "Cats",
    "Other",
  ]);
});

test("a sale creates an order", async () => {
  const { pets, orders } = (await open()).client;
  await pets.create({ name: "Ada", categoryId: 1, status: "sold" });
  const [order] = (await orders.list({ petId: 1 })).items;
  expect(order).toMatchObject({ id: 1, petId: 1, status: "placed" });
  expect(order?.createdAt).toBe(new Date(START).toISOString());
});

test("the limits can be read at no cost", async () => {
  const { client } = await open();
  await client.pets.list();
  const first = await client.rateLimit();
  expect(first.minute.remaining).toBe(first.minute.limit - 1);
  expect(await client.rateLimit()).toEqual(first);
  expect(first.bannedUntil).toBeNull();
});

test("any operation can be called by its method and path", async () => {
  const { client, petstore } = await open();
  const post = { body: { name: "Rex", categoryId: 1 } };
  const made = await client.call("POST /pets", post, { idempotencyKey: "k" });
  expect(await client.call("POST /pets", post, { idempotencyKey: "k" })).toEqual(made);
  const { value, etag } = await client.call("GET /pets/:petId", { petId: String(made.value.id) });
  expect([value.name, etag]).toEqual(["Rex", made.etag]);
  // None of them is another path.
  for (const petId of ["../categories/1", "", ".", ".."]) {
    expect(await codeOf(client.call("DELETE /pets/:petId", { petId }))).toBe("not_found");
  }
  const gone = await client.call("DELETE /pets/:petId", { petId: "1" }, { ifMatch: etag });
  expect(gone).toEqual({ value: undefined, etag: "" });
  expect(await petstore.client.pets.byId({ petId: 1 })).toMatchObject({ ok: false });
});

test("a refusal has its code and every fault of the body", async () => {
  const { pets } = (await open()).client;
  const failure: unknown = await pets
    .create({ name: "", categoryId: 99 })
    .catch((error: unknown) => error);
  if (!(failure instanceof PetstoreError)) throw new Error("no PetstoreError");
  expect([failure.code, failure.status]).toEqual(["invalid_value", 400]);
  expect(failure.errors[0]?.pointer).toBe("/name");
  expect(failure.requestId).toBeString();
});

test("an animal instead of its ID is a TypeError, and so is none", async () => {
  const { pets, categories } = (await open()).client;
  const pet = await pets.create({ name: "Rex", categoryId: 1 });
  const wrong: never = pet as never;
  for (const act of [
    () => pets.get(wrong),
    () => pets.update(wrong, { name: "Max" }),
    () => pets.delete(wrong),
    () => pets.restore(wrong),
    () => categories.get(wrong),
    () => categories.update(wrong, { name: "Max" }),
    () => categories.delete(wrong),
  ]) {
    expect(await codeOf(act())).toBe("TypeError: An ID must be a number.");
  }
  // Without an ID, the first page would be asked for.
  const none: never = undefined as never;
  expect(await codeOf(pets.get(none))).toBe("TypeError: An ID must be a number.");
  expect((await pets.get(pet.id))?.name).toBe("Rex");
});
