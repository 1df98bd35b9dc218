import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import type { Eventual } from "./eventual.ts";
import type { Log } from "./log.ts";
import type { TakeTurn } from "./rounds.ts";
import { CLOCKS_DIFFER_MS, type DatabaseClock } from "./database-clock.ts";

/** Why nothing that is kept for a time is deleted. */
export type PurgePause =
  /** It is not known yet when the store was last in use. */
  | { readonly reason: "starting" }
  /**
   * The clock of this machine differs from the database's, so one of them is wrong. It ends when they agree. While no other
   * node is known to be right, it also ends after `remainingMs` in which the difference stays the same: otherwise no process
   * would ever purge.
   */
  | {
      readonly reason: "clocks_differ";
      readonly aheadMs: number;
      readonly remainingMs?: number | undefined;
    }
  /** The time changed by `jumpMs` within a moment, or since the store was last in use. Ends after `remainingMs`. */
  | { readonly reason: "clock_jumped"; readonly jumpMs: number; readonly remainingMs: number };

/**
 * The time by which the data of a store expires: the database's, if it has a clock of its own, else the machine's. A wrong
 * clock must not delete data for ever, so it also says whether anything may be purged.
 */
export interface StoreClock extends Clock {
  steady(): number;
  /** Milliseconds by which the clock of this machine is ahead of the database's; 0 if it has none of its own. */
  readonly aheadMs: number;
  /** Returns why nothing may be purged now; undefined: purging is allowed. */
  pause(): PurgePause | undefined;
  /**
   * Compares the clocks and stores the time, if that is due, and logs when a pause begins and ends. To be called before each
   * purge, and more often to notice a jump sooner. Rejects if the store does not answer.
   */
  keep(log: Log): Promise<void>;
  /** Stores how much of a pause is left, if there is one. To be called when the process stops. */
  leave(): Promise<void>;
  /**
   * Takes a reading of the database's clock, as `DatabaseClock` does, and whether another node agrees with the database.
   * Absent if it has no clock.
   */
  readonly learn?: (at: number, askedAt: number, othersAreRight: boolean) => void;
}

/** A greater change of the clock than a correction makes. The switch to summer time changes no clock of ours. */
const JUMP_MS: number = HOUR_MS;
/** How long a store may be out of use before the clock of a start must prove itself. */
const GAP_MS: number = DAY_MS;
/** Running time in which a wrong clock is noticed and corrected. */
const PAUSE_MS: number = DAY_MS;
/**
 * How long after a pause a jump of its kind begins no other one: a laptop that sleeps each day purges at least then. A jump is
 * of its kind if it is at most twice as large, so few jumps lengthen a pause, whatever their sizes are.
 */
const KNOWN_MS: number = HOUR_MS;
const KNOWN_TIMES = 2;
/** After any jump nothing is purged for this time, so that a clock that is wrong for a moment purges nothing. */
const SETTLE_MS: number = 10 * MINUTE_MS;
const COMPARE_EVERY_MS: number = 30 * SECOND_MS;
const SAVE_EVERY_MS: number = 10 * MINUTE_MS;
/** A pause ends although the process restarts often. */
const SAVE_PAUSE_EVERY_MS: number = MINUTE_MS;

/** The setting with the last time at which the store was in use. */
export const LAST_SEEN = "last seen";

/** What is stored. */
interface LastSeen {
  readonly at: number;
  /** How long the pause was to last then; negative: how long it was over. */
  readonly pausedMs: number;
  /** The jump that began it. */
  readonly jumpMs: number;
  /** The difference of the clocks, and for how long it had been the same. */
  readonly aheadMs?: number;
  readonly sameMs?: number;
}

/** Reads the value of the setting. Without one, no pause is known. */
export function lastSeenIn(value: unknown): LastSeen & { readonly known: boolean } {
  if (typeof value !== "string") return { at: 0, pausedMs: 0, jumpMs: 0, known: false };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...(JSON.parse(value) as LastSeen), known: true };
}

/** Creates the clock of a store. Reads nothing before `keep`. */
export function storeClock({
  clock,
  read,
  write,
}: {
  /** Watched for jumps against its own `steady`. */
  readonly clock: Clock & Partial<DatabaseClock>;
  /** Reads a setting of the store. */
  readonly read: (name: string) => Eventual<string | undefined>;
  /** Sets or replaces a setting. */
  readonly write: (name: string, value: string) => Promise<unknown>;
}): StoreClock {
  const steady = (): number => clock.steady?.() ?? clock.now();
  /** The time of the last look, without the time that has passed since the start. */
  let base = clock.now() - steady();
  /** The end of the pause by the steady clock. */
  let pausedUntil = -Infinity;
  let jumpMs = 0;
  /** The difference of the clocks, and since when it has been the same, by the steady clock. */
  let difference = { aheadMs: clock.aheadMs ?? 0, since: steady() };
  let othersAreRight = false;
  let savedAt: number | undefined;
  let wanted = false;
  /** The warning about the pause that is logged. */
  let told: string | undefined;
  let keeping: Promise<void> | undefined;

  const jumped = (ms: number): void => {
    const isKnown =
      steady() < pausedUntil + KNOWN_MS && Math.abs(ms) <= KNOWN_TIMES * Math.abs(jumpMs);
    pausedUntil = Math.max(pausedUntil, steady() + (isKnown ? SETTLE_MS : PAUSE_MS));
    if (!isKnown) jumpMs = ms;
    wanted = true;
  };

  /** Notices a jump. */
  const look = (): void => {
    const moved = clock.now() - steady() - base;
    base += moved;
    if (Math.abs(moved) > JUMP_MS) jumped(moved);
  };

  /** Notices that the difference of the clocks changed. */
  const differ = (): void => {
    const { aheadMs = 0 } = clock;
    if (Math.abs(aheadMs - difference.aheadMs) <= CLOCKS_DIFFER_MS) return;
    difference = { aheadMs, since: steady() };
    wanted = true;
  };

  /** Continues what the process before this one noticed. A pause is running time. */
  const resume = async (): Promise<void> => {
    const { known, at, ...seen } = lastSeenIn(await read(LAST_SEEN));
    if (!known) return;
    const until = steady() + Math.min(seen.pausedMs, PAUSE_MS);
    if (until > pausedUntil) [pausedUntil, jumpMs] = [until, seen.jumpMs];
    const { aheadMs = 0, sameMs = 0 } = seen;
    if (Math.abs(aheadMs - difference.aheadMs) <= CLOCKS_DIFFER_MS) difference.since -= sameMs;
    const away = clock.now() - at;
    if (Math.abs(away) > GAP_MS) jumped(away);
  };

  const save = async (): Promise<void> => {
    if (savedAt === undefined) await resume();
    const value: LastSeen = {
      at: clock.now(),
      pausedMs: Math.max(-KNOWN_MS, Math.ceil(pausedUntil - steady())),
      jumpMs: Math.round(jumpMs),
      aheadMs: Math.round(difference.aheadMs),
      sameMs: Math.min(PAUSE_MS, Math.floor(steady() - difference.since)),
    };
    await write(LAST_SEEN, JSON.stringify(value));
    savedAt = steady();
    wanted = false;
  };

  const pause = (): PurgePause | undefined => {
    look();
    if (savedAt === undefined) return { reason: "starting" };
    const remainingMs = pausedUntil - steady();
    if (remainingMs > 0) return { reason: "clock_jumped", jumpMs, remainingMs };
    const { aheadMs = 0 } = clock;
    if (Math.abs(aheadMs) <= CLOCKS_DIFFER_MS) return undefined;
    if (othersAreRight) return { reason: "clocks_differ", aheadMs };
    const rest = difference.since + PAUSE_MS - steady();
    return rest > 0 ? { reason: "clocks_differ", aheadMs, remainingMs: rest } : undefined;
  };

  const tell = (log: Log): void => {
    const now = pause();
    const warning = now === undefined ? undefined : warningOf(now);
    if (warning === told) return;
    told = warning;
    if (now === undefined) log.info("the clock is trusted again: expired data is purged");
    else log.warn(warningOf(now), factsOf(now));
  };

  const { learn } = clock;
  return {
    now: () => clock.now(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    steady,
    get aheadMs() {
      return clock.aheadMs ?? 0;
    },
    pause,
    keep: (log) => {
      keeping ??= (async () => {
        try {
          await clock.compare?.(COMPARE_EVERY_MS);
          look();
          differ();
          wanted ||= told !== undefined && pause() === undefined;
          const everyMs = told === undefined ? SAVE_EVERY_MS : SAVE_PAUSE_EVERY_MS;
          if (wanted || savedAt === undefined || steady() - savedAt >= everyMs) await save();
          tell(log);
        } finally {
          keeping = undefined;
        }
      })();
      return keeping;
    },
    leave: async () => {
      await keeping?.catch(() => undefined);
      if (told !== undefined) await save();
    },
    ...(learn === undefined
      ? {}
      : {
          learn: (at, askedAt, right) => {
            learn(at, askedAt);
            othersAreRight = right;
          },
        }),
  };
}

function warningOf(pause: PurgePause): string {
  switch (pause.reason) {
    case "starting":
      return "nothing is purged yet";
    case "clocks_differ":
      return pause.remainingMs === undefined
        ? "the clock of this machine differs from the database's: this process purges nothing and leaves shared work to others"
        : "the clock of this machine differs from the database's: nothing is purged until the difference has been the same for a day";
    case "clock_jumped":
      return "the clock jumped: nothing is purged until it has run for a day";
  }
}

function factsOf(pause: PurgePause): Readonly<Record<string, number | string>> {
  const fix = "set the clocks of all machines, by NTP for example";
  switch (pause.reason) {
    case "starting":
      return {};
    case "clocks_differ":
      return { aheadMs: pause.aheadMs, ...restOf(pause), fix };
    case "clock_jumped":
      return { jumpMs: Math.round(pause.jumpMs), ...restOf(pause), fix };
  }
}

function restOf({ remainingMs }: { readonly remainingMs?: number | undefined }): {
  readonly remainingMs?: number;
} {
  return remainingMs === undefined ? {} : { remainingMs: Math.round(remainingMs) };
}

/**
 * Returns turns that are refused while the clock of the store is not trusted. All work that is done in turn deletes what is
 * over.
 */
export function trustedTurns(
  { clock }: { readonly clock?: StoreClock },
  log: Log,
  takeTurn: TakeTurn | undefined,
): TakeTurn | undefined {
  if (clock === undefined) return takeTurn;
  return async (what, everyMs) => {
    await clock.keep(log);
    if (clock.pause() !== undefined) return false;
    return (await takeTurn?.(what, everyMs)) ?? true;
  };
}
