import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { MemberContext } from "../context.ts";
import { relyingPartyAt } from "../model/relying-party.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { invalidPasskey, noPasskeysHere } from "../refusals.ts";
import { belongs } from "./belongs.ts";
import { openSession, type Browser, type SignedIn } from "./open-session.ts";
import { provenPasskey } from "./proven-passkey.ts";

const PURPOSE = "sign in";

/** What a browser needs to ask its owner for a passkey: for anybody, since the passkey itself says whose it is. */
export async function beginPasskeySignIn(
  { passkeys, challenges }: MemberContext,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  return done(await passkeys.requestOptions({ party, challenge: await challenges.make(PURPOSE) }));
}

/** Signs in with what the passkey answered. Its challenge is spent in the same commit: an answer is good once. */
export async function signInWithPasskey(
  context: MemberContext,
  response: PasskeyJson,
  browser: Browser,
): Promise<Result<SignedIn, Problem>> {
  const { passkeys, memberStore } = context;
  const party = relyingPartyAt(browser.visitor.origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  const proven = await provenPasskey(
    { ...context, passkeys },
    { party, purpose: PURPOSE, response },
  );
  const member = await memberStore.byId(proven?.passkey.memberId ?? "");
  if (proven === undefined || member === undefined) return refused(invalidPasskey);
  if (!(await belongs(context, member))) return refused(invalidPasskey);
  const opened = await openSession(context, { member, browser, before: proven.spending });
  return opened.ok ? opened : refused(invalidPasskey);
}
