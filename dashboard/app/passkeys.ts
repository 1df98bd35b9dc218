import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from "@simplewebauthn/browser";

import { done, refused, type Result } from "../../lib/base/result.ts";

/** What goes between the service and the browser, read by neither of us. */
export type PasskeyJson = Readonly<Record<string, unknown>>;

/** Why no passkey came of it: nobody chose one, there are none, it is there already, or something else is wrong. */
export type PasskeyFault = "cancelled" | "unsupported" | "known" | "broken";

export const supported: boolean = browserSupportsWebAuthn();

/** Whether the browser can offer passkeys in a field, before anybody asks for one. */
export function supportsAutofill(): Promise<boolean> {
  return browserSupportsWebAuthnAutofill();
}

/** Has the device make a passkey. A ceremony that is under way ends. */
export function createPasskey(options: PasskeyJson): Promise<Result<object, PasskeyFault>> {
  // The service made these for exactly that.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return tried(() => startRegistration({ optionsJSON: options as unknown as CreationOptions }));
}

/** Has the owner prove a passkey: in a window of the browser, or `inField` among what it fills in. */
export function provePasskey(
  options: PasskeyJson,
  inField = false,
): Promise<Result<object, PasskeyFault>> {
  return tried(() =>
    startAuthentication({
      // As above.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      optionsJSON: options as unknown as RequestOptions,
      useBrowserAutofill: inField,
    }),
  );
}

/** Ends what is under way. */
export function cancelPasskey(): void {
  WebAuthnAbortService.cancelCeremony();
}

type CreationOptions = Parameters<typeof startRegistration>[0]["optionsJSON"];
type RequestOptions = Parameters<typeof startAuthentication>[0]["optionsJSON"];

async function tried(ceremony: () => Promise<object>): Promise<Result<object, PasskeyFault>> {
  if (!supported) return refused("unsupported");
  try {
    return done(await ceremony());
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
