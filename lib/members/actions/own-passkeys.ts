import { randomBase62 } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { PasskeyView } from "../../management/member-view.ts";
import type { SignedInMember } from "../../management/model/principal.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import { expecting } from "../challenges.ts";
import type { MemberContext } from "../context.ts";
import { MAX_PASSKEYS, type Passkey } from "../model/passkey.ts";
import { relyingPartyAt } from "../model/relying-party.ts";
import { isFresh } from "../model/session.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { invalidPasskey, noPasskeysHere, noSuchPasskey, passwordRequired } from "../refusals.ts";
import { proveOwnPassword } from "./own-password.ts";

/** A passkey as its owner may see it. */
function viewOfPasskey({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt, ...(lastUsedAt === undefined ? {} : { lastUsedAt }) };
}

/** The passkeys of whoever asks, oldest first. */
export async function passkeysOf(
  { memberStore }: MemberContext,
  me: SignedInMember,
): Promise<readonly PasskeyView[]> {
  return (await memberStore.passkeys(me.id)).map(viewOfPasskey);
}

/**
 * What a browser needs to make a passkey for whoever asks: for this session alone. A passkey outlives the session, so
 * that one which was stolen must not be enough for it: what is `current` has to be known, unless somebody just signed
 * in. `password_required`, `invalid_credentials`, `rate_limited`, `limit_reached`, `unavailable`.
 */
export async function beginPasskey(
  context: MemberContext,
  me: SignedInMember,
  { current, origin }: { readonly current: string | undefined; readonly origin: string },
): Promise<Result<PasskeyJson, Problem>> {
  const { passkeys, challenges, memberStore } = context;
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  const absent = await faultOfPresence(context, me, current);
  if (absent !== undefined) return refused(absent);
  const known = await memberStore.passkeys(me.id);
  if (known.length >= MAX_PASSKEYS) return refused(tooManyPasskeys);
  const challenge = await challenges.make(purposeOf(me));
  return done(await passkeys.creationOptions({ party, challenge, member: me, known }));
}

/** Remembers the passkey that the browser made. Its challenge is spent in the same commit. */
export async function addPasskey(
  { passkeys, challenges, memberStore, random, clock }: MemberContext,
  me: SignedInMember,
  {
    name,
    response,
    origin,
  }: { readonly name: string; readonly response: PasskeyJson; readonly origin: string },
): Promise<Result<PasskeyView, Problem>> {
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  const fault = faultOfName(name, 120);
  if (fault !== undefined) return refused(problem("invalid_value", `The name ${fault}.`));
  const { expects, spent } = expecting(challenges, purposeOf(me));
  const created = await passkeys.created({ party, response, expects });
  const challenge = spent();
  if (created === undefined || challenge === undefined) return refused(invalidPasskey);
  const passkey: Passkey = {
    ...created,
    id: randomBase62(random, 10),
    memberId: me.id,
    name: normalText(name),
    createdAt: clock.now(),
  };
  const committed = await memberStore.commit([
    { kind: "challenge.spend", ...challenge },
    { kind: "passkey.create", passkey, sessionId: me.sessionId, max: MAX_PASSKEYS },
  ]);
  if (committed.ok) return done(viewOfPasskey(passkey));
  return refused(committed.failure === "limit" ? tooManyPasskeys : invalidPasskey);
}

/** Forgets a passkey of whoever asks. */
export async function removePasskey(
  { memberStore }: MemberContext,
  me: SignedInMember,
  passkeyId: string,
): Promise<Result<undefined, Problem>> {
  const removed = await memberStore.commit([
    { kind: "passkey.remove", passkeyId, memberId: me.id },
  ]);
  return removed.ok ? done(undefined) : refused(noSuchPasskey);
}

/** Why we cannot tell that whoever asks is the member, and not somebody with their session. */
async function faultOfPresence(
  context: MemberContext,
  me: SignedInMember,
  current: string | undefined,
): Promise<Problem | undefined> {
  if (current !== undefined) {
    const proven = await proveOwnPassword(context, me, current);
    return proven.ok ? undefined : proven.failure;
  }
  const session = await context.memberStore.session(me.sessionId);
  const fresh = session !== undefined && isFresh(session, context.clock.now());
  return fresh ? undefined : passwordRequired;
}

function purposeOf({ id, sessionId }: SignedInMember): string {
  return `add a passkey to ${id} in ${sessionId}`;
}

const tooManyPasskeys: Problem = problem(
  "limit_reached",
  `There may be ${MAX_PASSKEYS} passkeys. Remove one first.`,
);
