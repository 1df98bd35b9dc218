import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { SignedInMember } from "../../management/model/principal.ts";
import type { MemberContext } from "../context.ts";
import { relyingPartyAt } from "../model/relying-party.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { invalidPasskey, noPasskeysHere } from "../refusals.ts";
import { proveOwnPassword } from "./own-password.ts";
import { provenPasskey } from "./proven-passkey.ts";

/**
 * The proof for a browser whose user types their own password anew. Tries are counted with those of changing it:
 * `invalid_credentials`, `rate_limited`, `unavailable`.
 */
export async function proveByPassword(
  context: MemberContext,
  me: SignedInMember,
  password: string,
): Promise<Result<string, Problem>> {
  const proven = await proveOwnPassword(context, me, password);
  return proven.ok ? done(await proofFor(context, me)) : proven;
}

/** What a browser needs to ask for one of the caller's own passkeys: for this session alone. */
export async function beginPasskeyProof(
  { passkeys, challenges, memberStore }: MemberContext,
  me: SignedInMember,
  origin: string,
): Promise<Result<PasskeyJson, Problem>> {
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  const known = await memberStore.passkeys(me.id);
  // Of none a browser makes all that it has.
  if (known.length === 0) return refused(noPasskeyOfOwn);
  const challenge = await challenges.make(purposeOf(me));
  return done(await passkeys.requestOptions({ party, challenge, known }));
}

/** The proof for a browser whose user has a passkey of their own answer. An answer is good once. */
export async function proveByPasskey(
  context: MemberContext,
  me: SignedInMember,
  { response, origin }: { readonly response: PasskeyJson; readonly origin: string },
): Promise<Result<string, Problem>> {
  const { passkeys, memberStore } = context;
  const party = relyingPartyAt(origin);
  if (passkeys === undefined || party === undefined) return refused(noPasskeysHere);
  const proven = await provenPasskey(
    { ...context, passkeys },
    { party, purpose: purposeOf(me), response },
  );
  if (proven?.passkey.memberId !== me.id) return refused(invalidPasskey);
  const spent = await memberStore.commit(proven.spending);
  return spent.ok ? done(await proofFor(context, me)) : refused(invalidPasskey);
}

function proofFor({ presence, clock }: MemberContext, me: SignedInMember): Promise<string> {
  return presence.prove(me, clock.now());
}

function purposeOf({ id, sessionId }: SignedInMember): string {
  return `prove that ${id} is there in ${sessionId}`;
}

const noPasskeyOfOwn: Problem = problem(
  "not_found",
  "You have no passkey. Prove by your password who you are.",
);
