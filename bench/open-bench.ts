import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { attach, type Attached } from "./attached.ts";
import { run } from "./child.ts";
import { ROOT } from "./program.ts";
import type { Bench } from "./row.ts";
import { makeShelter, type Shelter } from "./shelter.ts";

export interface BenchOptions {
  /** Minimal amounts, just to check the responses. */
  readonly smoke: boolean;
  /** Installs missing peers. */
  readonly installs: boolean;
  /** The program to measure. Default: a new one. */
  readonly executable: string | undefined;
}

/** Creates the fixtures that rows share on first use. Disposal removes them. */
export async function openBench({
  smoke,
  installs,
  executable,
}: BenchOptions): Promise<Bench & AsyncDisposable> {
  const cache = join(ROOT, ".cache");
  await mkdir(cache, { recursive: true });
  const scratch = await mkdtemp(join(cache, "bench-"));
  const count = smoke ? 200 : 100_000;
  const say = (text: string): void => console.error(`· ${text}`);
  let model: Promise<Shelter> | undefined;
  let compiled = executable === undefined ? undefined : Promise.resolve([resolve(executable)]);
  const attached = new Map<number, Promise<Attached>>();
  return {
    animals: count,
    seconds: 3,
    runs: 5,
    scratch,
    installs,
    say,
    shelter: async (name) => {
      if (model === undefined) say(`importing ${count.toLocaleString("en")} animals`);
      model ??= makeShelter(join(scratch, "model"), count);
      const made = await model;
      const dataDir = join(scratch, name.replaceAll(" ", "-"));
      await cp(made.dataDir, dataDir, { recursive: true });
      return { ...made, dataDir };
    },
    attached: (domains) => {
      const known = attached.get(domains);
      if (known !== undefined) return known;
      say(`attaching ${domains.toLocaleString("en")} domains`);
      const made = attach(join(scratch, `attached-${domains}`), domains);
      attached.set(domains, made);
      return made;
    },
    executable: () => {
      compiled ??= compile(say);
      return compiled;
    },
    [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }),
  };
}

async function compile(say: (text: string) => void): Promise<string[]> {
  say("compiling the program");
  await run([process.execPath, "run", "--silent", "compile"], { cwd: ROOT });
  return [join(ROOT, "dist/petstore")];
}
