import { MINUTE_MS, SECOND_MS } from "../lib/base/clock.ts";
import { system } from "../lib/model/actor.ts";
import type { Log } from "../lib/base/log.ts";
import { followFeed } from "../lib/storage/feed.ts";
import { createRounds, type Jobs, type TakeTurn } from "../lib/base/rounds.ts";
import type { Store } from "../lib/storage/store.ts";
import { COMPARE_EVERY_MS, type AuthorityTime } from "./authority-time.ts";
import { MAX_SKEW_MS } from "./model/clock-skew.ts";
import type { Pipeline } from "./pipeline/pipeline.ts";
import type { DomainStore } from "./ports/domain-store.ts";
import type { RouteTable } from "./routes.ts";

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
  readonly leaveToOthers?: () => boolean;
  /** Called when any process has changed a domain; without an ID, when any domain may have changed. */
  readonly onChange?: (domainId?: string) => void;
  /** How many domains are processed at a time. Default: 16; most of the time is spent waiting for name servers and CAs. */
  readonly concurrency?: number;
}

/** Tasks of one domain in a row, more than any order has. */
const MOST_TASKS = 50;
/** Repetitions because the domain was changed concurrently. */
const MOST_TURNS = 10;
const BUSY_REST_MS = SECOND_MS;
/** How often due tasks are looked up, unless a domain changed a moment ago: then in every round. */
const LOOK_EVERY_MS = SECOND_MS;
/** How often they are looked up before the next one is due. */
const LOOK_IDLE_MS = 10 * SECOND_MS;
const ACTIVE_MS = 10 * SECOND_MS;
const BROKEN_REST_MS = 30 * SECOND_MS;
/** The most failing domains that are skipped: they stay at the front of the queue. */
const MOST_RESTING = 1_000;
const PURGE_EVERY_MS = MINUTE_MS;
const PURGE_ROWS = 500;
const PAGE = 100;
const REVIEWS_A_ROUND = 500;
/** Bounded, because removals and renames wait for it. */
const GATES_A_ROUND = 100;

/**
 * Runs the due tasks of domains, earliest first, and refreshes the routes. A round costs one indexed query plus the due
 * tasks. `tick` resolves when all due tasks are done or postponed.
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
  concurrency = 16,
}: KeeperOptions): Jobs {
  const running = new Map<string, Promise<void>>();
  const resting = new Map<string, number>();
  const gates = new Map<string, "account" | "project">();
  const unchecked = new Set<string>();
  /** The last reviewed domain; empty before the first one, undefined after the last one. */
  let reviewed: string | undefined = "";
  let feedReadAt: number | undefined;
  /** The last time at which a domain was changed by any process. */
  let changedAt = -Infinity;
  let begunAt = -Infinity;
  /** When the next task is due, by the CA's clock, if no domain changes. */
  let nextAt = -Infinity;
  let latest = clock.now();
  let comparing: Promise<void> | undefined;
  /**
   * False after the start, and after a jump of the host's clock, until the clock is compared with the CA's: a wrong
   * clock could release names permanently.
   */
  let clockCompared = false;
  let jumps = 0;
  let roundAt = clock.host.now();
  /** Created when first used: workerd creates none while modules load. */
  let stopping: AbortController | undefined;
  const stopper = (): AbortController => (stopping ??= new AbortController());
  let beginning: Promise<unknown> = Promise.resolve();
  /** Whether more domains may be due than were started. */
  let wasFull = false;

  const keep = async (domainId: string, signal: AbortSignal): Promise<void> => {
    try {
      for (let turn = 0; turn < MOST_TURNS && !signal.aborted; turn++) {
        const { kind } = await pipeline.advance(domainId, signal, MOST_TASKS);
        // Nothing was due: another version may have written the row.
        const forNothing = kind === "idle" && turn === 0;
        if (kind === "busy" || forNothing) resting.set(domainId, clock.host.now() + BUSY_REST_MS);
        if (kind === "busy" || kind === "idle" || kind === "gone") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      resting.set(domainId, clock.host.now() + BROKEN_REST_MS);
      log.error("a domain could not be looked after; it is tried again", error, { domainId });
    }
  };

  /** Starts due tasks up to the concurrency limit; returns how many. Calls run one after another. */
  const begin = (): Promise<number> => {
    const begun = beginning.then(fill);
    beginning = begun.catch(() => undefined);
    return begun;
  };

  const fill = async (): Promise<number> => {
    const now = clock.now();
    const restedAt = clock.host.now();
    begunAt = restedAt;
    for (const [domainId, until] of resting) {
      // If the clock was set back, nothing may rest for longer.
      if (until <= restedAt || until > restedAt + BROKEN_REST_MS) resting.delete(domainId);
    }
    const room = concurrency - running.size;
    const mayBegin = clockCompared && room > 0 && !stopper().signal.aborted;
    if (!mayBegin || leaveToOthers()) return 0;
    const passed = running.size + Math.min(resting.size, MOST_RESTING);
    const due = await domains.domains.due(now, room + passed, pipeline.mayEnd());
    const able = due.filter((id) => !running.has(id) && !resting.has(id)).slice(0, room);
    for (const domainId of able) {
      const work = keep(domainId, stopper().signal).finally(() => {
        running.delete(domainId);
        // The next round would leave the place empty until then. It reports failures of the store.
        if (wasFull) begin().catch(() => undefined);
      });
      running.set(domainId, work);
    }
    wasFull = able.length === room;
    return able.length;
  };

  /** Keeps failed checks for the next round, without delaying others. */
  const checkGates = async (): Promise<void> => {
    for (const [subject, topic] of [...gates]) {
      const concerned = await domainsOf(domains, topic, subject);
      gates.delete(subject);
      for (const domainId of concerned) unchecked.add(domainId);
    }
    const failures: unknown[] = [];
    for (const domainId of [...unchecked].slice(0, GATES_A_ROUND)) {
      unchecked.delete(domainId);
      try {
        await pipeline.checkGates(domainId);
      } catch (error) {
        unchecked.add(domainId);
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };

  /** In the background: routes must not wait for a slow CA. Orders compare the clocks themselves before they start. */
  const compare = (): void => {
    const { signal } = stopper();
    const now = clock.host.now();
    if (Math.abs(now - roundAt) > MAX_SKEW_MS) {
      clockCompared = false;
      jumps++;
    }
    roundAt = now;
    const seen = jumps;
    comparing ??= clock
      .compare(signal, clockCompared ? COMPARE_EVERY_MS : 0)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error("our clock could not be compared with the CA's", error);
      })
      .finally(() => {
        comparing = undefined;
        // An answer from before a jump does not count.
        clockCompared = seen === jumps;
      });
  };

  /**
   * Reviews all domains after the start, and again after the clock was set back, one page a round. Waits for the CA's
   * answer: with a slow clock, every task would be moved to an earlier time.
   */
  const review = async (): Promise<void> => {
    const now = clock.now();
    if (now < latest - MAX_SKEW_MS) reviewed = "";
    latest = now;
    if (reviewed === undefined || !clockCompared || !clock.compared) return;
    const after = reviewed === "" ? {} : { after: reviewed };
    const page = await domains.domains.all({ ...after, limit: REVIEWS_A_ROUND });
    for (const domain of page) await pipeline.review(domain);
    reviewed = page.length < REVIEWS_A_ROUND ? undefined : page.at(-1)?.id;
  };

  const rounds = createRounds({
    clock: clock.host,
    log,
    takeTurn,
    errands: [
      { what: "comparing our clock with the CA's", run: async () => compare() },
      {
        what: "reading the feed for domains",
        run: followFeed(store, () => clock.host.now(), {
          forget: (topic, subject) => {
            routes.forget(topic, subject);
            if (topic === "account" || topic === "project") gates.set(subject, topic);
            if (topic !== "domain") return;
            changedAt = clock.host.now();
            onChange?.(subject);
          },
          forgetAll: () => {
            routes.forgetAll();
            feedReadAt = clock.host.now();
            onChange?.();
          },
          confirm: (at) => {
            feedReadAt = at;
          },
        }),
      },
      {
        what: "keeping routes of domains",
        run: async () => {
          // The feed may be read again meanwhile.
          const at = feedReadAt;
          await routes.refresh();
          if (at !== undefined) routes.confirm(at);
        },
      },
      { what: "looking at plans of domains", run: checkGates },
      { what: "reviewing domains", run: review },
      {
        what: "looking after domains",
        run: async () => {
          const now = clock.host.now();
          const isActive = running.size > 0 || Math.abs(now - changedAt) < ACTIVE_MS;
          const everyMs = clock.now() >= nextAt ? LOOK_EVERY_MS : LOOK_IDLE_MS;
          if (!isActive && Math.abs(now - begunAt) < everyMs) return;
          const isIdle = (await begin()) === 0 && running.size + resting.size === 0;
          nextAt =
            isIdle && !isActive
              ? ((await domains.domains.nextDueAt(pipeline.mayEnd())) ?? Infinity)
              : -Infinity;
        },
      },
      {
        what: "purging challenges",
        everyMs: PURGE_EVERY_MS,
        inTurn: true,
        run: async () => {
          // Leases expire by the host's clock, challenges by the CA's.
          const now = Math.min(clock.now(), clock.host.now());
          await domains.commit([{ kind: "purge", now, limit: PURGE_ROWS }], system);
        },
      },
    ],
  });

  return {
    start: () => {
      if (stopping?.signal.aborted) stopping = undefined;
      rounds.start();
    },
    tick: async () => {
      await rounds.tick();
      await comparing;
      do await Promise.all(running.values());
      while ((await begin()) > 0 || running.size > 0);
    },
    stop: async () => {
      stopper().abort();
      await rounds.stop();
      await comparing;
      await Promise.all(running.values());
    },
  };
}

async function domainsOf(
  { domains }: DomainStore,
  topic: "account" | "project",
  subject: string,
): Promise<readonly string[]> {
  if (topic === "project") return (await domains.ofProject(subject)).map(({ id }) => id);
  const ids: string[] = [];
  for (;;) {
    const after = ids.at(-1);
    const page = await domains.ofAccount(subject, {
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return ids;
  }
}
