import { expect, test } from "bun:test";

import { throttled } from "../../../domains/tls/greeting.ts";
import { manualClock } from "../../helpers/clock.ts";

test("repeated failures are reported once in ten seconds, with the number of omitted ones", () => {
  const clock = manualClock(0);
  const reported: unknown[] = [];
  const report = throttled(clock, (error, suppressed) => reported.push([error, suppressed]));
  for (let second = 0; second < 21; second++) {
    report(second);
    clock.advance(1_000);
  }
  expect(reported).toEqual([
    [0, 0],
    [10, 9],
    [20, 9],
  ]);
});
