import type { IssuedKey } from "../keys.ts";
import { noSuchKey, viewOf } from "../keys.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import type { ValueOf } from "../../base/schema.ts";
import { endpoint, Reply } from "../../http/endpoint.ts";
import { noStore, type AccountCall, inAccount, onPlatform } from "../../management/endpoint.ts";
import type { ManagementServices } from "../../management/management.ts";
import { present } from "../../management/present.ts";
import {
  issuedKeyShape,
  KeyPatchSchema,
  keyShape,
  keysShape,
  NewKeySchema,
  RotationSchema,
} from "../shapes/key.ts";
import { maySee } from "../../management/visibility.ts";

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
      "The key belongs to the account's catalogue in one environment, which may have 100 active keys.",
    body: NewKeySchema,
    success: { ...issued, description: "The key. Its secret is shown only here." },
    refusals: ["invalid_value", "limit_reached"],
    run: async ({ account, base, body }, { client }) => {
      const { environment = "production", ...more } = body;
      return issuedKey(
        await client.keys.create({ accountId: account.id, environment, ...present(more) }),
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
      "Creates a successor with the same permissions; the old key keeps working for a while. At most 100 old keys do so at a time.",
    body: RotationSchema,
    success: { ...issued, description: "The successor. Its secret is shown only here." },
    refusals: ["not_found", "invalid_value", "limit_reached"],
    run: (call, services) =>
      ofKey(call, services, async (keyId) =>
        issuedKey(await services.client.keys.rotate({ keyId, ...present(call.body) }), call.base),
      ),
  }),
  endpoint({
    operationId: "unbanKey",
    method: "POST",
    path: "/accounts/:account/keys/:key/unban",
    tag: "keys",
    access: inAccount("owner"),
    summary: "Lift the ban of an API key",
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
