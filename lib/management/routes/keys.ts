import type { IssuedKey, KeyView } from "../../actions/local-client.ts";
import { noSuchKey, viewOf } from "../../actions/keys.ts";
import type { Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import {
  withBody,
  type AccountCall,
  type ManagementAnswer,
  type ManagementEndpoint,
} from "../endpoint.ts";
import type { ManagementServices } from "../management.ts";
import {
  issuedKeyShape,
  KeyPatchSchema,
  keyShape,
  keysShape,
  NewKeySchema,
  RotationSchema,
} from "../schemas/key.ts";
import { maySee } from "../visibility.ts";
import { secret } from "./setup.ts";

const example = {
  id: "8fJ2kQ0aZx",
  accountId: "acc_8fJ2kQ0aZx1B",
  environment: "production",
  name: "website",
  scopes: ["pets:read", "categories:read"],
  status: "active",
  createdAt: "2026-11-20T09:30:00.000Z",
};
const issued = { ...example, key: "pet_live_8fJ2kQ0aZx_…" };

export const keyEndpoints: readonly ManagementEndpoint[] = [
  {
    operationId: "listKeys",
    method: "GET",
    path: "/accounts/:account/keys",
    tag: "keys",
    access: "account",
    role: "viewer",
    summary: "List API keys",
    description:
      "Of both environments, newest first; those that no longer work are listed for 90 days, the newest 100 of each.",
    parameters: [],
    success: {
      status: 200,
      description: "All of them, without their secrets.",
      schema: keysShape,
      example: [example],
    },
    refusals: [],
    handle: async ({ account }, { client }) => {
      const keys = await client.keys.list(account.id);
      return keys.ok ? done({ status: 200, value: keys.value }) : keys;
    },
  },
  withBody({
    operationId: "createKey",
    method: "POST",
    path: "/accounts/:account/keys",
    tag: "keys",
    access: "account",
    role: "owner",
    summary: "Create an API key",
    description: "Of the account's catalogue in one environment, which may have 100 that work.",
    parameters: [],
    body: NewKeySchema,
    success: {
      status: 201,
      description: "The key, at the only time it is shown.",
      schema: issuedKeyShape,
      example: issued,
      headers: ["Location"],
    },
    refusals: ["invalid_value", "limit_reached"],
    handle: async (
      { account, base, body: { environment = "production", ...more } },
      { client },
    ) => {
      const { name, scopes, expiresInMs, allowedAddresses } = more;
      return issuedKey(
        await client.keys.create({
          accountId: account.id,
          environment,
          ...(name === undefined ? {} : { name }),
          ...(scopes === undefined ? {} : { scopes }),
          ...(expiresInMs === undefined ? {} : { expiresInMs }),
          ...(allowedAddresses === undefined ? {} : { allowedAddresses }),
        }),
        base,
      );
    },
  }),
  {
    operationId: "getKey",
    method: "GET",
    path: "/keys/:key",
    tag: "keys",
    access: "platform",
    role: "viewer",
    summary: "Find an API key",
    description: "By its id alone: tells whose it is.",
    parameters: [],
    success: { status: 200, description: "The key.", schema: keyShape, example },
    refusals: ["not_found"],
    handle: async ({ params: { key: id = "" }, principal, now }, { store }) => {
      const key = await store.keys.byId(id);
      return key !== undefined && maySee(principal, key.accountId)
        ? done({ status: 200, value: viewOf(key, now) })
        : refused(noSuchKey);
    },
  },
  withBody({
    operationId: "renameKey",
    method: "PATCH",
    path: "/accounts/:account/keys/:key",
    tag: "keys",
    access: "account",
    role: "owner",
    summary: "Rename an API key",
    description: "Nothing else of it changes.",
    parameters: [],
    body: KeyPatchSchema,
    success: { status: 200, description: "The key.", schema: keyShape, example },
    refusals: ["not_found", "invalid_value"],
    handle: (call, services) =>
      ofKey(call, services, async (keyId) =>
        answered(await services.client.keys.rename({ keyId, name: call.body.name })),
      ),
  }),
  withBody({
    operationId: "rotateKey",
    method: "POST",
    path: "/accounts/:account/keys/:key/rotate",
    tag: "keys",
    access: "account",
    role: "owner",
    summary: "Rotate an API key",
    description:
      "Makes a successor with the same rights; the old key goes on for a while. At most 100 do so at a time.",
    parameters: [],
    body: RotationSchema,
    success: {
      status: 201,
      description: "The successor, at the only time it is shown.",
      schema: issuedKeyShape,
      example: issued,
      headers: ["Location"],
    },
    refusals: ["not_found", "invalid_value", "limit_reached"],
    handle: (call, services) =>
      ofKey(call, services, async (keyId) => {
        const { overlapMs } = call.body;
        const more = overlapMs === undefined ? {} : { overlapMs };
        return issuedKey(await services.client.keys.rotate({ keyId, ...more }), call.base);
      }),
  }),
  {
    operationId: "unbanKey",
    method: "POST",
    path: "/accounts/:account/keys/:key/unban",
    tag: "keys",
    access: "account",
    role: "owner",
    summary: "Lift the ban of an API key",
    description: "It works again at once. The next ban is longer.",
    parameters: [],
    success: { status: 200, description: "The key.", schema: keyShape, example },
    refusals: ["not_found"],
    handle: (call, services) =>
      ofKey(call, services, async (keyId) => answered(await services.client.keys.unban(keyId))),
  },
  {
    operationId: "revokeKey",
    method: "DELETE",
    path: "/accounts/:account/keys/:key",
    tag: "keys",
    access: "account",
    role: "owner",
    summary: "Revoke an API key",
    description: "Refused at once, within a second by every process. It cannot be undone.",
    parameters: [],
    success: {
      status: 200,
      description: "The key as it is now.",
      schema: keyShape,
      example: { ...example, status: "revoked", revokedAt: "2026-11-21T08:00:00.000Z" },
    },
    refusals: ["not_found"],
    handle: (call, services) =>
      ofKey(call, services, async (keyId) => answered(await services.client.keys.revoke(keyId))),
  },
];

/** Goes on with the key that the path names, if it is the account's. */
async function ofKey(
  { account, params: { key: id = "" } }: AccountCall,
  { store }: ManagementServices,
  go: (keyId: string) => Promise<Result<ManagementAnswer, Problem>>,
): Promise<Result<ManagementAnswer, Problem>> {
  const key = await store.keys.byId(id);
  return key?.accountId === account.id ? go(key.id) : refused(noSuchKey);
}

function issuedKey(
  outcome: Result<IssuedKey, Problem>,
  base: string,
): Result<ManagementAnswer, Problem> {
  if (!outcome.ok) return outcome;
  const { view, token } = outcome.value;
  const headers = { ...secret, location: `${base}/keys/${view.id}` };
  return done({ status: 201, value: { ...view, key: token }, headers });
}

function answered(outcome: Result<KeyView, Problem>): Result<ManagementAnswer, Problem> {
  return outcome.ok ? done({ status: 200, value: outcome.value }) : outcome;
}
