import { array, integer, named, object, oneOf, string } from "../../base/schema.ts";
import { choice, instant, list, listOf, shape, text } from "../../base/shape.ts";
import { environments } from "../../model/account.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { scopes } from "../../model/scope.ts";
import { MAX_NETWORKS, NETWORK_PATTERN, normalNetwork } from "../../model/network.ts";

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
export const NewKeySchema = named(
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
export const KeyPatchSchema = named("KeyPatch", object({ name: keyName }));

/** The body of `rotateKey`. */
export const RotationSchema = named(
  "Rotation",
  object(
    {},
    {
      overlapMs: integer({
        minimum: 0,
        maximum: 604_800_000,
        description: "How long the old key keeps working. Default: 24 hours.",
      }),
    },
  ),
);

const required = {
  id: text("10 characters; safe to show and to log."),
  accountId: text("The account that owns the key."),
  environment,
  name: text("For people."),
  scopes: list(scope),
  status: choice(["active", "expired", "revoked", "banned"]),
  createdAt: instant("When it was created."),
};
const optional = {
  expiresAt: instant("The key is refused from then on."),
  revokedAt: instant("The key is refused since then."),
  lastUsedAt: instant("Accurate to a second or so."),
  replacedBy: text("The key that replaced it in a rotation."),
  allowedAddresses: list(text(), {
    description: "Networks in CIDR notation that it may be used from; absent: from anywhere.",
  }),
  bannedUntil: instant(
    "Until then the key is refused because its client ignored earlier refusals; after that it works again.",
  ),
};

export const keyShape = shape("Key", required, optional);
export const keysShape = listOf("Keys", keyShape);
export const issuedKeyShape = shape(
  "IssuedKey",
  { ...required, key: text("The whole API key: a secret that is shown only once.") },
  optional,
);
