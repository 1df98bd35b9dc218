import { HOUR_MS, MINUTE_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { followFeed } from "../feed.ts";
import { createRounds, type Jobs } from "../rounds.ts";
import type { Store } from "../storage/store.ts";
import type { MemberStore, SessionUse } from "./member-store.ts";
import { IDLE_MS } from "./model/session.ts";
import type { SessionRing } from "./session-ring.ts";

/** When a session was last seen is told no more exactly than that. */
const USES_EVERY_MS: number = MINUTE_MS;
const PURGE_EVERY_MS: number = HOUR_MS;
const PURGE_ROWS = 500;

/** What members need in the background: hears of sessions that ended elsewhere, notes which were seen. */
export function memberJobs({
  store,
  memberStore,
  ring,
  clock,
  log,
}: {
  readonly store: Store;
  readonly memberStore: MemberStore;
  readonly ring: SessionRing;
  readonly clock: Clock;
  readonly log: Log;
}): Jobs {
  // Drained but not written yet: tried again before more is drained.
  let unsaved: readonly SessionUse[] = [];

  const readFeed = followFeed(store, () => clock.now(), {
    forget: (topic, subject) => {
      if (topic === "account" || topic === "member") ring.forget(topic, subject);
    },
    forgetAll: () => {
      ring.forgetAll();
    },
    confirm: (at) => {
      ring.confirm(at);
    },
  });

  const saveUses = async (): Promise<void> => {
    if (unsaved.length === 0) unsaved = ring.drainUsed();
    if (unsaved.length === 0) return;
    await memberStore.commit([{ kind: "session.use", uses: unsaved }]);
    unsaved = [];
  };

  const purge = async (): Promise<void> => {
    const at = clock.now();
    await memberStore.commit([{ kind: "purge", at, seenBefore: at - IDLE_MS, limit: PURGE_ROWS }]);
  };

  const saving = { what: "noting when sessions were seen", run: saveUses };
  return createRounds({
    clock,
    log,
    errands: [
      { what: "reading the feed for members", run: readFeed },
      { ...saving, everyMs: USES_EVERY_MS },
      { what: "purging sessions", everyMs: PURGE_EVERY_MS, run: purge },
    ],
    // The second one for what was used since one that had failed.
    last: [saving, saving],
  });
}
