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
import type { PasskeyJson } from "../passkeys.ts";
import { invalidPasskey, noPasskeysHere, noSuchPasskey } from "../refusals.ts";

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

/** What a browser needs to make a passkey for whoever asks: for this session alone. `limit_reached`. */
export async function beginPasskey(
  { passkeys, challenges, memberStore }: MemberContext,
  me: SignedInMember,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
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

function purposeOf({ id, sessionId }: SignedInMember): string {
  return `add a passkey to ${id} in ${sessionId}`;
}

const tooManyPasskeys: Problem = problem(
  "limit_reached",
  `There may be ${MAX_PASSKEYS} passkeys. Remove one first.`,
);
