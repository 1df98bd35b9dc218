import { SECOND_MS, type Clock } from "./clock.ts";

/** The clock of a database, which all processes that share it judge data by. Between two readings it runs steadily. */
export interface DatabaseClock extends Clock {
  steady(): number;
  /** Milliseconds by which the clock of this machine is ahead of the database's now. */
  readonly aheadMs: number;
  /**
   * Reads the database's clock, unless that was done less than `maxAgeMs` ago and this machine neither slept nor had its clock
   * set since then. Rejects if the database does not answer.
   */
  compare(maxAgeMs: number): Promise<void>;
  /** Takes a reading that a statement returned. The statement was sent at `askedAt`, by `steady`. */
  learn(at: number, askedAt: number): void;
}

/** Reads the database's clock a first time. `ask` returns its time in milliseconds since the Unix epoch. */
export async function databaseClock({
  ask,
  machine,
}: {
  readonly ask: () => Promise<number>;
  /** The clock of this machine. */
  readonly machine: Clock;
}): Promise<DatabaseClock> {
  const steady = (): number => machine.steady?.() ?? machine.now();
  /** What to add to the steady clock; unknown at first. */
  let offset: number | undefined;
  let readAt = -Infinity;
  /** By how much the clock of the machine was ahead of the steady one at the last reading. */
  let wallAhead = 0;

  const learn = (at: number, askedAt: number): void => {
    const repliedAt = steady();
    // The database read its clock between the two instants. Within these bounds the offset stays, so that the time of a
    // reply moves no clock.
    const [least, most] = [at - repliedAt, at - askedAt];
    offset = offset === undefined ? (least + most) / 2 : Math.min(Math.max(offset, least), most);
    readAt = repliedAt;
    wallAhead = machine.now() - repliedAt;
  };
  const read = async (): Promise<void> => {
    const askedAt = steady();
    learn(await ask(), askedAt);
  };
  const now = (): number => Math.floor(steady() + (offset ?? 0));

  await read();
  return {
    now,
    sleep: (ms, signal) => machine.sleep(ms, signal),
    steady,
    get aheadMs() {
      return machine.now() - now();
    },
    compare: async (maxAgeMs) => {
      const moved = Math.abs(machine.now() - steady() - wallAhead) > SECOND_MS;
      if (moved || steady() - readAt >= maxAgeMs) await read();
    },
    learn,
  };
}

/** How far clocks of machines may differ before one of them is called wrong. */
export const CLOCKS_DIFFER_MS: number = 60 * SECOND_MS;
