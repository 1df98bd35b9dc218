import { describe, expect, test } from "bun:test";

import { closingLine, sum, tallyOf } from "./tally.ts";

const report = (counts: string, ...files: readonly string[]): string =>
  `<testsuites name="bun test" ${counts} time="1">\n${files
    .map((file) => `<testsuite name="x" file="${file}" tests="9" failures="9" skipped="9">`)
    .join("\n")}`;

describe("the counts of one bun test", () => {
  test("come from the head of its report", () => {
    const text = report('tests="7" assertions="9" failures="1" skipped="2"', "a.test.ts");
    expect(tallyOf(text, 1, ["a.test.ts"])).toEqual({ passed: 4, failed: 1, skipped: 2 });
  });

  test("are one failure when it died without a report", () => {
    expect(tallyOf(undefined, 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(tallyOf("", 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test("hold a failure for each file that broke before its first test", () => {
    const text = report('tests="2" failures="0" skipped="0"', "a.test.ts");
    expect(tallyOf(text, 1, ["a.test.ts", "b.test.ts", "c.test.ts"])).toEqual({
      passed: 2,
      failed: 2,
      skipped: 0,
    });
  });

  test("hold a failure when all is well but the exit code", () => {
    const text = report('tests="2" failures="0" skipped="0"', "a.test.ts");
    expect(tallyOf(text, 137, ["a.test.ts"]).failed).toBe(1);
  });

  test("hold a failure when nothing ran", () => {
    const text = report('tests="2" failures="0" skipped="2"', "a.test.ts");
    expect(tallyOf(text, 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 2 });
  });

  test("are empty when a filter left nothing", () => {
    const text = report('tests="2" failures="0" skipped="2"', "a.test.ts");
    const tally = tallyOf(text, 1, ["a.test.ts"], { filtered: true });
    expect(tally).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

test("the closing line speaks of skipped tests only if there are any", () => {
  const tallies = [
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 2, failed: 1, skipped: 0 },
  ];
  expect(closingLine(sum(tallies))).toBe("3 passed, 1 failed");
  expect(closingLine({ passed: 3, failed: 0, skipped: 2 })).toBe("3 passed, 0 failed, 2 skipped");
});
