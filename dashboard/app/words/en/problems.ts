import type { ProblemCode } from "../../../../lib/base/problem.ts";

/** What went wrong, by its code: what happened and what to do. A code without words is shown as the service says it. */
export const problems: { readonly [Code in ProblemCode]?: string } = {
  unavailable: "The service could not be reached. Check your connection, then try again.",
  internal_error: "Something broke on our side. Nothing was changed. Try again in a moment.",
  rate_limited: "That was too often. Wait a minute, then try again.",
  insufficient_role: "Your role does not allow that. An owner of the account can.",
  not_found: "It is not there: it was deleted, or the address is mistyped.",
};
