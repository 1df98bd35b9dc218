import { expecting } from "../challenges.ts";
import type { MemberContext } from "../context.ts";
import type { MemberChange } from "../member-store.ts";
import type { Passkey } from "../model/passkey.ts";
import type { PasskeyJson, RelyingParty } from "../passkeys.ts";

/** A passkey whose holder was there, and the changes that make this answer of it good once. */
export interface ProvenPasskey {
  readonly passkey: Passkey;
  readonly spending: readonly MemberChange[];
}

/** The passkey that an answer proves, for that purpose. Undefined when it proves none, whatever is wrong with it. */
export async function provenPasskey(
  {
    passkeys,
    challenges,
    memberStore,
    clock,
  }: Pick<MemberContext, "challenges" | "memberStore" | "clock"> & {
    readonly passkeys: NonNullable<MemberContext["passkeys"]>;
  },
  {
    party,
    purpose,
    response,
  }: {
    readonly party: RelyingParty;
    readonly purpose: string;
    readonly response: PasskeyJson;
  },
): Promise<ProvenPasskey | undefined> {
  const { id: credentialId } = response;
  const passkey =
    typeof credentialId === "string" ? await memberStore.passkey(credentialId) : undefined;
  if (passkey === undefined) return undefined;
  const { expects, spent } = expecting(challenges, purpose);
  const used = await passkeys.used({ party, response, expects }, passkey);
  const challenge = spent();
  if (used === undefined || challenge === undefined) return undefined;
  const { id: passkeyId, counter: before } = passkey;
  return {
    passkey,
    spending: [
      { kind: "challenge.spend", ...challenge },
      { kind: "passkey.use", passkeyId, before, counter: used.counter, at: clock.now() },
    ],
  };
}
