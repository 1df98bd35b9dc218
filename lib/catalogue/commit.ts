import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, retried, type Result } from "../base/result.ts";
import type { Also, Change, Conflict, Outcome } from "../storage/change.ts";
import type { Commit, StoreReads } from "../storage/store.ts";
import type { RowRefusals } from "./refusals.ts";

/** The dependencies of the actions on pets and categories. */
export interface CatalogueContext {
  readonly store: StoreReads;
  /** Commits as the actor of the call. */
  readonly commit: Commit;
  readonly clock: Clock;
}

/** Commits `changes` and those that `also` adds; `value` derives the result from the outcomes. Default: adds none. */
export async function commitWith<Value>(
  commit: Commit,
  changes: readonly Change[],
  value: (outcomes: readonly Outcome[]) => Value,
  also: Also<Value> = () => [],
): Promise<Result<Value, Conflict>> {
  const more = also(value);
  if (changes.length + more.length === 0) return done(value([]));
  const committed = await commit(more.length === 0 ? changes : [...changes, ...more]);
  return committed.ok ? done(value(committed.value)) : committed;
}

/** How often a change is retried. One of several simultaneous writers wins each round, so as many can change one row. */
export const ATTEMPTS = 200;

/** A change of one row, decided on the row's current version. */
interface RowChange<Row, Value> {
  readonly read: () => Eventual<Row | undefined>;
  /** Returns why the row must not be changed. Absent: it may be. */
  readonly precondition: ((row: Row) => Problem | undefined) | undefined;
  readonly refusals: RowRefusals;
  /** Undefined means that another commit was faster. */
  readonly write: (from: Row) => Promise<Result<Value, Problem> | undefined>;
}

/** Reads a row and writes its change; starts over while other commits are faster. */
export function changeRow<Row, Value>({
  read,
  precondition,
  refusals,
  write,
}: RowChange<Row, Value>): Promise<Result<Value, Problem>> {
  return retried(ATTEMPTS, refusals.busy, async () => {
    const from = await read();
    if (from === undefined) return refused(refusals.missing);
    const fault = precondition?.(from);
    if (fault !== undefined) return refused(fault);
    return write(from);
  });
}

/** Converts a commit's result for `changeRow`: undefined if another commit was faster. */
export function unlessStale<Value>(
  committed: Result<Value, Conflict>,
  problemOf: (conflict: Conflict) => Problem,
): Result<Value, Problem> | undefined {
  if (committed.ok) return committed;
  const { failure } = committed;
  return failure.refusal === "stale" ? undefined : refused(problemOf(failure));
}
