import { expect, test } from "bun:test";

import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { scratch } from "../cli/installation.ts";
import { command } from "../helpers/process.ts";
import { contentsOf, shelter } from "./fixture.ts";
import { dataDirectory } from "../../server/data-directory.ts";

test("the commands of docs/operating.md restore an installation whose disk was lost", async () => {
  const page = await Bun.file(new URL("../../docs/operating.md", import.meta.url)).text();
  const [, part = ""] = /<!-- lost-disk:begin -->([^]*?)<!-- lost-disk:end -->/.exec(page) ?? [];
  const [before = "", after = ""] = [...part.matchAll(/```sh\n([^]*?)```/g)].map(
    ([, code]) => code,
  );
  const machine = await scratch();
  const petstore = join(machine, "bin/petstore");
  await mkdir(join(machine, "bin"));
  await writeFile(petstore, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(petstore, 0o755);
  await mkdir(join(machine, "safe-place"));
  const here = await shelter();
  await rename(here.dataDir, join(machine, "petstore-data"));
  const run = async (script: string): Promise<string> => {
    const child = Bun.spawn(["sh", "-e", "-c", script], {
      cwd: machine,
      env: { PATH: `${join(machine, "bin")}:${process.env["PATH"] ?? ""}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const output = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    return output;
  };
  await run(before);
  const expected = contentsOf(dataDirectory(join(machine, "petstore-data")));
  await rm(join(machine, "petstore-data"), { recursive: true });
  const output = await run(after);
  expect(output).toContain("The backup is sound: ");
  expect(output).toContain("Restored into ");
  expect(output).not.toContain("FAIL");
  expect(output).toContain(here.account);
  expect(contentsOf(dataDirectory(join(machine, "new-data")))).toEqual(expected);
}, 120_000);
