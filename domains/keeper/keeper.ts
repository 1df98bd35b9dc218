import { MINUTE_MS } from "../../lib/base/clock.ts";
import { system } from "../../lib/model/actor.ts";
import type { Log } from "../../lib/base/log.ts";
import { followFeed } from "../../lib/storage/feed.ts";
import { createRounds, createTickTime, type Jobs, type TakeTurn } from "../../lib/base/rounds.ts";
import type { Store } from "../../lib/storage/store.ts";
import type { AuthorityTime } from "../acme/authority-time.ts";
import { watchClock } from "./clock-watch.ts";
import { runDueTasks } from "./due-tasks.ts";
import { createGateChecks } from "./gate-checks.ts";
import type { Domain } from "../model/domain.ts";
import type { OverdueNotices } from "./overdue-notices.ts";
import { recountAll, reviewAll } from "./review.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import type { RouteTable } from "../serving/routes.ts";

export interface KeeperOptions {
  readonly pipeline: Pipeline;
  readonly domains: DomainStore;
  /** Its feed reports changes by other processes. */
  readonly store: Pick<Store, "feed">;
  readonly routes: Pick<RouteTable, "forget" | "forgetAll" | "refresh" | "confirm">;
  readonly clock: AuthorityTime;
  readonly log: Log;
  readonly takeTurn?: TakeTurn | undefined;
  /** Whether due tasks are left to other processes. Default: never. */
  readonly leaveToOthers?: (() => boolean) | undefined;
  /** Called when any process has changed a domain; without an ID, when any domain may have changed. */
  readonly onChange?: ((domainId?: string) => void) | undefined;
  /** Tells of overdue certificates. Default: nobody is told. */
  readonly notices?: OverdueNotices | undefined;
  /** How many domains are processed at a time. Default: 16; most of the time is spent waiting for name servers and CAs. */
  readonly concurrency?: number | undefined;
}

const PURGE_EVERY_MS: number = MINUTE_MS;
const PURGE_ROWS = 500;

/**
 * Runs the due tasks of domains, earliest first, and refreshes the routes. A round costs one indexed query plus the due
 * tasks. `tick` resolves when all due tasks are done or postponed, or when its time is over.
 */
export function createKeeper({
  pipeline,
  domains,
  store,
  routes,
  clock,
  log,
  takeTurn,
  leaveToOthers = () => false,
  onChange,
  notices,
  concurrency = 16,
}: KeeperOptions): Jobs {
  const { host } = clock;
  /** Created when first used: workerd creates none while modules load. */
  let stopping: AbortController | undefined;
  const stopper = (): AbortController => (stopping ??= new AbortController());
  /** When the feed was last read to its end. */
  let feedReadAt: number | undefined;
  const time = createTickTime(host);

  const clockWatch = watchClock(clock, log);
  const gates = createGateChecks(domains, pipeline);
  const onDomain = (domain: Domain): void => notices?.announced(domain);
  const review = reviewAll({ domains, pipeline, clock, onDomain }, () => clockWatch.settled);
  const recount = recountAll({ domains, pipeline });
  const tasks = runDueTasks({
    pipeline,
    domains,
    clock,
    log,
    mayBegin: () => clockWatch.settled && !leaveToOthers() && !time.isOver(),
    signal: () => stopper().signal,
    concurrency,
  });
  const readFeed = followFeed(store, () => host.now(), {
    forget: (topic, subject) => {
      routes.forget(topic, subject);
      if (topic === "account" || topic === "project") gates.changed(topic, subject);
      if (topic !== "domain") return;
      tasks.changed();
      onChange?.(subject);
    },
    forgetAll: () => {
      routes.forgetAll();
      feedReadAt = host.now();
      onChange?.();
    },
    confirm: (at) => {
      feedReadAt = at;
    },
  });
  const refreshRoutes = async (): Promise<void> => {
    // The feed may be read again meanwhile.
    const at = feedReadAt;
    await routes.refresh();
    if (at !== undefined) routes.confirm(at);
  };
  const purge = async (): Promise<void> => {
    // Leases expire by the host's clock, challenges by the CA's.
    const now = Math.min(clock.now(), host.now());
    await domains.commit([{ kind: "purge", now, limit: PURGE_ROWS }], system);
  };

  const rounds = createRounds({
    clock: host,
    log,
    takeTurn,
    errands: [
      {
        // In the background: routes must not wait for a slow CA. Orders compare the clocks themselves before they start.
        what: "comparing our clock with the CA's",
        run: async () => clockWatch.check(stopper().signal),
      },
      { what: "reading the feed for domains", run: readFeed },
      { what: "keeping routes of domains", run: refreshRoutes },
      { what: "looking at plans of domains", run: () => gates.run() },
      { what: "reviewing domains", run: review },
      { what: "counting certificates and looks of domains", run: recount },
      { what: "looking after domains", run: () => tasks.look() },
      ...(notices === undefined ? [] : [notices.errand]),
      { what: "purging challenges", everyMs: PURGE_EVERY_MS, inTurn: true, run: purge },
    ],
  });

  return {
    start: () => {
      if (stopping?.signal.aborted) stopping = undefined;
      rounds.start();
    },
    tick: () =>
      time.during(async () => {
        await rounds.tick();
        await clockWatch.finished();
        await tasks.finish();
      }),
    stop: async () => {
      stopper().abort();
      await rounds.stop();
      await clockWatch.finished();
      await tasks.ended();
    },
  };
}
