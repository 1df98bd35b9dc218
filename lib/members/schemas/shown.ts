import { roles } from "../../management/model/principal.ts";
import { meShape } from "../../management/schemas/token.ts";
import { instant, listOf, shape, text, type Shape } from "../../management/schemas/shape.ts";

export const signInStateShape: Shape = shape("SignInState", {
  setUp: {
    type: "boolean",
    description: "Somebody can sign in; until then the setup link is the way.",
  },
  allowed: { type: "boolean", description: "Signing in works at this address." },
  reason: {
    type: ["string", "null"],
    enum: ["https_required", null],
    description: "Why it does not.",
  },
  passkeys: { type: "boolean", description: "Passkeys work at this address." },
  me: {
    anyOf: [meShape.json, { type: "null" }],
    description: "Who signed in already in this browser; null: nobody.",
  },
});

export const sessionsShape: Shape = listOf(
  "Sessions",
  shape("Session", {
    id: text("10 characters."),
    current: { type: "boolean", description: "The one that asks." },
    createdAt: instant("When somebody signed in."),
    lastSeenAt: instant("Accurate to a minute."),
    expiresAt: instant("The latest end."),
    address: text("IP address that it was made from; empty where nobody knew."),
    userAgent: text("What the browser calls itself; may be empty."),
  }),
);

/** What goes to `navigator.credentials`, and so is described by WebAuthn. */
export const passkeyOptionsShape: Shape = {
  name: "PasskeyOptions",
  json: {
    type: "object",
    description:
      "For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` (WebAuthn Level 3).",
    required: ["challenge"],
    properties: { challenge: text("Good once, for five minutes.") },
    additionalProperties: true,
  },
};

export const passkeyShape: Shape = shape(
  "Passkey",
  {
    id: text("10 characters."),
    name: text("For its owner."),
    createdAt: instant("When it was added."),
  },
  { lastUsedAt: instant("When somebody last signed in with it.") },
);
export const passkeysShape: Shape = listOf("Passkeys", passkeyShape);

export const memberShape: Shape = shape(
  "Member",
  {
    id: text("`mem_…`"),
    email: text("What they sign in with."),
    name: text("What they call themselves; may be empty."),
    role: { type: "string", enum: roles },
    createdAt: instant("When they were added."),
    passkeys: { type: "integer", description: "How many they have." },
    status: {
      type: "string",
      enum: ["active", "pending"],
      description: "Pending until they chose a password.",
    },
  },
  {
    accountId: text("The account they belong to; absent for an operator."),
    lastSeenAt: instant("Accurate to a minute; absent for whoever never signed in."),
  },
);
export const membersShape: Shape = listOf("Members", memberShape);

export const resetLinkShape: Shape = shape("ResetLink", {
  url: text("For the member alone: whoever opens it chooses their password. Good once."),
  expiresAt: instant("From then on it is refused."),
});

export const resetStandingShape: Shape = shape("ResetStanding", {
  email: text("Of the member that it is for."),
  name: text("What they call themselves; may be empty."),
  first: { type: "boolean", description: "They have no password yet." },
  expiresAt: instant("From then on it is refused."),
});

export const newcomerShape: Shape = shape("Newcomer", {
  member: memberShape.json,
  link: resetLinkShape.json,
});
