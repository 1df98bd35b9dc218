import { systemRandom, type Random } from "../base/id.ts";
import { none } from "../sql/rotation.ts";
import { number } from "../sql/rows.ts";
import type { Sql, SqlRow, SqlValue } from "../sql/sql.ts";
import type { StoreScript } from "./changes/store-script.ts";

/** How many rows of each table one look reads. */
const LOOKED_AT = 500;

/** How many rows one statement removes. Each has two values. */
const REMOVED_AT_ONCE = 50;

/** A table whose rows belong to those of other tables, which the previous version purges without them. */
interface Dependent {
  readonly table: string;
  /** Beside `catalogue_id`, which both tables have. */
  readonly owner: string;
  readonly key: readonly string[];
  readonly owners: readonly string[];
}

const dependents: readonly Dependent[] = [
  {
    table: "profiles",
    owner: "pet_id",
    key: ["catalogue_id", "pet_id"],
    owners: ["pets", "deleted_pets"],
  },
  {
    table: "photos",
    owner: "pet_id",
    key: ["catalogue_id", "pet_id", "id"],
    owners: ["pets", "deleted_pets"],
  },
  {
    table: "adoptions",
    owner: "order_id",
    key: ["catalogue_id", "order_id"],
    owners: ["orders"],
  },
];

/** The keys of rows whose animal or order no longer exists. */
export interface Orphans {
  readonly table: string;
  readonly owner: string;
  readonly keys: readonly (readonly [catalogueId: number, ownerId: number])[];
}

/** Looks for rows whose animal or order no longer exists, in a part of each table at a time and in all of it over time. */
export interface OrphanSearch {
  next(): Promise<readonly Orphans[]>;
}

/**
 * Creates a search that begins at a random catalogue of a large table: if all processes began at the first one, frequent
 * restarts would keep the last ones from being looked at. What it finds never gets an owner again, because ids are not reused.
 */
export function orphanSearch(sql: Pick<Sql, "query">, random: Random = systemRandom): OrphanSearch {
  const ends = new Map<string, readonly SqlValue[]>();

  const endOf = async (
    { table, key }: Dependent,
    after: readonly SqlValue[],
  ): Promise<readonly SqlValue[] | undefined> => {
    const [row] = await sql.query({
      text: `${sliceOf(table, key)} LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
      values: after,
    });
    return row === undefined ? undefined : key.map((column) => number(row, column));
  };

  const beginning = async (one: Dependent): Promise<readonly SqlValue[]> => {
    const first = one.key.map(() => 0);
    if ((await endOf(one, first)) === undefined) return first;
    const [row] = await sql.query({
      text: `SELECT MAX(catalogue_id) AS last FROM ${one.table}`,
      values: [],
    });
    const last = row === undefined ? 0 : number(row, "last");
    const [drawn = 0] = new Uint32Array(random(new Uint8Array(4)).buffer);
    return [Math.floor((drawn / 2 ** 32) * last), ...first.slice(1)];
  };

  const look = async (one: Dependent): Promise<Orphans> => {
    const after = ends.get(one.table) ?? (await beginning(one));
    ends.set(one.table, (await endOf(one, after)) ?? one.key.map(() => 0));
    const found = await sql.query({ text: orphansOf(one), values: after });
    const keyOf = (row: SqlRow) => [number(row, "catalogue_id"), number(row, one.owner)] as const;
    return { table: one.table, owner: one.owner, keys: found.map(keyOf) };
  };

  return {
    next: async () => {
      const found: Orphans[] = [];
      // One after the other, because others need connections too.
      for (const one of dependents) found.push(await look(one));
      return found;
    },
  };
}

/** Adds the steps that remove orphans. */
export function removeOrphans(script: StoreScript, found: readonly Orphans[]): void {
  for (const { table, owner, keys } of found) {
    const each = Array.from(
      { length: REMOVED_AT_ONCE },
      () => `(catalogue_id = ? AND ${owner} = ?)`,
    ).join(" OR ");
    for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
      const some = keys.slice(from, from + REMOVED_AT_ONCE);
      const values = Array.from({ length: REMOVED_AT_ONCE }, (_, place) => some[place] ?? some[0]);
      script.add(
        `DELETE FROM ${table} WHERE ${each}`,
        values.flatMap((key) => [...(key ?? [])]),
      );
    }
  }
}

/** Selects the rows of a table after a key, in its order. */
function sliceOf(table: string, key: readonly string[]): string {
  const columns = key.join(", ");
  const places = key.map(() => "?").join(", ");
  return `SELECT ${columns} FROM ${table} WHERE (${columns}) > (${places}) ORDER BY ${columns}`;
}

function orphansOf({ table, owner, key, owners }: Dependent): string {
  const lacks = owners.map((other) =>
    none(
      `${other} WHERE ${other}.catalogue_id = slice.catalogue_id AND ${other}.id = slice.${owner}`,
    ),
  );
  return `SELECT DISTINCT catalogue_id, ${owner} FROM (
    ${sliceOf(table, key)} LIMIT ${LOOKED_AT}
  ) AS slice WHERE ${lacks.join(" AND ")}`;
}
