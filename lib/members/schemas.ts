import { isObject } from "../base/field-error.ts";
import {
  anyObject,
  anyText,
  boolean,
  named,
  object,
  oneOf,
  string,
  type Schema,
} from "../base/schema.ts";
import {
  choice,
  declared,
  describedAs,
  extended,
  flag,
  instant,
  listOf,
  orNull,
  shape,
  text,
  whole,
  type Named,
  type Shape,
  type ValueOf,
} from "../base/shape.ts";
import { accountRoles, roles } from "../accounts/principal.ts";
import { meShape } from "../accounts/shapes/token.ts";
import { nameSchema, optionalNameSchema } from "../model/name-schema.ts";
import { emailJson, faultOfEmail } from "../model/email.ts";
import { switchedKinds } from "./model/mail-switches.ts";
import type { PasskeyJson } from "./passkeys.ts";

/** The longest accepted text, in code points. Longer than any valid value. */
const MAX_SENT = 1_000;

/** A language tag, in the common form (RFC 5646 §2.1). */
const LANGUAGE = "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}$";
const languageForm = new RegExp(LANGUAGE);
const faultOfLanguage = (sent: string): string | undefined =>
  languageForm.test(sent) ? undefined : "must be a language tag, such as de";

const email = string(anyText, {
  maxLength: MAX_SENT,
  description: "Email address; case is ignored.",
  examples: ["ada@shelter.org"],
});
const currentPassword = string(anyText, { maxLength: MAX_SENT, format: "password" });
const password = string(anyText, {
  maxLength: MAX_SENT,
  format: "password",
  description: "12 to 200 characters of any kind, not easy to guess.",
});
const name = optionalNameSchema(120, "The member's name.");
const token = (link: string): Schema<string> =>
  string(anyText, { maxLength: MAX_SENT, description: `The part of the ${link} after \`#\`.` });

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
  object({ token: token("password link"), password }),
);

/** The body of `checkResetLink`. */
export const ResetCheckSchema = named("ResetCheck", object({ token: token("password link") }));

/** The body of `changePassword`. */
export const PasswordChangeSchema = named(
  "PasswordChange",
  object({ current: currentPassword, password }),
);

/** The body of `updateMe`. */
export const MeUpdateSchema = named(
  "MeUpdate",
  object(
    {},
    {
      name,
      language: string(faultOfLanguage, {
        pattern: LANGUAGE,
        description: "A tag such as `de` (BCP 47).",
        examples: ["de"],
      }),
    },
  ),
);

/** The body of `switchMyMails`. */
export const MailSwitchSchema = named(
  "MailSwitch",
  object({
    kind: oneOf(switchedKinds),
    on: boolean({ description: "Whether you get these mails." }),
  }),
);

const response = anyObject({
  description:
    "The credential from the browser's `navigator.credentials`, as its `toJSON()` writes it.",
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
      description: "A name that its owner recognizes.",
      examples: ["Laptop"],
    }),
    response,
  }),
);

/** Returns a browser's response. A value that is not an object becomes an empty, thus invalid, response. */
export function passkeyJson(sent: unknown): PasskeyJson {
  return isObject(sent) ? sent : {};
}

export const EmailSchema: Schema<string> = string(faultOfEmail, emailJson, { measures: true });

const language = string(faultOfLanguage, {
  pattern: LANGUAGE,
  description:
    "Language of the mail, as a tag such as `de` (BCP 47): German or English. Default: the language of the request.",
  examples: ["de"],
});
const mail = boolean({
  description:
    "Whether to send the link by mail as well, if a mail server is configured. Default: true.",
});

/** The body of `requestPasswordReset`. */
export const ResetRequestSchema = named("ResetRequest", object({ email }, { language }));

/** The body of `createMember`. */
export const NewOperatorSchema = named(
  "NewOperator",
  object({ email: EmailSchema }, { name, mail, language }),
);

/** The body of `createAccountMember`. */
export const NewMemberSchema = named(
  "NewMember",
  object({ email: EmailSchema, role: oneOf(accountRoles) }, { name, mail, language }),
);

/** The body of `updateAccountMember`. */
export const MemberUpdateSchema = named("MemberUpdate", object({ role: oneOf(accountRoles) }));

// Outputs

export const signInStateShape = shape("SignInState", {
  setUp: flag("A member can sign in; until then the setup link is used."),
  allowed: flag("Signing in works at this address."),
  reason: declared<"https_required" | null>({
    type: ["string", "null"],
    enum: ["https_required", null],
    description: "Why signing in does not work.",
  }),
  passkeys: flag("Passkeys work at this address."),
  mail: flag("A password link can be requested by mail."),
  me: describedAs(
    orNull(meShape),
    "The member signed in with this browser; null if there is none.",
  ),
});

const sessionShape = shape("Session", {
  id: text("10 characters."),
  current: flag("The session of this request."),
  createdAt: instant("When the member signed in."),
  lastSeenAt: instant("Accurate to a minute."),
  expiresAt: instant("When the session ends at the latest."),
  address: text("IP address of the sign-in; empty when unknown."),
  userAgent: text("`User-Agent` of the browser; may be empty."),
});
export const sessionsShape = listOf("Sessions", sessionShape);

const mailSwitchShape = shape("MailSwitch", {
  kind: choice(switchedKinds),
  on: flag("You get these mails."),
});
export const mailSwitchesShape = listOf("MailSwitches", mailSwitchShape);

/** A kind of mails, and whether its reader gets them. */
export type MailSwitchView = ValueOf<typeof mailSwitchShape>;

/** A signed-in browser. */
export type SessionView = ValueOf<typeof sessionShape>;

/** Options for `navigator.credentials`, defined by WebAuthn. */
export const passkeyOptionsShape: Named<Shape<PasskeyJson>> = {
  name: "PasskeyOptions",
  json: {
    type: "object",
    description:
      "For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` (WebAuthn Level 3).",
    required: ["challenge"],
    properties: { challenge: text("Valid once, for five minutes.").json },
    additionalProperties: true,
  },
};

export const passkeyShape = shape(
  "Passkey",
  {
    id: text("10 characters."),
    name: text("The name that its owner gave it."),
    createdAt: instant("When it was added."),
  },
  { lastUsedAt: instant("The last sign-in with it.") },
);
export const passkeysShape = listOf("Passkeys", passkeyShape);

/** A passkey without its public key. */
export type PasskeyView = ValueOf<typeof passkeyShape>;

export const memberShape = shape(
  "Member",
  {
    id: text("`mem_…`"),
    email: text("The email address for signing in."),
    name: text("Display name; may be empty."),
    role: choice(roles),
    createdAt: instant("When the member was added."),
    passkeys: whole({ description: "Number of passkeys." }),
    status: choice(["active", "pending"], "Pending until the member has set a password."),
  },
  {
    accountId: text("The member's account; absent for an operator."),
    lastSeenAt: instant("Accurate to a minute; absent before the first sign-in."),
  },
);
export const membersShape = listOf("Members", memberShape);

/** A member without the hash of the password. */
export type MemberView = ValueOf<typeof memberShape>;

export const resetLinkShape = shape("ResetLink", {
  url: text("For the member only: it sets their password. Valid once."),
  expiresAt: instant("When the link expires."),
});

/** A link for a member who exists. */
export const newLinkShape = extended("NewResetLink", resetLinkShape, {
  mailed: flag("The link is also sent to the member by mail: they have not chosen a password yet."),
});

/** A link for choosing a password. */
export type ResetLinkView = ValueOf<typeof resetLinkShape>;

export const resetStatusShape = shape("ResetStatus", {
  email: text("The member's email address."),
  name: text("Display name; may be empty."),
  first: flag("The member has no password yet."),
  expiresAt: instant("When the link expires."),
});

export const newcomerShape = shape("Newcomer", {
  member: memberShape,
  link: resetLinkShape,
  mailed: flag("The link is also sent to the member by mail."),
});

// Examples

export const operatorExample = {
  id: "mem_8fJ2kQ0aZx1B",
  email: "ada@example.org",
  name: "Ada",
  role: "operator",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSeenAt: "2026-11-21T08:12:00.000Z",
  passkeys: 1,
  status: "active",
} as const;

export const memberExample = {
  id: "mem_3kX9bQ2mZ7Lt",
  email: "grace@shelter.org",
  name: "Grace",
  role: "staff",
  accountId: "acc_8fJ2kQ0aZx1B",
  createdAt: "2026-11-20T09:30:00.000Z",
  passkeys: 0,
  status: "pending",
} as const;

export const resetLinkExample = {
  url: "https://pets.example.org/reset#pet_reset_8fJ2kQ0aZx_…",
  expiresAt: "2026-11-21T09:30:00.000Z",
} as const;

export const signedInExample = {
  role: "operator",
  name: "Ada",
  member: { id: "mem_8fJ2kQ0aZx1B", email: "ada@example.org", name: "Ada" },
  sessionId: "8fJ2kQ0aZx",
} as const;

export const sessionExample = {
  id: "8fJ2kQ0aZx",
  current: true,
  createdAt: "2026-11-20T09:30:00.000Z",
  lastSeenAt: "2026-11-21T08:12:00.000Z",
  expiresAt: "2026-12-20T09:30:00.000Z",
  address: "203.0.113.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
} as const;

export const mailSwitchesExample = [
  { kind: "certificates_overdue", on: true },
  { kind: "backup_failed", on: true },
  { kind: "new_device", on: false },
] as const;

export const passkeyExample = {
  id: "4fGq8Zt1Lm",
  name: "Laptop",
  createdAt: "2026-11-20T09:30:00.000Z",
  lastUsedAt: "2026-11-21T08:12:00.000Z",
} as const;

export const passkeyOptionsExample = {
  challenge: "Qnm5ZLZAAAAxk1aXn0i7hQe6Jx2m0pZ3Wn8rK1cVb4YtUsLgEoHd7w",
  rpId: "pets.example.org",
  timeout: 300000,
  userVerification: "required",
} as const;
