import type { Log } from "../base/log.ts";
import { system } from "../model/actor.ts";
import type { Ban } from "../model/api-key.ts";
import { activeUntil, nextBan } from "../model/ban.ts";
import { logFailure } from "../storage/log-failure.ts";
import type { Store } from "../storage/store.ts";
import type { Verdict } from "./limiter.ts";

/** Bans a key. Resolves with the ban once it is stored; undefined if it could not be stored. */
export type ImposeBan = (keyId: string, now: number) => Promise<Ban | undefined>;

/** Creates an `ImposeBan` that bans a key once, however many requests ask for it at the same time. */
export function banImposer({
  store,
  log,
  learn,
}: {
  readonly store: Store;
  readonly log: Log;
  /** Called with each stored ban before the request gets its response. */
  readonly learn: (keyId: string, ban: Ban) => void;
}): ImposeBan {
  const underWay = new Map<string, Promise<Ban | undefined>>();

  const impose = async (keyId: string, now: number): Promise<Ban | undefined> => {
    // Another process or a simultaneous request may have banned the key already.
    const known = (await store.keys.byId(keyId))?.ban;
    if (known !== undefined && activeUntil(known, now) !== undefined) {
      learn(keyId, known);
      return known;
    }
    const ban = nextBan(known, now);
    const committed = await store.commit(
      [{ kind: "key.ban", keyId, ban, from: known, at: now }],
      system,
    );
    // Another process has banned the key meanwhile, or the key was deleted.
    if (!committed.ok)
      return committed.failure.refusal === "stale" ? impose(keyId, now) : undefined;
    learn(keyId, ban);
    log.warn("a key was banned", { keyId, level: ban.level });
    return ban;
  };

  return (keyId, now) => {
    const known = underWay.get(keyId);
    if (known !== undefined) return known;
    const imposed = impose(keyId, now)
      .catch((error: unknown) => {
        // The request is refused either way; the next violation tries the ban again.
        logFailure(log, "a key could not be banned", error, { now, keyId });
        return undefined;
      })
      .finally(() => underWay.delete(keyId));
    underWay.set(keyId, imposed);
    return imposed;
  };
}

/**
 * Returns the verdict for a banned key: nothing remains until the ban has ended and the used-up windows have reset, so
 * that a request at the reported reset succeeds.
 */
export function bannedVerdict(verdict: Verdict, until: number): Verdict {
  const [first, ...others] = verdict.windows;
  const end = Math.ceil(until / 1_000) * 1_000;
  const reset = [first, ...others].reduce(
    (latest, { remaining, resetsAt }) => (remaining === 0 ? Math.max(latest, resetsAt) : latest),
    end,
  );
  return {
    allowed: false,
    at: verdict.at,
    abusive: false,
    windows: [{ ...first, remaining: 0, resetsAt: reset }, ...others],
  };
}
