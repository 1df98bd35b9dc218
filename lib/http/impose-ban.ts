import type { Log } from "../base/log.ts";
import type { Ban } from "../model/api-key.ts";
import { activeUntil, nextBan } from "../model/ban.ts";
import { logFailure } from "../storage/log-failure.ts";
import type { Store } from "../storage/store.ts";

/** Bans the key for going on and on; resolves with its ban when that is on disk, undefined when it cannot be. */
export type ImposeBan = (keyId: string, now: number) => Promise<Ban | undefined>;

/** However many requests ask for a ban before they hear of it, the key is banned once. */
export function banImposer({
  store,
  log,
  learn,
}: {
  readonly store: Store;
  readonly log: Log;
  /** Hears of every ban that is on disk, before its request is answered. */
  readonly learn: (keyId: string, ban: Ban) => void;
}): ImposeBan {
  const underWay = new Map<string, Promise<Ban | undefined>>();

  const impose = async (keyId: string, now: number): Promise<Ban | undefined> => {
    // Read anew: another process, or a request that came at the same time, may have banned it already.
    const known = (await store.keys.byId(keyId))?.ban;
    if (known !== undefined && activeUntil(known, now) !== undefined) {
      learn(keyId, known);
      return known;
    }
    const ban = nextBan(known, now);
    const committed = await store.commit([{ kind: "key.ban", keyId, ban, at: now }]);
    // The key is gone.
    if (!committed.ok) return undefined;
    learn(keyId, ban);
    log.warn("a key was banned", { keyId, level: ban.level });
    return ban;
  };

  return (keyId, now) => {
    const known = underWay.get(keyId);
    if (known !== undefined) return known;
    const imposed = impose(keyId, now)
      .catch((error: unknown) => {
        // The request is refused with or without a ban; if the key goes on, it is tried again.
        logFailure(log, "a key could not be banned", error, { now, keyId });
        return undefined;
      })
      .finally(() => underWay.delete(keyId));
    underWay.set(keyId, imposed);
    return imposed;
  };
}
