import { describe, expect, test } from "bun:test";

import { system } from "../../lib/model/actor.ts";
import { number } from "../../lib/sql/rows.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { storeSchema } from "../../lib/storage/migrations.ts";
import { orphanSearch } from "../../lib/storage/orphans.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { tablesOf } from "../../transfer/tables.ts";

/** More than one look reads. */
const MANY = 600;
/** More than one statement removes. */
const LEFT = 120;

type Key = Readonly<Record<string, number>>;

/** Adds rows that have these values, and any others. */
async function insert(sql: Sql, table: string, keys: readonly Key[]): Promise<void> {
  const { columns = [] } =
    (await tablesOf([storeSchema], "move")).find(({ name }) => name === table) ?? {};
  const text = `INSERT INTO ${table} (${columns.map(({ name }) => name).join(", ")})
    VALUES (${columns.map(() => "?").join(", ")})`;
  const steps = keys.map((key) => ({
    text,
    values: columns.map(({ name, type, nullable }) => {
      const rest = type === "integer" ? 1 : "x";
      return key[name] ?? (nullable ? null : rest);
    }),
  }));
  await sql.batch(steps, () => true);
}

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

/** Tests that a purge removes what a purge of the previous version leaves behind. */
export function describeOrphans(name: string, openSql: () => Promise<Sql>): void {
  describe(name, () => {
    test("profiles, photos and adopters without an animal or an order are removed, and no others", async () => {
      const sql = await openSql();
      const store = await sqlStore({ sql });
      const present = numbers(1, MANY / 2).map((id) => ({ catalogue_id: 1, id }));
      const deleted = numbers(1 + MANY / 2, MANY / 2).map((id) => ({ catalogue_id: 1, id }));
      await insert(sql, "pets", present);
      await insert(sql, "deleted_pets", deleted);
      await insert(sql, "orders", present);
      const owned = [...present, ...deleted];
      // Of purged animals, and of catalogues of deleted accounts with the same numbers of animals.
      const orphans = [
        ...numbers(MANY + 1, LEFT).map((id) => ({ catalogue_id: 1, id })),
        ...[1, MANY].map((id) => ({ catalogue_id: 70_000, id })),
      ];
      const all = [...owned, ...orphans];
      const ofPets = all.map(({ catalogue_id, id }) => ({ catalogue_id, pet_id: id }));
      await insert(sql, "profiles", ofPets);
      const photos = ofPets.flatMap((key) => [1, 2].map((id) => ({ ...key, id })));
      await insert(sql, "photos", photos);
      const ofOrders = [...present, ...orphans];
      await insert(
        sql,
        "adoptions",
        ofOrders.map(({ catalogue_id, id }) => ({ catalogue_id, order_id: id })),
      );
      const counts = async () => {
        const found: number[] = [];
        for (const table of ["profiles", "photos", "adoptions"]) {
          const [row = {}] = await sql.query({
            text: `SELECT COUNT(*) AS n FROM ${table}`,
            values: [],
          });
          found.push(number(row, "n"));
        }
        return found;
      };
      expect(await counts()).toEqual([all.length, 2 * all.length, ofOrders.length]);

      // Wherever a search begins, it comes to the end, and then has looked at everything within three more rounds.
      for (let round = 0; round < 5; round++) {
        const purge = { now: 0, deletedBefore: 0, adoptersBefore: 0, eventsBefore: 0, limit: 100 };
        expect((await store.commit([{ kind: "purge", ...purge }], system)).ok).toBe(true);
      }
      expect(await counts()).toEqual([owned.length, 2 * owned.length, present.length]);
      await store.close();
    });

    test("one look reads a bounded part, from a random catalogue on, and the next one continues", async () => {
      const sql = await openSql();
      const store = await sqlStore({ sql });
      await insert(
        sql,
        "profiles",
        numbers(1, 2 * MANY).map((id) => ({ catalogue_id: id, pet_id: 1 })),
      );
      const search = orphanSearch(sql, (into) => into.fill(0x80));
      const looks: (readonly (number | undefined)[])[] = [];
      for (let look = 0; look < 5; look++) {
        const [{ keys } = { keys: [] }] = await search.next();
        looks.push([keys[0]?.[0], keys.length]);
      }
      // 0x80808080 of 2 ** 32 is a little more than one half.
      expect(looks).toEqual([
        [602, 500],
        [1_102, 99],
        [1, 500],
        [501, 500],
        [1_001, 200],
      ]);
      await store.close();
    });
  });
}
