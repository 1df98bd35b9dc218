/**
 * `npm run bench`: measures the program against bare servers and its peers.
 *
 *     npm run bench                       every row; prints the table and writes bench/results.json
 *     npm run bench -- --only list,start  these
 *     npm run bench -- --baseline         also keeps the results in bench/baseline.json, for later runs to be compared with
 *     npm run bench -- --smoke            starts everything, checks the responses, prints no figures
 *     npm run bench -- --smoke --peers    the same, and installs the peers
 *     npm run bench -- --executable FILE  measures this program instead of compiling one
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureTools } from "../scripts/debian.ts";
import { isQuiet, readBaseline, regressions, regressionText, writeBaseline } from "./baseline.ts";
import { machine } from "./machine.ts";
import { openBench } from "./open-bench.ts";
import type { Figure, Gap } from "./row.ts";
import { rows } from "./rows.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    baseline: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    executable: { type: "string" },
  },
});
const names = values.only?.split(",") ?? rows.map(({ name }) => name);
const unknown = names.find((name) => !rows.some((row) => row.name === name));
if (unknown !== undefined) {
  console.error(
    `no row is named ${unknown}; the rows are ${rows.map((row) => row.name).join(", ")}`,
  );
  process.exit(2);
}
const lacks = values.smoke
  ? undefined
  : await ensureTools([{ command: "wrk", debianPackage: "wrk" }]);
if (lacks !== undefined) {
  console.error(`the bench ${lacks}`);
  process.exit(1);
}

const { smoke } = values;
const quiet = isQuiet();
const chosen = rows.filter(({ name }) => names.includes(name));
await using bench = await openBench({
  smoke,
  installs: !smoke || values.peers,
  executable: values.executable,
});
const lines: (Figure | Gap)[] = [];
for (const row of chosen) {
  if (smoke) {
    lines.push(...(await row.smoke(bench)));
    console.log(`${row.name}: answers rightly`);
    continue;
  }
  try {
    lines.push(...(await row.measure(bench)));
  } catch (error) {
    // The others take most of an hour.
    console.error(`${row.name} failed:`, error);
    process.exitCode = 1;
  }
}
if (smoke) {
  for (const line of lines) if ("reason" in line) console.log(`${line.what}: ${line.reason}`);
} else {
  const at = new Date().toISOString();
  const results = { at, quiet, machine: machine(), lines };
  await Bun.write(
    join(import.meta.dir, "results.json"),
    `${JSON.stringify(results, undefined, 2)}\n`,
  );
  console.log(`\n${table(lines)}`);
  const figures = lines.filter((line): line is Figure => "goal" in line);
  if (values.baseline) await writeBaseline(machine(), figures, { at, quiet });
  else {
    for (const one of regressions(await readBaseline(), figures)) console.log(regressionText(one));
  }
}
