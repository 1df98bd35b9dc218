import { describe, expect, test } from "bun:test";

import { system } from "../../../lib/model/actor.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { Traffic } from "../../../lib/base/traffic.ts";
import { importPets } from "../../../lib/catalogue/import.ts";
import type { CatalogueContext } from "../../../lib/catalogue/commit.ts";
import { createPetstore, type ImportRow } from "../../../lib/index.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import type { Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../testing/clock.ts";
import { api } from "../../helpers/api.ts";
import { openOffice } from "../../helpers/management.ts";
import { rejection } from "../../helpers/rejection.ts";
import { must } from "../../helpers/outcome.ts";

const clock = manualClock(1_794_960_000_000);

function contextOf(store: Store): CatalogueContext {
  return { store, commit: (changes) => store.commit(changes, system), clock };
}

async function open() {
  const store = memoryStore();
  const { client } = createPetstore({ store, clock });
  const created = must(await client.accounts.create({ name: "A" }));
  const where = { accountId: created.id, environment: "production" } as const;
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
  const outcome = await importPets(contextOf(store), id, { rows, dryRun: true }, pause);
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
  const outcome = await importPets(contextOf(store), id, { rows }, async () => void pauses++);
  expect(outcome).toMatchObject({ ok: true, value: { added: 1 } });
  expect(pauses).toBe(2);
});

test("a status may be one of the dashboard's words; another word is quoted with those", async () => {
  const { store, client, where, id } = await open();
  const words = ["Reserved", " VERMITTELT\u00A0", "verfügbar", "sold", "gone"];
  const rows = words.map((status, index) => ({ name: `Pet ${index}`, category: "Dogs", status }));
  const outcome = await importPets(contextOf(store), id, { rows });
  const message = '"gone" is not a status. Use Available, Reserved or Adopted.';
  expect(outcome).toMatchObject({
    ok: true,
    value: { added: 4, failures: [{ index: 4, problem: { code: "invalid_value", message } }] },
  });
  const pets = await Promise.all(
    [1, 2, 3, 4].map((petId) => client.pets.byId({ ...where, petId })),
  );
  expect(pets.map((pet) => (pet.ok ? pet.value.status : undefined))).toEqual([
    "pending",
    "sold",
    "available",
    "sold",
  ]);
});

test("a field of another meaning is not taken for a misspelt one", async () => {
  const { store, id } = await open();
  const rows = [{ name: "Rex", category: "Dogs", age: 3 } as ImportRow];
  const outcome = await importPets(contextOf(store), id, { rows });
  const message = 'The field "age" is not known.';
  expect(outcome).toMatchObject({ value: { failures: [{ problem: { message } }] } });
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
  await importPets(contextOf(store), id, request, async () => void pauses++);
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

  test("are found by their names without zero-width characters around them", async () => {
    const { client, where } = await open();
    const named = ["\u2060Dogs", "Rabbits\u200B", "\u200B Rabbits"].map((category) => ({
      name: "Rex",
      category,
    }));
    const outcome = await client.pets.import({ ...where, rows: named, createCategories: true });
    expect(outcome).toMatchObject({
      value: { added: 3, categories: ["Rabbits"], failures: [] },
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
      commit: async (changes, actor) => {
        if (first) await client.categories.create({ ...where, name: "rabbits" });
        first = false;
        return store.commit(changes, actor);
      },
    };
    const request = { rows: [{ name: "Luna", category: "Rabbits" }] };
    const outcome = await importPets(contextOf(racing), id, {
      ...request,
      createCategories: true,
    });
    expect(outcome).toMatchObject({ ok: true, value: { added: 1, categories: [] } });
  });
});

describe("the size of a commit", () => {
  const rows = Array.from({ length: 60 }, (_, index) => ({ name: `Rex ${index}`, categoryId: 1 }));

  /** Records how many animals each commit adds; `before` runs before each of these commits. */
  function recorded(before: (commit: number) => Promise<unknown> = async () => undefined) {
    const sizes: number[] = [];
    const wrap = (store: Store): Store => ({
      ...store,
      commit: async (changes, actor) => {
        if (changes[0]?.kind === "pet.create") {
          await before(sizes.length + 1);
          sizes.push(changes.length);
        }
        return store.commit(changes, actor);
      },
    });
    return { sizes, wrap };
  }

  test("is small while the APIs get other requests, and imports are none", async () => {
    const { sizes, wrap } = recorded();
    const office = await openOffice({ store: wrap });
    const staff = office.as("staff");
    const at = `/manage/v1/accounts/${office.accountId}/production`;
    const add = async () => {
      sizes.length = 0;
      expect((await staff.post(`${at}/pets/import`, { rows })).body).toMatchObject({ added: 60 });
      return [...sizes];
    };
    const key = await office.petstore.client.keys.create({ accountId: office.accountId });
    const visitor = api({
      fetch: (request) => office.petstore.fetch(request),
      key: key.ok ? key.value.token : "",
    });
    office.clock.advance(60_000);
    for (let call = 0; call < 3; call++) expect(await add()).toEqual([60]);
    for (const other of [
      () => visitor.get("/v1/pets"),
      () => staff.get(`${at}/pets`),
      () => visitor.post("/v1/pets", { name: "Rex", categoryId: 1 }),
    ]) {
      for (let call = 0; call < 2; call++) expect((await other()).status).toBeLessThan(300);
      expect(await add()).toEqual([25, 25, 10]);
      office.clock.advance(5_000);
      expect(await add()).toEqual([60]);
    }
  });

  test("is at most 500 without other requests", async () => {
    const { sizes, wrap } = recorded();
    const { client, where, id, store } = await open();
    const many = Array.from({ length: 1_000 }, () => ({ name: "Rex", categoryId: 1 }));
    const blocking = { ...store, traffic: new Traffic() };
    await importPets(contextOf(wrap(blocking)), id, { rows: many });
    expect(sizes).toEqual([500, 500]);
    expect(await client.pets.page({ ...where, limit: 1, after: 999 })).toMatchObject({
      value: [{ id: 1_000 }],
    });
  });

  test("is that of the call if a commit blocks nobody, since it may be in doubt", async () => {
    const { sizes, wrap } = recorded();
    const { id, store } = await open();
    expect(store.traffic).toBeUndefined();
    const many = Array.from({ length: 1_000 }, () => ({ name: "Rex", categoryId: 1 }));
    await importPets(contextOf(wrap(store)), id, { rows: many });
    expect(sizes).toEqual([1_000]);
  });

  /** Returns a store whose commits add 25 animals. */
  async function busy(before: Parameters<typeof recorded>[0]) {
    const { store, ...rest } = await open();
    const traffic = new Traffic();
    traffic.arrived(clock.now());
    traffic.arrived(clock.now());
    const { wrap, sizes } = recorded(before);
    return { ...rest, sizes, store: wrap({ ...store, traffic }) };
  }

  test("does not change what happens to rows whose category is deleted on the way", async () => {
    const { store, client, where, id } = await busy(async (commit) => {
      if (commit === 2) await client.categories.delete({ ...where, categoryId: 3 });
    });
    const mixed = rows.map((row, index) => ({
      ...row,
      name: index === 10 || index === 55 ? "" : row.name,
      categoryId: index < 30 || index % 2 === 0 ? 1 : 3,
    }));
    const outcome = await importPets(contextOf(store), id, { rows: mixed });
    const failed = outcome.ok ? outcome.value.failures.map(({ index }) => index) : [];
    const odd = Array.from({ length: 15 }, (_, index) => 31 + 2 * index);
    expect(failed).toEqual([10, ...odd]);
    expect(outcome).toMatchObject({ ok: true, value: { added: 44 } });
    const page = await client.pets.page(where);
    const expected = mixed.filter((_, index) => !failed.includes(index)).map(({ name }) => name);
    expect(page.ok && page.value.map(({ name }) => name)).toEqual(expected);
  });

  test("makes the remaining rows fail if the store becomes unavailable on the way", async () => {
    const unavailable = async (commit: number): Promise<void> => {
      if (commit === 2) throw new StoreUnavailable("The disk is full.");
    };
    const { store, client, where, id } = await busy(unavailable);
    const mixed = rows.map((row, index) => (index === 40 ? { ...row, name: "" } : row));
    const outcome = await importPets(contextOf(store), id, { rows: mixed });
    const failures = outcome.ok ? outcome.value.failures : [];
    expect(outcome).toMatchObject({ ok: true, value: { added: 25 } });
    expect(failures.map(({ index }) => index)).toEqual(
      Array.from({ length: 35 }, (_, index) => 25 + index),
    );
    for (const { index, problem } of failures) {
      expect(problem.code).toBe(index === 40 ? "invalid_value" : "unavailable");
    }
    expect(await client.pets.page(where)).toMatchObject({ value: { length: 25 } });
  });

  test("rejects if the store is unavailable at once", async () => {
    const { store, id } = await busy(async () => {
      throw new StoreUnavailable("The disk is full.");
    });
    const refusal = await rejection(importPets(contextOf(store), id, { rows }));
    expect(refusal).toBeInstanceOf(StoreUnavailable);
  });

  test("only matters to stores whose commits block the event loop", async () => {
    const sql = await bunSqliteSql({ path: ":memory:" });
    const blocking = await sqlStore({ sql });
    expect(blocking.traffic).toBeInstanceOf(Traffic);
    const elsewhere = await sqlStore({ sql: { ...sql, blocks: false } });
    expect(elsewhere.traffic).toBeUndefined();
    await blocking.close();
  });
});
