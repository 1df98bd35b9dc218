import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";

import { handedCounters } from "../../adapters/redis/handed-limits.ts";
import type { CountingRow, CountingState } from "../../adapters/redis/hand-over.ts";
import type { PostgresCounters, SeenCounter } from "../../adapters/postgres/limits.ts";
import type { RedisCounters } from "../../adapters/redis/limits.ts";
import type { Applied, CounterStep } from "../../lib/accounts/shared-counters.ts";
import { StoreUnavailable } from "../../lib/sql/sql.ts";

// The steps are real; both sides are stand-ins, so that a reply can be late and a row can change at a certain moment.

const SPEND: CounterStep = ["spend", 1, "", 0, ["catalogue 1", 1, 60_000, 10, 0, 0]];
const granted: Applied = { at: 1_000, outcomes: [[1, 0, [0, 3, 3]]] };

let now = 0;
let elapsed: { mockRestore(): void };
beforeEach(() => {
  now = 10_000;
  elapsed = spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => elapsed.mockRestore());

function sides(begun: CountingState) {
  const state = {
    row: { state: begun, epoch: 1, run: "run", ageMs: 60_000, pauseMs: 0 } as CountingRow,
    added: [] as SeenCounter[],
    moves: [] as CountingState[],
    add: async (counters: readonly SeenCounter[]): Promise<void> => {
      state.added.push(...counters);
    },
    inRedis: async (): Promise<Applied> => granted,
    spentInPostgres: 0,
  };
  const postgres: PostgresCounters = {
    setUp: async () => {},
    applyOr: async () => {
      if (state.row.state !== "postgres") return state.row;
      state.spentInPostgres++;
      return granted;
    },
    row: async () => state.row,
    move: async (_from, to) => {
      state.moves.push(to.state);
      state.row = { ...to, ageMs: 0 };
      return state.row;
    },
    counters: async () => ({ counters: [], at: 0 }),
    add: (counters) => state.add(counters),
    save: async () => {},
  };
  const redis: RedisCounters = {
    server: async () => ({ run: "run" }) as Awaited<ReturnType<RedisCounters["server"]>>,
    apply: async () => granted,
    applyIn: () => state.inRedis(),
    begin: async () => {},
    close: () => {},
  };
  return { state, counters: handedCounters({ postgres, redis }) };
}

test("a reply of Redis that arrives after its reading of the row has expired does not count, if counting has moved", async () => {
  const { state, counters } = sides("redis");
  await counters.apply([SPEND]);
  state.inRedis = async () => {
    // This process was paused for longer than a reading is valid, and the others have left Redis.
    now += 600;
    state.row = { ...state.row, state: "postgres", epoch: 3 };
    return granted;
  };
  await counters.apply([SPEND]);
  expect(state.spentInPostgres).toBe(1);
});

test("what a node has seen in Redis is reported again if the database did not take it", async () => {
  const { state, counters } = sides("redis");
  await counters.apply([SPEND]);
  const { add } = state;
  state.add = async () => {
    throw new StoreUnavailable("The database is away.");
  };
  await expect(counters.save()).rejects.toBeInstanceOf(StoreUnavailable);
  state.add = add;
  await counters.save();
  expect(state.added).toMatchObject([{ name: "catalogue 1", numbers: [0, 4, 4] }]);
});

test("counting moves to Redis only when it has been usable for a second", async () => {
  const { state, counters } = sides("postgres");
  await counters.tend();
  now += 900;
  await counters.tend();
  expect(state.moves).toEqual([]);
  now += 100;
  await counters.tend();
  expect(state.moves).toEqual(["to-redis", "redis"]);
});
