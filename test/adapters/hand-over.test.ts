import { expect, test } from "bun:test";

import {
  type CountingRow,
  type CountingState,
  nextRow,
  type Observation,
} from "../../adapters/redis/hand-over.ts";

const row = (state: CountingState, of: Partial<CountingRow> = {}): CountingRow => ({
  ...{ state, epoch: 4, run: state === "redis" || state === "to-redis" ? "first" : "" },
  ...{ ageMs: 60_000, pauseMs: 20_000 },
  ...of,
});
const usable = (forMs: number): Observation => ({ kind: "Redis is usable", run: "second", forMs });
const lost: Observation = { kind: "Redis was lost" };
const copied: Observation = { kind: "copied" };
const failed: Observation = { kind: "the copy failed" };
const waited = (forMs: number): Observation => ({ kind: "waited", forMs });

type Changed = Omit<CountingRow, "ageMs"> | undefined;
const stays = undefined;
const toRedis: Changed = { state: "to-redis", epoch: 5, run: "second", pauseMs: 20_000 };
const inRedis: Changed = { state: "redis", epoch: 4, run: "first", pauseMs: 20_000 };
const toPostgres: Changed = { state: "to-postgres", epoch: 5, run: "", pauseMs: 5_000 };
const inPostgres: Changed = { state: "postgres", epoch: 5, run: "", pauseMs: 20_000 };
const pausing = (pauseMs: number): Pick<CountingRow, "pauseMs"> => ({ pauseMs });

const table: readonly (readonly [CountingRow, Observation, Changed])[] = [
  [row("postgres"), usable(1_000), toRedis],
  [row("postgres"), usable(999), stays],
  [row("postgres", { ageMs: 19_999 }), usable(1_000), stays],
  [row("postgres", { ageMs: 20_000 }), usable(1_000), toRedis],
  [row("postgres"), lost, stays],
  [row("postgres"), copied, stays],
  [row("postgres"), failed, stays],
  [row("postgres"), waited(60_000), stays],

  [row("to-redis"), copied, inRedis],
  [row("to-redis"), failed, { ...inPostgres, ...pausing(40_000) }],
  [row("to-redis"), waited(5_000), stays],
  [row("to-redis"), waited(5_001), { ...inPostgres, ...pausing(40_000) }],
  [row("to-redis"), usable(60_000), stays],
  [row("to-redis"), lost, stays],

  [row("redis"), lost, toPostgres],
  [row("redis", { ageMs: 59_999 }), lost, { ...toPostgres, ...pausing(40_000) }],
  [row("redis", { ageMs: 0, pauseMs: 0 }), lost, { ...toPostgres, ...pausing(5_000) }],
  [row("redis", { ageMs: 0, ...pausing(200_000) }), lost, { ...toPostgres, ...pausing(300_000) }],
  [row("redis"), usable(60_000), stays],
  [row("redis"), copied, stays],
  [row("redis"), failed, stays],
  [row("redis"), waited(60_000), stays],

  [row("to-postgres"), waited(600), stays],
  [row("to-postgres"), waited(601), inPostgres],
  [row("to-postgres"), usable(60_000), stays],
  [row("to-postgres"), lost, stays],
  [row("to-postgres"), copied, stays],
  [row("to-postgres"), failed, stays],
];

test("each observation changes the row in each state as drawn", () => {
  for (const [from, observed, to] of table) {
    expect({ from, observed, to: nextRow(from, observed) }).toEqual({ from, observed, to });
  }
  const pairs = new Set(table.map(([{ state }, { kind }]) => `${state}: ${kind}`));
  expect(pairs.size).toBe(4 * 5);
});
