import { SECOND_MS } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import type { AuthorityTime } from "../acme/authority-time.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import { changedLately, isLookDue, NEVER_LOOKED, type LookTimes } from "./look-times.ts";

export interface DueTasksOptions {
  readonly pipeline: Pick<Pipeline, "advance" | "mayEnd">;
  readonly domains: DomainStore;
  readonly clock: AuthorityTime;
  readonly log: Log;
  /** Whether this process may begin tasks now. */
  readonly mayBegin: () => boolean;
  /** Aborts when the process stops. */
  readonly signal: () => AbortSignal;
  /** How many domains are processed at a time. */
  readonly concurrency: number;
}

/** Runs the due tasks of domains, the earliest first. */
export interface DueTasks {
  /** Tells that a domain was changed by any process, so that it may have a due task. */
  changed(): void;
  /** Looks up the due tasks, if that is due, and begins as many as may run at a time. */
  look(): Promise<void>;
  /** Resolves when no task may begin and none is under way. Tasks that are postponed do not count. Never rejects. */
  finish(): Promise<void>;
  /** Resolves when the tasks under way have ended. */
  ended(): Promise<void>;
}

/** Tasks of one domain in a row, more than any order has. */
const MOST_TASKS = 50;
/** Repetitions because the domain was changed concurrently. */
const MOST_TURNS = 10;
const BUSY_REST_MS: number = SECOND_MS;
const BROKEN_REST_MS: number = 30 * SECOND_MS;
/** The most failing domains that are skipped: they stay at the front of the queue. */
const MOST_RESTING = 1_000;

export function runDueTasks(options: DueTasksOptions): DueTasks {
  const { pipeline, domains, clock, log, mayBegin, signal, concurrency } = options;
  const { host } = clock;
  /** The domains that are worked on, and the end of that work. */
  const running = new Map<string, Promise<void>>();
  /** The domains that are left alone, and until when by the host's clock. */
  const resting = new Map<string, number>();
  let times: LookTimes = NEVER_LOOKED;
  /** The last call of `fill`. The calls run one after another. */
  let filling: Promise<unknown> = Promise.resolve();
  /** Whether more domains may be due than there was room for. */
  let moreMayBeDue = false;

  const keep = async (domainId: string, stop: AbortSignal): Promise<void> => {
    const rest = (ms: number): void => {
      resting.set(domainId, host.now() + ms);
    };
    try {
      for (let turn = 0; turn < MOST_TURNS && !stop.aborted; turn++) {
        const { kind } = await pipeline.advance(domainId, stop, MOST_TASKS);
        // Nothing was due: another version may have written the row.
        const forNothing = kind === "idle" && turn === 0;
        if (kind === "busy" || forNothing) rest(BUSY_REST_MS);
        if (kind === "busy" || kind === "idle" || kind === "gone") return;
      }
    } catch (error) {
      if (stop.aborted) return;
      rest(BROKEN_REST_MS);
      log.error("a domain could not be looked after; it is tried again", error, { domainId });
    }
  };

  const endRests = (now: number): void => {
    for (const [domainId, until] of resting) {
      // If the clock was set back, nothing may rest for longer.
      if (until <= now || until > now + BROKEN_REST_MS) resting.delete(domainId);
    }
  };

  /** Begins due tasks as long as there is room; returns how many. */
  const fill = async (): Promise<number> => {
    const now = clock.now();
    const lookedAt = host.now();
    times = { ...times, lookedAt };
    endRests(lookedAt);
    const room = concurrency - running.size;
    const stop = signal();
    if (room <= 0 || stop.aborted || !mayBegin()) return 0;
    const passed = running.size + Math.min(resting.size, MOST_RESTING);
    const due = await domains.domains.due(now, room + passed, pipeline.mayEnd());
    const able = due.filter((id) => !running.has(id) && !resting.has(id)).slice(0, room);
    for (const domainId of able) {
      const work = keep(domainId, stop).finally(() => {
        running.delete(domainId);
        // The next round would leave the place empty until then. It reports failures of the store.
        if (moreMayBeDue) begin().catch(() => undefined);
      });
      running.set(domainId, work);
    }
    moreMayBeDue = able.length === room;
    return able.length;
  };

  const begin = (): Promise<number> => {
    const begun = filling.then(fill);
    filling = begun.catch(() => undefined);
    return begun;
  };

  const ended = async (): Promise<void> => {
    await Promise.all(running.values());
  };

  return {
    changed: () => {
      times = { ...times, changedAt: host.now() };
    },
    look: async () => {
      const hostNow = host.now();
      const working = running.size > 0;
      const isActive = working || changedLately(times, hostNow);
      if (!isLookDue(times, { hostNow, now: clock.now(), working })) return;
      const isIdle = (await begin()) === 0 && running.size + resting.size === 0;
      const nextDueAt =
        isIdle && !isActive
          ? ((await domains.domains.nextDueAt(pipeline.mayEnd())) ?? Infinity)
          : undefined;
      times = { ...times, nextDueAt };
    },
    finish: async () => {
      do await ended();
      // The next look reports failures of the store.
      while ((await begin().catch(() => 0)) > 0 || running.size > 0);
    },
    ended,
  };
}
