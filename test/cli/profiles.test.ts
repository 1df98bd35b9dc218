import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";

import { openOffice, type Office } from "../helpers/management.ts";
import { scratch } from "./installation.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let of: readonly string[];

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  of = ["--account", office.accountId];
  const at = `/manage/v1/accounts/${office.accountId}/production`;
  await office.as("staff").post(`${at}/pets`, { name: "Bella", categoryId: 1 });
});

afterEach(() => {
  line[Symbol.dispose]();
});

test("options set the members of a profile, and --remove makes them unknown", async () => {
  const set = ["pets", "set", "1", ...of] as const;
  const file = join(await scratch(), "bella.md");
  await Bun.write(file, "# Bella\n");
  const said = [
    ...["--sex", "female", "--neutered", "yes", "--birth", "2024-03", "--breed", "Collie"],
    ...["--mixed", "no", "--colour", "black", "--size", "large", "--good-with-dogs", "yes"],
    ...["--good-with-cats", "no", "--special-needs", "Drops", "--fee", "€ 250"],
    ...["--text-file", file, "--staff-notes", "Bites", "--microchip", "276"],
    ...["--external-id", "A1", "--source", "asm3", "--intake", "2026-01-02"],
  ];
  const profile = {
    sex: "female",
    neutered: true,
    birth: { date: "2024-03-01", precision: "month" },
    breed: { text: "Collie", mixed: false },
    colour: "black",
    size: "large",
    goodWith: { dogs: "yes", cats: "no" },
    specialNeeds: "Drops",
    fee: "€ 250",
    text: "# Bella",
    staffNotes: "Bites",
    microchip: "276",
    externalId: "A1",
    source: "asm3",
    intakeAt: "2026-01-02T00:00:00.000Z",
  };
  const pet = { id: 1, name: "Bella", categoryId: 1, status: "available" };
  expect(await line.json<object>(...set, ...said)).toEqual({ ...pet, profile });
  expect(await line.json<object>("pets", "show", "1", ...of)).toEqual({ ...pet, profile });
  const shown = await line.type("pets", "show", "1", ...of);
  expect(shown.stdout).toMatch(/^FIELD +VALUE\npet +1\nname +Bella\n/);
  expect(shown.stdout).toMatch(/\nbirth +2024-03\nbreed +Collie\nmixed +no\n/);
  expect(shown.stdout).toMatch(/\ngood with dogs +yes\n/);
  const less = await line.json<{ profile: object }>(
    ...set,
    "--remove",
    "fee,breed",
    "--sex",
    "male",
  );
  const { fee: _fee, breed: _breed, ...left } = profile;
  expect(less.profile).toEqual({ ...left, sex: "male" });
});

test("what cannot be set is refused with a reason", async () => {
  const set = ["pets", "set", "1", ...of] as const;
  for (const [args, exitCode, message] of [
    [[], 2, "Nothing to change: pass an option such as --sex female."],
    [["--sex", "f"], 2, 'must be one of female, male, unknown, not "f"'],
    [["--birth", "May"], 2, "must be a date, a month or a year"],
    [["--birth", "2024-02-30"], 2, '"date" must be a day'],
    [["--birth", "2999"], 2, '"date" must not be in the future.'],
    [["--mixed", "maybe"], 2, 'must be yes or no, not "maybe"'],
    [["--text", "a", "--text-file", "b"], 2, "leave out one of them"],
    [["--text-file", "/nowhere/bella.md"], 4, "The file /nowhere/bella.md does not exist."],
    [["--fee", "5", "--remove", "fee"], 2, "--remove fee contradicts the option that sets it."],
    [["--remove", "photos"], 2, "must be one of sex, "],
    [["--colour", "x".repeat(121)], 2, '"colour" must be at most 120 characters long'],
  ] as const) {
    const typed = await line.type(...set, ...args);
    expect([args, typed.exitCode, typed.stderr]).toEqual([
      args,
      exitCode,
      expect.stringContaining(message),
    ]);
  }
  const gone = await line.type("pets", "set", "9", ...of, "--sex", "male");
  expect([gone.exitCode, gone.stderr]).toEqual([4, expect.stringContaining("There is no such")]);
});
