import { hashSecret } from "../actions/keys.ts";
import { beliefs } from "../base/beliefs.ts";
import { equalBytes, utf8, type Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { bearerToken } from "../http/bearer.ts";
import { parseCredential } from "../model/credential.ts";
import type { Store } from "../storage/store.ts";
import type { Principal } from "./model/principal.ts";
import { TOKEN_KIND, type ManagementToken } from "./model/token.ts";
import { expiredToken, invalidToken, missingToken, revokedToken } from "./refusals.ts";
import type { TokenStore, TokenUse } from "./token-store.ts";

/** Finds out who calls, and remembers it. */
export interface TokenRing {
  /** Judges the `Authorization` header. A header with a wrong checksum causes no storage call. */
  identify(authorization: string | null, now: number): Eventual<Result<Principal, Problem>>;
  /** Drops what is remembered of a token, or of all tokens of an account. */
  forget(topic: "account" | "token", subject: string): void;
  forgetAll(): void;
  /** All that was remembered before `at` is known to be still true then. */
  confirm(at: number): void;
  /** Tokens used since this was last asked, with the instant of their last use. */
  drainUsed(): readonly TokenUse[];
}

const MAX_REMEMBERED = 10_000;

export function createTokenRing({
  store,
  tokenStore,
  digest,
  pepper,
}: {
  readonly store: Store;
  readonly tokenStore: TokenStore;
  readonly digest: Digest;
  readonly pepper: () => Eventual<Uint8Array>;
}): TokenRing {
  // By the whole token: a hit means that checksum and secret were found right before.
  const known = beliefs<ManagementToken>(MAX_REMEMBERED);
  const used = new Map<string, number>();

  const judge = (token: ManagementToken, now: number): Result<Principal, Problem> => {
    if (token.expiresAt !== undefined && token.expiresAt <= now) return refused(expiredToken);
    used.set(token.id, now);
    return done(principalOf(token));
  };

  const load = (bearer: string, now: number): Eventual<Result<Principal, Problem>> => {
    const sent = parseCredential(bearer);
    if (sent?.kind !== TOKEN_KIND) return refused(invalidToken);
    const mark = known.mark();
    return andThen(tokenStore.byId(sent.id), (token) =>
      andThen(pepper(), (secret) =>
        andThen(hashSecret(digest, secret, sent.secret), (hash) => {
          // An unknown id takes as long as a wrong secret.
          const right = equalBytes(utf8(hash), utf8(token?.hash ?? "0".repeat(64)));
          if (token === undefined || !right) return refused(invalidToken);
          if (token.revokedAt !== undefined) return refused(revokedToken);
          const { accountId } = token;
          return andThen(
            accountId === undefined ? true : store.accounts.byId(accountId),
            (account) => {
              if (account === undefined) return refused(invalidToken);
              known.set(bearer, token, now, mark);
              return judge(token, now);
            },
          );
        }),
      ),
    );
  };

  return {
    identify: (authorization, now) => {
      if (authorization === null) return refused(missingToken);
      const bearer = bearerToken(authorization);
      if (bearer === undefined) return refused(invalidToken);
      const token = known.get(bearer, now);
      return token === undefined ? load(bearer, now) : judge(token, now);
    },
    forget: (topic, subject) => {
      known.forget(({ id, accountId }) => (topic === "token" ? id : accountId) === subject);
    },
    forgetAll: () => {
      known.forgetAll();
    },
    confirm: (at) => {
      known.confirm(at);
    },
    drainUsed: () => {
      const uses = Array.from(used, ([tokenId, at]) => ({ tokenId, at }));
      used.clear();
      return uses;
    },
  };
}

function principalOf({ id, role, accountId, name }: ManagementToken): Principal {
  return { role, accountId, name: name === "" ? `token ${id}` : name, counter: `token ${id}` };
}
