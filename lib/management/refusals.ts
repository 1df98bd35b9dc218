import { problem, type Problem } from "../base/problem.ts";
import type { Role } from "./model/principal.ts";

export const missingToken: Problem = problem(
  "missing_token",
  "Send a management token as a bearer token: Authorization: Bearer pet_manage_…",
);
export const invalidToken: Problem = problem(
  "invalid_token",
  "The management token is not known here, or mistyped.",
);
export const expiredToken: Problem = problem("expired_token", "The management token has expired.");
export const revokedToken: Problem = problem("revoked_token", "The management token was revoked.");
export const proofRequired: Problem = problem(
  "proof_required",
  "You signed in more than 15 minutes ago. Prove again who you are: by POST /me/proof, or by signing in anew.",
);
export const noSuchProject: Problem = problem("not_found", "There is no such project.");
export const noSuchDeploy: Problem = problem("not_found", "There is no such deploy.");
export const tooManyStreams: Problem = problem(
  "limit_reached",
  "There are too many streams of this token, of its account, or of all: end one of them first.",
);
export const accountSuspended: Problem = problem(
  "account_suspended",
  "The account is suspended: its things can be read, and not changed.",
);

export function lacksRole(needed: Role): Problem {
  return problem("insufficient_role", `This needs the role ${needed}, or one above it.`);
}
