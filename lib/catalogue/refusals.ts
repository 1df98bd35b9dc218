import { problem, type Problem } from "../base/problem.ts";

/** The refusals common to all changes of one kind of row. */
export interface RowRefusals {
  readonly missing: Problem;
  readonly changed: Problem;
  readonly busy: Problem;
}

/** Returns the refusals for rows that messages call `noun`. */
export function refusalsOf(noun: string): RowRefusals {
  return {
    missing: problem("not_found", `There is no such ${noun}.`),
    changed: problem(
      "precondition_failed",
      `The ${noun} has changed since the ETag in If-Match was issued. Read it again, then repeat the change.`,
    ),
    busy: problem("unavailable", `Other requests keep changing this ${noun}. Try again.`, {
      retryAfterSeconds: 1,
    }),
  };
}

export const petRefusals: RowRefusals = refusalsOf("animal");
export const categoryRefusals: RowRefusals = refusalsOf("category");

/** The refusal of a change of a profile that was decided on another version. */
export const profileHasChanged: Problem = problem(
  "precondition_failed",
  "The profile has changed since the ETag in If-Match was issued. Read it again, then repeat the change.",
);
