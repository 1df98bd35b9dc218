import type { PasskeyJson } from "../passkeys.ts";
import { roles } from "../../management/model/principal.ts";
import { meShape } from "../../management/schemas/token.ts";
import {
  choice,
  declared,
  describedAs,
  flag,
  instant,
  listOf,
  orNull,
  shape,
  text,
  whole,
  type Named,
  type Shape,
} from "../../base/shape.ts";

export const signInStateShape = shape("SignInState", {
  setUp: flag("Somebody can sign in; until then the setup link is the way."),
  allowed: flag("Signing in works at this address."),
  reason: declared<"https_required" | null>({
    type: ["string", "null"],
    enum: ["https_required", null],
    description: "Why signing in does not work.",
  }),
  passkeys: flag("Passkeys work at this address."),
  me: describedAs(orNull(meShape), "The member who is signed in in this browser; null: none."),
});

export const sessionsShape = listOf(
  "Sessions",
  shape("Session", {
    id: text("10 characters."),
    current: flag("The one that asks."),
    createdAt: instant("When somebody signed in."),
    lastSeenAt: instant("Accurate to a minute."),
    expiresAt: instant("The latest end."),
    address: text("IP address that it was made from; empty where nobody knew."),
    userAgent: text("What the browser calls itself; may be empty."),
  }),
);

/** What goes to `navigator.credentials`, and so is described by WebAuthn. */
export const passkeyOptionsShape: Named<Shape<PasskeyJson>> = {
  name: "PasskeyOptions",
  json: {
    type: "object",
    description:
      "For `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` (WebAuthn Level 3).",
    required: ["challenge"],
    properties: { challenge: text("Good once, for five minutes.").json },
    additionalProperties: true,
  },
};

export const passkeyShape = shape(
  "Passkey",
  {
    id: text("10 characters."),
    name: text("For its owner."),
    createdAt: instant("When it was added."),
  },
  { lastUsedAt: instant("When somebody last signed in with it.") },
);
export const passkeysShape = listOf("Passkeys", passkeyShape);

export const memberShape = shape(
  "Member",
  {
    id: text("`mem_…`"),
    email: text("What they sign in with."),
    name: text("What they call themselves; may be empty."),
    role: choice(roles),
    createdAt: instant("When they were added."),
    passkeys: whole({ description: "Number of passkeys." }),
    status: choice(["active", "pending"], "Pending until the member has set a password."),
  },
  {
    accountId: text("The account they belong to; absent for an operator."),
    lastSeenAt: instant("Accurate to a minute; absent for whoever never signed in."),
  },
);
export const membersShape = listOf("Members", memberShape);

export const resetLinkShape = shape("ResetLink", {
  url: text("For the member alone: whoever opens it chooses their password. Good once."),
  expiresAt: instant("From then on it is refused."),
});

export const resetStandingShape = shape("ResetStanding", {
  email: text("Of the member that it is for."),
  name: text("What they call themselves; may be empty."),
  first: flag("They have no password yet."),
  expiresAt: instant("From then on it is refused."),
});

export const newcomerShape = shape("Newcomer", {
  member: memberShape,
  link: resetLinkShape,
});
