import type { Problem } from "../../lib/base/problem.ts";
import type { Result } from "../../lib/base/result.ts";

/** Returns the value of a result that must not be refused. */
export function must<Value>(result: Result<Value, Problem>): Value {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

/** Returns the code of a result that must be refused. */
export function codeOf(result: Result<unknown, Problem>): string {
  if (result.ok) throw new Error("It should have been refused.");
  return result.failure.code;
}
