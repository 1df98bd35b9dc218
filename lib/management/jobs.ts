import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { followFeed } from "../feed.ts";
import type { Jobs } from "../jobs.ts";
import type { Store } from "../storage/store.ts";
import type { TokenRing } from "./token-ring.ts";
import type { TokenStore, TokenUse } from "./token-store.ts";

/** The promise is "within a second" on every process; this leaves room for a slow read. */
const FEED_EVERY_MS = 250;
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
  const failing = new Set<string>();
  let unsaved: readonly TokenUse[] = [];
  let savedAt = clock.now();
  let purgedAt = clock.now();
  let stopping: AbortController | undefined;
  let running: Promise<void> | undefined;
  let ticking: Promise<void> = Promise.resolve();

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
    savedAt = clock.now();
    if (unsaved.length === 0) unsaved = tokens.drainUsed();
    if (unsaved.length === 0) return;
    await tokenStore.commit([{ kind: "token.use", uses: unsaved }]);
    unsaved = [];
  };

  const purge = async (): Promise<void> => {
    const at = clock.now();
    purgedAt = at;
    await tokenStore.commit([
      { kind: "purge", endedBefore: at - ENDED_KEPT_MS, at, limit: PURGE_ROWS },
    ]);
  };

  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      if (failing.delete(what)) log.info(`${what} works again`);
    } catch (error) {
      // Once an outage: it is tried again and again.
      if (!failing.has(what)) log.error(`${what} failed; it is tried again and again`, error);
      failing.add(what);
    }
  };

  // A clock that was put back by more than the interval makes everything due at once, not never.
  const isDue = (lastAt: number, everyMs: number): boolean =>
    Math.abs(clock.now() - lastAt) >= everyMs;

  const round = async (): Promise<void> => {
    await attempt("reading the feed for tokens", readFeed);
    if (isDue(savedAt, USES_EVERY_MS)) await attempt("noting the use of tokens", saveUses);
    if (isDue(purgedAt, PURGE_EVERY_MS)) await attempt("purging tokens", purge);
  };

  const tick = (): Promise<void> => {
    ticking = ticking.then(round);
    return ticking;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await tick();
      await clock.sleep(FEED_EVERY_MS, signal).catch(() => undefined);
    }
  };

  return {
    start: () => {
      if (stopping !== undefined) return;
      stopping = new AbortController();
      running = run(stopping.signal);
    },
    tick,
    stop: async () => {
      stopping?.abort();
      await running;
      stopping = undefined;
      await ticking;
      await attempt("noting the use of tokens", saveUses);
      // What was used since an attempt that had failed.
      await attempt("noting the use of tokens", saveUses);
    },
  };
}
