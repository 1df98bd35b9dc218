import { describe, expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "../../../lib/base/clock.ts";
import {
  charged,
  crossed,
  endOf,
  refunded,
  pick,
  retryAfterSeconds,
  viewOf,
  windowAt,
  type WindowView,
} from "../../../lib/model/window.ts";

const NOON = Date.UTC(2026, 10, 20, 12);

function minute(remaining: number, resetsAt: number): WindowView {
  return { name: "minute", limit: 60, remaining, resetsAt, lengthSeconds: 60 };
}

function day(remaining: number, resetsAt: number): WindowView {
  return { name: "day", limit: 1_000, remaining, resetsAt, lengthSeconds: 86_400 };
}

describe("a window", () => {
  const begun = charged(windowAt(undefined, "minute", NOON + 999));

  test("starts at the whole second of its first request", () => {
    expect(begun.startAt).toBe(NOON);
    expect(endOf(begun, "minute")).toBe(NOON + MINUTE_MS);
    expect(endOf(begun, "day")).toBe(NOON + DAY_MS);
  });

  test("lasts exactly until its end", () => {
    expect(windowAt(begun, "minute", NOON + MINUTE_MS - 1)).toBe(begun);
    const next = windowAt(begun, "minute", NOON + MINUTE_MS);
    expect(next).toEqual({ startAt: NOON + MINUTE_MS, used: 0, peak: 0 });
  });

  test("restarts with its count when the clock is set back before its start", () => {
    const earlier = NOON - 2 * DAY_MS;
    expect(windowAt(begun, "minute", earlier + 1)).toEqual({ ...begun, startAt: earlier });
  });

  test("stays unchanged when the clock is set back within it", () => {
    expect(windowAt(begun, "minute", NOON)).toBe(begun);
  });

  test("refunds at most what was used", () => {
    expect(refunded(begun).used).toBe(0);
    expect(refunded(refunded(begun)).used).toBe(0);
  });

  test("has nothing remaining, and not less, if more than the limit was used", () => {
    const twice = charged(begun);
    expect(viewOf(twice, "minute", 1).remaining).toBe(0);
    expect(viewOf(twice, "minute", 2).remaining).toBe(0);
    expect(viewOf(twice, "minute", 3).remaining).toBe(1);
  });
});

describe("the crossed percentage", () => {
  const used = (count: number, peak = count) => ({ startAt: NOON, used: count, peak });

  test.each([
    [78, 79, 100, undefined],
    [79, 80, 100, 80],
    [80, 81, 100, undefined],
    [99, 100, 100, 100],
    [0, 1, 1, 100],
    [3, 4, 5, 80],
    [4, 5, 6, 80],
    [5, 6, 6, 100],
    [799_999_999, 800_000_000, 1_000_000_000, 80],
  ])("from %d to %d of %d it is %p", (before, after, limit, percent) => {
    expect(crossed(used(before), used(after), limit)).toBe(percent as 80 | 100 | undefined);
  });

  test("is not reported again for a refunded request", () => {
    expect(crossed(used(79, 80), used(80, 80), 100)).toBeUndefined();
  });

  test("is reported again under a larger plan", () => {
    expect(crossed(used(799), used(800), 1_000)).toBe(80);
  });
});

describe("the window in the headers", () => {
  test("is the one that refuses", () => {
    expect(pick([minute(3, NOON + 9_000), day(0, NOON + 1_000)]).name).toBe("day");
    expect(pick([minute(0, NOON + 1_000), day(3, NOON + 9_000)]).name).toBe("minute");
  });

  test("is the later reset of two that refuse", () => {
    expect(pick([minute(0, NOON + 9_000), day(0, NOON + 1_000)]).name).toBe("minute");
    expect(pick([minute(0, NOON + 1_000), day(0, NOON + 9_000)]).name).toBe("day");
  });

  test("is otherwise the one with fewer remaining requests", () => {
    expect(pick([minute(3, NOON + 9_000), day(4, NOON + 1_000)]).name).toBe("minute");
    expect(pick([minute(4, NOON + 1_000), day(3, NOON + 9_000)]).name).toBe("day");
  });

  test("is the later reset of two with the same remaining requests", () => {
    expect(pick([minute(3, NOON + 9_000), day(3, NOON + 1_000)]).name).toBe("minute");
    expect(pick([minute(3, NOON + 1_000), day(3, NOON + 9_000)]).name).toBe("day");
  });

  test("is the only one", () => {
    expect(pick([minute(3, NOON)]).remaining).toBe(3);
  });
});

describe("Retry-After", () => {
  test("lasts until all refusing windows have reset", () => {
    const windows = [minute(0, NOON + 30_000), day(0, NOON + 10_000)] as const;
    expect(retryAfterSeconds({ at: NOON, windows })).toBe(30);
  });

  test("ignores windows that do not refuse", () => {
    const windows = [minute(0, NOON + 30_000), day(1, NOON + DAY_MS)] as const;
    expect(retryAfterSeconds({ at: NOON, windows })).toBe(30);
  });

  test("is rounded up", () => {
    expect(retryAfterSeconds({ at: NOON + 1, windows: [minute(0, NOON + 30_000)] })).toBe(30);
    expect(retryAfterSeconds({ at: NOON + 999, windows: [minute(0, NOON + 30_000)] })).toBe(30);
    expect(retryAfterSeconds({ at: NOON + 1_000, windows: [minute(0, NOON + 30_000)] })).toBe(29);
  });

  test("is at least one second", () => {
    expect(retryAfterSeconds({ at: NOON, windows: [minute(1, NOON + 30_000)] })).toBe(1);
    expect(retryAfterSeconds({ at: NOON, windows: [minute(0, NOON)] })).toBe(1);
  });
});
