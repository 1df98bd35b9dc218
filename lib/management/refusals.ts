import { problem, type Problem } from "../base/problem.ts";
import type { Role } from "../accounts/principal.ts";

export const proofRequired: Problem = problem(
  "proof_required",
  "You signed in more than 15 minutes ago. Confirm your identity with POST /me/proof, or sign in again.",
);
export const noSuchProject: Problem = problem("not_found", "There is no such project.");
export const noSuchDeploy: Problem = problem("not_found", "There is no such deploy.");
export const tooManyStreams: Problem = problem(
  "limit_reached",
  "Too many event streams are open for this token, its account or the server. Close one first.",
);
export const accountSuspended: Problem = problem(
  "account_suspended",
  "The account is suspended: its data can be read but not changed.",
);

export function lacksRole(needed: Role): Problem {
  const above = needed === "operator" ? "" : " or above";
  return problem("insufficient_role", `This needs the role ${needed}${above}.`);
}
