import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { followFeed } from "../feed.ts";
import { createRounds, type Jobs } from "../rounds.ts";
import type { Store } from "../storage/store.ts";
import type { TokenRing } from "./token-ring.ts";
import type { TokenStore, TokenUse } from "./token-store.ts";

/** When a token was last used is told no more exactly than that. */
const USES_EVERY_MS: number = MINUTE_MS;
const PURGE_EVERY_MS: number = HOUR_MS;
/** How long a token that no longer works is still listed. */
const ENDED_KEPT_MS: number = 90 * DAY_MS;
const PURGE_ROWS = 500;

/** What the management API does in the background: hears of tokens that others revoked, notes which were used. */
export function managementJobs({
  store,
  tokenStore,
  tokens,
  clock,
  log,
}: {
  readonly store: Store;
  readonly tokenStore: TokenStore;
  readonly tokens: TokenRing;
  readonly clock: Clock;
  readonly log: Log;
}): Jobs {
  // Drained but not written yet: tried again before more is drained.
  let unsaved: readonly TokenUse[] = [];

  const readFeed = followFeed(store, () => clock.now(), {
    forget: (topic, subject) => {
      if (topic === "account" || topic === "token") tokens.forget(topic, subject);
    },
    forgetAll: () => {
      tokens.forgetAll();
    },
    confirm: (at) => {
      tokens.confirm(at);
    },
  });

  const saveUses = async (): Promise<void> => {
    if (unsaved.length === 0) unsaved = tokens.drainUsed();
    if (unsaved.length === 0) return;
    await tokenStore.commit([{ kind: "token.use", uses: unsaved }]);
    unsaved = [];
  };

  const purge = async (): Promise<void> => {
    const at = clock.now();
    const endedBefore = at - ENDED_KEPT_MS;
    await tokenStore.commit([{ kind: "purge", endedBefore, at, limit: PURGE_ROWS }]);
  };

  const saving = { what: "noting the use of tokens", run: saveUses };
  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for tokens", run: readFeed },
      { ...saving, everyMs: USES_EVERY_MS },
      { what: "purging tokens", everyMs: PURGE_EVERY_MS, run: purge },
    ],
    // The second one for what was used since one that had failed.
    last: [saving, saving],
  });
}
