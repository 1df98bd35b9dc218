import { hashSecret } from "../actions/keys.ts";
import { countedCache } from "../base/cache.ts";
import { SECOND_MS } from "../base/clock.ts";
import { equalBytes, utf8, type Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import { problem, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import type { Spender } from "../limits/limiter.ts";
import { spenderOf, type CountBy } from "../limits/spender.ts";
import type { Account, Environment } from "../model/account.ts";
import { parseToken, type ApiKey, type Ban } from "../model/api-key.ts";
import type { Store } from "../storage/store.ts";
import { bearerToken } from "./bearer.ts";

/** Whoever sent a valid key: what this process remembers of it between requests. */
export interface Caller {
  readonly key: ApiKey;
  readonly account: Account;
  readonly spender: Spender;
  /** When the store was last asked. */
  readonly checkedAt: number;
}

/** Finds out who calls, and remembers it. */
export interface Keyring {
  /** Judges the `Authorization` header. A header with a wrong checksum causes no storage call. */
  identify(authorization: string | null, now: number): Eventual<Result<Caller, Problem>>;
  /** Drops what is remembered of a key, or of all keys of an account. */
  forget(topic: "account" | "key", subject: string): void;
  forgetAll(): void;
  /** Takes in a ban, so that the next request needs no look at the store. */
  learnBan(keyId: string, ban: Ban): void;
  /** All that was remembered before `at` is known to be still true then. */
  confirm(at: number): void;
  /** Keys used since this was last asked, with the instant of their last use. */
  drainUsed(): readonly { readonly keyId: string; readonly at: number }[];
  readonly size: number;
}

/** How long a remembered key is believed without word from the store: the promise is "within a second". */
const BELIEF_MS = SECOND_MS;
const MAX_REMEMBERED = 10_000;

export function createKeyring({
  store,
  digest,
  pepper,
  environment,
  countBy,
}: {
  readonly store: Store;
  readonly digest: Digest;
  readonly pepper: () => Eventual<Uint8Array>;
  readonly environment: Environment;
  readonly countBy: CountBy;
}): Keyring {
  // By the whole header: a hit means that prefix, checksum and secret were all found right before.
  const headers = new Map<string, string>();
  const remembered = countedCache<Caller>(MAX_REMEMBERED, ({ key }, header) => {
    if (headers.get(key.id) === header) headers.delete(key.id);
  });
  // By key: nobody may ever ask for it, so it must not grow with every use.
  const used = new Map<string, number>();
  let confirmedAt = -Infinity;
  // Grows when something is forgotten, so that what was read before is not remembered after.
  let generation = 0;

  const judge = (caller: Caller, now: number): Result<Caller, Problem> => {
    const { expiresAt } = caller.key;
    if (expiresAt !== undefined && expiresAt <= now) return refused(expired);
    used.set(caller.key.id, now);
    return { ok: true, value: caller };
  };

  const load = (bearer: string, now: number): Eventual<Result<Caller, Problem>> => {
    const token = parseToken(bearer);
    if (token === undefined) return refused(invalid);
    if (token.environment !== environment) return refused(wrongEnvironment(environment));
    const before = generation;
    return andThen(store.keys.byId(token.id), (key) =>
      andThen(pepper(), (secret) =>
        andThen(hashSecret(digest, secret, token.secret), (hash) => {
          // An unknown id takes as long as a wrong secret.
          const right = equalBytes(utf8(hash), utf8(key?.hash ?? "0".repeat(64)));
          if (key === undefined || !right || key.environment !== environment) {
            return refused(invalid);
          }
          if (key.revokedAt !== undefined) return refused(revoked);
          return andThen(store.accounts.byId(key.accountId), (account) => {
            if (account === undefined) return refused(invalid);
            const caller: Caller = {
              key,
              account,
              spender: spenderOf(countBy, key),
              checkedAt: now,
            };
            if (before === generation) {
              const header = `Bearer ${bearer}`;
              remembered.set(header, caller);
              headers.set(key.id, header);
            }
            return judge(caller, now);
          });
        }),
      ),
    );
  };

  return {
    identify: (authorization, now) => {
      if (authorization === null) return refused(missing);
      const caller = remembered.get(authorization);
      if (caller !== undefined) {
        const trueAt = Math.max(caller.checkedAt, confirmedAt);
        // Before that is after a clock was put back: how old the knowledge is cannot be told.
        if (now >= trueAt && now < trueAt + BELIEF_MS) return judge(caller, now);
      }
      const bearer = bearerToken(authorization);
      return bearer === undefined ? refused(invalid) : load(bearer, now);
    },
    forget: (topic, subject) => {
      generation++;
      if (topic === "key") {
        const header = headers.get(subject);
        if (header !== undefined) remembered.delete(header);
        return;
      }
      for (const [header, { account }] of remembered.entries()) {
        if (account.id === subject) remembered.delete(header);
      }
    },
    forgetAll: () => {
      generation++;
      for (const [header] of [...remembered.entries()]) remembered.delete(header);
    },
    learnBan: (keyId, ban) => {
      generation++;
      const header = headers.get(keyId);
      const caller = header === undefined ? undefined : remembered.get(header);
      if (header === undefined || caller === undefined) return;
      remembered.set(header, { ...caller, key: { ...caller.key, ban } });
    },
    confirm: (at) => {
      confirmedAt = at;
    },
    drainUsed: () => {
      const uses = Array.from(used, ([keyId, at]) => ({ keyId, at }));
      used.clear();
      return uses;
    },
    get size() {
      return remembered.size;
    },
  };
}

const missing: Problem = problem(
  "missing_api_key",
  "Send an API key as a bearer token: Authorization: Bearer pet_live_…",
);
const invalid: Problem = problem("invalid_api_key", "The API key is not known here, or mistyped.");
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
