import { DAY_MS } from "../../base/clock.ts";
import type { Clock } from "../../base/clock.ts";
import { hashSecret, type Digest } from "../../base/digest.ts";
import type { Eventual } from "../../base/eventual.ts";
import type { Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { noSuchAccount } from "../../actions/accounts.ts";
import { createCredential } from "../../model/credential.ts";
import { faultOfName, normalText } from "../../model/text.ts";
import type { IssuedToken, TokenView } from "../client.ts";
import { includes, type Principal, type Role } from "../model/principal.ts";
import { TOKEN_KIND, viewOfToken, type ManagementToken } from "../model/token.ts";
import type { TokenChange, TokenStore } from "../token-store.ts";

export interface TokenContext {
  readonly tokenStore: TokenStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly digest: Digest;
  /** Key of the HMAC under which secrets are stored; kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
  /** Drops what this process remembers of a token. */
  readonly forget: (tokenId: string) => void;
}

/** Tokens that neither were revoked nor have expired, of an account or of the operators. */
export const MAX_TOKENS = 100;
const MAX_LIFETIME_MS = 3_650 * DAY_MS;

export interface NewToken {
  /** Absent for an operator's. */
  readonly accountId?: string | undefined;
  readonly role: Role;
  readonly name?: string | undefined;
  readonly expiresInMs?: number | undefined;
}

/** Makes a token. The bearer in the outcome is never to be had again. */
export async function createToken(
  context: TokenContext,
  input: NewToken & { readonly by: Principal },
): Promise<Result<IssuedToken, Problem>> {
  const fault = faultOfToken(input) ?? faultOfRole(input, input.by);
  return fault === undefined
    ? commitToken(context, await mint(context, input), [])
    : refused(fault);
}

/** Commits a token after `before`; all of it or nothing. */
export async function commitToken(
  { tokenStore, clock }: TokenContext,
  { record, token }: MintedToken,
  before: readonly TokenChange[],
): Promise<Result<IssuedToken, Problem>> {
  const at = record.createdAt;
  const committed = await tokenStore.commit([
    ...before,
    { kind: "token.create", token: record, max: MAX_TOKENS, at },
  ]);
  if (committed.ok) return done({ view: viewOfToken(record, clock.now()), token });
  return refused(committed.failure === "limit" ? tooMany : noSuchAccount);
}

export interface MintedToken {
  readonly record: ManagementToken;
  readonly token: string;
}

export async function mint(
  { random, digest, pepper, clock }: TokenContext,
  { accountId, role, name = "", expiresInMs }: NewToken,
): Promise<MintedToken> {
  const { id, secret, token } = createCredential(random, TOKEN_KIND);
  const now = clock.now();
  const record: ManagementToken = {
    id,
    role,
    ...(accountId === undefined ? {} : { accountId }),
    name: normalText(name),
    hash: await hashSecret(digest, await pepper(), secret),
    createdAt: now,
    ...(expiresInMs === undefined ? {} : { expiresAt: now + expiresInMs }),
  };
  return { record, token };
}

/** Refused from now on: at once in this process, within a second in others. */
export async function revokeToken(
  { tokenStore, clock, forget }: TokenContext,
  tokenId: string,
  accountId: string | undefined,
): Promise<Result<TokenView, Problem>> {
  const token = await tokenStore.byId(tokenId);
  if (token === undefined || token.accountId !== accountId) return refused(noSuchToken);
  const at = clock.now();
  await tokenStore.commit([{ kind: "token.revoke", tokenId, at }]);
  forget(tokenId);
  const revoked = await tokenStore.byId(tokenId);
  return revoked === undefined ? refused(noSuchToken) : done(viewOfToken(revoked, at));
}

/** Why no token can be like that; undefined when it can. */
export function faultOfToken({
  name,
  expiresInMs,
}: Pick<NewToken, "name" | "expiresInMs">): Problem | undefined {
  if (name !== undefined && name !== "") {
    const fault = faultOfName(name, 120);
    if (fault !== undefined) return problem("invalid_value", `The name ${fault}.`);
  }
  const lasts =
    expiresInMs === undefined ||
    (Number.isSafeInteger(expiresInMs) && expiresInMs >= 1 && expiresInMs <= MAX_LIFETIME_MS);
  return lasts
    ? undefined
    : problem("invalid_value", "A token may expire after at most ten years, and not at once.");
}

/** Operators belong to no account, all others to one; and nobody makes a token that may do more than they. */
function faultOfRole({ role, accountId }: NewToken, by: Principal): Problem | undefined {
  if ((role === "operator") !== (accountId === undefined)) {
    return problem("invalid_value", "A token of an account has the role owner, staff or viewer.");
  }
  return includes(by.role, role)
    ? undefined
    : problem("insufficient_role", `Only ${role}s and those above can make such a token.`);
}

const tooMany: Problem = problem(
  "limit_reached",
  `There are ${MAX_TOKENS} tokens that still work. Revoke one first.`,
);
const noSuchToken: Problem = problem("not_found", "There is no such token.");
