import { expect, test } from "bun:test";

import { parseArguments } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import { commands } from "../../cli/commands.ts";
import { optional, optionalValue, repeated, required, toggle } from "../../cli/command.ts";
import { helpOf, overview } from "../../cli/help.ts";
import { integer, oneOf, text } from "../../settings/values.ts";

const sample = command({
  path: "sample",
  summary: "A sample",
  operands: { one: { placeholder: "ONE", help: "The first." } },
  flags: {
    account: required({ name: "account", placeholder: "A", help: "An account.", parse: text }),
    scopes: repeated({
      name: "scope",
      placeholder: "S",
      help: "A scope.",
      parse: oneOf(["r", "w"]),
    }),
    count: optional({
      name: "count",
      placeholder: "N",
      help: "How many.",
      parse: integer({ min: 1, max: 9 }),
    }),
    dryRun: toggle("dry-run", "Only look."),
  },
  examples: ["sample x --account a"],
  run: async () => "done",
});

const parse = (...args: string[]) => parseArguments(sample, args);

test("options are accepted before, between and after operands, with or without =", () => {
  const expected = {
    values: { account: "a", scopes: ["r", "w"], count: 3, dryRun: true, json: false, quiet: false },
    operands: { one: "x" },
  };
  const ways = [
    ["x", "--account", "a", "--scope", "r", "--scope", "w", "--count=3", "--dry-run"],
    ["--dry-run", "--account=a", "--scope=r,w", "x", "--count", "3"],
  ];
  for (const way of ways) expect(parse(...way)).toEqual({ ok: true, value: expected });
});

test("an option that is not passed is undefined or false", () => {
  expect(parse("x", "--account", "a")).toMatchObject({
    ok: true,
    value: { values: { scopes: undefined, count: undefined, dryRun: false } },
  });
});

test("every argument after -- is an operand", () => {
  expect(parse("--account", "a", "--", "--x")).toMatchObject({
    ok: true,
    value: { operands: { one: "--x" } },
  });
});

test.each([
  [["x"], ["--account is required"]],
  [["--account", "a"], ["ONE is required"]],
  [["x", "--account"], ["--account needs a value: --account A"]],
  [["x", "--account", "--json"], ["--account needs a value: --account A"]],
  [["x", "--account", "a", "--account", "b"], ["--account is given twice"]],
  [["x", "y", "--account", "a"], ['unexpected "y"']],
  [
    ["x", "--acount", "a", "--account", "b"],
    ["petstore sample has no option --acount; did you mean --account?"],
  ],
  [["x", "--account", "a", "-a"], ["petstore sample has no option -a"]],
  [["x", "--account", "a", "--dry-run=yes"], ["--dry-run takes no value"]],
  [
    ["x", "--account", "a", "--dns-listen", ":53"],
    [
      "--dns-listen: not in this version: a wildcard record below cname-target points to this service",
    ],
  ],
  [
    ["--count", "0", "--scope", "z"],
    [
      "--account is required",
      '--scope must be one of r, w, not "z"',
      '--count must be a whole number from 1 to 9, not "0"',
      "ONE is required",
    ],
  ],
])("%j is refused with a list of all its errors", (args, faults) => {
  expect(parse(...args)).toEqual({ ok: false, failure: faults });
});

test("the help of every command has examples that begin with its name", () => {
  for (const one of commands) {
    const help = helpOf(one);
    expect(help).toContain(`Usage: petstore ${one.path}`);
    expect(help).toContain("--json");
    expect(one.examples.length).toBeGreaterThan(0);
    for (const example of one.examples) expect(example).toStartWith(one.path);
  }
});

test("no line of help is wider than a terminal, except in examples", () => {
  const examples = new Set(commands.flatMap((one) => one.examples.map((e) => `  petstore ${e}`)));
  const lines = [overview(commands), ...commands.map((one) => helpOf(one))]
    .flatMap((help) => help.split("\n"))
    .filter((line) => !examples.has(line));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test("an optional operand that is not passed is absent, and help shows it in brackets", () => {
  const open = command({
    path: "open",
    summary: "Open something",
    operands: { place: { placeholder: "PLACE", help: "Where.", optional: true } },
    flags: {},
    examples: ["open"],
    run: async ({ operands }) => (operands.place === undefined ? "done" : "failed"),
  });
  expect(parseArguments(open, [])).toMatchObject({ ok: true, value: { operands: {} } });
  expect(parseArguments(open, ["here"])).toMatchObject({ value: { operands: { place: "here" } } });
  expect(parseArguments(open, ["here", "there"])).toMatchObject({ ok: false });
  expect(helpOf(open)).toContain("Usage: petstore open [PLACE] [OPTIONS]");
});

test("an option with an optional value takes the next argument only if it is a valid value", () => {
  const waiting = command({
    path: "waiting",
    summary: "Waits",
    operands: { one: { placeholder: "ONE", help: "The first." } },
    flags: {
      wait: optionalValue(
        {
          name: "wait",
          placeholder: "SECONDS",
          help: "How long.",
          parse: integer({ min: 1, max: 99 }),
        },
        "30",
      ),
    },
    examples: ["waiting x --wait"],
    run: async () => "done",
  });
  const read = (...args: string[]) => {
    const parsed = parseArguments(waiting, args);
    return parsed.ok ? [parsed.value.values["wait"], parsed.value.operands["one"]] : parsed.failure;
  };
  expect(read("x")).toEqual([undefined, "x"]);
  expect(read("x", "--wait")).toEqual([30, "x"]);
  expect(read("--wait", "x")).toEqual([30, "x"]);
  expect(read("--wait", "7", "x")).toEqual([7, "x"]);
  expect(read("x", "--wait=7", "--json")).toEqual([7, "x"]);
  expect(read("x", "--wait", "--json")).toEqual([30, "x"]);
  expect(read("--wait", "--", "7")).toEqual([30, "7"]);
  expect(read("x", "--wait=0")).toEqual([expect.stringContaining("--wait must be")]);
  expect(read("x", "--wait", "--wait")).toEqual(["--wait is given twice"]);
  expect(helpOf(waiting)).toContain("--wait [SECONDS]");
});
