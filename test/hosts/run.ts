/**
 * `npm run hosts`: mounts the packed petstore in every host and checks what it does there. README.md describes a host.
 *
 *     npm run hosts                                  everything; writes the table in docs/hosts/README.md
 *     npm run hosts -- --only express,next           these hosts; the others keep their rows
 *     npm run hosts -- --only express --check cors   the checks whose names contain the text; writes nothing
 *     npm run hosts -- --bare                        without nginx and the leak rig; writes nothing
 */
import { parseArgs } from "node:util";

import { ensureTools } from "../../scripts/debian.ts";
import {
  proxiedChecks,
  runBehindNginx,
  runsBehindNginx,
  unbufferedChecks,
} from "./behind-nginx.ts";
import { checks, rolesFor, runCheck } from "./checks.ts";
import { listHosts, type Host } from "./host.ts";
import { environment, installHost } from "./install.ts";
import { keepApart, leaveNothing } from "./leaks.ts";
import { tableOf, writeTable, type Columns, type Outcome, type Row } from "./report.ts";
import { startHost } from "./running.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    check: { type: "string" },
    bare: { type: "boolean", default: false },
  },
});

/** A check that hangs has failed. */
const DEADLINE_MS = 90_000;

const leakChecks = [
  { name: "two clients at the same time see nothing of each other", run: keepApart },
  { name: "aborted requests leave no socket and no memory behind", run: leaveNothing },
];
const behind = (name: string): string => `behind nginx: ${name}`;
const columns: Columns = {
  direct: checks.map(({ name }) => name),
  nginx: [...proxiedChecks, ...unbufferedChecks].map(({ name }) => behind(name)),
  leaks: leakChecks.map(({ name }) => name),
};

const all = await listHosts();
const names = values.only?.split(",") ?? all.map(({ name }) => name);
const unknown = names.find((name) => !all.some((host) => host.name === name));
if (unknown !== undefined) {
  console.error(
    `no host is named ${unknown}; the hosts are ${all.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}
const known = new Set([...columns.direct, ...columns.nginx, ...columns.leaks]);
for (const host of all) {
  const wrong = Object.keys(host.excused).find((name) => !known.has(name));
  if (wrong === undefined) continue;
  console.error(`${host.name} is excused from "${wrong}", which is no check`);
  process.exit(2);
}
const lacks = values.bare
  ? undefined
  : await ensureTools([{ command: "nginx", debianPackage: "nginx-light" }]);
if (lacks !== undefined) {
  console.error(`npm run hosts ${lacks}`);
  process.exit(1);
}

const isChosen = (name: string): boolean => name.includes(values.check ?? "");
const faults: string[] = [];
const rows: Row[] = [];
for (const host of all.filter(({ name }) => names.includes(name))) {
  const outcomes = await examine(host).catch((error: unknown) => {
    faults.push(`${host.title}: ${textOf(error)}`);
    return new Map<string, Outcome>();
  });
  rows.push({ host, version: await versionOf(host), outcomes });
}

const date = new Date().toISOString().slice(0, 10);
console.log(`\n${tableOf(rows, columns, { hosts: rows.map(({ host }) => host), kept: [] })}`);
if (values.check === undefined && !values.bare) {
  await writeTable(rows, columns, { hosts: all, date });
}
for (const fault of faults) console.error(`\nFAILED ${fault}`);
console.log(`\n${rows.length} hosts, ${faults.length} failures`);
process.exit(faults.length === 0 ? 0 : 1);

/** Runs the checks against one host. */
async function examine(host: Host): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const began = Date.now();
  await using running = await startHost(host, await installHost(host));
  const report = async (name: string, run: () => Promise<unknown>): Promise<void> => {
    if (!isChosen(name)) return;
    outcomes.set(name, await outcomeOf(host, name, run));
  };
  for (const check of checks.filter(({ ends }) => ends !== true)) {
    if (rolesFor(check, host).length === 0) outcomes.set(check.name, "absent");
    else await report(check.name, () => runCheck(check, host, running));
  }
  if (!values.bare) {
    if (runsBehindNginx(host)) {
      await runBehindNginx(host, running, ({ name }, run) => report(behind(name), run));
    }
    for (const { name, run } of leakChecks) await report(name, () => run(host, running));
  }
  for (const check of checks.filter(({ ends }) => ends === true)) {
    await report(check.name, () => runCheck(check, host, running));
  }
  const passed = [...outcomes.values()].filter((outcome) => outcome === "passed").length;
  const seconds = ((Date.now() - began) / 1_000).toFixed(1);
  console.log(`${host.title}: ${passed} of ${outcomes.size} passed in ${seconds} s`);
  return outcomes;
}

async function outcomeOf(
  { title, excused }: Host,
  name: string,
  run: () => Promise<unknown>,
): Promise<Outcome> {
  const reason = excused[name];
  try {
    const said = await withDeadline(run());
    if (typeof said === "string") console.log(`  ${title}: ${name}: ${said}`);
  } catch (error) {
    if (reason !== undefined) return "excused";
    faults.push(`${title}: ${name}: ${textOf(error)}`);
    return "failed";
  }
  if (reason !== undefined) faults.push(`${title}: ${name}: passes, so it needs no excuse`);
  return "passed";
}

async function withDeadline<Value>(work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("It did not end.")), DEADLINE_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function versionOf(host: Host): Promise<string> {
  if (host.version !== undefined) return host.packages[host.version]?.split("@").at(-1) ?? "";
  const child = Bun.spawn([host.runtime, "--version"], {
    env: environment(await installHost(host)),
  });
  return /\d+\.\d+\.\d+/.exec(await new Response(child.stdout).text())?.[0] ?? "";
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
