import { createCredentialRing, type CredentialRing, type Hashing } from "./credential-ring.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { noSuchAccount } from "./default-account.ts";
import { type Spender, spenderOf, type CountBy } from "./limiter.ts";
import { createTrustedCache } from "./trusted-cache.ts";
import type { Account, Environment } from "../model/account.ts";
import type { Actor } from "../model/actor.ts";
import { parseToken, type ApiKey, type Ban } from "../model/api-key.ts";
import type { Scope } from "../model/scope.ts";
import type { Store } from "../storage/store.ts";
import { bearerToken } from "../model/credential.ts";

/** A catalogue, and its account. */
export interface AccountCatalogue {
  readonly account: Account;
  readonly catalogueId: number;
}

/** The holder of a valid API key, or a user of the host. */
export interface Caller extends AccountCatalogue {
  readonly scopes: readonly Scope[];
  /** Who makes the changes of the caller's requests. */
  readonly actor: CallerActor;
  readonly spender: Spender;
  /** Absent: a user of the host. */
  readonly key?: ApiKey;
}

/** The holder of a valid API key. */
export interface KeyHolder extends Caller {
  readonly key: ApiKey;
}

/** Who makes the changes of requests to the public API. */
export type CallerActor = Extract<Actor, { readonly kind: "key" | "user" }>;

/** Why a caller was not identified. */
export interface Unidentified extends Problem {
  /** The key that was sent, if it has expired or was revoked. Its secret was correct. */
  readonly key?: ApiKey;
}

/** Identifies callers by their API keys, and finds the catalogues of accounts. */
export interface Keyring extends CredentialRing<KeyHolder> {
  /** Identifies the caller by the `Authorization` header. A wrong checksum causes no storage call. */
  identify(authorization: string | null, now: number): Eventual<Result<KeyHolder, Unidentified>>;
  /** Caches a ban, so that the next request needs no storage call. */
  readonly learnBan: (keyId: string, ban: Ban) => void;
  /** Returns an account with its catalogue of this environment, as current as a key is; refused if it does not exist. */
  catalogueOf(accountId: string, now: number): Eventual<Result<AccountCatalogue, Problem>>;
}

export function createKeyring({
  store,
  digest,
  pepper,
  environment,
  countBy,
}: Hashing & {
  readonly store: Store;
  readonly environment: Environment;
  readonly countBy: CountBy;
}): Keyring {
  const ring = createCredentialRing<ApiKey, KeyHolder>({
    digest,
    pepper,
    invalid,
    // Cached by the whole header: cutting the token out of it takes longer than the lookup.
    parse: (header) => {
      const token = bearerToken(header);
      if (!token.ok) return refused(malformed(token.failure));
      const sent = parseToken(token.value);
      if (sent === undefined) return refused(invalid);
      return sent.environment === environment ? done(sent) : refused(wrongEnvironment(environment));
    },
    read: (id) => store.keys.byId(id),
    admit: (key) => {
      if (key.environment !== environment) return refused(invalid);
      if (key.revokedAt !== undefined) return refused({ ...revoked, key });
      return andThen(store.accounts.byId(key.accountId), (account) =>
        account === undefined
          ? refused(invalid)
          : done({
              key,
              account,
              catalogueId: key.catalogueId,
              scopes: key.scopes,
              actor: { kind: "key", id: key.id },
              spender: spenderOf(countBy, key),
            }),
      );
    },
    subjects: { key: ({ key }) => key.id, account: ({ account }) => account.id },
  });
  const accounts = createTrustedCache<AccountCatalogue>({
    load: (accountId) =>
      andThen(store.accounts.byId(accountId), (account) =>
        account === undefined
          ? refused(noSuchAccount)
          : andThen(store.catalogues.of(accountId, environment), (catalogue) =>
              catalogue === undefined
                ? refused(noSuchAccount)
                : done({ account, catalogueId: catalogue.id }),
            ),
      ),
    subjects: { account: ({ account }) => account.id },
  });

  const judge = (
    found: Result<KeyHolder, Unidentified>,
    now: number,
  ): Result<KeyHolder, Unidentified> => {
    if (!found.ok) return found;
    const { key } = found.value;
    const { id, expiresAt } = key;
    if (expiresAt !== undefined && expiresAt <= now) return refused({ ...expired, key });
    ring.use(id, now);
    return found;
  };

  return {
    ...ring,
    forget: (topic, subject) => {
      ring.forget(topic, subject);
      accounts.forget(topic, subject);
    },
    forgetAll: () => {
      ring.forgetAll();
      accounts.forgetAll();
    },
    confirm: (at) => {
      ring.confirm(at);
      accounts.confirm(at);
    },
    catalogueOf: (accountId, now) => accounts.find(accountId, now),
    identify: (authorization, now) => {
      if (authorization === null) return refused(missing);
      const found = ring.find(authorization, now);
      return isPromise(found) ? found.then((loaded) => judge(loaded, now)) : judge(found, now);
    },
    learnBan: (keyId, ban) => {
      ring.replace("key", keyId, (caller) => ({ ...caller, key: { ...caller.key, ban } }));
    },
  };
}

const missing: Problem = problem(
  "missing_api_key",
  "Send an API key as a bearer token: Authorization: Bearer pet_live_…",
);
const invalid: Problem = problem("invalid_api_key", "The API key is unknown or mistyped.");
const malformed = (fault: string): Problem =>
  problem(
    "invalid_api_key",
    `The Authorization header ${fault}. Send Authorization: Bearer pet_live_…`,
  );
const expired: Problem = problem("expired_api_key", "The API key has expired.");
const revoked: Problem = problem("revoked_api_key", "The API key was revoked.");

function wrongEnvironment(environment: Environment): Problem {
  return problem(
    "wrong_environment",
    environment === "production"
      ? "This is Production, and the API key (pet_test_…) belongs to Staging."
      : "This is Staging, and the API key (pet_live_…) belongs to Production.",
  );
}
