import { expect, test } from "bun:test";
import { join } from "node:path";

import { TEST_LIMIT_MS } from "./run-suite.ts";

const ROOT = join(import.meta.dir, "../..");
const OPENS = /^(?:test|it|beforeAll|beforeEach|afterAll|afterEach)\b/;
/** A call's last line with its last argument, and a last argument on a line of its own. */
const [WITH_ARGUMENT, ALONE] = [/^\s*\S.*, ([^,()]+)\);$/, /^\s+([^,()]+),$/];

/** Returns the limits of a formatted file's tests and hooks: in the short form, in milliseconds. */
function limitsIn(text: string): readonly number[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const isBare = line.trim() === ");";
    const argument = isBare ? ALONE.exec(lines[index - 1] ?? "") : WITH_ARGUMENT.exec(line);
    const limit = argument === null ? undefined : valueOf(argument[1] ?? "", text);
    if (limit === undefined) return [];
    const indent = /^\s*/.exec(line)?.[0] ?? "";
    // A call begins at the nearest line that is indented equally and closes nothing.
    const begins = lines
      .slice(0, index + 1)
      .findLast((one) => one.startsWith(indent) && /^[^\s\])}]/.test(one.slice(indent.length)));
    return OPENS.test(begins?.slice(indent.length) ?? "") ? [limit] : [];
  });
}

/** Returns the value of a limit: a number, the last one of a choice, or a constant of the file. */
function valueOf(argument: string, text: string): number | undefined {
  const [, times = "1", name] = /^(?:(\d+) \* )?([A-Z][A-Z_]+)$/.exec(argument) ?? [];
  if (name !== undefined) {
    const value = new RegExp(`^const ${name} = (.*);$`, "m").exec(text)?.[1];
    const product = value === undefined ? undefined : valueOf(value, text);
    return product === undefined ? undefined : Number(times) * product;
  }
  const [, factor = "1", number] = /(?:^|\? .* : )(?:(\d+) \* )?(\d[\d_]*)$/.exec(argument) ?? [];
  return number === undefined ? undefined : Number(factor) * Number(number.replaceAll("_", ""));
}

test("limits of tests and hooks are found, and other numbers are not", () => {
  const limited = [
    [`test("a", async () => {`, "}, 120_000);"],
    ["beforeAll(() => start(), 60_000);"],
    ["  test.each([", "    1,", `  ])("a %d", async () => {`, "    wait(5);", "  }, 20_000);"],
    [`test("a", () => {}, torture ? 900_000 : 30_000);`],
    ["test(", `  "a",`, "  async () => {},", "  10_000,", ");"],
    ["const LIMIT_MS = torture ? 900_000 : 40_000;", `test("a", () => {}, 2 * LIMIT_MS);`],
  ];
  expect(limited.flatMap((lines) => limitsIn(lines.join("\n")))).toEqual([
    120_000, 60_000, 20_000, 30_000, 10_000, 80_000,
  ]);
  const others = [
    [`test("a", async () => {`, "  await timeUntil(async () => {", "  }, 60_000);", "});"],
    ["test.each([", "  1,", `])("a", () => {});`],
    ["const found = look(1, 2);", "afterAll(() => end(1, 2));"],
  ];
  expect(others.flatMap((lines) => limitsIn(lines.join("\n")))).toEqual([]);
});

test("no test and no hook has a time limit below the runner's", async () => {
  const low: string[] = [];
  for await (const path of new Bun.Glob("test/**/*.{ts,tsx}").scan({ cwd: ROOT })) {
    if (path.includes("node_modules")) continue;
    const limits = limitsIn(await Bun.file(join(ROOT, path)).text());
    for (const limit of limits) if (limit < TEST_LIMIT_MS) low.push(`${path}: ${limit}`);
  }
  expect(low.toSorted()).toEqual([]);
});
