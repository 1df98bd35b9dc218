import { describe, expect, test } from "bun:test";
import { createPetstore } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";

// Some embedders' compilers do not distinguish absent from undefined members.
const nowhere = JSON.parse("{}") as { readonly environment: "staging" };
const unsaid = { environment: nowhere.environment };

test("the default environment is the one that the instance serves", async () => {
  const { client } = createPetstore({ store: memoryStore(), environment: "staging" });
  const issued = await client.keys.create(unsaid);
  expect(issued).toMatchObject({ ok: true, value: { view: { environment: "staging" } } });
  const added = await client.pets.import({ ...unsaid, rows: [{ name: "Rex", categoryId: 1 }] });
  expect(added).toMatchObject({ ok: true, value: { added: 1 } });
  expect(await client.pets.page({ environment: "staging" })).toMatchObject({
    ok: true,
    value: [{ name: "Rex" }],
  });
});

describe("the in-process client", () => {
  const open = () => createPetstore({ store: memoryStore() }).client;

  test("applies the API's rules to any input", async () => {
    const { pets, categories } = open();
    const created = await pets.create({ name: " Rex ", categoryId: 1 });
    expect(created).toMatchObject({ ok: true, value: { id: 1, name: "Rex", version: 1 } });
    const nameless = JSON.parse('{"categoryId":1}');
    for (const refusal of [
      await pets.create(nameless),
      await pets.create({ name: "x".repeat(121), categoryId: 1 }),
      await pets.update({ petId: 1, name: "" }),
      await pets.update({ petId: 1, status: JSON.parse('"gone"') }),
      await categories.create({ name: "" }),
      await categories.rename({ categoryId: 1, name: "x".repeat(81) }),
    ]) {
      expect(refusal.ok ? "done" : refusal.failure.code).toMatch(/^(missing_field|invalid_value)$/);
    }
    expect(await pets.byId({ petId: 1 })).toEqual(created);
  });

  test("can return a sold animal", async () => {
    const { pets } = open();
    await pets.create({ name: "Rex", categoryId: 1, status: "sold" });
    expect(await pets.update({ petId: 1, status: "available" })).toMatchObject({ ok: true });
  });

  test("refuses changes based on another version", async () => {
    const { pets, categories } = open();
    await pets.create({ name: "Rex", categoryId: 1 });
    await pets.update({ petId: 1, ifVersion: 1, name: "Bello" });
    await categories.rename({ categoryId: 2, ifVersion: 1, name: "Kittens" });
    for (const late of [
      await pets.update({ petId: 1, ifVersion: 1, name: "Hasso" }),
      await pets.delete({ petId: 1, ifVersion: 1 }),
      await categories.rename({ categoryId: 2, ifVersion: 1, name: "Cats" }),
      await categories.delete({ categoryId: 2, ifVersion: 1 }),
    ]) {
      expect(late).toMatchObject({ failure: { code: "precondition_failed" } });
    }
    expect(await pets.byId({ petId: 1 })).toMatchObject({ value: { name: "Bello", version: 2 } });
    expect(await pets.delete({ petId: 1, ifVersion: 2 })).toMatchObject({ ok: true });
  });
});

test("an argument that cannot be meant is a TypeError, and changes nothing", async () => {
  const { client } = createPetstore({ store: memoryStore() });
  const account = await client.accounts.default();
  // JavaScript callers pass what they like.
  const wrong = (value: unknown): never => value as never;
  const owners: Readonly<Record<string, object>> = { ...client, as: {} };
  const byId = ["accounts.byId", "accounts.suspend", "accounts.resume", "accounts.delete"];
  for (const name of [...byId, "keys.list", "keys.revoke", "keys.unban"]) {
    const [owner = "", method = ""] = name.split(".");
    const act = Reflect.get(owners[owner] ?? {}, method);
    for (const [value, kind] of [
      [{ accountId: account.id }, "an object"],
      [undefined, "undefined"],
      [7, "a number"],
    ] as const) {
      const message = `client.${name} takes an ID, which is a text, not ${kind}.`;
      expect(() => act(value)).toThrow(new TypeError(message));
    }
  }
  // With a text, these would speak of the default account.
  for (const act of [
    () => client.limits.read(wrong(account.id)),
    () => client.keys.create(wrong(account.id)),
    () => client.categories.list(wrong(account.id)),
    () => client.pets.page(wrong([account.id])),
  ]) {
    expect(act).toThrow(/takes one object with its arguments by name, not a (text|string|list)\.$/);
  }
  expect(await client.accounts.byId(account.id)).toEqual({ ok: true, value: account });
  expect(await client.keys.list(account.id)).toEqual({ ok: true, value: [] });
});
