import { expect, test } from "bun:test";

import { problems, publicProblems } from "../../lib/base/problem.ts";
import { everyEndpoint } from "../helpers/every-endpoint.ts";
import { section } from "../helpers/section.ts";

const guide = "docs/management.md";

test("the guide lists every operation and its role", async () => {
  const rows = everyEndpoint.map(({ access, method, path, summary }) => {
    const role = access.kind === "anyone" ? "none" : `\`${access.role}\``;
    return `| \`${method} ${path}\` | ${role} | ${summary} |`;
  });
  const table = ["| below `/manage/v1` | role | |", "|---|---|---|", ...rows].join("\n");
  expect(await section(guide, "operations", table)).toBe(table);
});

test("the guide lists every error code that is not in the API guide", async () => {
  const rows = Object.entries(problems)
    .filter(([code]) => !(code in publicProblems))
    .map(([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`);
  const table = ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
  expect(await section(guide, "errors", table)).toBe(table);
});
