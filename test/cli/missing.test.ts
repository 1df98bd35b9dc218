import { afterEach, beforeEach, expect, test } from "bun:test";

import { missingText } from "../../cli/missing.ts";
import { openOffice, realProjects, type Office } from "../helpers/management.ts";
import { commandLine, type CommandLine } from "./typed.ts";

let office: Office;
let line: CommandLine;

beforeEach(async () => {
  office = await openOffice({ projects: realProjects });
  line = await commandLine(office);
  const { accountId } = office;
  await office.as("owner", accountId).post(`/manage/v1/accounts/${accountId}/projects`, {
    name: "Tierheim",
    slug: "tierheim-sonnenhof",
  });
});

afterEach(() => {
  line[Symbol.dispose]();
});

test("what is missing is named, and a near name is suggested", () => {
  const known = [{ typed: "tierheim-sonnenhof" }, { typed: "acc_1", known: "Happy Tails" }];
  expect(missingText("project", "tierheim-sonnnhof", known)).toBe(
    'There is no project "tierheim-sonnnhof". Did you mean tierheim-sonnenhof?',
  );
  expect(missingText("account", "happy tail", known)).toBe(
    'There is no account "happy tail". Did you mean acc_1 (Happy Tails)?',
  );
  expect(missingText("project", "otters", known)).toBe('There is no project "otters".');
});

const SITE = ["--project", "tierheim-sonnenhof"] as const;
const WRONG = ["--project", "tierheim-sonnnhof"] as const;
const NO_PROJECT =
  'petstore: There is no project "tierheim-sonnnhof". Did you mean tierheim-sonnenhof (Tierheim)?\n';

test.each([
  [["deploy", "--starter", ...WRONG], NO_PROJECT],
  [["rollback", ...WRONG], NO_PROJECT],
  [["deploys", "list", ...WRONG], NO_PROJECT],
  [["projects", "delete", "tierheim-sonnnhof"], NO_PROJECT],
  [["domains", "add", "a.org", ...WRONG], NO_PROJECT],
  [["domains", "remove", "a.org", ...WRONG], NO_PROJECT],
  [["rollback", ...SITE, "--to", "0"], 'petstore: There is no deploy "0".\n'],
  [["rollback", ...SITE], "petstore: tierheim-sonnenhof has no live deploy.\n"],
  [["deploys", "activate", "0", ...SITE], 'petstore: There is no deploy "0".\n'],
  [["domains", "show", "a.org"], 'petstore: There is no domain "a.org".\n'],
  [["domains", "show", "a.org", ...SITE], 'petstore: There is no domain "a.org".\n'],
  [["domains", "remove", "a.org"], 'petstore: There is no domain "a.org".\n'],
  [["keys", "list", "--account", "acc_0"], 'petstore: There is no account "acc_0".\n'],
  [["pets", "export", "--account", "acc_0"], 'petstore: There is no account "acc_0".\n'],
  [["accounts", "delete", "acc_0"], 'petstore: There is no account "acc_0".\n'],
  [["keys", "revoke", "0"], 'petstore: There is no API key "0".\n'],
  [["tokens", "revoke", "0"], 'petstore: There is no token "0".\n'],
  [["members", "remove", "a@b.org"], 'petstore: There is no member "a@b.org".\n'],
  [["certs", "renew", "a.org"], 'petstore: There is no domain "a.org".\n'],
  [
    ["certs", "revoke", "a.org"],
    'petstore: There is no domain or host with a certificate "a.org".\n',
  ],
] as const)("%j says what is missing before it asks for a confirmation", async (typed, message) => {
  const { exitCode, stderr } = await line.type(...typed);
  expect([exitCode, stderr]).toEqual([4, message]);
});
