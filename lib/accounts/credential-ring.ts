import { MINUTE_MS, type Clock } from "../base/clock.ts";
import { isHashOf, type Digest } from "../base/digest.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Log } from "../base/log.ts";
import type { Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import { createRounds, drainInto, type Jobs, type TakeTurn } from "../base/rounds.ts";
import { parseCredential } from "../model/credential.ts";
import { followFeed } from "../storage/feed.ts";
import type { FeedReader, Store } from "../storage/store.ts";
import { createTrustedCache, type TrustedCache, type TrustedSource } from "./trusted-cache.ts";

/** The last use of a credential. */
export interface CredentialUse {
  readonly id: string;
  readonly at: number;
}

/**
 * Checks credentials of one kind, such as API keys, and caches their holders. A text that cannot be a credential causes no
 * storage call.
 */
export interface CredentialRing<Holder> extends TrustedCache<Holder> {
  /** Records a use for the next `drainUsed`. */
  use(id: string, now: number): void;
  /** Returns the last use since the previous `drainUsed`. */
  lastUse(id: string): number | undefined;
  /** Returns the credentials used since the previous call. */
  readonly drainUsed: () => readonly CredentialUse[];
}

interface Hashed {
  readonly id: string;
  /** HMAC-SHA-256 of the secret under the pepper, in hex. */
  readonly hash: string;
}

/** The dependencies of hashing a secret. */
export interface Hashing {
  readonly digest: Digest;
  /** Returns the HMAC key under which secrets are stored. Kept outside the database. */
  readonly pepper: () => Eventual<Uint8Array>;
}

/** How a ring reads and checks credentials of its kind. */
interface CredentialKind<Stored extends Hashed, Holder>
  extends Hashing, Pick<TrustedSource<Holder>, "isCurrent" | "subjects"> {
  /** Parses the sent text, or refuses it if it cannot be a credential of this kind. Causes no I/O. */
  readonly parse: (
    sent: string,
  ) => Result<{ readonly id: string; readonly secret: string }, Problem>;
  readonly read: (id: string) => Eventual<Stored | undefined>;
  /** The refusal for an unknown id or a wrong secret. */
  readonly invalid: Problem;
  /** Returns the holder of a credential whose secret is correct, or a refusal. Only holders are cached. */
  readonly admit: (stored: Stored, now: number) => Eventual<Result<Holder, Problem>>;
}

/** Creates a ring that caches at most 10,000 holders; the least recently used is evicted first. */
export function createCredentialRing<Stored extends Hashed, Holder>({
  digest,
  pepper,
  parse,
  read,
  invalid,
  admit,
  isCurrent,
  subjects,
}: CredentialKind<Stored, Holder>): CredentialRing<Holder> {
  // By id, so that its size is bounded by the keys in use even if nothing drains it.
  const used = new Map<string, number>();
  // By the whole text: a hit proves that the checksum and the secret were correct.
  const cache = createTrustedCache<Holder>({
    load: (sent, now) => {
      const parsed = parse(sent);
      if (!parsed.ok) return parsed;
      const { id, secret } = parsed.value;
      return andThen(read(id), (stored) =>
        andThen(pepper(), (key) =>
          andThen(isHashOf(digest, key, secret, stored?.hash), (right) =>
            stored === undefined || !right ? refused(invalid) : admit(stored, now),
          ),
        ),
      );
    },
    isCurrent,
    subjects,
  });
  return {
    ...cache,
    use: (id, now) => {
      used.set(id, now);
    },
    lastUse: (id) => used.get(id),
    drainUsed: () => {
      const uses = Array.from(used, ([id, at]) => ({ id, at }));
      used.clear();
      return uses;
    },
  };
}

/** Returns a `parse` for credentials that start with `pet_<kind>_`. */
export function parserOf(kind: string, invalid: Problem): CredentialKind<Hashed, unknown>["parse"] {
  return (token) => {
    const sent = parseCredential(token);
    return sent?.kind === kind ? { ok: true, value: sent } : refused(invalid);
  };
}

/** How accurate last uses are. */
const SAVE_EVERY_MS: number = MINUTE_MS;
const PURGE_EVERY_MS: number = 10 * MINUTE_MS;

/** Creates a ring's background jobs: follows the feed, saves last uses every minute, purges every ten minutes. */
export function credentialJobs({
  store,
  ring,
  noun,
  clock,
  log,
  save,
  purge,
  takeTurn,
}: {
  readonly store: Pick<Store, "feed">;
  readonly ring: FeedReader & Pick<CredentialRing<unknown>, "drainUsed">;
  /** The name of the credentials in the log: `tokens`. */
  readonly noun: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly save: (uses: readonly CredentialUse[]) => Promise<unknown>;
  readonly purge: (at: number) => Promise<unknown>;
  readonly takeTurn: TakeTurn | undefined;
}): Jobs {
  const saving = { what: `saving the last use of ${noun}`, run: drainInto(ring.drainUsed, save) };
  return createRounds({
    clock,
    log,
    errands: [
      { what: `reading the feed for ${noun}`, run: followFeed(store, () => clock.now(), ring) },
      { ...saving, everyMs: SAVE_EVERY_MS },
      {
        what: `purging ${noun}`,
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        run: () => purge(clock.now()),
      },
    ],
    takeTurn,
    // The first run may only retry an earlier failed save; the second saves the uses since then.
    last: [saving, saving],
  });
}
