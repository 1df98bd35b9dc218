import { anyObject, named, object, string, type Schema } from "../../base/schema.ts";
import { nameSchema, optionalNameSchema } from "../../model/name-schema.ts";
import { countCodePoints } from "../../model/text.ts";
import type { PasskeyJson } from "../passkeys.ts";
import { isObject } from "../../base/field-error.ts";

/** Longer than any that is allowed: what is sent to be compared is not judged, only bounded. */
const MAX_SENT = 1_000;

const bounded = (text: string): string | undefined =>
  countCodePoints(text, MAX_SENT * 2) > MAX_SENT
    ? `must be at most ${MAX_SENT} characters long`
    : undefined;

const email = string(bounded, {
  maxLength: MAX_SENT,
  description: "E-mail address; letters of either case are the same.",
  examples: ["ada@shelter.org"],
});
const currentPassword = string(bounded, { maxLength: MAX_SENT, format: "password" });
const password = string(bounded, {
  maxLength: MAX_SENT,
  format: "password",
  description: "12 to 200 characters of any kind, and not one that is guessed first.",
});
const name = optionalNameSchema(120, "The member's name.");
const token = (link: string): Schema<string> =>
  string(bounded, { maxLength: MAX_SENT, description: `What stands after \`#\` in the ${link}.` });

/** The body of `signIn`. */
export const SignInSchema = named("SignIn", object({ email, password: currentPassword }));

/** The body of `setUpMember`. */
export const MemberSetupSchema = named(
  "MemberSetup",
  object({ token: token("setup link"), email, password }, { name }),
);

/** The body of `resetPassword`. */
export const PasswordResetSchema = named(
  "PasswordReset",
  object({ token: token("link"), password }),
);

/** The body of `checkResetLink`. */
export const ResetCheckSchema = named("ResetCheck", object({ token: token("link") }));

/** The body of `changePassword`. */
export const PasswordChangeSchema = named(
  "PasswordChange",
  object({ current: currentPassword, password }),
);

/** The body of `updateMe`. */
export const MeUpdateSchema = named("MeUpdate", object({ name }));

const response = anyObject({
  description: "What the browser's `navigator.credentials` answered, as its `toJSON()` writes it.",
});

/** The body of `signInWithPasskey` and `proveByPasskey`. */
export const PasskeySignInSchema = named("PasskeySignIn", object({ response }));

/** The body of `prove`. */
export const ProofSchema = named("Proof", object({ password: currentPassword }));

/** The body of `addPasskey`. */
export const NewPasskeySchema = named(
  "NewPasskey",
  object({
    name: nameSchema(120, {
      description: "By which its owner recognises it.",
      examples: ["Laptop"],
    }),
    response,
  }),
);

/** What a browser answered; one that is no object proves nothing. */
export function passkeyJson(sent: unknown): PasskeyJson {
  return isObject(sent) ? sent : {};
}
