import type { Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { refused, retried, type Result } from "../base/result.ts";
import type { Change, Conflict, Outcome } from "../storage/change.ts";
import type { Store } from "../storage/store.ts";

/** What the actions on animals and categories need. */
export interface CatalogueContext {
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * More changes for the same commit, derived from the value that the action makes of the outcomes. The idempotency layer
 * uses it to record the answer together with its effect.
 */
export type Also<Value> = (value: (outcomes: readonly Outcome[]) => Value) => readonly Change[];

/** Commits `changes` and what `also` adds; `value` reads the outcomes. */
export async function commitWith<Value>(
  store: Store,
  changes: readonly Change[],
  value: (outcomes: readonly Outcome[]) => Value,
  also: Also<Value>,
): Promise<Result<Value, Conflict>> {
  const more = also(value);
  if (changes.length + more.length === 0) return { ok: true, value: value([]) };
  const committed = await store.commit(more.length === 0 ? changes : [...changes, ...more]);
  return committed.ok ? { ok: true, value: value(committed.value) } : committed;
}

/** One of several simultaneous writers wins each round, so this many can change one row at the same time. */
export const ATTEMPTS = 200;

/** A change of one row, decided on its current version. */
interface RowChange<Row, Value> {
  readonly read: () => Eventual<Row | undefined>;
  /** Refused with `changed` unless it holds of the row. Absent: always holds. */
  readonly precondition: ((row: Row) => boolean) | undefined;
  readonly refusals: RowRefusals;
  /** Undefined: another commit was faster. */
  readonly write: (from: Row) => Promise<Result<Value, Problem> | undefined>;
}

/** The refusals that changes of one kind of row have in common. */
export interface RowRefusals {
  readonly missing: Problem;
  readonly changed: Problem;
  readonly busy: Problem;
}

/** Reads a row, decides and commits its change; does so again while other commits are faster. */
export function changeRow<Row, Value>({
  read,
  precondition,
  refusals,
  write,
}: RowChange<Row, Value>): Promise<Result<Value, Problem>> {
  return retried(ATTEMPTS, refusals.busy, async () => {
    const from = await read();
    if (from === undefined) return refused(refusals.missing);
    if (precondition?.(from) === false) return refused(refusals.changed);
    return write(from);
  });
}

/** The result of a commit for `changeRow`: undefined where another one was faster. */
export function unlessStale<Value>(
  committed: Result<Value, Conflict>,
  problemOf: (conflict: Conflict) => Problem,
): Result<Value, Problem> | undefined {
  if (committed.ok) return committed;
  const { failure } = committed;
  return failure.refusal === "stale" ? undefined : refused(problemOf(failure));
}
