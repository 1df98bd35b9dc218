import type { Problem } from "../../base/problem.ts";
import { refused, type Result } from "../../base/result.ts";
import { blockOf } from "../attempts.ts";
import type { MemberContext } from "../context.ts";
import { faultOfEmail, normalEmail } from "../model/email.ts";
import { invalidCredentials } from "../refusals.ts";
import { belongs } from "./belongs.ts";
import { openSession, type Browser, type SignedIn } from "./open-session.ts";

/**
 * Signs in with a password. Whether anybody has that e-mail address can be told neither from the answer nor from the
 * time that it takes. `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function signIn(
  context: MemberContext,
  sent: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const { memberStore, attempts, passwords } = context;
  const email = normalEmail(sent.email);
  const address = browser.visitor.address();
  const knock = attempts.knock(address);
  if (!knock.ok) return knock;
  const member = await memberStore.byEmail(email);
  const sessions = await memberStore.sessions(member?.id ?? "");
  const familiar = sessions.some((session) => blockOf(session.address) === blockOf(address));
  // What can be nobody's is counted as one, however long it is and however many there are.
  const whose = faultOfEmail(email) === undefined ? email : "";
  const attempt = attempts.begin({ whose, address, familiar });
  if (!attempt.ok) return attempt;

  const verified = await passwords.verify(member?.password, sent.password);
  if (!verified.ok) {
    knock.value.forgive();
    attempt.value.forgive();
    return verified;
  }
  if (member?.password === undefined || !verified.value) return refused(invalidCredentials);
  if (!(await belongs(context, member))) return refused(invalidCredentials);
  const { password } = member;
  const opened = await openSession(context, { member, browser, password });
  // Another password, or none, since it was found right.
  if (!opened.ok) return refused(invalidCredentials);
  // The knock stays: a machine that signs in again and again costs as much as one that guesses.
  attempt.value.forgive();
  return opened;
}
