import { integer, named, object, oneOf, string } from "../../base/schema.ts";
import { choice, fields, instant, listOf, shape, text } from "../../base/shape.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { accountRoles, roles } from "../principal.ts";

const name = optionalNameSchema(120, "For people.");
const expiresInMs = integer({
  minimum: 1,
  maximum: 315_360_000_000,
  description: "Default: it does not expire.",
});

/** The body of `createToken`. */
export const NewTokenSchema = named(
  "NewToken",
  object({}, { role: oneOf(["operator"], { default: "operator" }), name, expiresInMs }),
);

/** The body of `createAccountToken`. */
export const NewAccountTokenSchema = named(
  "NewAccountToken",
  object({ role: oneOf(accountRoles) }, { name, expiresInMs }),
);

const setupToken = string(() => undefined, {
  description: "The part of the setup link after `#`.",
  examples: ["pet_setup_8fJ2kQ0aZx_…"],
});

/** The body of `claimSetup`. */
export const SetupClaimSchema = named(
  "SetupClaim",
  object(
    {
      token: setupToken,
    },
    { name },
  ),
);

/** The body of `checkSetupLink`. */
export const SetupCheckSchema = named("SetupCheck", object({ token: setupToken }));

export const setupStatusShape = shape("SetupStatus", {
  expiresAt: instant("When the link expires."),
});

const required = {
  id: text("10 characters; safe to show and to log."),
  role: choice(roles),
  name: text("For people."),
  status: choice(["active", "expired", "revoked"]),
  createdAt: instant("When it was created."),
};
const optional = {
  accountId: text("The token's account; absent for an operator's token."),
  expiresAt: instant("When the token expires."),
  revokedAt: instant("When the token was revoked."),
  lastUsedAt: instant("Accurate to a minute."),
};

export const tokenShape = shape("Token", required, optional);
export const tokensShape = listOf("Tokens", tokenShape);
export const issuedTokenShape = shape(
  "IssuedToken",
  { ...required, token: text("The whole bearer token: a secret that is shown only once.") },
  optional,
);

export const setupLinkShape = shape("SetupLink", {
  url: text("Open it, or pass it to `petstore tokens claim`. A secret until it is used."),
  expiresAt: instant("When the link expires."),
});

export const meShape = shape(
  "Me",
  {
    role: choice(roles),
    name: text("Shown next to the caller's activity."),
  },
  {
    accountId: text("The account that the caller belongs to; absent for an operator."),
    member: fields(
      {
        id: text("ID of the member."),
        email: text("The email address for signing in."),
        name: text("Display name; may be empty."),
      },
      { language: text("The language that the member chose (BCP 47); absent until then.") },
      { description: "The member who signed in; absent for a token." },
    ),
    sessionId: text("The member's session; absent for a token."),
  },
);
