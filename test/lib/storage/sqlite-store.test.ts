import { system } from "../../../lib/model/actor.ts";
import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { describe, expect, spyOn, test } from "bun:test";
import { chmodSync, existsSync, statSync } from "node:fs";
import process from "node:process";
import { bunSqliteStore, openBunSqlite } from "../../../adapters/sqlite/bun.ts";
import { nodeSqliteSql, nodeSqliteStore } from "../../../adapters/sqlite/node.ts";
import { sqliteSql } from "../../../lib/sql/sqlite.ts";
import { sqlStore } from "../../../lib/storage/sql-store.ts";
import { type Store } from "../../../lib/storage/store.ts";
import { manualClock } from "../../../testing/clock.ts";
import { addShelter, aKey, openShelter, START, newPet } from "../../../testing/shelter.ts";
import { rejection } from "../../helpers/rejection.ts";
import { scratch, watched } from "../../helpers/sqlite.ts";

const file = scratch();

const openers = { "bun:sqlite": bunSqliteStore, "node:sqlite": nodeSqliteStore };

for (const [name, open] of Object.entries(openers)) {
  describe(`a store on ${name}`, () => {
    test("finds its rows after it was reopened", async () => {
      const path = file();
      const before = await openShelter(() => open({ path }));
      const pet = await before.addPet();
      await before.store.close();
      const store = await open({ path });
      expect({ ...(await store.pets.byId(before.production, pet.id)) }).toEqual(pet);
      expect(await store.catalogues.revision(before.production)).toBe(2);
      await store.close();
    });

    test("shows another connection's changes: notices, revisions, keys", async () => {
      const path = file();
      const clock = manualClock(START);
      const one = await openShelter(() => open({ path, clock }));
      const other: Store = await open({ path, clock });
      const { production } = one;
      await one.commit({ kind: "key.create", key: aKey("k", one.account, production), max: 9 });
      const seen = await other.feed.last();
      clock.advance(5);
      expect(await other.catalogues.revision(production)).toBe(1);
      await one.addPet();
      await one.commit({ kind: "key.revoke", keyId: "k", at: START });
      clock.advance(5);
      expect(await other.catalogues.revision(production)).toBe(2);
      const [notice] = await other.feed.after(seen, 10);
      expect(notice).toMatchObject({ topic: "key", subject: "k" });
      expect((await other.keys.byId("k"))?.revokedAt).toBe(START);
      await one.store.close();
      await other.close();
    });

    test("assigns no id twice to two connections that write at the same time", async () => {
      const path = file();
      const one = await openShelter(() => open({ path }));
      const other = await open({ path });
      const create = async (store: Store): Promise<unknown> => {
        const pet = newPet();
        const { production: catalogueId } = one;
        const made = await store.commit(
          [{ kind: "pet.create", catalogueId, pet, at: START }],
          system,
        );
        return made.ok;
      };
      const all = await Promise.all(
        Array.from({ length: 200 }, (_, index) => create(index % 2 === 0 ? one.store : other)),
      );
      expect(all.every(Boolean)).toBe(true);
      expect(await other.pets.count(one.production, {})).toBe(200);
      expect((await one.addPet()).id).toBe(201);
      await one.store.close();
      await other.close();
    });

    test("creates files that only their owner can read, whatever the umask", async () => {
      const path = file();
      const umask = process.umask(0);
      try {
        const { store } = await openShelter(() => open({ path }));
        for (const suffix of ["", "-wal", "-shm"]) {
          expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
        }
        await store.close();
      } finally {
        process.umask(umask);
      }
    });

    test("is unavailable if the file cannot be created", async () => {
      const path = `${file()}/not/there.db`;
      expect(await rejection(open({ path }))).toBeInstanceOf(StoreUnavailable);
    });

    test("refuses a file that is not a database", async () => {
      const path = file();
      await Bun.write(path, "This is a text, and a long one, but no database. ".repeat(50));
      chmodSync(path, 0o600);
      expect(await rejection(open({ path }))).toBeInstanceOf(Error);
    });
  });
}

test("a full disk refuses writes, reads keep working, and the data stays unchanged", async () => {
  let full = false;
  const database = watched(openBunSqlite(":memory:"), ({ text }) => {
    if (full && text === "COMMIT") throw Object.assign(new Error("full"), { errno: 13 });
  });
  const sql = sqliteSql({ database });
  const store = await sqlStore({ sql });
  const shelter = await addShelter(store, "acc_one");
  await shelter.addPet();
  const revision = await store.catalogues.revision(shelter.production);
  full = true;
  expect(await rejection(shelter.addPet())).toBeInstanceOf(StoreUnavailable);
  expect(await rejection(store.checkWritable())).toBeInstanceOf(StoreUnavailable);
  expect(await store.pets.count(shelter.production, {})).toBe(1);
  expect(await store.catalogues.revision(shelter.production)).toBe(revision);
  full = false;
  await store.checkWritable();
  expect((await shelter.addPet()).id).toBe(2);
  await store.close();
});

test.each([nodeSqliteStore, nodeSqliteSql])(
  "%p says what a runtime without node:sqlite lacks",
  async (open) => {
    const path = file();
    using _ = spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    expect(String(await rejection(open({ path })))).toContain(
      "needs node:sqlite, which Node has from 22.13 on. This is v",
    );
    expect(existsSync(path)).toBe(false);
  },
);
