/** Decodes the inputs of a group's decoders, and writes a report for each as a line. Started by `fuzzed`. */
import { runSeed } from "../../helpers/chance.ts";
import { groups, isGroup } from "../decoders/groups.ts";
import { judge } from "./judge.ts";
import { progressIn } from "./progress.ts";

const [group = "", progressFile = "", times = "1", from = "0"] = process.argv.slice(2);
if (!isGroup(group)) throw new TypeError(`No such group: ${group}`);
const decoders = await groups[group]();
const progress = progressIn(progressFile);

async function run(): Promise<void> {
  for (const [index, decoder] of decoders.entries()) {
    if (index < Number(from)) continue;
    const at = (input: number): void => progress.set(index, input);
    const report = await judge(decoder, { seed: runSeed, times: Number(times), at });
    await Bun.write(Bun.stdout, `${JSON.stringify(report)}\n`);
  }
  process.exit(0);
}

// Not awaited: if a promise is never settled, nothing is left to do, and the process ends.
void run();
