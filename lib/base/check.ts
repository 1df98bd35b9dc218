import { checks, safeParse, type Check, type Issue } from "./checks.ts";
import { compareInDocument, fieldError } from "./field-error.ts";
import type { FieldError } from "./problem.ts";
import { done, type Result } from "./result.ts";
import type { Schema } from "./schema.ts";

/** The checks of the schemas that values were checked against, by the function that makes them. */
const made = new WeakMap<Schema<unknown>["checks"], Check<unknown>>();

function checkOf<Value>({ checks: make }: Schema<Value>): Check<Value> {
  // The function made it, so it has the function's type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const known = made.get(make) as Check<Value> | undefined;
  if (known !== undefined) return known;
  const own = make(checks);
  made.set(make, own);
  return own;
}

/**
 * Checks `value` and returns its faults in the order of its members, absent members last, at most 20; of unknown members
 * only the first. `what` names the value in messages.
 */
export function check<Value>(
  schema: Schema<Value>,
  value: unknown,
  what = "The body",
): Result<Value, readonly [FieldError, ...FieldError[]]> {
  // One fault per member: a number that is too large is not also reported as inexact.
  const outcome = safeParse(checkOf(schema), value, { abortPipeEarly: true });
  if (outcome.success) return done(outcome.output);
  const [first, ...others] = outcome.issues.toSorted((a, b) =>
    compareInDocument(value, pathOf(a), pathOf(b)),
  );
  // A failed parse has at least one issue.
  const issues = first === undefined ? outcome.issues : ([first, ...others] as const);
  const described = (issue: Issue): FieldError =>
    fieldError({ ...issue, path: pathOf(issue) }, schema.json, what);
  return {
    ok: false,
    failure: [described(issues[0]), ...issues.slice(1, MAX_ERRORS).map(described)],
  };
}

function pathOf({ path }: Issue): readonly string[] {
  return (path ?? []).map(({ key }) => String(key));
}

/** The most faults reported in one response. */
const MAX_ERRORS = 20;
