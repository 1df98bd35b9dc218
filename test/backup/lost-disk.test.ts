import { expect, test } from "bun:test";

import { mkdir, rm } from "node:fs/promises";

import { dataDirectory } from "../../server/data/data-directory.ts";
import { machine, scriptsOf } from "./commands.ts";
import { contentsOf } from "./fixture.ts";

test("the commands of docs/operating.md restore an installation whose disk was lost", async () => {
  const [before = ""] = await scriptsOf("first-backup");
  const [after = ""] = await scriptsOf("lost-disk");
  const { here, path, run } = await machine();
  await mkdir(path("safe-place"));
  expect(await run(before)).toContain("The backup is sound: ");
  const expected = contentsOf(here.directory);
  await rm(here.directory.path, { recursive: true });
  const output = await run(after);
  expect(output).toContain("The backup is sound: ");
  expect(output).toContain("Restored into ");
  expect(output).not.toContain("FAIL");
  expect(output).toContain(here.account);
  expect(contentsOf(dataDirectory(path("new-data")))).toEqual(expected);
});
