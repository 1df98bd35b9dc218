import { DAY_MS } from "../base/clock.ts";
import { hashSecret } from "../base/digest.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Environment } from "../model/account.ts";
import { environments } from "../model/account.ts";
import type { ApiKey } from "../model/api-key.ts";
import { createToken } from "../model/new-credential.ts";
import { defaultScopes, isScope, scopes as allScopes, type Scope } from "../model/scope.ts";
import { faultOfNetworks, normalNetworks } from "../model/network.ts";
import { faultOfName, normalText } from "../model/text.ts";
import { noSuchAccount } from "./default-account.ts";
import type { ActionContext } from "./context.ts";
import { withoutUndefined } from "../base/without-undefined.ts";

/** An API key without its hash. Instants are in milliseconds since the Unix epoch. */
export interface KeyView {
  readonly id: string;
  readonly accountId: string;
  readonly environment: Environment;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly status: "active" | "expired" | "revoked" | "banned";
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly revokedAt?: number;
  readonly lastUsedAt?: number;
  readonly replacedBy?: string;
  readonly bannedUntil?: number;
  /** The networks in CIDR notation that may use the key; absent: any network. */
  readonly allowedAddresses?: readonly string[];
}

/** A new API key. Its token cannot be read again later. */
export interface IssuedKey {
  readonly view: KeyView;
  /** The bearer token. A secret. */
  readonly token: string;
}

export interface NewKey {
  readonly accountId: string;
  readonly environment: Environment;
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresInMs?: number | undefined;
  readonly allowedAddresses?: readonly string[] | undefined;
}

/** How long the old key keeps working after a rotation by default. */
export const ROTATION_OVERLAP_MS: number = DAY_MS;
/** The most active keys without a successor per account and environment; also the most ended keys that are kept. */
const MAX_KEYS = 100;
const MAX_OVERLAP_MS = 7 * DAY_MS;
const MAX_LIFETIME_MS = 3_650 * DAY_MS;

/** Creates a key for an account's catalogue. */
export async function createKey(
  context: ActionContext,
  { accountId, environment, name = "", scopes, expiresInMs, allowedAddresses }: NewKey,
): Promise<Result<IssuedKey, Problem>> {
  const fault = faultOfKey({ environment, name, scopes, expiresInMs, allowedAddresses });
  if (fault !== undefined) return refused(problem("invalid_value", fault));
  const { store, commit, clock } = context;
  const catalogue = await store.catalogues.of(accountId, environment);
  if (catalogue === undefined) return refused(noSuchAccount);
  const now = clock.now();
  const { key, token } = await mint(context, {
    accountId,
    catalogueId: catalogue.id,
    environment,
    name: normalText(name),
    scopes: allScopes.filter((scope) => (scopes ?? defaultScopes).includes(scope)),
    createdAt: now,
    ...withoutUndefined({
      expiresAt: expiresInMs === undefined ? undefined : now + expiresInMs,
      allowedAddresses: allowedAddresses && normalNetworks(allowedAddresses),
    }),
  });
  const committed = await commit([{ kind: "key.create", key, max: MAX_KEYS }]);
  if (committed.ok) return done({ view: viewOf(key, now), token });
  return refused(committed.failure.refusal === "limit" ? tooManyKeys : noSuchAccount);
}

export async function listKeys(
  { store, clock }: ActionContext,
  accountId: string,
): Promise<Result<readonly KeyView[], Problem>> {
  if ((await store.accounts.byId(accountId)) === undefined) return refused(noSuchAccount);
  const now = clock.now();
  return done((await store.keys.ofAccount(accountId)).map((key) => viewOf(key, now)));
}

/** Creates a successor with the same permissions and lifetime. The old key keeps working for `overlapMs`. */
export async function rotateKey(
  context: ActionContext,
  {
    keyId,
    overlapMs = ROTATION_OVERLAP_MS,
  }: { readonly keyId: string; readonly overlapMs?: number | undefined },
): Promise<Result<IssuedKey, Problem>> {
  if (!Number.isSafeInteger(overlapMs) || overlapMs < 0 || overlapMs > MAX_OVERLAP_MS) {
    return refused(problem("invalid_value", "The overlap must be from 0 to 7 days."));
  }
  const { store, commit, clock } = context;
  const now = clock.now();
  const old = await store.keys.byId(keyId);
  if (old === undefined) return refused(noSuchKey);
  if (old.revokedAt !== undefined) {
    return refused(problem("invalid_value", "The key was revoked; create a new one instead."));
  }
  if (old.replacedBy !== undefined) {
    // The rotation changed its expiry; only the successor has the original lifetime.
    const message = `The key was rotated already; rotate its successor ${old.replacedBy} instead.`;
    return refused(problem("invalid_value", message));
  }
  const { key, token } = await mint(context, {
    accountId: old.accountId,
    catalogueId: old.catalogueId,
    environment: old.environment,
    name: old.name,
    scopes: old.scopes,
    createdAt: now,
    ...withoutUndefined({
      // The same lifetime as the old key.
      expiresAt: old.expiresAt === undefined ? undefined : now + (old.expiresAt - old.createdAt),
      allowedAddresses: old.allowedAddresses,
    }),
  });
  const committed = await commit([
    {
      kind: "key.rotate",
      keyId,
      endsAt: now + overlapMs,
      successor: key,
      max: MAX_KEYS,
      at: now,
    },
  ]);
  context.forget("key", keyId);
  if (committed.ok) return done({ view: viewOf(key, now), token });
  if (committed.failure.refusal !== "limit") return refused(noSuchKey);
  return refused(statusOf(old, now, false) === "expired" ? tooManyKeys : tooManyInOverlap);
}

/** Renames an active or ended key. */
export async function renameKey(
  context: ActionContext,
  { keyId, name }: { readonly keyId: string; readonly name: string },
): Promise<Result<KeyView, Problem>> {
  const fault = faultOfKeyName(name);
  if (fault !== undefined) return refused(problem("invalid_value", fault));
  return change(context, { kind: "key.rename", keyId, name: normalText(name) });
}

/** Revokes a key: immediately in this process, within a second in others. */
export function revokeKey(
  context: ActionContext,
  keyId: string,
): Promise<Result<KeyView, Problem>> {
  return change(context, { kind: "key.revoke", keyId });
}

/** Lifts a ban but keeps its level, so that the next ban lasts longer. */
export async function unbanKey(
  context: ActionContext,
  keyId: string,
): Promise<Result<KeyView, Problem>> {
  const lifted = await change(context, { kind: "key.unban", keyId });
  await context.clearViolations(keyId);
  return lifted;
}

/** A change of one key, without its time. */
type KeyChange =
  | { readonly kind: "key.rename"; readonly keyId: string; readonly name: string }
  | { readonly kind: "key.revoke" | "key.unban"; readonly keyId: string };

async function change(context: ActionContext, asked: KeyChange): Promise<Result<KeyView, Problem>> {
  const { store, commit, clock } = context;
  const { keyId } = asked;
  const at = clock.now();
  const committed = await commit([{ ...asked, at }]);
  context.forget("key", keyId);
  const key = committed.ok ? await store.keys.byId(keyId) : undefined;
  return key === undefined ? refused(noSuchKey) : done(viewOf(key, at));
}

async function mint(
  { random, digest, pepper }: ActionContext,
  rest: Omit<ApiKey, "id" | "hash">,
): Promise<{ readonly key: ApiKey; readonly token: string }> {
  const { id, secret, token } = createToken(random, rest.environment);
  return { key: { ...rest, id, hash: await hashSecret(digest, await pepper(), secret) }, token };
}

/** Returns a key without its hash, and its status at `now`. */
export function viewOf(key: ApiKey, now: number): KeyView {
  const { hash: _hash, catalogueId: _catalogueId, ban, ...shown } = key;
  const bannedUntil =
    ban !== undefined && ban.liftedAt === undefined && ban.until > now ? ban.until : undefined;
  return {
    ...shown,
    status: statusOf(key, now, bannedUntil !== undefined),
    ...withoutUndefined({ bannedUntil }),
  };
}

function statusOf(key: ApiKey, now: number, banned: boolean): KeyView["status"] {
  if (key.revokedAt !== undefined) return "revoked";
  if (key.expiresAt !== undefined && key.expiresAt <= now) return "expired";
  return banned ? "banned" : "active";
}

const tooManyKeys: Problem = problem(
  "limit_reached",
  `The limit of ${MAX_KEYS} active API keys in this environment is reached. Revoke one first.`,
);
const tooManyInOverlap: Problem = problem(
  "limit_reached",
  `The limit of ${MAX_KEYS} rotated API keys that still work is reached. Revoke one first, or rotate without overlap.`,
);
export const noSuchKey: Problem = problem("not_found", "There is no such API key.");

function faultOfKey({
  environment,
  name,
  scopes,
  expiresInMs,
  allowedAddresses,
}: Omit<NewKey, "accountId">): string | undefined {
  if (!environments.includes(environment)) {
    return `The environment must be one of ${environments.join(", ")}.`;
  }
  const faultyName = name === undefined ? undefined : faultOfKeyName(name);
  if (faultyName !== undefined) return faultyName;
  if (scopes !== undefined) {
    if (!Array.isArray(scopes) || scopes.length === 0) return "A key needs at least one scope.";
    const unknown = scopes.find((scope) => !isScope(scope));
    if (unknown !== undefined) return `The scopes are ${allScopes.join(", ")}.`;
  }
  if (
    expiresInMs !== undefined &&
    (!Number.isSafeInteger(expiresInMs) || expiresInMs < 1 || expiresInMs > MAX_LIFETIME_MS)
  ) {
    return "A key may expire after at most ten years, and not at once.";
  }
  return allowedAddresses === undefined ? undefined : faultOfNetworks(allowedAddresses);
}

/** Returns why a name is refused. Unlike other names, it may be empty. */
function faultOfKeyName(name: string): string | undefined {
  if (name === "") return undefined;
  const fault = typeof name === "string" ? faultOfName(name, 120) : "must be a string";
  return fault === undefined ? undefined : `The name ${fault}.`;
}
