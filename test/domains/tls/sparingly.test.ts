import { expect, test } from "bun:test";

import { sparingly } from "../../../domains/tls/sparingly.ts";
import { manualClock } from "../../helpers/clock.ts";

test("of failures that come all the time one in ten seconds is told, with the number of the others", () => {
  const clock = manualClock(0);
  const told: unknown[] = [];
  const tell = sparingly(clock, (error, untold) => told.push([error, untold]));
  for (let second = 0; second < 21; second++) {
    tell(second);
    clock.advance(1_000);
  }
  expect(told).toEqual([
    [0, 0],
    [10, 9],
    [20, 9],
  ]);
});
