import { systemClock, type Clock } from "../../lib/base/clock.ts";
import { aClock, checkOptions, having, optional } from "../../lib/base/options.ts";
import { done, refused } from "../../lib/base/result.ts";
import type { Sql, SqlRow, SqlValue } from "../../lib/sql/sql.ts";
import { failureOf, sqliteDialect } from "../../lib/sql/sqlite.ts";
import { runSteps, type RunStatement } from "../../lib/sql/sqlite-steps.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import type { Store } from "../../lib/storage/store.ts";

export { durableObjectJobs } from "./jobs.ts";
export type { DurableObjectAlarms, DurableObjectJobs, DurableObjectJobsOptions } from "./jobs.ts";

/** The part of `ctx.storage` that the store uses, in a Durable Object whose class is in `new_sqlite_classes`. */
export interface DurableObjectStorage {
  readonly sql: {
    exec(
      query: string,
      ...bindings: SqlValue[]
    ): { toArray(): readonly Readonly<Record<string, unknown>>[] };
  };
  transactionSync<Value>(closure: () => Value): Value;
}

/** Options of a store in a Durable Object. */
export interface DurableObjectStoreOptions {
  /** `ctx.storage` of the object. */
  readonly storage: DurableObjectStorage;
  /** Default: the clock of the machine, which in Workers stands still between two inputs. */
  readonly clock?: Clock | undefined;
}

/** The most values that Cloudflare binds to a statement. */
const MAX_VARIABLES = 100;

/** How often each storage was written to, so that several adapters of one storage notice each other's writes. */
const writes = new WeakMap<DurableObjectStorage, { count: number }>();

/**
 * Opens the SQLite database of a Durable Object for several stores. Rows are durable when the object's next answer
 * leaves it: Cloudflare holds back what an object sends until it has stored what it wrote before. Throws a `TypeError`
 * for invalid options.
 */
export function durableObjectSql(options: DurableObjectStoreOptions): Sql {
  checkOptions("durableObjectSql", options, expected);
  const { storage } = options;
  let written = writes.get(storage);
  if (written === undefined) writes.set(storage, (written = { count: 0 }));
  const counter = written;
  let seen = counter.count;
  let closed = false;

  const run: RunStatement = (text, values) => {
    const [query, bound] = values.length > MAX_VARIABLES ? packed(text, values) : [text, values];
    // Only texts, integers and nulls are ever stored.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return storage.sql.exec(query, ...bound).toArray() as readonly SqlRow[];
  };

  return {
    dialect: sqliteDialect,
    blocks: true,
    // Only this object has it open, though a rollback of the Worker may open it with an older version.
    shared: false,
    query: ({ text, values }) => {
      if (closed) throw new Error("The database is closed.");
      try {
        return run(text, values);
      } catch (error) {
        throw failure(error);
      }
    },
    batch: async (steps, accept) => {
      if (closed) throw new Error("The database is closed.");
      // Until the batch begins, its caller may add to it.
      await Promise.resolve();
      let refusedAt: number | undefined;
      try {
        const rows = storage.transactionSync(() => {
          const made = typeof steps === "function" ? steps() : steps;
          const outcome = runSteps(made, accept, run, MAX_VARIABLES);
          if (outcome.ok) return outcome.value;
          refusedAt = outcome.failure;
          throw new Error("A step was not accepted.");
        });
        if (counter.count++ === seen) seen++;
        return done(rows);
      } catch (error) {
        if (refusedAt !== undefined) return refused(refusedAt);
        throw failure(error);
      }
    },
    // Nothing but this object can open its database.
    changedElsewhere: () => {
      if (seen === counter.count) return false;
      seen = counter.count;
      return true;
    },
    close: async () => {
      closed = true;
    },
  };
}

/**
 * Opens a store in a Durable Object. Rejects with `StoreUnavailable`, `NewerSchema`, or with a `TypeError` for invalid
 * options.
 */
export async function durableObjectStore(options: DurableObjectStoreOptions): Promise<Store> {
  checkOptions("durableObjectStore", options, expected);
  const { clock = systemClock } = options;
  return sqlStore({ sql: durableObjectSql(options), clock });
}

const expected = {
  storage: having(
    "ctx.storage of a Durable Object whose class is in new_sqlite_classes",
    "transactionSync",
    "sql",
  ),
  clock: optional(aClock),
};

/** A quoted text, in which nothing is replaced, a list of placeholders, or a placeholder. */
const PLACES = /'(?:[^']|'')*'|\bIN \(\?(?:, \?)+\)|\?/g;

/** A statement that binds each of its lists as one value, and the values beyond the most as one more. */
interface Packed {
  readonly query: string;
  /** How many values are bound at each place: more than one for a list. */
  readonly sizes: readonly number[];
}

// Bounded: the code has a finite number of statements.
const known = new Map<string, Packed>();

function packedOf(text: string): Packed {
  let found = known.get(text);
  if (found === undefined) {
    const sizes: number[] = [];
    for (const [part] of text.matchAll(PLACES)) {
      if (!part.startsWith("'")) sizes.push(part.split("?").length - 1);
    }
    let place = 0;
    const query = text.replaceAll(PLACES, (part) => {
      if (part.startsWith("'")) return part;
      const isList = sizes[place] !== 1;
      const spilled = place++ - apartIn(sizes);
      const value =
        spilled < 0 ? `?${place}` : `?${MAX_VARIABLES} ${isList ? "->" : "->>"} ${spilled}`;
      return isList ? `IN (SELECT value FROM json_each(${value}))` : `(${value})`;
    });
    found = { query, sizes };
    known.set(text, found);
  }
  return found;
}

/** Returns how many places have a variable of their own. */
function apartIn({ length }: readonly number[]): number {
  return length > MAX_VARIABLES ? MAX_VARIABLES - 1 : length;
}

/** Returns the statement and its values, in which lists and values beyond the most are JSON. */
function packed(text: string, values: readonly SqlValue[]): [string, readonly SqlValue[]] {
  const { query, sizes } = packedOf(text);
  let from = 0;
  const places = sizes.map((size) => {
    const some = values.slice(from, (from += size));
    return size === 1 ? (some[0] ?? null) : some;
  });
  const apart = apartIn(sizes);
  const bound = places
    .slice(0, apart)
    .map((value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value));
  const rest = places.slice(apart);
  return [query, rest.length === 0 ? bound : [...bound, JSON.stringify(rest)]];
}

/** The result codes of SQLite that Cloudflare puts at the end of messages. */
const CODES: Readonly<Record<string, number>> = {
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  FULL: 13,
  CANTOPEN: 14,
};

function failure(error: unknown): Error {
  const [, name = ""] = /: SQLITE_([A-Z]+)[A-Z_]*$/.exec(String(error)) ?? [];
  return failureOf(error, CODES[name] ?? 0);
}
