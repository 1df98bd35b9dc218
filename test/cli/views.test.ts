import { expect, test } from "bun:test";

import { readableBytes } from "../../lib/base/readable.ts";
import type { Style } from "../../server/process/log.ts";
import { usageChart } from "../../cli/usage.ts";
import type { UsageRow } from "../../lib/management/index.ts";

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_000, "1.0 kB"],
  [9_940, "9.9 kB"],
  [9_960, "10 kB"],
  [999_499, "999 kB"],
  [999_500, "1.0 MB"],
  [262_144_000, "262 MB"],
  [5_000_000_000_000, "5000 GB"],
])("%d bytes are read as %s", (bytes, written) => {
  expect(readableBytes(bytes)).toBe(written);
});

const bare: Style = {
  dim: (text) => text,
  yellow: (text) => text,
  green: (text) => text,
  red: (text) => text.replaceAll("█", "!"),
};

const row = (at: number, requests: number, limited = 0): UsageRow => ({
  keyId: "k",
  environment: "production",
  operation: "listPets",
  at,
  requests,
  limited,
  refused: 0,
  failed: 0,
});

test("the busiest day has the longest bar, and requests over the limit are marked", () => {
  const day = 86_400_000;
  const chart = usageChart([row(day, 10), row(0, 20), row(day, 30, 20), row(0, 1)], "day", bare);
  expect(chart.split("\n")).toEqual([
    `1970-01-01  ${"█".repeat(21)} 21`,
    `1970-01-02  ${"█".repeat(20)}${"!".repeat(20)} 40, 20 over the limit`,
    "",
  ]);
});

test("a minute with a single request has a visible bar next to a busy one", () => {
  const chart = usageChart([row(0, 1, 1), row(60_000, 1_000_000)], "minute", bare);
  expect(chart.split("\n")[0]).toBe("1970-01-01 00:00  ! 1, 1 over the limit");
});
