/**
 * `npm test` and `npm run torture`: runs the suites and sums up their results. Several suites run at the same time, as many as
 * keep the machine busy; in the long form, which measures the machine, they run one after the other.
 *
 *     npm test                      all suites
 *     npm test -- core cli          these
 *     npm test -- core -t "a name"  the rest goes to `bun test`
 *     npm run torture               the suites that have a long form, in it
 */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import { testFiles } from "./runner/files.ts";
import type { SuiteResult } from "./runner/run-suite.ts";
import { runSuite, seatsOf } from "./runner/run-suite.ts";
import { sideBySide } from "./runner/side-by-side.ts";
import { assign, suites } from "./runner/suites.ts";
import { closingLine, sum } from "./runner/tally.ts";

const args = process.argv.slice(2);
const torture = args[0] === "--torture";
const rest = torture ? args.slice(1) : args;
const firstFilter = rest.findIndex((arg) => arg.startsWith("-"));
const names = firstFilter === -1 ? rest : rest.slice(0, firstFilter);
const filters = firstFilter === -1 ? [] : rest.slice(firstFilter);
const strict = process.env["CI"] === "true";

const unknown = names.find((name) => !suites.some((suite) => suite.name === name));
if (unknown !== undefined) {
  console.error(`no suite is called ${unknown}; there are ${suites.map((s) => s.name).join(", ")}`);
  process.exit(2);
}

// Files with long tests only.
const isLong = (file: string): boolean => file.endsWith(".long.test.ts");
const files = (await testFiles("test")).filter((file) => torture || !isLong(file));
const { bySuite, unclaimed } = assign(files);
const chosen = suites.filter((suite) =>
  names.length > 0
    ? names.includes(suite.name)
    : torture
      ? suite.torture === true
      : bySuite.get(suite)?.length !== 0,
);
const treeBefore = await workTree();

// The short form uses the same seed every time; the long form uses a new one and prints it.
const seed = Number(process.env["TEST_SEED"] ?? (torture ? Date.now() % 2 ** 31 : 1));
console.log(`seed ${seed} (again with TEST_SEED=${seed})`);

const verbose = filters.length > 0;
// A test waits for half of its time, and no test needs a quiet machine. Half as many again take a tenth more processor time.
const seats = torture ? 1 : 2 * availableParallelism();
const shared = await mkdtemp(join(tmpdir(), "petstore-run-"));
const options = {
  torture,
  seed,
  filters,
  verbose,
  strict,
  shared,
  together: chosen.length > 1 && !torture,
};
const ended = await sideBySide(chosen, seats, seatsOf, (suite) =>
  runSuite(suite, bySuite.get(suite) ?? [], options).catch((error: unknown) =>
    failure(suite.name, String(error)),
  ),
);
await rm(shared, { recursive: true, force: true });
const results: SuiteResult[] = [...ended];
for (const file of unclaimed) results.push(failure(file, "no suite runs it"));
// During development the tree changes for other reasons.
if (strict && (await workTree()) !== treeBefore) {
  results.push(failure("work tree", "the tests left files in it, see git status"));
}

console.log("");
for (const { suite, tally, seconds, note } of results) {
  const line = `${suite.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s  ${closingLine(tally)}`;
  console.log(note === undefined ? line : `${line}: ${note}`);
}
const total = sum(results.map((result) => result.tally));
console.log(`\n${closingLine(total)}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

function failure(suite: string, note: string): SuiteResult {
  return { suite, tally: { passed: 0, failed: 1, skipped: 0 }, seconds: 0, note };
}

/** Returns git's list of changes; empty without git. */
async function workTree(): Promise<string> {
  if (Bun.which("git") === null) return "";
  const child = Bun.spawn(["git", "status", "--porcelain"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Response(child.stdout).text();
}
