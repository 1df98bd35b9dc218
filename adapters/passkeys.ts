import type {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";

import { base64url, utf8 } from "../lib/base/digest.ts";
import { once } from "../lib/base/eventual.ts";
import { CHALLENGE_MS } from "../lib/members/challenges.ts";
import type { CreatedPasskey, PasskeyJson, Passkeys } from "../lib/members/passkeys.ts";

// Fetched when somebody has a passkey: commands, and most of the starts of a server, know of none.
const library = once(async () => {
  // It asks for this by itself, but in a compiled program not before it is needed: Bun orders modules that are fetched later
  // otherwise than those that are there from the start.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
});

/** What a person sees beside the address. */
const NAME = "Petstore";

/** WebAuthn by SimpleWebAuthn. No attestation is asked for: any authenticator is welcome. */
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
        // Discoverable: who signs in names nobody.
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      }),
    ),
  created: ({ party, response, expects }) =>
    proven(async () => {
      const { verified, registrationInfo } = await (
        await library()
      ).verifyRegistrationResponse({
        // What strangers sent; whatever it lacks makes it no proof.
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

/** A word of the standard, or of a later one. */
const TRANSPORT = /^[a-z-]{1,20}$/;

/** What is no proof throws, with words for developers. */
async function proven<Value>(judge: () => Promise<Value | undefined>): Promise<Value | undefined> {
  // That the library cannot be had is no fault of the proof.
  await library();
  try {
    return await judge();
  } catch {
    // Whatever is wrong with it, the answer is the same: the caller says so.
    return undefined;
  }
}

/** How a browser is told which passkey is meant. */
function descriptor({
  credentialId,
  transports,
}: Pick<CreatedPasskey, "credentialId" | "transports">): {
  readonly id: string;
  // The library's own type asks for one that could be changed.
  transports: string[];
} {
  return { id: credentialId, transports: [...transports] };
}

/** The same bytes, in a buffer that is surely not shared: the library asks for that. */
function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

function json(options: object): PasskeyJson {
  return { ...options };
}
