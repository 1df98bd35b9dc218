import { expect, test } from "bun:test";

import { contentRange, rangeOf } from "../../../../lib/publishing/serving/send-file.ts";
import { chance } from "../../../helpers/chance.ts";

test.each([
  ["bytes=0-0", 10, { start: 0, end: 1 }],
  ["bytes=0-9", 10, { start: 0, end: 10 }],
  ["bytes=2-", 10, { start: 2, end: 10 }],
  ["bytes=-3", 10, { start: 7, end: 10 }],
  ["bytes=-30", 10, { start: 0, end: 10 }],
  ["bytes=5-99999999999999999999", 10, { start: 5, end: 10 }],
  ["BYTES= 1-2 ", 10, { start: 1, end: 3 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=99999999999999999999-", 10, "unsatisfiable"],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-1", 0, "unsatisfiable"],
  ["bytes=3-2", 10, "whole"],
  ["bytes=0-1,3-4", 10, "whole"],
  ["bytes=-", 10, "whole"],
  ["bytes=", 10, "whole"],
  ["bytes=a-b", 10, "whole"],
  ["bytes=1.5-2", 10, "whole"],
  ["bytes=+1-2", 10, "whole"],
  ["items=0-1", 10, "whole"],
  ["0-1", 10, "whole"],
  [`bytes=${"1".repeat(21)}-`, 10, "whole"],
] as const)("%s of %i bytes is %p", (header, size, ranged) => {
  expect(rangeOf(header, size)).toEqual(ranged);
});

test("a range lies within the file and has at least one byte", () => {
  const { true: happens, between } = chance();
  const number = (): string => (happens(0.3) ? "" : String(between(0, 30)));
  for (let round = 0; round < 2_000; round++) {
    const size = between(0, 20);
    const range = rangeOf(`bytes=${number()}-${number()}`, size);
    if (typeof range === "string") continue;
    expect(range.start).toBeGreaterThanOrEqual(0);
    expect(range.end).toBeLessThanOrEqual(size);
    expect(range.end).toBeGreaterThan(range.start);
  }
});

test("`Content-Range` includes the last byte, or only the size for a 416", () => {
  expect(contentRange({ start: 2, end: 5 }, 10)).toBe("bytes 2-4/10");
  expect(contentRange(undefined, 10)).toBe("bytes */10");
});
