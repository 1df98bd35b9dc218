import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";

import { done, refused, type Result } from "../../lib/base/result.ts";

/** Options of a ceremony, passed from the service to the browser unread. */
export type PasskeyJson = Readonly<Record<string, unknown>>;

/** Why a ceremony failed: the user cancelled it, the browser has no passkeys, or the device has one already. */
export type PasskeyFault = "cancelled" | "unsupported" | "known" | "broken";

export const supported: boolean = browserSupportsWebAuthn();

/** Whether the browser can offer passkeys in a form field. */
export function supportsAutofill(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill();
}

/** Creates a passkey on the user's device. Ends a ceremony under way. */
export function createPasskey(options: PasskeyJson): Promise<Result<PasskeyJson, PasskeyFault>> {
  // The service created these options for this call.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tried(() => startRegistration({ optionsJSON: options as unknown as CreationOptions }));
}

/** Asks the user for a passkey, in a window of the browser or, `inField`, among its suggestions. */
export function provePasskey(
  options: PasskeyJson,
  inField = false,
): Promise<Result<PasskeyJson, PasskeyFault>> {
  return tried(() =>
    startAuthentication({
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      optionsJSON: options as unknown as RequestOptions,
      useBrowserAutofill: inField,
    }),
  );
}

/** Ends the ceremony under way. */
export function cancelPasskey(): void {
  WebAuthnAbortService.cancelCeremony();
}

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

async function tried(ceremony: () => Promise<object>): Promise<Result<PasskeyJson, PasskeyFault>> {
  if (!supported) return refused("unsupported");
  try {
    return done({ ...(await ceremony()) });
  } catch (error) {
    return refused(faultOf(error));
  }
}

function faultOf(error: unknown): PasskeyFault {
  if (error instanceof WebAuthnError) {
    if (error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED") return "known";
    if (error.code === "ERROR_CEREMONY_ABORTED") return "cancelled";
  }
  const name = error instanceof Error ? error.name : "";
  return name === "NotAllowedError" || name === "AbortError" ? "cancelled" : "broken";
}
