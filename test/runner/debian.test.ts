import { describe, expect, test } from "bun:test";

import { missingOf, type Machine, type Tool } from "../../scripts/debian.ts";
import { suites } from "./suites.ts";

const machine = (commands: readonly string[], packages?: readonly string[]): Machine => ({
  hasCommand: (command) => commands.includes(command),
  hasPackage: (name) => packages?.includes(name),
});

const browser: readonly Tool[] = [
  { command: "chromium", debianPackage: "chromium" },
  { debianPackage: "fonts-noto-core" },
  { debianPackage: "fonts-dejavu-core" },
];

describe("missing tools", () => {
  test("include a font that is not installed, even if the program that uses it is", () => {
    expect(missingOf(browser, machine(["chromium"], ["chromium", "fonts-dejavu-core"]))).toEqual([
      "fonts-noto-core",
    ]);
  });

  test("include a missing command, whatever packages are installed", () => {
    const packages = ["chromium", "fonts-noto-core", "fonts-dejavu-core"];
    expect(missingOf(browser, machine([], packages))).toEqual(["chromium"]);
  });

  test("exclude a command that was installed in another way", () => {
    expect(
      missingOf([{ command: "pebble", debianPackage: "pebble" }], machine(["pebble"], [])),
    ).toEqual([]);
  });

  test("exclude packages without a command if dpkg is missing", () => {
    expect(missingOf(browser, machine(["chromium"]))).toEqual([]);
    expect(missingOf(browser, machine([]))).toEqual(["chromium"]);
  });

  test("are named once", () => {
    expect(missingOf([...browser, ...browser], machine(["chromium"], []))).toEqual([
      "fonts-noto-core",
      "fonts-dejavu-core",
    ]);
  });
});

describe("a suite with a browser", () => {
  const named = suites.filter(({ tools = [] }) =>
    tools.some((tool) => tool.command === "chromium-headless-shell"),
  );

  test.each(named.map((suite) => [suite.name, suite] as const))(
    "lacks fonts if only Chromium is installed: %s",
    (_, { tools = [] }) => {
      const all = tools.flatMap(({ command }) => (command === undefined ? [] : [command]));
      expect(missingOf(tools, machine(all, ["chromium-headless-shell"]))).toEqual([
        "fonts-noto-core",
        "fonts-liberation",
        "fonts-dejavu-core",
      ]);
    },
  );
});
