import {
  createCredentialRing,
  parserOf,
  type CredentialRing,
  type Hashing,
} from "./credential-ring.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { bearerToken } from "../model/credential.ts";
import { belonging, type Actor } from "../model/actor.ts";
import type { Store } from "../storage/store.ts";
import type { Principal } from "./principal.ts";
import { TOKEN_KIND, type ManagementToken } from "./token-store.ts";
import type { TokenStore } from "./token-store.ts";

/** Identifies callers by their management tokens. */
export interface TokenRing extends CredentialRing<ManagementToken> {
  /** Identifies the caller by the `Authorization` header. A wrong checksum causes no storage call. */
  identify(authorization: string | null, now: number): Eventual<Result<Principal, Problem>>;
}

const missingToken: Problem = problem(
  "missing_token",
  "Send a management token as a bearer token: Authorization: Bearer pet_manage_…",
);
const invalidToken: Problem = problem(
  "invalid_token",
  "The management token is unknown or mistyped.",
);
const malformed = (fault: string): Problem =>
  problem(
    "invalid_token",
    `The Authorization header ${fault}. Send Authorization: Bearer pet_manage_…`,
  );
const expiredToken: Problem = problem("expired_token", "The management token has expired.");
const revokedToken: Problem = problem("revoked_token", "The management token was revoked.");

const parseToken = parserOf(TOKEN_KIND, invalidToken);

export function createTokenRing({
  store,
  tokenStore,
  digest,
  pepper,
}: Hashing & {
  readonly store: Store;
  readonly tokenStore: TokenStore;
}): TokenRing {
  const ring = createCredentialRing<ManagementToken, ManagementToken>({
    digest,
    pepper,
    invalid: invalidToken,
    parse: (header) => {
      const token = bearerToken(header);
      return token.ok ? parseToken(token.value) : refused(malformed(token.failure));
    },
    read: (id) => tokenStore.byId(id),
    admit: (token) => {
      if (token.revokedAt !== undefined) return refused(revokedToken);
      const { accountId } = token;
      return andThen(accountId === undefined ? true : store.accounts.byId(accountId), (account) =>
        account === undefined ? refused(invalidToken) : done(token),
      );
    },
    subjects: { token: ({ id }) => id, account: ({ accountId }) => accountId },
  });
  return {
    ...ring,
    identify: (authorization, now) => {
      if (authorization === null) return refused(missingToken);
      return andThen(ring.find(authorization, now), (found) => {
        if (!found.ok) return found;
        const { id, role, accountId, name, expiresAt } = found.value;
        if (expiresAt !== undefined && expiresAt <= now) return refused(expiredToken);
        ring.use(id, now);
        const counter = `token ${id}`;
        const actor: Actor = { kind: "token", id, ...belonging(accountId) };
        return done({ role, accountId, name: name === "" ? counter : name, counter, actor });
      });
    },
  };
}
