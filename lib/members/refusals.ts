import { problem, type Problem } from "../base/problem.ts";
import { MAX_MEMBERS } from "./model/member.ts";

export const invalidCredentials: Problem = problem(
  "invalid_credentials",
  "The email address or the password is wrong.",
);
export const sessionRequired: Problem = problem(
  "session_required",
  "This needs a signed-in member: a token has no password, passkeys or sessions.",
);
export const invalidResetLink: Problem = problem(
  "invalid_reset_token",
  "The link has been used, has expired or is mistyped. Ask for a new one.",
);
export const leakedPassword: Problem = problem(
  "leaked_password",
  "The password is close to a leaked password or to one of your names, and easy to guess. Four unrelated words make a good one.",
);
export const invalidPasskey: Problem = problem(
  "invalid_passkey",
  "The passkey is unknown, or its response was invalid or too late. Try again, or sign in with your password.",
);
export const noPasskeysHere: Problem = problem(
  "not_found",
  "Passkeys are not available at this address: they need a host name, and HTTPS or localhost.",
);
export const memberExists: Problem = problem(
  "member_exists",
  "A member with this email address exists.",
);
export const noMailHere: Problem = problem(
  "not_found",
  "This installation sends no mail. Ask an owner of your account or the operator for a password link.",
);
export const lastOperator: Problem = problem(
  "last_operator",
  "This is the last operator who can sign in. Add another operator first.",
);
export const tooManyMembers: Problem = problem(
  "limit_reached",
  `The limit of ${MAX_MEMBERS} members is reached. Remove one first.`,
);
export const noSuchMember: Problem = problem("not_found", "There is no such member.");
export const noSuchSession: Problem = problem("not_found", "There is no such session.");
export const noSuchPasskey: Problem = problem("not_found", "There is no such passkey.");
