import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "./clock.ts";
import type { Eventual } from "./eventual.ts";
import type { Log } from "./log.ts";
import type { TakeTurn } from "./rounds.ts";
import { CLOCKS_DIFFER_MS, type DatabaseClock } from "./database-clock.ts";

/** Why nothing that is kept for a time is deleted. */
export type PurgePause =
  /** It is not known yet when the store was last in use. */
  | { readonly reason: "starting" }
  /** The clock of this machine differs from the database's, so one of them is wrong. Other processes purge. */
  | { readonly reason: "clocks_differ"; readonly aheadMs: number }
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
  /** Takes a reading of the database's clock, as `DatabaseClock` does. Absent if it has none. */
  readonly learn?: DatabaseClock["learn"];
}

/** A greater change of the clock than a correction makes. The switch to summer time changes no clock of ours. */
const JUMP_MS: number = HOUR_MS;
/** How long a store may be out of use before the clock of a start must prove itself. */
const GAP_MS: number = DAY_MS;
/** Running time in which a wrong clock is noticed and corrected. */
const PAUSE_MS: number = DAY_MS;
const COMPARE_EVERY_MS: number = 30 * SECOND_MS;
const SAVE_EVERY_MS: number = 10 * MINUTE_MS;

/** The setting with the last time at which the store was in use. */
export const LAST_SEEN = "last seen";

/** What is stored. */
interface LastSeen {
  readonly at: number;
  /** How long the pause was to last then; 0: there was none. */
  readonly pausedMs: number;
  /** The jump that began it. */
  readonly jumpMs: number;
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
  /** By the steady clock. */
  let pausedUntil = -Infinity;
  let jumpMs = 0;
  let savedAt: number | undefined;
  let wanted = false;
  let told: PurgePause["reason"] | undefined;
  let keeping: Promise<void> | undefined;

  const pauseFor = (ms: number, jump: number): void => {
    const until = steady() + ms;
    if (until <= pausedUntil) return;
    pausedUntil = until;
    jumpMs = jump;
  };

  /** Notices a jump. */
  const look = (): void => {
    const moved = clock.now() - steady() - base;
    base += moved;
    if (Math.abs(moved) <= JUMP_MS) return;
    pauseFor(PAUSE_MS, moved);
    wanted = true;
  };

  const save = async (): Promise<void> => {
    const seen = lastSeenIn(await read(LAST_SEEN));
    const now = clock.now();
    if (seen.known) {
      const away = now - seen.at;
      if (savedAt === undefined && Math.abs(away) > GAP_MS) pauseFor(PAUSE_MS, away);
      // Another process may have noticed a jump. A pause is running time, also of this process.
      const rest = seen.pausedMs - (savedAt === undefined ? 0 : Math.abs(away));
      if (rest > 0 && rest <= PAUSE_MS) pauseFor(rest, seen.jumpMs);
    }
    const pausedMs = Math.max(0, Math.ceil(pausedUntil - steady()));
    const value: LastSeen = { at: now, pausedMs, jumpMs: Math.round(jumpMs) };
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
    return Math.abs(aheadMs) > CLOCKS_DIFFER_MS ? { reason: "clocks_differ", aheadMs } : undefined;
  };

  const tell = (log: Log): void => {
    const now = pause();
    if (now?.reason === told) return;
    told = now?.reason;
    if (now === undefined) log.info("the clock is trusted again: expired data is purged");
    else log.warn(WARNINGS[now.reason], factsOf(now));
  };

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
          if (wanted || savedAt === undefined || steady() - savedAt >= SAVE_EVERY_MS) await save();
          tell(log);
        } finally {
          keeping = undefined;
        }
      })();
      return keeping;
    },
    ...(clock.learn === undefined ? {} : { learn: clock.learn }),
  };
}

const WARNINGS: { readonly [Reason in PurgePause["reason"]]: string } = {
  starting: "nothing is purged yet",
  clocks_differ:
    "the clock of this machine differs from the database's: this process purges nothing and leaves shared work to others",
  clock_jumped: "the clock jumped: nothing is purged until it has run for a day",
};

function factsOf(pause: PurgePause): Readonly<Record<string, number | string>> {
  const fix = "set the clocks of all machines, by NTP for example";
  switch (pause.reason) {
    case "starting":
      return {};
    case "clocks_differ":
      return { aheadMs: pause.aheadMs, fix };
    case "clock_jumped":
      return { jumpMs: Math.round(pause.jumpMs), remainingMs: Math.round(pause.remainingMs), fix };
  }
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
