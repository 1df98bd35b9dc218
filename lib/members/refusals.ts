import { problem, type Problem } from "../base/problem.ts";
import { MAX_MEMBERS } from "./model/member.ts";

export const invalidCredentials: Problem = problem(
  "invalid_credentials",
  "The e-mail address or the password is wrong.",
);
export const sessionRequired: Problem = problem(
  "session_required",
  "Only somebody who signed in can do this: a token has no password, no passkeys and no sessions.",
);
export const invalidResetLink: Problem = problem(
  "invalid_reset_token",
  "The link was used, has expired or is mistyped. Ask for another one.",
);
export const leakedPassword: Problem = problem(
  "leaked_password",
  "The password is little more than one that leaked elsewhere, or than your own names: programs that guess try those first, with digits and signs around them. Four words that have nothing to do with each other make a good one.",
);
export const invalidPasskey: Problem = problem(
  "invalid_passkey",
  "The passkey is not known here, or did not prove itself in time. Try again, or sign in with your password.",
);
export const noPasskeysHere: Problem = problem(
  "not_found",
  "There are no passkeys at this address: they need a host name, and HTTPS or localhost.",
);
export const memberExists: Problem = problem(
  "member_exists",
  "Somebody has that e-mail address already.",
);
export const lastOperator: Problem = problem(
  "last_operator",
  "This is the last operator who can sign in. Add another one first.",
);
export const tooManyMembers: Problem = problem(
  "limit_reached",
  `There may be ${MAX_MEMBERS} members. Remove one first.`,
);
export const noSuchMember: Problem = problem("not_found", "There is no such member.");
export const noSuchSession: Problem = problem("not_found", "There is no such session.");
export const noSuchPasskey: Problem = problem("not_found", "There is no such passkey.");
