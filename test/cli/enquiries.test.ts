import { afterEach, beforeEach, expect, test } from "bun:test";

import { openOffice, type Office } from "../helpers/management.ts";
import { askAbout } from "../lib/management/ask-about.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let of: readonly string[];

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  const { accountId } = office;
  of = ["--account", accountId];
  const at = `/manage/v1/accounts/${accountId}/production`;
  await office.as("staff").post(`${at}/pets`, { name: "Rex", categoryId: 1 });
  await askAbout(office, { accountId, petId: 1, mark: "rabbits" });
});

afterEach(() => {
  line[Symbol.dispose]();
});

test("enquiries are listed, shown with their message, answered and closed", async () => {
  const listed = await line.type("enquiries", "list", ...of, "--state", "new");
  expect(listed.stdout).toMatch(/^ENQUIRY +STATE.*\n1 +new .*Rex +Kim of rabbits/);
  const shown = await line.type("enquiries", "show", "1", ...of);
  expect(shown.stdout).toContain("\n\nPhone: 030 rabbits\n\nMessage of rabbits\n");
  const answered = await line.json<object>("enquiries", "answer", "1", ...of, "--notes", "Friday");
  expect(answered).toMatchObject({ state: "answered", notes: "Friday" });
  const closed = await line.json<object>("enquiries", "close", "1", ...of);
  expect(closed).toMatchObject({ state: "closed", notes: "Friday" });
  expect((await line.type("enquiries", "list", ...of, "--state", "new")).stderr).toBe(
    "No enquiries.\n",
  );
});

test("an enquiry is deleted after confirmation", async () => {
  expect((await line.type("enquiries", "remove", "1", ...of)).exitCode).toBe(2);
  expect((await line.type("enquiries", "remove", "1", ...of, "--yes")).exitCode).toBe(0);
  const gone = await line.type("enquiries", "show", "1", ...of);
  expect([gone.exitCode, gone.stderr]).toEqual([4, 'petstore: There is no enquiry "1".\n']);
});
