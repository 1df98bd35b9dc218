import { expect } from "bun:test";

import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { dataDirectory } from "../../server/data/data-directory.ts";
import { scratch } from "../cli/installation.ts";
import { ANY_PORT, command } from "../helpers/process.ts";
import { shelter, type Shelter } from "./fixture.ts";

/** A machine for commands of the docs. */
export interface Machine {
  /** The installation in `./petstore-data`, before the commands changed anything. */
  readonly here: Shelter;
  path(name: string): string;
  /** Runs a script, which must succeed; returns its output. */
  run(script: string): Promise<string>;
}

/** Makes a machine with the program and an installation. */
export async function machine(): Promise<Machine> {
  const home = await scratch();
  const petstore = join(home, "bin/petstore");
  await mkdir(join(home, "bin"));
  await writeFile(petstore, `#!/bin/sh\nexec ${command.join(" ")} "$@"\n`);
  await chmod(petstore, 0o755);
  const here = await shelter();
  await rename(here.dataDir, join(home, "petstore-data"));
  return {
    here: { ...here, directory: dataDirectory(join(home, "petstore-data")) },
    path: (name) => join(home, name),
    run: async (script) => {
      const child = Bun.spawn(["sh", "-e", "-c", script], {
        cwd: home,
        env: { PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}`, ...ANY_PORT },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const output = await new Response(child.stdout).text();
      expect(await child.exited).toBe(0);
      return output;
    },
  };
}

/** Returns the scripts of a section of a page of docs. */
export async function scriptsOf(section: string, of = "operating"): Promise<readonly string[]> {
  const page = await Bun.file(new URL(`../../docs/${of}.md`, import.meta.url)).text();
  const marked = new RegExp(`<!-- ${section}:begin -->([^]*?)<!-- ${section}:end -->`);
  const [, part = ""] = marked.exec(page) ?? [];
  return [...part.matchAll(/```sh\n([^]*?)```/g)].map(([, code = ""]) => code);
}
