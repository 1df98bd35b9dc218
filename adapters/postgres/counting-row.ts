import { systemClock } from "../../lib/base/clock.ts";
import type { Log } from "../../lib/base/log.ts";
import { nextRow, type CountingRow, type Observation } from "../redis/hand-over.ts";
import type { PostgresCounters } from "./limits.ts";

/** The row that says where limits are counted, as this node last read it. Times are of a clock that is never set. */
export class KnownRow {
  readonly #postgres: PostgresCounters;
  readonly #log: Log;
  /** Called when another node has stopped Redis: it may soon finish the move. */
  readonly #onRedisStopped: () => void;
  #row: CountingRow = { state: "postgres", epoch: 0, run: "", ageMs: 0, pauseMs: 0 };
  #readAt = -Infinity;
  #readRedisAt = -Infinity;
  #seenSince = 0;
  #movedAt: number | undefined;
  #reading: Promise<CountingRow> | undefined;

  constructor(postgres: PostgresCounters, log: Log, onRedisStopped: () => void) {
    this.#postgres = postgres;
    this.#log = log;
    this.#onRedisStopped = onRedisStopped;
  }

  get row(): CountingRow {
    return this.#row;
  }

  /** When the last reading was asked for. */
  get readAt(): number {
    return this.#readAt;
  }

  /** When the last reading that named Redis was asked for. */
  get readRedisAt(): number {
    return this.#readRedisAt;
  }

  /** When this node first saw the row in its present state. */
  get seenSince(): number {
    return this.#seenSince;
  }

  /** When counting last moved, in milliseconds since the Unix epoch; undefined if it never has. */
  get movedAt(): number | undefined {
    return this.#movedAt;
  }

  /** Reads the row. Concurrent calls share a reading, which may have begun earlier. */
  read(): Promise<CountingRow> {
    this.#reading ??= (async () => {
      const askedAt = performance.now();
      try {
        return this.learn(await this.#postgres.row(), askedAt);
      } finally {
        this.#reading = undefined;
      }
    })();
    return this.#reading;
  }

  /** Changes the row from `from`, if the observation changes it and no other node has. Returns the changed row. */
  async advance(from: CountingRow, observed: Observation): Promise<CountingRow | undefined> {
    const to = nextRow(from, observed);
    if (to === undefined) return undefined;
    const askedAt = performance.now();
    const moved = await this.#postgres.move(from, to);
    return moved === undefined ? undefined : this.learn(moved, askedAt);
  }

  /** Notes a row that was asked for at `askedAt`. */
  learn(row: CountingRow, askedAt: number): CountingRow {
    const { state, epoch } = this.#row;
    if (row.state !== state || row.epoch !== epoch) {
      this.#seenSince = performance.now();
      this.#log.info("the counting of limits moves", { to: row.state, epoch: row.epoch });
      if (row.state === "to-postgres") this.#onRedisStopped();
    }
    // The first epoch has never moved.
    this.#movedAt = row.epoch === 0 ? undefined : systemClock.now() - row.ageMs;
    this.#row = row;
    this.#readAt = askedAt;
    if (row.state === "redis") this.#readRedisAt = askedAt;
    return row;
  }
}
