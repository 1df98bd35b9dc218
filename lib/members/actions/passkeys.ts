import { randomBase62 } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { PasskeyView } from "../schemas.ts";
import type { SignedInMember } from "../../accounts/principal.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import { expecting } from "../challenges.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange } from "../member-store.ts";
import { MAX_PASSKEYS, type Passkey } from "../model/member.ts";
import { relyingPartyAt, type PasskeyJson, type Passkeys, type RelyingParty } from "../passkeys.ts";
import { invalidPasskey, noPasskeysHere, noSuchPasskey } from "../refusals.ts";

/** Returns the passkeys port and the relying party for an origin. Refused `not_found` where passkeys do not work. */
export function passkeysAt(
  { passkeys }: MemberContext,
  origin: string,
): Result<{ readonly passkeys: Passkeys; readonly party: RelyingParty }, Problem> {
  const party = relyingPartyAt(origin);
  return passkeys === undefined || party === undefined
    ? refused(noPasskeysHere)
    : done({ passkeys, party });
}

/** A verified passkey, and the changes that prevent a second use of its response. */
interface ProvenPasskey {
  readonly passkey: Passkey;
  readonly spending: readonly MemberChange[];
}

/** Verifies a response for `purpose` and returns its passkey. Refused `invalid_passkey` for every fault; `not_found`. */
export async function provenPasskey(
  context: MemberContext,
  {
    origin,
    purpose,
    response,
  }: { readonly origin: string; readonly purpose: string; readonly response: PasskeyJson },
): Promise<Result<ProvenPasskey, Problem>> {
  const at = passkeysAt(context, origin);
  if (!at.ok) return at;
  const { passkeys, party } = at.value;
  const { memberStore, challenges, clock } = context;
  const { id: credentialId } = response;
  const passkey =
    typeof credentialId === "string" ? await memberStore.passkey(credentialId) : undefined;
  if (passkey === undefined) return refused(invalidPasskey);
  const { expects, spent } = expecting(challenges, purpose);
  const used = await passkeys.used({ party, response, expects }, passkey);
  const challenge = spent();
  if (used === undefined || challenge === undefined) return refused(invalidPasskey);
  const { id: passkeyId, counter: before } = passkey;
  return done({
    passkey,
    spending: [
      { kind: "challenge.spend", ...challenge },
      { kind: "passkey.use", passkeyId, before, counter: used.counter, at: clock.now() },
    ],
  });
}

/** Returns the caller's passkeys, oldest first. */
export async function passkeysOf(
  { memberStore }: MemberContext,
  me: SignedInMember,
): Promise<readonly PasskeyView[]> {
  return (await memberStore.passkeys(me.id)).map(viewOfPasskey);
}

function viewOfPasskey({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt, ...(lastUsedAt === undefined ? {} : { lastUsedAt }) };
}

/** Returns the options with which a browser creates a passkey, valid only in this session. Refused `limit_reached`. */
export async function beginPasskey(
  context: MemberContext,
  me: SignedInMember,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const at = passkeysAt(context, origin);
  if (!at.ok) return at;
  const { passkeys, party } = at.value;
  const known = await context.memberStore.passkeys(me.id);
  if (known.length >= MAX_PASSKEYS) return refused(tooManyPasskeys);
  const challenge = await context.challenges.make(purposeOf(me));
  return done(await passkeys.creationOptions({ party, challenge, member: me, known }));
}

/** Stores a passkey created by the browser, and spends its challenge in the same commit. */
export async function addPasskey(
  context: MemberContext,
  me: SignedInMember,
  {
    name,
    response,
    origin,
  }: { readonly name: string; readonly response: PasskeyJson; readonly origin: string },
): Promise<Result<PasskeyView, Problem>> {
  const { challenges, commit, random, clock } = context;
  const at = passkeysAt(context, origin);
  if (!at.ok) return at;
  const { passkeys, party } = at.value;
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
  const committed = await commit([
    { kind: "challenge.spend", ...challenge },
    { kind: "passkey.create", passkey, sessionId: me.sessionId, max: MAX_PASSKEYS },
  ]);
  if (committed.ok) return done(viewOfPasskey(passkey));
  return refused(committed.failure === "limit" ? tooManyPasskeys : invalidPasskey);
}

/** Removes one of the caller's passkeys. */
export async function removePasskey(
  { commit, clock }: MemberContext,
  me: SignedInMember,
  passkeyId: string,
): Promise<Result<undefined, Problem>> {
  const removed = await commit([
    { kind: "passkey.remove", passkeyId, memberId: me.id, at: clock.now() },
  ]);
  return removed.ok ? done(undefined) : refused(noSuchPasskey);
}

function purposeOf({ id, sessionId }: SignedInMember): string {
  return `add a passkey to ${id} in ${sessionId}`;
}

const tooManyPasskeys: Problem = problem(
  "limit_reached",
  `The limit of ${MAX_PASSKEYS} passkeys is reached. Remove one first.`,
);
