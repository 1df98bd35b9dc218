import { mkdtemp, open, rm, statfs } from "node:fs/promises";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

import { ensureTools } from "../../scripts/debian.ts";
import { endingOf, type Ending } from "./deadline.ts";
import type { Suite } from "./suites.ts";
import type { Tally } from "./tally.ts";
import { failedIn, skippedIn, strictly, tallyOf } from "./tally.ts";

/** Options for running a suite. */
export interface RunOptions {
  readonly torture: boolean;
  readonly seed: number;
  /** Passed on to `bun test`, as `-t name`. */
  readonly filters: readonly string[];
  /** True to list every test, not only failures. */
  readonly verbose: boolean;
  /** True to print the output of a suite once it ended, in one piece. */
  readonly together: boolean;
  /** A directory for what one suite prepares for all. */
  readonly shared: string;
  /** True to fail instead of skip if a tool cannot be installed or a test lacks something. */
  readonly strict: boolean;
}

export interface SuiteResult {
  readonly suite: string;
  readonly tally: Tally;
  readonly seconds: number;
  /** The reason why the suite did not run or was terminated. */
  readonly note?: string;
}

// Far more than a test takes, even on a machine with twenty other loads, because slowness is not a failure.
export const TEST_LIMIT_MS = 600_000;
// Far more than a suite takes; a hanging test must not block CI.
const DEADLINE_MS = { short: 20 * 60_000, long: 60 * 60_000 };

/** Returns how many seats of the machine a suite takes: the files that it runs at the same time. */
export function seatsOf({ alone = false }: Suite): number {
  return alone ? 1 : 2;
}

/** Runs one suite with a temporary directory that is removed afterwards. */
export async function runSuite(
  suite: Suite,
  files: readonly string[],
  options: RunOptions,
): Promise<SuiteResult> {
  const startedAt = performance.now();
  const result = (tally: Tally, note?: string): SuiteResult => ({
    suite: suite.name,
    tally,
    seconds: (performance.now() - startedAt) / 1000,
    ...(note === undefined ? {} : { note }),
  });
  const fault = (note: string): SuiteResult => result({ passed: 0, failed: 1, skipped: 0 }, note);

  if (files.length === 0) return fault("it has no test file");
  const lacks = await toolsOf(suite);
  if (lacks !== undefined) {
    return options.strict ? fault(lacks) : result({ passed: 0, failed: 0, skipped: 1 }, lacks);
  }
  if (suite.compiled && !(await compile())) return fault("the program did not compile");

  // A short path: the socket of a server in it may have 107 bytes.
  const scratch = await mkdtemp(join(tmpdir(), "petstore-test-"));
  const databases = options.torture ? undefined : await inMemory();
  try {
    const folders = { scratch, databases };
    const { exitCode, killed } = await bunTest(suite, files, options, folders);
    const report = Bun.file(join(scratch, "junit.xml"));
    const text = (await report.exists()) ? await report.text() : undefined;
    const filtered = options.filters.length > 0;
    const tally = tallyOf(text, exitCode, files, { filtered });
    if (killed) {
      const failed = ["it was killed: too slow, or out of memory", ...failedIn(text ?? "")];
      return result(tally, failed.join("\n"));
    }
    if (!options.strict || tally.skipped === 0) return result(tally);
    return result(
      strictly(tally),
      `nothing may be skipped here\n${skippedIn(text ?? "").join("\n")}`,
    );
  } finally {
    for (const folder of [scratch, databases]) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Where Linux keeps files in memory, and how many bytes of it and of memory must be free: many times what the tests use. */
const MEMORY = { folder: "/dev/shm", leastBytes: 4 * 2 ** 30 };

/**
 * Makes a directory for the data of PostgreSQL in memory, where it takes half the time: half of it is the file system's.
 * Undefined without room.
 */
async function inMemory(): Promise<string | undefined> {
  const { folder, leastBytes } = MEMORY;
  const room = await statfs(folder).catch(() => undefined);
  const free = room === undefined ? 0 : Math.min(room.bavail * room.bsize, freemem());
  return free < leastBytes ? undefined : mkdtemp(join(folder, "petstore-"));
}

interface Folders {
  readonly scratch: string;
  /** For the data of databases. Default: in `scratch`. */
  readonly databases: string | undefined;
}

async function bunTest(
  suite: Suite,
  files: readonly string[],
  { torture, seed, filters, verbose, together, shared }: RunOptions,
  { scratch, databases }: Folders,
): Promise<Ending> {
  const heading = `\n── ${suite.name}\n`;
  if (!together) process.stdout.write(heading);
  // One file for both streams keeps their order.
  const output = together ? await open(join(scratch, "output"), "a+") : undefined;
  const timings = join(scratch, "timings.json");
  await Bun.write(timings, JSON.stringify({ version: 1, files: timingsOf(suite, files) }));
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      // A leaked server ends with its suite.
      "--no-orphans",
      ...(suite.alone || verbose ? [] : [`--parallel=${seatsOf(suite)}`, `--timings=${timings}`]),
      ...(suite.keepsModules ? ["--no-isolate"] : []),
      ...(verbose ? [] : ["--only-failures", "--preload=./test/runner/quiet.ts"]),
      `--timeout=${TEST_LIMIT_MS}`,
      "--reporter=junit",
      `--reporter-outfile=${join(scratch, "junit.xml")}`,
      ...filters,
      ...files.map((file) => `./${file}`),
    ],
    {
      stdio: ["ignore", output?.fd ?? "inherit", output?.fd ?? "inherit"],
      env: {
        ...withoutOptions(process.env),
        TMPDIR: scratch,
        TEST_SHARED: shared,
        ...(databases === undefined ? {} : { TEST_DATABASES: databases }),
        // Not PETSTORE_…, which the program would treat as an unknown option.
        TEST_SEED: String(seed),
        ...(torture ? { TEST_TORTURE: "1" } : {}),
        ...(suite.compiled ? { TEST_EXECUTABLE: EXECUTABLE } : {}),
      },
    },
  );
  const ending = await endingOf(child, torture ? DEADLINE_MS.long : DEADLINE_MS.short);
  if (output !== undefined) {
    process.stdout.write(heading + (await Bun.file(join(scratch, "output")).text()));
    await output.close();
  }
  return ending;
}

/** The timings that let `bun test` start with the longest files. */
function timingsOf({ longest = {} }: Suite, files: readonly string[]): Record<string, number> {
  return Object.fromEntries(files.map((file) => [file, (longest[file] ?? 1) * 1_000]));
}

const EXECUTABLE = "dist/petstore";

let installing: Promise<unknown> = Promise.resolve();

/** Installs what a suite needs, one suite after the other, because apt locks its files. */
function toolsOf({ tools = [] }: Suite): Promise<string | undefined> {
  const lacks = installing.then(() => ensureTools(tools));
  installing = lacks.catch(() => undefined);
  return lacks;
}

let compiling: Promise<boolean> | undefined;

/** Compiles the program, once per run. */
function compile(): Promise<boolean> {
  compiling ??= Bun.spawn([process.execPath, "run", "--silent", "compile"], {
    stdio: ["ignore", "ignore", "inherit"],
  }).exited.then((code) => code === 0);
  return compiling;
}

/** Settings for a developer's own `petstore` must not reach the tests. */
function withoutOptions(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("PETSTORE_")));
}
