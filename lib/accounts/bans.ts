import { DAY_MS, HOUR_MS, MINUTE_MS } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { system } from "../model/actor.ts";
import type { Ban } from "../model/api-key.ts";
import { activeUntil } from "../model/ban.ts";
import { logFailure } from "../storage/log-failure.ts";
import type { Store } from "../storage/store.ts";

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

/** How long bans of levels 1 to 5 last, in milliseconds. */
const lengthsMs: readonly [number, ...number[]] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
];

/** Returns the ban that follows `previous`: one level higher, minus one for each whole day since `previous` ended. */
export function nextBan(previous: Ban | undefined, now: number): Ban {
  const level = Math.min(levelAt(previous, now) + 1, lengthsMs.length);
  return { level, bannedAt: now, until: now + (lengthsMs[level - 1] ?? lengthsMs[0]) };
}

/** Returns the remaining level. Lifting a ban ends it early but keeps its level. */
function levelAt(ban: Ban | undefined, now: number): number {
  if (ban === undefined) return 0;
  const endedAt = Math.min(ban.until, ban.liftedAt ?? ban.until);
  const cleanDays = Math.max(0, Math.floor((now - endedAt) / DAY_MS));
  return Math.max(0, ban.level - cleanDays);
}
