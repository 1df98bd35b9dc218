import { describe, expect, test } from "bun:test";

import { tmpdir } from "node:os";

import { commands } from "../../cli/commands.ts";
import { helpOf, overview } from "../../cli/help.ts";
import { helpAsTyped, programShown, programTyped, type Start } from "../../cli/program.ts";
import { asTyped, COMMAND_WORDS } from "../../lib/base/commands.ts";
import { runProgram } from "../helpers/process.ts";

const OWN_BUN = "/srv/petstore/node_modules/.bin/bun";
const start: Start = {
  executable: OWN_BUN,
  script: "/srv/petstore/server.ts",
  directory: "/srv/petstore",
  environment: {},
  which: () => OWN_BUN,
};
const npm = { npm_lifecycle_event: "start", npm_package_json: "/srv/petstore/package.json" };

describe("what the user types to start the program", () => {
  test.each([
    [{ environment: npm }, "npm -s start --"],
    [
      { environment: { ...npm, npm_package_json: "/srv/mine/package.json" } },
      "npx bun ./server.ts",
    ],
    [{ environment: { ...npm, npm_lifecycle_event: "test" } }, "npx bun ./server.ts"],
    [{}, "npx bun ./server.ts"],
    [{ which: () => null }, "npx bun ./server.ts"],
    [{ directory: "/srv/petstore/docs" }, "npx bun ../server.ts"],
    [{ directory: "/srv" }, "petstore/node_modules/.bin/bun petstore/server.ts"],
    [{ which: () => "/usr/bin/bun" }, "bun ./server.ts"],
    [{ directory: "/srv", which: () => "/usr/bin/bun" }, "bun petstore/server.ts"],
    [{ script: undefined, executable: "/srv/petstore/dist/petstore" }, "dist/petstore"],
    [
      {
        script: undefined,
        executable: "/usr/bin/petstore",
        which: (name: string) => `/usr/bin/${name}`,
      },
      "petstore",
    ],
  ] satisfies readonly (readonly [Partial<Start>, string])[])("%j: %s", (how, typed) => {
    expect(programTyped({ ...start, ...how })).toBe(typed);
  });
});

const INSTALLED = { script: undefined, executable: "/opt/petstore/bin/petstore" };

describe("what visitors see for the program", () => {
  test.each([
    [{ environment: npm }, "npm -s start --"],
    [{}, "npx bun ./server.ts"],
    [{ which: () => "/usr/bin/bun" }, "bun ./server.ts"],
    [{ script: undefined, executable: "/srv/petstore/dist/petstore" }, "dist/petstore"],
    [{ directory: "/srv/petstore/docs" }, "npx bun server.ts"],
    [{ directory: "/home/ada", executable: `${OWN_BUN}.exe` }, "bun server.ts"],
    [{ directory: "/", which: () => "/usr/bin/bun" }, "bun server.ts"],
    [{ directory: "/var/lib/petstore", ...INSTALLED }, "petstore"],
    [{ directory: "/opt/petstore/binary", ...INSTALLED }, "petstore"],
    [{ directory: "/", ...INSTALLED }, "petstore"],
  ] satisfies readonly (readonly [Partial<Start>, string])[])("%j: %s", (how, shown) => {
    expect(programShown({ ...start, ...how })).toBe(shown);
  });
});

test("the words of commands are those of the program", () => {
  const words = new Set(commands.map(({ path }) => path.split(" ")[0] ?? ""));
  const known = COMMAND_WORDS.split("|").flatMap((word) =>
    word.endsWith("s?") ? [word.slice(0, -2), word.slice(0, -1)] : [word],
  );
  expect([...words].toSorted()).toEqual(known);
});

test("commands in a text are written as the user types them, and nothing else is", () => {
  const text =
    "Run `petstore setup-link`, or petstore serve --data-dir /srv/petstore serve. petstore serves; petstore 1.0; ./petstore serve";
  expect(asTyped(text, "npm -s start --")).toBe(
    "Run `npm -s start -- setup-link`, or npm -s start -- serve --data-dir /srv/petstore serve. petstore serves; petstore 1.0; ./petstore serve",
  );
  expect(asTyped(text, "petstore")).toBe(text);
});

test("the overview fits on one screen and leads to every command", () => {
  const lines = overview(commands).split("\n");
  expect(lines.length).toBeLessThanOrEqual(50);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  for (const { path } of commands) {
    const [noun = "", verb = ""] = path.split(" ");
    const shown = lines.find((line) => line.startsWith(`  ${noun} `)) ?? "";
    const next = lines[lines.indexOf(shown) + 1] ?? "";
    expect([path, `${shown} ${next.trim()}`]).toEqual([path, expect.stringContaining(verb)]);
  }
});

test("the help of a noun lists its commands, each with its summary", () => {
  const nouns = new Set(commands.map(({ path }) => path.split(" ")[0] ?? ""));
  for (const noun of nouns) {
    const group = commands.filter(({ path }) => path.startsWith(`${noun} `));
    const help = overview(group, noun).replaceAll(/\s+/g, " ");
    for (const { path, summary } of group) expect(help).toContain(`${path} ${summary}`);
  }
});

test("the help of every command works as typed", () => {
  const keys = commands.filter(({ path }) => path.startsWith("keys "));
  const all = [
    overview(commands),
    overview(keys, "keys"),
    ...commands.map((command) => helpOf(command)),
  ].join("\n");
  const typed = helpAsTyped(all, "npm -s start --");
  expect(typed.match(/^ {2}petstore\b.*$/gm) ?? []).toEqual([]);
  expect(typed).toContain("npm -s start -- pets import animals.csv");
  expect(typed).not.toContain("Usage: petstore ");
});

test("a hint works when it is typed", async () => {
  const { stderr } = await runProgram(["keys", "create"]);
  const [, hint = ""] = /`(.*) keys create --help` shows the options/.exec(stderr) ?? [];
  expect(hint).not.toBe("");
  const child = Bun.spawn(["sh", "-c", `${hint} keys create --help`], {
    cwd: tmpdir(),
    stdout: "pipe",
  });
  expect(await new Response(child.stdout).text()).toContain(`Usage: ${hint} keys create`);
  expect(await child.exited).toBe(0);
});
