import { describe, expect, test } from "bun:test";

import { system } from "../../lib/model/actor.ts";
import { openBunSqlite } from "../../adapters/sqlite/bun.ts";
import {
  petShown,
  petStatuses,
  type NewPet,
  type PetStatus,
  type StoredPet,
} from "../../lib/catalogue/model.ts";
import { sqliteSql } from "../../lib/sql/sqlite.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import type { Change } from "../../lib/storage/change.ts";
import type { PetTexts, PetTextsQuery } from "../../lib/storage/pet-blocks.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../testing/clock.ts";
import { START } from "../../testing/shelter.ts";
import { chance, runSeed, torture, type Chance } from "../helpers/chance.ts";
import { scratch } from "../helpers/sqlite.ts";

// Pages from memory must be those of the database, whoever has written meanwhile.

const file = scratch();

const ROUNDS = torture ? 400 : 40;
const CATALOGUES = [1, 2] as const;

/** Reads that arrive late, as from a server: what they found may have changed meanwhile. */
function late(sql: Sql): Sql {
  return {
    ...sql,
    query: async (statement) => {
      const rows = await sql.query(statement);
      await Bun.sleep(0);
      return rows;
    },
  };
}

const kinds: Readonly<Record<string, (sql: Sql) => Sql>> = { "at once": (sql) => sql, late };

describe.each(Object.entries(kinds))("with reads that arrive %s", (_, wrap) => {
  const open = async () => {
    const path = file();
    const clock = manualClock(START);
    const connect = (how: (sql: Sql) => Sql): Promise<Store> =>
      sqlStore({ sql: how(sqliteSql({ database: openBunSqlite(path), clock })), clock });
    // The second one is another process on the same file.
    const [own, other] = [await connect(wrap), await connect((sql) => sql)];
    const limits = { perMinute: 1, perDay: 1 };
    const account = { id: "acc", name: "A", plan: "free", limits, createdAt: START } as const;
    await own.commit([{ kind: "account.create", account }], system);
    return { own, other, clock };
  };

  test("pages are those of the database after any history of two processes", async () => {
    const random = chance(runSeed);
    const { own, other, clock } = await open();
    for (const catalogueId of CATALOGUES) {
      await own.commit(
        Array.from({ length: 700 }, () => creation(random, catalogueId)),
        system,
      );
    }
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const commits = Array.from({ length: random.between(0, 4) }, async () => {
        const store = random.true(0.85) ? own : other;
        const change = await someChange(random, store);
        if (change !== undefined) await store.commit([change], system);
      });
      // Asked while the commits are under way.
      await own.pets.texts?.(1, someQuery(random));
      await Promise.all(commits);
      clock.advance(5);
      for (let page = 0; page < 6; page++) {
        const catalogueId = random.pick(CATALOGUES);
        const query = someQuery(random);
        const seen = await texts(own, catalogueId, query);
        if (seen === undefined) continue;
        found++;
        expect(seen).toEqual(await fromDatabase(other, catalogueId, query));
      }
    }
    // Else nothing was compared.
    expect(found).toBeGreaterThan(ROUNDS * 3);
    await own.close();
    await other.close();
  });

  test("a change while a range is read is not lost", async () => {
    const { own, other } = await open();
    const random = chance(runSeed);
    await own.commit(
      Array.from({ length: 40 }, () => creation(random, 1)),
      system,
    );
    const query = { before: 31, limit: 20 };
    const from = await present(own.pets.byId(1, 25));
    await own.pets.texts?.(1, query);
    const read = own.pets.texts?.(1, query);
    await own.commit(
      [{ kind: "pet.update", catalogueId: 1, from, to: { ...from, name: "Other" }, at: 2 }],
      system,
    );
    await read;
    const seen = await texts(own, 1, query);
    expect(seen?.text).toContain("Other");
    expect(seen).toEqual(await fromDatabase(other, 1, query));
    await own.close();
    await other.close();
  });
});

test("a change forgets only the range of its animal, and one of another process all of them", async () => {
  const path = file();
  const clock = manualClock(START);
  let reads = 0;
  const connect = (): Promise<Store> => {
    const sql = sqliteSql({ database: openBunSqlite(path), clock });
    const query: Sql["query"] = (statement) => {
      if (statement.text.includes("id >= ? AND id < ?")) reads++;
      return sql.query(statement);
    };
    return sqlStore({ sql: { ...sql, query }, clock });
  };
  const [own, other] = [await connect(), await connect()];
  const limits = { perMinute: 1, perDay: 1 };
  const account = { id: "acc", name: "A", plan: "free", limits, createdAt: START } as const;
  await own.commit([{ kind: "account.create", account }], system);
  const random = chance(runSeed);
  await own.commit(
    Array.from({ length: 700 }, () => creation(random, 1)),
    system,
  );
  const readsOf = async (before: number): Promise<number> => {
    clock.advance(5);
    const earlier = reads;
    for (let time = 0; time < 3; time++) await own.pets.texts?.(1, { before, limit: 5 });
    return reads - earlier;
  };
  expect([await readsOf(50), await readsOf(500)]).toEqual([1, 1]);
  expect([await readsOf(50), await readsOf(500)]).toEqual([0, 0]);
  const from = await present(own.pets.byId(1, 400));
  await own.commit([{ kind: "pet.delete", catalogueId: 1, from, at: START }], system);
  expect([await readsOf(50), await readsOf(500)]).toEqual([0, 1]);
  await other.commit([creation(random, 2)], system);
  expect([await readsOf(50), await readsOf(500)]).toEqual([0, 0]);
  await other.commit([creation(random, 1)], system);
  expect([await readsOf(50), await readsOf(500)]).toEqual([1, 1]);
  await own.close();
  await other.close();
});

/** Asks often enough for the ranges to be in memory. */
async function texts(
  store: Store,
  catalogueId: number,
  query: PetTextsQuery,
): Promise<PetTexts | undefined> {
  let seen: PetTexts | undefined;
  for (let time = 0; time < 10 && seen === undefined; time++) {
    seen = await store.pets.texts?.(catalogueId, query);
    await Bun.sleep(0);
  }
  return seen;
}

async function fromDatabase(
  store: Store,
  catalogueId: number,
  { before, limit, ...filter }: PetTextsQuery,
): Promise<PetTexts> {
  const rows = await store.pets.list(catalogueId, filter, {
    order: "desc",
    after: before,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    text: page.map((pet) => JSON.stringify(petShown(pet))).join(","),
    newest: page[0]?.id ?? 0,
    oldest: page.at(-1)?.id ?? 0,
    more: rows.length > limit,
  };
}

function creation(random: Chance, catalogueId: number): Change {
  return { kind: "pet.create", catalogueId, pet: somePet(random), at: START };
}

function somePet(random: Chance): NewPet {
  const name = random.pick(["Bello", "Zoë", 'Quote "', "Hedgehog 🦔"]);
  return { name, categoryId: random.between(1, 3), status: random.pick(petStatuses) };
}

function someQuery(random: Chance): PetTextsQuery {
  const status: PetStatus | undefined = random.true(0.5) ? random.pick(petStatuses) : undefined;
  const categoryId = random.true(0.3) ? random.between(1, 3) : undefined;
  return {
    before: random.true(0.3) ? random.between(300, 320) : random.between(1, 760),
    limit: random.between(1, 100),
    ...(status === undefined ? {} : { status }),
    ...(categoryId === undefined ? {} : { categoryId }),
  };
}

async function someChange(random: Chance, store: Store): Promise<Change | undefined> {
  const catalogueId = random.pick(CATALOGUES);
  // Some of them again and again, so that deleted ones are restored.
  const petId = random.true(0.5) ? random.between(300, 310) : random.between(1, 720);
  const from = await store.pets.byId(catalogueId, petId);
  switch (random.between(0, 4)) {
    case 0:
      return { kind: "category.create", catalogueId, name: `C${random.next()}`, at: START };
    case 1:
      return creation(random, catalogueId);
    case 2:
      return from && { kind: "pet.delete", catalogueId, from, at: START };
    default:
      if (from !== undefined) {
        return { kind: "pet.update", catalogueId, from, to: somePet(random), at: START };
      }
      return { kind: "pet.restore", catalogueId, petId, deletedAfter: 0, at: START };
  }
}

async function present(found: ReturnType<Store["pets"]["byId"]>): Promise<StoredPet> {
  const pet = await found;
  if (pet === undefined) throw new Error("There is no such animal.");
  return pet;
}
