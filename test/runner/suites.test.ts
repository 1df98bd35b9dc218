import { expect, test } from "bun:test";

import { testFiles } from "./files.ts";
import { assign, suites } from "./suites.ts";

test("a file in two suites belongs to the first", () => {
  const first = { name: "first", files: ["test/a/one.test.ts"] };
  const second = { name: "second", files: ["test/a/**/*.test.ts"] };
  const { bySuite, unclaimed } = assign(
    ["test/a/two.test.ts", "test/a/one.test.ts"],
    [first, second],
  );
  expect(bySuite.get(first)).toEqual(["test/a/one.test.ts"]);
  expect(bySuite.get(second)).toEqual(["test/a/two.test.ts"]);
  expect(unclaimed).toEqual([]);
});

test("a file in no suite is reported", () => {
  expect(assign(["test/nowhere/x.test.ts"], suites).unclaimed).toEqual(["test/nowhere/x.test.ts"]);
});

test("the longest files of a suite belong to it", async () => {
  const { bySuite } = assign(await testFiles("test"));
  for (const suite of suites) {
    const unknown = Object.keys(suite.longest ?? {}).filter(
      (file) => bySuite.get(suite)?.includes(file) !== true,
    );
    expect([suite.name, unknown]).toEqual([suite.name, []]);
  }
});
