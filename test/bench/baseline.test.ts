import { expect, test } from "bun:test";

import { regressions, regressionText, type BaselineFigure } from "../../bench/baseline.ts";
import { atLeast, atMost, equalWithin, figure, type Figure, type Goal } from "../../bench/row.ts";

const measured = (value: number, goal: Goal): Figure =>
  figure(
    { row: 1, what: "list", against: "a peer", ours: value, theirs: 1, unit: "req/s", value },
    goal,
  );
const kept = (value: number, goal: Goal): BaselineFigure => ({
  ...measured(value, goal),
  at: "2026-11-23T00:00:00.000Z",
  quiet: true,
});

test.each([
  [atLeast(1), 0.6, 0.58, false],
  [atLeast(1), 0.6, 0.56, true],
  [atLeast(1), 0.6, 0.9, false],
  [atMost(1, "ms"), 10, 10.4, false],
  [atMost(1, "ms"), 10, 10.6, true],
  [atMost(1, "queries"), 0, 1, true],
  [equalWithin(0.1), 1.02, 0.95, false],
  [equalWithin(0.1), 1.02, 0.92, true],
])("a value that should be %o: %d after %d", (goal, before, now, regressed) => {
  const found = regressions([kept(before, goal)], [measured(now, goal)]);
  expect(found.length === 1).toBe(regressed);
});

test("servers are compared by their CPU time", () => {
  const goal = atLeast(1);
  const before = { ...kept(0.8, goal), cpuRatio: 0.7 };
  expect(regressions([before], [{ ...measured(0.4, goal), cpuRatio: 0.7 }])).toEqual([]);
  const [found] = regressions([before], [{ ...measured(0.8, goal), cpuRatio: 0.6 }]);
  expect(found && regressionText(found)).toContain(
    "0.60, worse than the 0.70 of 2026-11-23 (CPU time)",
  );
});

test("a regression names the row and the earlier value, and figures without one are skipped", () => {
  const goal = atLeast(1);
  const [found] = regressions([{ ...kept(0.8, goal), quiet: false }], [measured(0.7, goal)]);
  expect(found && regressionText(found)).toBe(
    "Row 1, list, against a peer: 0.70, worse than the 0.80 of 2026-11-23, measured on a busy machine",
  );
  expect(regressions([], [measured(0.7, goal)])).toEqual([]);
});
