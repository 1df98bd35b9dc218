import { describe, expect, test } from "bun:test";

import { importPets } from "../../../lib/catalogue/import.ts";
import { createPetstore, type ImportRow } from "../../../lib/index.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../lib/testing/clock.ts";

const clock = manualClock(1_794_960_000_000);

async function open() {
  const store = memoryStore();
  const { client } = createPetstore({ store, clock });
  const created = await client.accounts.create({ name: "A" });
  if (!created.ok) throw new Error(created.failure.message);
  const where = { accountId: created.value.id, environment: "production" } as const;
  const catalogue = await store.catalogues.of(where.accountId, where.environment);
  return { store, client, where, id: catalogue?.id ?? 0 };
}

test("at most 100 rows are checked between two pauses", async () => {
  const { store, id } = await open();
  const checked = new Set<number>();
  const batches: number[] = [];
  const rows = Array.from({ length: 1_000 }, (_, index): ImportRow => {
    return {
      get name() {
        checked.add(index);
        return `Rex ${index}`;
      },
      category: index % 2 === 0 ? "Dogs" : "Unicorns",
    };
  });
  const pause = async (): Promise<void> => {
    batches.push(checked.size);
    checked.clear();
  };
  const outcome = await importPets({ store, clock }, id, { rows, dryRun: true }, pause);
  expect(outcome).toMatchObject({ ok: true, value: { added: 500 } });
  expect(batches).toEqual([100, 100, 100, 100, 100, 100, 100, 100, 100]);
});

test("categories are read a thousand at a time, with pauses", async () => {
  const { store, client, where, id } = await open();
  for (let index = 0; index < 2_100; index++) {
    await client.categories.create({ ...where, name: `Kind ${index}` });
  }
  let pauses = 0;
  const rows = [{ name: "Rex", category: "Kind 2099" }];
  const outcome = await importPets({ store, clock }, id, { rows }, async () => void pauses++);
  expect(outcome).toMatchObject({ ok: true, value: { added: 1 } });
  expect(pauses).toBe(2);
});

test("only the first ten missing categories get a suggestion", async () => {
  const { client, where } = await open();
  const rows = Array.from({ length: 30 }, (_, index) => ({
    name: "Rex",
    category: `Dogs${index % 10}`,
  }));
  rows.push({ name: "Rex", category: "Catz" });
  const outcome = await client.pets.import({ ...where, rows });
  const messages = outcome.ok ? outcome.value.failures.map(({ problem }) => problem.message) : [];
  expect(messages[29]).toBe('There is no category "Dogs9". Did you mean "dogs"?');
  expect(messages[30]).toBe('There is no category "Catz".');
});

test("each comparison with 200 names is followed by a pause", async () => {
  const { store, client, where, id } = await open();
  for (let index = 0; index < 300; index++) {
    await client.categories.create({ ...where, name: `Kind ${index}` });
  }
  let pauses = 0;
  // The eleventh and later names get no suggestion.
  const rows = Array.from({ length: 20 }, (_, index) => ({ name: "Rex", category: `${index} ?` }));
  const request = { rows, dryRun: true };
  await importPets({ store, clock }, id, request, async () => void pauses++);
  expect(pauses).toBe(10);
});

describe("missing categories", () => {
  const rows = [
    { name: "Rex", category: "Dogs" },
    { name: "Luna", category: " Rabbits " },
    { name: "Tom", category: "RABBITS" },
    { name: "", category: "Horses" },
    { name: "Kim", category: "\u200B" },
  ];

  test("are created once on request, for rows that are valid", async () => {
    const { client, where } = await open();
    const request = { ...where, rows, createCategories: true };
    const looked = await client.pets.import({ ...request, dryRun: true });
    expect(looked).toMatchObject({ ok: true, value: { added: 3, categories: ["Rabbits"] } });
    expect(await client.categories.list(where)).toMatchObject({ value: [{}, {}, {}] });
    const outcome = await client.pets.import(request);
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        added: 3,
        categories: ["Rabbits"],
        failures: [
          { index: 3, problem: { code: "unknown_category" } },
          { index: 4, problem: { code: "unknown_category" } },
        ],
      },
    });
    expect(await client.categories.list(where)).toMatchObject({
      value: [{ name: "Dogs" }, { name: "Cats" }, { name: "Other" }, { id: 4, name: "Rabbits" }],
    });
    expect(await client.pets.page(where)).toMatchObject({
      value: [{ categoryId: 1 }, { name: "Luna", categoryId: 4 }, { name: "Tom", categoryId: 4 }],
    });
    expect(await client.pets.import(request)).toMatchObject({
      value: { added: 3, categories: [] },
    });
  });

  test("are not created without it", async () => {
    const { client, where } = await open();
    const outcome = await client.pets.import({ ...where, rows });
    expect(outcome).toMatchObject({ ok: true, value: { added: 1, categories: [] } });
  });

  test("are at most 50 in one call", async () => {
    const { client, where } = await open();
    const many = Array.from({ length: 60 }, (_, index) => ({
      name: "Rex",
      category: `K ${index}`,
    }));
    const outcome = await client.pets.import({ ...where, rows: many, createCategories: true });
    expect(outcome).toMatchObject({ ok: true, value: { added: 50 } });
    expect(outcome.ok && outcome.value.failures).toHaveLength(10);
  });

  test("that another request creates at the same time are used", async () => {
    const { store, client, where, id } = await open();
    let first = true;
    const racing: Store = {
      ...store,
      commit: async (changes) => {
        if (first) await client.categories.create({ ...where, name: "rabbits" });
        first = false;
        return store.commit(changes);
      },
    };
    const request = { rows: [{ name: "Luna", category: "Rabbits" }] };
    const outcome = await importPets({ store: racing, clock }, id, {
      ...request,
      createCategories: true,
    });
    expect(outcome).toMatchObject({ ok: true, value: { added: 1, categories: [] } });
  });
});
