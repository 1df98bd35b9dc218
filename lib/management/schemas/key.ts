import { array, integer, named, object, oneOf, string, type Schema } from "../../base/schema.ts";
import { environments, type Environment } from "../../model/account.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { scopes, type Scope } from "../../model/scope.ts";
import { MAX_NETWORKS, NETWORK_PATTERN, normalNetwork } from "../../model/network.ts";
import { instant, listOf, shape, text, type Shape } from "./shape.ts";

const environment = oneOf(environments, { description: "Where the key works." });
const scope = oneOf(scopes);
const network = string(
  (given) =>
    normalNetwork(given) === undefined
      ? "must be a network such as 203.0.113.0/24, or an address"
      : undefined,
  { pattern: NETWORK_PATTERN, examples: ["203.0.113.0/24"] },
);
const keyName = optionalNameSchema(120, "For people.");

/** The body of `createKey`. */
export const NewKeySchema: Schema<{
  readonly environment?: Environment | undefined;
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresInMs?: number | undefined;
  readonly allowedAddresses?: readonly string[] | undefined;
}> & { readonly name: string } = named(
  "NewKey",
  object(
    {},
    {
      environment: oneOf(environments, {
        description: "Where the key works.",
        default: "production",
      }),
      name: keyName,
      scopes: array(scope, {
        minItems: 1,
        maxItems: scopes.length,
        description: "Default: all but `pets:admin`.",
      }),
      expiresInMs: integer({
        minimum: 1,
        maximum: 315_360_000_000,
        description: "Default: it does not expire.",
      }),
      allowedAddresses: array(network, {
        minItems: 1,
        maxItems: MAX_NETWORKS,
        description: "Where it may be used from. Default: from anywhere.",
      }),
    },
  ),
);

/** The body of `renameKey`. */
export const KeyPatchSchema: Schema<{ readonly name: string }> & { readonly name: string } = named(
  "KeyPatch",
  object({ name: keyName }),
);

/** The body of `rotateKey`. */
export const RotationSchema: Schema<{ readonly overlapMs?: number | undefined }> & {
  readonly name: string;
} = named(
  "Rotation",
  object(
    {},
    {
      overlapMs: integer({
        minimum: 0,
        maximum: 604_800_000,
        description: "How long the old key goes on; default 24 hours.",
      }),
    },
  ),
);

const required = {
  id: text("10 characters; safe to show and to log."),
  accountId: text("Whose key it is."),
  environment: environment.json,
  name: text("For people."),
  scopes: { type: "array", items: scope.json },
  status: { type: "string", enum: ["active", "expired", "revoked", "banned"] },
  createdAt: instant("When it was made."),
};
const optional = {
  expiresAt: instant("From then on it is refused."),
  revokedAt: instant("Since then it is refused."),
  lastUsedAt: instant("Accurate to a second or so."),
  replacedBy: text("The key that a rotation put in its place."),
  allowedAddresses: {
    type: "array",
    items: { type: "string" },
    description: "Networks in CIDR notation that it may be used from; absent: from anywhere.",
  },
  bannedUntil: instant("It went on after being refused; from then on it works again."),
};

export const keyShape: Shape = shape("Key", required, optional);
export const keysShape: Shape = listOf("Keys", keyShape);
export const issuedKeyShape: Shape = shape(
  "IssuedKey",
  { ...required, key: text("The whole API key: a secret, never to be had again.") },
  optional,
);
