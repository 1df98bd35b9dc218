import { expect, test } from "bun:test";

import { Traffic } from "../../../lib/base/traffic.ts";

const MANY = 500;
const FEW = 25;
const NOW = 1_794_960_000_000;

test("bulk work writes few rows at once after two requests within five seconds", () => {
  const traffic = new Traffic();
  expect(traffic.rowsAtOnce(NOW)).toBe(MANY);
  traffic.arrived(NOW);
  expect(traffic.rowsAtOnce(NOW)).toBe(MANY);
  traffic.arrived(NOW + 1_000);
  expect(traffic.rowsAtOnce(NOW + 1_000)).toBe(FEW);
  expect(traffic.rowsAtOnce(NOW + 4_999)).toBe(FEW);
  expect(traffic.rowsAtOnce(NOW + 5_000)).toBe(MANY);
});

test("a caller that asks every four seconds is not enough, one that asks every two seconds is", () => {
  for (const [everyMs, rows] of [
    [4_000, MANY],
    [2_000, FEW],
  ] as const) {
    const traffic = new Traffic();
    for (let at = NOW; at <= NOW + 40_000; at += everyMs) traffic.arrived(at);
    expect(traffic.rowsAtOnce(NOW + 41_500)).toBe(rows);
  }
});

test("a clock that is set back does not slow down bulk work for longer", () => {
  const traffic = new Traffic();
  traffic.arrived(NOW);
  traffic.arrived(NOW);
  expect(traffic.rowsAtOnce(NOW - 3_600_000)).toBe(MANY);
});
