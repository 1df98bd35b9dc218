import { MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";

/**
 * Where limits are counted. In the two states of a move neither side counts, and requests wait.
 *
 *                    Redis has been usable for a while
 *     ┌──────────┐ ─────────────────────────────────────▶ ┌──────────┐
 *     │ postgres │                                         │ to-redis │  The counters are copied to Redis.
 *     └──────────┘ ◀───────────────────────────────────── └──────────┘
 *           ▲         the copy failed, or was abandoned          │
 *           │                                                    │ copied
 *           │ all nodes have had time                            │
 *           │ to report what they saw                            ▼
 *     ┌─────────────┐              Redis was lost           ┌─────────┐
 *     │ to-postgres │ ◀──────────────────────────────────── │  redis  │
 *     └─────────────┘                                       └─────────┘
 *      The nodes add what they saw in Redis.
 *
 * The state is a row of the database (hand-over.sql), so that all nodes agree. PostgreSQL checks the row with each decision. A
 * node counts in Redis only while its reading of the row is valid, and only with the epoch and the run that the row names: a
 * server that restarted, was flushed or was replaced has forgotten counts. Any node can finish a move that another one began.
 */
export type CountingState = "postgres" | "to-redis" | "redis" | "to-postgres";

/** The row that says where all nodes count limits. */
export interface CountingRow {
  readonly state: CountingState;
  /** Names the counters of one stay in Redis. Increases with each change but the last one of a move to Redis. */
  readonly epoch: number;
  /** Identifies the run of the Redis server; empty unless the state is `to-redis` or `redis`. */
  readonly run: string;
  /** Time since the last change. */
  readonly ageMs: number;
  /** How long PostgreSQL counts before the next move to Redis. Grows when Redis fails soon after a move. */
  readonly pauseMs: number;
}

/** What a node has observed that may change the state. */
export type Observation =
  | { readonly kind: "Redis is usable"; readonly run: string; readonly forMs: number }
  | { readonly kind: "Redis was lost" }
  | { readonly kind: "copied" }
  | { readonly kind: "the copy failed" }
  /** The node has known the row in this state for so long, and has reported what it saw in Redis. */
  | { readonly kind: "waited"; readonly forMs: number };

/** How long a reading of the row is valid, which is how long a node may count in Redis after another one has ended that. */
export const READING_VALID_MS = 500;
/** After this time all readings of `redis` have expired, and the nodes that had one have reported. */
const SETTLED_MS: number = READING_VALID_MS + 100;
/** When another node takes a move to Redis back. */
const ABANDONED_MS: number = 5 * SECOND_MS;
/** How long Redis must have been usable. */
const STEADY_MS: number = SECOND_MS;
/** If Redis fails within this time, the pause doubles. */
const SHORT_STAY_MS: number = MINUTE_MS;
const SHORTEST_PAUSE_MS: number = 5 * SECOND_MS;
const LONGEST_PAUSE_MS: number = 5 * MINUTE_MS;

/** Returns the row after an observation; undefined if the observation does not change it. */
export function nextRow(
  { state, epoch, run, ageMs, pauseMs }: CountingRow,
  observed: Observation,
): Omit<CountingRow, "ageMs"> | undefined {
  const { kind } = observed;
  const longerPauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pauseMs * 2));
  switch (state) {
    case "postgres":
      return kind === "Redis is usable" && observed.forMs >= STEADY_MS && ageMs >= pauseMs
        ? { state: "to-redis", epoch: epoch + 1, run: observed.run, pauseMs }
        : undefined;
    case "to-redis":
      if (kind === "copied") return { state: "redis", epoch, run, pauseMs };
      return kind === "the copy failed" || (kind === "waited" && observed.forMs > ABANDONED_MS)
        ? { state: "postgres", epoch: epoch + 1, run: "", pauseMs: longerPauseMs }
        : undefined;
    case "redis":
      return kind === "Redis was lost"
        ? {
            state: "to-postgres",
            epoch: epoch + 1,
            run: "",
            pauseMs: ageMs < SHORT_STAY_MS ? longerPauseMs : SHORTEST_PAUSE_MS,
          }
        : undefined;
    case "to-postgres":
      return kind === "waited" && observed.forMs > SETTLED_MS
        ? { state: "postgres", epoch: epoch + 1, run: "", pauseMs }
        : undefined;
  }
}
