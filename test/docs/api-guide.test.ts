import { expect, test } from "bun:test";
import { problems } from "../../lib/base/problem.ts";
import { section } from "../helpers/section.ts";

test("the API guide lists every error code there is", async () => {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  const table = ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
  expect(await section("docs/api.md", "errors", table)).toBe(table);
});
