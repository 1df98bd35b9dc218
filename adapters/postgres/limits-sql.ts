import HAND_OVER from "./hand-over.sql" with { type: "text" };
import COUNTING from "./limits.sql" with { type: "text" };
import { type Locks, locksOf } from "./locks.ts";

const SQL = `${COUNTING}\n${HAND_OVER}`;

function namesOf(created: RegExp): readonly string[] {
  return [...SQL.matchAll(created)].map(([, name = ""]) => name);
}

/** The tables and indexes of the limits. */
export const limitRelations: readonly string[] = namesOf(
  /^CREATE (?:UNLOGGED )?(?:TABLE|INDEX) IF NOT EXISTS (\w+)/gm,
);
/** The functions of the limits, which carry the version. */
export const limitFunctions: readonly string[] = namesOf(/^CREATE OR REPLACE FUNCTION (\w+)/gm);
/** The version of the functions. */
export const limitsVersion: number = Number(/_(\d+)$/.exec(limitFunctions[0] ?? "")?.[1]);

const EARLIER_LOCK = `pg_advisory_xact_lock(${locksOf().limits.join(", ")})`;

/** Returns the statements that create the tables, unless they exist, and the functions of the limits. */
export function limitsSql({ limits }: Pick<Locks, "limits">): string {
  return SQL.replace(EARLIER_LOCK, `pg_advisory_xact_lock(${limits.join(", ")})`);
}
