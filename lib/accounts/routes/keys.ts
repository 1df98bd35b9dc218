import { noSuchKey, viewOf, type IssuedKey } from "../keys.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { noStore, type AccountCall, inAccount, onPlatform } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";
import { maySee } from "../../management/visibility.ts";
import { array, integer, named, object, oneOf, string, type ValueOf } from "../../base/schema.ts";
import { choice, instant, list, listOf, shape, text } from "../../base/shape.ts";
import { environments } from "../../model/account.ts";
import { optionalNameSchema } from "../../model/name-schema.ts";
import { scopes } from "../../model/scope.ts";
import { MAX_NETWORKS, NETWORK_PATTERN, normalNetwork } from "../../model/network.ts";

const environmentSchema = oneOf(environments, { description: "Where the key works." });
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
const NewKeySchema = named(
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
        description: "Networks that may use the key, in CIDR notation. Default: all.",
      }),
    },
  ),
);

/** The body of `renameKey`. */
const KeyPatchSchema = named("KeyPatch", object({ name: keyName }));

/** The body of `rotateKey`. */
const RotationSchema = named(
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
  environment: environmentSchema,
  name: text("For people."),
  scopes: list(scope),
  status: choice(["active", "expired", "revoked", "banned"]),
  createdAt: instant("When it was created."),
};
const optional = {
  expiresAt: instant("When the key expires."),
  revokedAt: instant("When the key was revoked."),
  lastUsedAt: instant("Accurate to a second or so."),
  replacedBy: text("The key that replaced it in a rotation."),
  allowedAddresses: list(text(), {
    description: "Networks that may use the key, in CIDR notation; absent: all.",
  }),
  bannedUntil: instant(
    "When the ban ends. The key was banned because it kept sending requests after 429.",
  ),
};

const keyShape = shape("Key", required, optional);
const keysShape = listOf("Keys", keyShape);
const issuedKeyShape = shape(
  "IssuedKey",
  { ...required, key: text("The whole API key: a secret that is shown only once.") },
  optional,
);

const example = {
  id: "8fJ2kQ0aZx",
  accountId: "acc_8fJ2kQ0aZx1B",
  environment: "production",
  name: "website",
  scopes: ["pets:read", "categories:read"],
  status: "active",
  createdAt: "2026-11-20T09:30:00.000Z",
};
const one = { status: 200, description: "The key.", schema: keyShape, example } as const;
const issued = {
  status: 201,
  schema: issuedKeyShape,
  example: { ...example, key: "pet_live_8fJ2kQ0aZx_…" },
  headers: ["Location"],
} as const;

export const keyEndpoints = [
  endpoint({
    operationId: "listKeys",
    method: "GET",
    path: "/accounts/:account/keys",
    tag: "keys",
    access: inAccount("viewer"),
    summary: "List API keys",
    description:
      "Keys of both environments, newest first. Keys that no longer work are listed for 90 days, up to the newest 100.",
    success: {
      status: 200,
      description: "All keys, without their secrets.",
      schema: keysShape,
      example: [example],
    },
    refusals: [],
    run: ({ account }, { client }) => client.keys.list(account.id),
  }),
  endpoint({
    operationId: "createKey",
    method: "POST",
    path: "/accounts/:account/keys",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Create an API key",
    description:
      "The key belongs to the account's catalogue in one environment. A catalogue can have 100 active keys.",
    body: NewKeySchema,
    success: { ...issued, description: "The key. Its secret is shown only here." },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ account, base, body }, { client }) => {
      const { environment = "production", ...more } = body;
      return issuedKey(
        await client.keys.create({ accountId: account.id, environment, ...withoutUndefined(more) }),
        base,
      );
    },
  }),
  endpoint({
    operationId: "getKey",
    method: "GET",
    path: "/keys/:key",
    tag: "keys",
    access: onPlatform("viewer"),
    summary: "Find an API key",
    description: "Finds a key and its account by the key's id.",
    success: one,
    refusals: ["not_found"],
    run: async ({ params, principal, now }, { store }) => {
      const key = await store.keys.byId(params.key);
      return key !== undefined && maySee(principal, key.accountId)
        ? done(viewOf(key, now))
        : refused(noSuchKey);
    },
  }),
  endpoint({
    operationId: "renameKey",
    method: "PATCH",
    path: "/accounts/:account/keys/:key",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Rename an API key",
    description: "Changes nothing but the name.",
    body: KeyPatchSchema,
    success: one,
    refusals: ["not_found", "invalid_value"],
    run: (call, services) =>
      ofKey(call, services, (keyId) =>
        services.client.keys.rename({ keyId, name: call.body.name }),
      ),
  }),
  endpoint({
    operationId: "rotateKey",
    method: "POST",
    path: "/accounts/:account/keys/:key/rotate",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Rotate an API key",
    description:
      "Creates a successor with the same permissions; the old key keeps working for a while. At most 100 old keys can work at a time.",
    body: RotationSchema,
    success: { ...issued, description: "The successor. Its secret is shown only here." },
    refusals: ["not_found", "invalid_value", "limit_reached"],
    run: (call, services) =>
      ofKey(call, services, async (keyId) =>
        issuedKey(
          await services.client.keys.rotate({ keyId, ...withoutUndefined(call.body) }),
          call.base,
        ),
      ),
  }),
  endpoint({
    operationId: "unbanKey",
    method: "POST",
    path: "/accounts/:account/keys/:key/unban",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Lift the ban on an API key",
    description: "The key works again at once. The next ban lasts longer.",
    success: one,
    refusals: ["not_found"],
    run: (call, services) => ofKey(call, services, (keyId) => services.client.keys.unban(keyId)),
  }),
  endpoint({
    operationId: "revokeKey",
    method: "DELETE",
    path: "/accounts/:account/keys/:key",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Revoke an API key",
    description:
      "The key is refused at once, and within a second by every process. This cannot be undone.",
    success: {
      ...one,
      description: "The revoked key.",
      example: { ...example, status: "revoked", revokedAt: "2026-11-21T08:00:00.000Z" },
    },
    refusals: ["not_found"],
    run: (call, services) => ofKey(call, services, (keyId) => services.client.keys.revoke(keyId)),
  }),
];

/** Runs `run` with the key that the path names, if the account owns it. */
async function ofKey<Value>(
  { account, params }: AccountCall<unknown, unknown, "account" | "key">,
  { store }: ManagementServices,
  run: (keyId: string) => Promise<Result<Value, Problem>>,
): Promise<Result<Value, Problem>> {
  const key = await store.keys.byId(params.key);
  return key?.accountId === account.id ? run(key.id) : refused(noSuchKey);
}

function issuedKey(
  outcome: Result<IssuedKey, Problem>,
  base: string,
): Result<Reply<ValueOf<typeof issuedKeyShape>>, Problem> {
  if (!outcome.ok) return outcome;
  const { view, token } = outcome.value;
  const headers = { ...noStore, location: `${base}/keys/${view.id}` };
  return done(new Reply({ ...view, key: token }, { headers }));
}
