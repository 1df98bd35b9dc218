import type {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";

import { base64url, utf8 } from "../lib/base/digest.ts";
import { once } from "../lib/base/eventual.ts";
import { CHALLENGE_MS } from "../lib/members/challenges.ts";
import type { CreatedPasskey, PasskeyJson, Passkeys } from "../lib/members/passkeys.ts";

// Loaded on first use: commands, and most server starts, need no passkeys.
const library = once(async () => {
  // The library imports it too, but in a compiled program too late: Bun orders lazily imported modules differently from
  // static ones.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
});

/** The service's name, shown next to the address. */
const NAME = "Petstore";

/** Implements WebAuthn with SimpleWebAuthn. Requests no attestation, so any authenticator works. */
export const passkeys: Passkeys = {
  creationOptions: async ({ party, challenge, member: { id, email, name }, known }) =>
    json(
      await (
        await library()
      ).generateRegistrationOptions({
        rpName: NAME,
        rpID: party.id,
        userID: owned(utf8(id)),
        userName: email,
        userDisplayName: name === "" ? email : name,
        challenge: owned(challenge),
        timeout: CHALLENGE_MS,
        excludeCredentials: known.map(descriptor),
        // Discoverable, because sign-in does not ask for a name.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      }),
    ),
  created: ({ party, response, expects }) =>
    proven(async () => {
      const { verified, registrationInfo } = await (
        await library()
      ).verifyRegistrationResponse({
        // Untrusted. A missing or wrong member makes the proof invalid.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        response: response as unknown as Registration,
        expectedChallenge: expects,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
      });
      if (!verified) return undefined;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      return {
        credentialId: id,
        publicKey: base64url(publicKey),
        counter,
        transports: transports.filter((transport) => TRANSPORT.test(transport)),
      };
    }),
  requestOptions: async ({ party, challenge, known }) =>
    json(
      await (
        await library()
      ).generateAuthenticationOptions({
        rpID: party.id,
        challenge: owned(challenge),
        timeout: CHALLENGE_MS,
        userVerification: "required",
        ...(known === undefined ? {} : { allowCredentials: known.map(descriptor) }),
      }),
    ),
  used: ({ party, response, expects }, { credentialId, publicKey, counter }) =>
    proven(async () => {
      const { verified, authenticationInfo } = await (
        await library()
      ).verifyAuthenticationResponse({
        // As above.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        response: response as unknown as Authentication,
        expectedChallenge: expects,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        credential: {
          id: credentialId,
          publicKey: owned(Buffer.from(publicKey, "base64url")),
          counter,
        },
      });
      return verified ? { counter: authenticationInfo.newCounter } : undefined;
    }),
};

type Registration = Parameters<typeof verifyRegistrationResponse>[0]["response"];
type Authentication = Parameters<typeof verifyAuthenticationResponse>[0]["response"];

/** Matches transports of the standard and of later versions. */
const TRANSPORT = /^[a-z-]{1,20}$/;

/** Returns undefined for an invalid proof, for which the library throws. */
async function proven<Value>(judge: () => Promise<Value | undefined>): Promise<Value | undefined> {
  // Outside `try`: a missing library is not a fault of the proof.
  await library();
  try {
    return await judge();
  } catch {
    // The caller reports every fault in the same way.
    return undefined;
  }
}

/** Describes a passkey to the browser. */
function descriptor({
  credentialId,
  transports,
}: Pick<CreatedPasskey, "credentialId" | "transports">): {
  readonly id: string;
  // Mutable, as in the library's type.
  transports: string[];
} {
  return { id: credentialId, transports: [...transports] };
}

/** Copies bytes to a buffer that is not shared, which the library requires. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

function json(options: object): PasskeyJson {
  return { ...options };
}
