import { expect, test } from "bun:test";
import { isoTime } from "../../lib/base/clock.ts";
import { publicProblems } from "../../lib/base/problem.ts";
import { endpoints } from "../../lib/endpoints.ts";
import type { PublicEndpoint } from "../../lib/http/public-endpoint.ts";
import { section } from "../helpers/section.ts";

test("the API guide lists every operation, its scope and its stability", async () => {
  const rows = endpoints.map(({ method, path, access, ...endpoint }: PublicEndpoint) => {
    const shown = `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`;
    const scope = access.scope === undefined ? "any key" : `\`${access.scope}\``;
    const { stability = "stable", deprecation } = endpoint;
    const end = deprecation && isoTime(deprecation.sunsetAt).slice(0, 10);
    const state = end === undefined ? stability : `deprecated, ends on ${end}`;
    return `| \`${shown}\` | ${scope} | ${state} |`;
  });
  const table = ["| | key scope | stability |", "|---|---|---|", ...rows].join("\n");
  expect(await section("docs/api.md", "operations", table)).toBe(table);
});

test("the API guide lists every error code", async () => {
  const rows = Object.entries(publicProblems).map(
    ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  const table = ["| status | code | meaning |", "|---|---|---|", ...rows].join("\n");
  expect(await section("docs/api.md", "errors", table)).toBe(table);
});
