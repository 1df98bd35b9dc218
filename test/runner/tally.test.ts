import { describe, expect, test } from "bun:test";

import { closingLine, failedIn, skippedIn, strictly, sum, tallyOf } from "./tally.ts";

const report = (counts: string, ...files: readonly string[]): string =>
  `<testsuites name="bun test" ${counts} time="1">\n${files
    .map((file) => `<testsuite name="x" file="${file}" tests="9" failures="9" skipped="9">`)
    .join("\n")}`;

describe("the counts of one `bun test`", () => {
  test("come from the start of its report", () => {
    const text = report('tests="7" assertions="9" failures="1" skipped="2"', "a.test.ts");
    expect(tallyOf(text, 1, ["a.test.ts"])).toEqual({ passed: 4, failed: 1, skipped: 2 });
  });

  test("are one failure if it died without a report", () => {
    expect(tallyOf(undefined, 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(tallyOf("", 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test("include a failure for each file that failed before its first test", () => {
    const text = report('tests="2" failures="0" skipped="0"', "a.test.ts");
    expect(tallyOf(text, 1, ["a.test.ts", "b.test.ts", "c.test.ts"])).toEqual({
      passed: 2,
      failed: 2,
      skipped: 0,
    });
  });

  test("include a failure if only the exit code is bad", () => {
    const text = report('tests="2" failures="0" skipped="0"', "a.test.ts");
    expect(tallyOf(text, 137, ["a.test.ts"]).failed).toBe(1);
  });

  test("include a failure if no test ran", () => {
    const text = report('tests="2" failures="0" skipped="2"', "a.test.ts");
    expect(tallyOf(text, 0, ["a.test.ts"])).toEqual({ passed: 0, failed: 1, skipped: 2 });
  });

  test("are zero if a filter excluded every test", () => {
    const text = report('tests="2" failures="0" skipped="2"', "a.test.ts");
    const tally = tallyOf(text, 1, ["a.test.ts"], { filtered: true });
    expect(tally).toEqual({ passed: 0, failed: 0, skipped: 0 });
  });
});

describe("a test that skips itself", () => {
  test("is a failure where skipping is not allowed", () => {
    const tally = { passed: 4, failed: 1, skipped: 2 };
    expect(strictly(tally)).toEqual({ passed: 4, failed: 3, skipped: 0 });
  });

  test("is reported with its file", () => {
    const text = `<testsuites name="bun test" tests="3" failures="0" skipped="2">
  <testsuite name="a.test.ts" file="a.test.ts" tests="3" failures="0" skipped="2">
    <testsuite name="IPv6" file="a.test.ts" tests="1" failures="0" skipped="1">
      <testcase name="&quot;::1&quot; &amp; &lt;b&gt;" classname="IPv6" time="0" file="a.test.ts" line="2">
        <skipped />
      </testcase>
    </testsuite>
    <testcase name="fine" classname="" time="0" file="a.test.ts" line="3" />
    <testcase name="later" classname="" time="0" file="a.test.ts" line="4">
      <skipped message="TODO" />
    </testcase>
  </testsuite>
</testsuites>`;
    expect(skippedIn(text)).toEqual(['a.test.ts: "::1" & <b>', "a.test.ts: later"]);
  });
});

test("a failed test is reported with its file", () => {
  const text = `<testsuites name="bun test" tests="3" failures="2" skipped="0">
  <testcase name="fine" classname="" time="0" file="a.test.ts" line="1" assertions="1" />
  <testcase name="1 &lt; 0" classname="" time="0.1" file="a.test.ts" line="2" assertions="1">
    <failure type="AssertionError" message="expect(received).toBe(expected)">no</failure>
  </testcase>
  <testcase name="(worker crashed)" classname="" time="0" file="b.test.ts" assertions="0">
    <failure type="Error" message="worker process crashed before reporting results" />
  </testcase>`;
  expect(failedIn(text)).toEqual(["a.test.ts: 1 < 0", "b.test.ts: (worker crashed)"]);
});

test("the last line mentions skipped tests only if there are any", () => {
  const tallies = [
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 2, failed: 1, skipped: 0 },
  ];
  expect(closingLine(sum(tallies))).toBe("3 passed, 1 failed");
  expect(closingLine({ passed: 3, failed: 0, skipped: 2 })).toBe("3 passed, 0 failed, 2 skipped");
});
