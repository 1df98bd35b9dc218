import { expect, test } from "bun:test";
import { publicProblems } from "../../lib/base/problem.ts";
import { section } from "../helpers/section.ts";

test("the API guide lists every error code", async () => {
  const rows = Object.entries(publicProblems).map(
    ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  const table = ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
  expect(await section("docs/api.md", "errors", table)).toBe(table);
});
