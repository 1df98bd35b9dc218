import { HOUR_MS, MINUTE_MS, SECOND_MS, systemClock, type Clock } from "../../lib/base/clock.ts";
import { aClock, checkOptions, having, listOf, optional } from "../../lib/base/options.ts";
import type { Jobs } from "../../lib/base/rounds.ts";

/** The part of `ctx.storage` that sets the alarm of a Durable Object. */
export interface DurableObjectAlarms {
  setAlarm(at: number, options?: { readonly allowUnconfirmed?: boolean }): Promise<void>;
}

/** Options of the jobs of a Durable Object. */
export interface DurableObjectJobsOptions {
  /** `ctx.storage` of the object, whose only alarm this is. */
  readonly storage: DurableObjectAlarms;
  /** The jobs of all services of the object, such as `petstore.jobs`. */
  readonly jobs: readonly Jobs[];
  /**
   * Milliseconds between two alarms while no requests arrive, from one second to one hour: how late a webhook or a mail is
   * sent again. Default: one minute.
   */
  readonly idleMs?: number | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
}

/** Runs jobs by the alarm of a Durable Object. */
export interface DurableObjectJobs {
  /** To be called for each request: sets the alarm, so that what it counted is saved within a second. */
  wake(): void;
  /** The object's `alarm` method: runs what is due, and sets the next alarm. */
  alarm(): Promise<void>;
}

/** How long after a request the counters are saved. */
const SAVE_MS: number = SECOND_MS;

/**
 * Runs jobs by the alarm of a Durable Object, instead of timers, which would end with the object. Sets nothing before
 * `wake` or `alarm` is called. Throws a `TypeError` for invalid options.
 */
export function durableObjectJobs(options: DurableObjectJobsOptions): DurableObjectJobs {
  checkOptions("durableObjectJobs", options, {
    storage: having("ctx.storage of a Durable Object", "setAlarm"),
    jobs: listOf(having("jobs, such as petstore.jobs", "tick"), 1),
    idleMs: optional({
      what: "an integer from 1000 to 3600000",
      holds: (value) =>
        Number.isInteger(value) && Number(value) >= SECOND_MS && Number(value) <= HOUR_MS,
    }),
    clock: optional(aClock),
  });
  const { storage, jobs, idleMs = MINUTE_MS, clock = systemClock } = options;
  /** The time of the alarm that is set, as far as it is known. */
  let due = Number.POSITIVE_INFINITY;
  let running = false;
  let woken = false;
  let saving: Promise<void> | undefined;

  const tick = async (): Promise<void> => {
    await Promise.all(jobs.map((one) => one.tick()));
  };

  const setAlarm = async (at: number): Promise<void> => {
    if (at >= due) return;
    due = at;
    try {
      // What an unconfirmed alarm would save is lost with the object that counted it.
      await storage.setAlarm(at, { allowUnconfirmed: true });
    } catch (error) {
      due = Number.POSITIVE_INFINITY;
      throw error;
    }
  };

  /** A running alarm may wait half a minute for the receiver of a webhook, and the next one begins after it. */
  const saveMeanwhile = async (): Promise<void> => {
    await clock.sleep(SAVE_MS);
    saving = undefined;
    await tick();
  };

  return {
    wake: () => {
      woken = true;
      if (running) saving ??= saveMeanwhile();
      // The next request tries again.
      else void setAlarm(clock.now() + SAVE_MS).catch(() => undefined);
    },
    alarm: async () => {
      due = Number.POSITIVE_INFINITY;
      running = true;
      woken = false;
      try {
        await tick();
      } finally {
        running = false;
      }
      await setAlarm(clock.now() + (woken ? SAVE_MS : idleMs));
    },
  };
}
