import type { Result } from "../base/result.ts";
import type { Change, Conflict, Outcome } from "../storage/change.ts";
import type { Store } from "../storage/store.ts";

/**
 * More to be written in the same commit, decided from what the action makes of the outcomes.
 * The idempotency layer uses it to record the answer together with its effect.
 */
export type Also<Value> = (value: (outcomes: readonly Outcome[]) => Value) => readonly Change[];

/** Commits `change` and what goes with it; the value is made of the outcomes by `value`. */
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
