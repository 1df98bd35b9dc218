import { afterEach, beforeEach, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { openOffice, type Office } from "../helpers/management.ts";
import { temporaryDirectory } from "../helpers/process.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;
let directory: string;

beforeEach(async () => {
  office = await openOffice();
  line = await commandLine(office);
  directory = await temporaryDirectory();
  const at = `/manage/v1/accounts/${office.accountId}/production`;
  const browser = await office.signIn("owner", { email: "grace@example.org" });
  await browser.api.post(`${at}/pets`, { name: "Rex", categoryId: 1 });
  office.clock.advance(1_000);
  await office.audit.jobs.tick();
});

afterEach(async () => {
  line[Symbol.dispose]();
  await rm(directory, { recursive: true });
});

/** Runs `audit export` to a file, and returns its lines. */
async function exported(): Promise<{ readonly path: string; readonly lines: readonly string[] }> {
  const path = join(directory, "audit.ndjson");
  expect(await line.type("audit", "export", "--output", path)).toMatchObject({ exitCode: 0 });
  return { path, lines: (await Bun.file(path).text()).trimEnd().split("\n") };
}

async function written(lines: readonly string[]): Promise<string> {
  const path = join(directory, "changed.ndjson");
  await Bun.write(path, `${lines.join("\n")}\n`);
  return path;
}

test("entries are listed with who, what and from where, and filtered", async () => {
  const of = ["--account", office.accountId];
  const listed = await line.type("audit", "list", ...of);
  expect(listed.stdout).toMatch(/^ENTRY +AT +WHO +WHAT +SUBJECT +CHANGED +FROM\n/);
  expect(listed.stdout).toMatch(
    /grace@example\.org +pet\.created +pet:1 .*dashboard 192\.0\.2\.1\n/,
  );
  const types = await line.json<readonly { type: string }[]>(
    ...["audit", "list", ...of, "--type", "pet.created", "--type", "session.created"],
  );
  expect(types.map(({ type }) => type)).toEqual(["pet.created", "session.created"]);
  const none = await line.type("audit", "list", ...of, "--subject", "pet:2");
  expect([none.stdout, none.stderr]).toEqual(["", "No entries.\n"]);
  const alone = await line.type("audit", "list", "--subject", "pet:1");
  expect([alone.exitCode, alone.stderr]).toEqual([2, "petstore: --subject needs --account.\n"]);
});

test("the log is verified, and with the row that an earlier check printed", async () => {
  const first = await line.type("audit", "verify");
  expect(first.exitCode).toBe(0);
  expect(first.stdout).toMatch(/^\d+ rows?, none changed, removed or moved\.\n/);
  const [head = ""] = /\d+:[0-9a-f]{64}/.exec(first.stdout) ?? [];
  const again = await line.type("audit", "verify", "--head", head);
  expect(again.stdout).toContain("The row of --head is part of it.");
  const other = head.replace(/:./, (start) => (start === ":0" ? ":1" : ":0"));
  const wrong = await line.type("audit", "verify", "--head", other);
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    6,
    expect.stringContaining("is not the one of --head"),
  ]);
});

test("a changed row in the database is found", async () => {
  const text = "UPDATE audit_log SET actor = 'system' WHERE type = 'pet.created'";
  await office.sql.batch([{ text, values: [] }], () => true);
  const { exitCode, stderr } = await line.type("audit", "verify");
  expect([exitCode, stderr]).toEqual([
    6,
    expect.stringMatching(/Row \d+ is not as it was written/),
  ]);
  const asJson = await line.type("audit", "verify", "--json");
  expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, fault: { code: "changed" } });
});

test("an exported file is verified without a server", async () => {
  const { path, lines } = await exported();
  const whole = await line.type("audit", "verify", "--file", path);
  expect(whole.stdout).toContain(`${lines.length - 2} rows, none changed`);
  const faultOf = async (changed: readonly string[]): Promise<readonly unknown[]> => {
    const { exitCode, stderr } = await line.type(
      "audit",
      "verify",
      "--file",
      await written(changed),
    );
    return [exitCode, stderr];
  };
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["changed", lines.map((one) => one.replace("pet:1", "pet:2")), "is not as it was written"],
    ["removed", lines.toSpliced(2, 1), "Rows 2 to 2 are missing"],
    ["moved", lines.toSpliced(2, 2, lines[3]!, lines[2]!), "Rows 2 to 2 are missing"],
    ["doubled", lines.toSpliced(2, 0, lines[1]!), "Row 1 is where row 2 belongs"],
    ["cut off", lines.slice(0, -1), "is cut off"],
    ["continued", [...lines, lines[1]!], "follows the end of the log"],
    ["shorter", lines.toSpliced(-2, 1), "but its last row is"],
    ["no log", ["{}"], "is no file that `petstore audit export` wrote"],
    ["no JSON", [lines[0]!, "{"], "Line 2"],
    ["no row", [lines[0]!, "[]"], "is no row of an audit log"],
  ];
  for (const [name, changed, expected] of cases) {
    const [exitCode, stderr] = await faultOf(changed);
    expect([name, exitCode, stderr]).toEqual([
      name,
      name === "no log" ? 2 : 6,
      expect.stringContaining(expected),
    ]);
  }
  const missing = await line.type("audit", "verify", "--file", join(directory, "none"));
  expect(missing.exitCode).toBe(4);
});
