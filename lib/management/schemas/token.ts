import { integer, named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { accountRoles, roles, type AccountRole } from "../model/principal.ts";
import { instant, listOf, shape, text, type Shape } from "./shape.ts";

const name = optionalNameSchema(120, "For people.");
const expiresInMs = integer({
  minimum: 1,
  maximum: 315_360_000_000,
  description: "Default: it does not expire.",
});

/** The body of `createToken`. */
export const NewTokenSchema: Schema<{
  readonly role?: "operator" | undefined;
  readonly name?: string | undefined;
  readonly expiresInMs?: number | undefined;
}> & { readonly name: string } = named(
  "NewToken",
  object({}, { role: oneOf(["operator"], { default: "operator" }), name, expiresInMs }),
);

/** The body of `createAccountToken`. */
export const NewAccountTokenSchema: Schema<{
  readonly role: AccountRole;
  readonly name?: string | undefined;
  readonly expiresInMs?: number | undefined;
}> & { readonly name: string } = named(
  "NewAccountToken",
  object({ role: oneOf(accountRoles) }, { name, expiresInMs }),
);

const setupToken = string(() => undefined, {
  description: "What stands after `#` in the setup link.",
  examples: ["pet_setup_8fJ2kQ0aZx_…"],
});

/** The body of `claimSetup`. */
export const SetupClaimSchema: Schema<{
  readonly token: string;
  readonly name?: string | undefined;
}> & { readonly name: string } = named(
  "SetupClaim",
  object(
    {
      token: setupToken,
    },
    { name },
  ),
);

/** The body of `checkSetupLink`. */
export const SetupCheckSchema: Schema<{ readonly token: string }> & { readonly name: string } =
  named("SetupCheck", object({ token: setupToken }));

export const setupStandingShape: Shape = shape("SetupStanding", {
  expiresAt: instant("From then on the link is refused."),
});

const required = {
  id: text("10 characters; safe to show and to log."),
  role: { type: "string", enum: roles },
  name: text("For people."),
  status: { type: "string", enum: ["active", "expired", "revoked"] },
  createdAt: instant("When it was made."),
};
const optional = {
  accountId: text("The account it belongs to; absent for an operator's."),
  expiresAt: instant("From then on it is refused."),
  revokedAt: instant("Since then it is refused."),
  lastUsedAt: instant("Accurate to a minute."),
};

export const tokenShape: Shape = shape("Token", required, optional);
export const tokensShape: Shape = listOf("Tokens", tokenShape);
export const issuedTokenShape: Shape = shape(
  "IssuedToken",
  { ...required, token: text("The whole bearer token: a secret, never to be had again.") },
  optional,
);

export const setupLinkShape: Shape = shape("SetupLink", {
  url: text("To be opened, or given to `petstore tokens claim`. A secret until it is used."),
  expiresAt: instant("From then on it is refused."),
});

export const meShape: Shape = shape(
  "Me",
  {
    role: { type: "string", enum: roles },
    name: text("What is written where it says who did it."),
  },
  {
    accountId: text("The account that the caller belongs to; absent for an operator."),
    member: {
      type: "object",
      description: "Who signed in; absent for a token.",
      required: ["id", "email", "name"],
      properties: {
        id: text("Id of the member."),
        email: text("What they sign in with."),
        name: text("What they call themselves; may be empty."),
      },
      additionalProperties: false,
    },
    sessionId: text("The session that speaks for them; absent for a token."),
  },
);
