import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = new URL("../..", import.meta.url).pathname;
const guide = await Bun.file(join(ROOT, "docs/custom-domains.md")).text();
const section = /^## Compared with other services\n(.*?)^## /ms.exec(guide)?.[1] ?? "";

/** The table's lines as cells, without the line below the header. */
const [header = [], , ...rows] = section
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("the comparison with other services", () => {
  test("has a date, and the four services", () => {
    expect(section).toMatch(/As of [A-Z][a-z]+ \d{4}/);
    expect(header).toEqual([
      "capability",
      "Petstore",
      "Caddy",
      "Cloudflare for SaaS",
      "Vercel",
      "Fly",
    ]);
    expect(rows.length).toBeGreaterThan(30);
  });

  test.each(rows.map((cells) => [cells[0] ?? "", cells] as const))(
    "%s: every cell is filled, and ours has tests that exist",
    (_, cells) => {
      expect(cells).toHaveLength(header.length);
      expect(cells).not.toContain("");
      const tests = [...(cells[1] ?? "").matchAll(/`(test\/[^`]*)`/g)].map(([, path = ""]) => path);
      expect(tests).not.toEqual([]);
      for (const path of tests) expect(path).toEndWith(".test.ts");
      expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    },
  );
});
