import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runSeed, torture } from "../../helpers/chance.ts";
import { groups, type Group } from "../decoders/groups.ts";
import type { Decoder } from "./decoder.ts";
import { shown, type Finding, type Report } from "./judge.ts";
import { createProgress, type Progress } from "./progress.ts";

export interface FuzzOptions {
  /** Processor time that one input may take before its process is killed. Default 10,000. */
  readonly frozenMs?: number;
}

/** Processor time is unknown on some systems; there, and for a promise that is never settled, this much time must pass. */
const SILENT_MS = 100_000;
const MOST_BYTES = 2 * 1_024 ** 3;
const LOOK_MS = 100;

/**
 * Decodes the inputs of a group in a process of its own, and returns a report for each decoder by its name. A process that
 * freezes on an input, or grows without end, is killed; another one continues with the next decoder.
 */
export async function fuzzed(
  group: Group,
  { frozenMs = 10_000 }: FuzzOptions = {},
): Promise<ReadonlyMap<string, Report>> {
  const decoders = await groups[group]();
  const reports = new Map<string, Report>();
  const folder = await mkdtemp(join(tmpdir(), "fuzz-"));
  try {
    for (let from = 0; from < decoders.length;) {
      const file = join(folder, String(from));
      const progress = await createProgress(file);
      const ended = await oneProcess(
        [group, file, String(timesOf(group)), String(from)],
        progress,
        frozenMs,
      );
      for (const report of ended.reports) reports.set(report.decoder, report);
      const { decoder: index, input } = progress.get();
      const decoder = decoders[index];
      if (decoder === undefined || reports.has(decoder.name)) break;
      reports.set(decoder.name, unfinished(decoder, input, timesOf(group), ended.fault));
      from = index + 1;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return reports;
}

type Fault = Pick<Finding, "fault" | "detail">;

async function oneProcess(
  words: readonly string[],
  progress: Progress,
  frozenMs: number,
): Promise<{ readonly reports: readonly Report[]; readonly fault: Fault }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "child.ts"), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = new Response(child.stdout).text();
  let fault: Fault | undefined;
  const watching = new AbortController();
  const watch = async (): Promise<void> => {
    let seen = "";
    let cpuThen = 0;
    let then = performance.now();
    while (!watching.signal.aborted) {
      await Promise.race([Bun.sleep(LOOK_MS), child.exited]);
      const now = JSON.stringify(progress.get());
      const { cpuMs, bytes } = usageOf(child.pid);
      if (now !== seen) [seen, cpuThen, then] = [now, cpuMs, performance.now()];
      if (cpuMs - cpuThen > frozenMs) {
        fault = { fault: "does not end", detail: `killed after ${frozenMs} ms` };
      } else if (performance.now() - then > SILENT_MS) {
        fault = { fault: "does not answer", detail: `killed after ${SILENT_MS} ms` };
      } else if (bytes > MOST_BYTES) {
        fault = { fault: "takes too much memory", detail: `killed at ${bytes} bytes` };
      }
      if (fault !== undefined) child.kill("SIGKILL");
      if (fault !== undefined || child.exitCode !== null) return;
    }
  };
  const watched = watch();
  const code = await child.exited;
  watching.abort();
  await watched;
  const reports = (await output)
    .split("\n")
    .filter((line) => line !== "")
    // Written by `child.ts`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    .map((line) => JSON.parse(line) as Report);
  return {
    reports,
    // Its process ends when it waits for a promise that nothing settles, or crashes.
    fault: fault ?? { fault: "does not answer", detail: `the process ended with ${code}` },
  };
}

/** Returns by what the number of inputs is multiplied. The broken decoders need all of theirs to break. */
function timesOf(group: Group): number {
  if (torture) return 100;
  return group === "broken" ? 1 : 0.5;
}

function unfinished(
  decoder: Decoder,
  input: number,
  times: number,
  { fault, detail }: Fault,
): Report {
  const { name, file, inputs, longest, stretched } = decoder;
  const all = inputs * times;
  const given =
    input < all ? decoder.input(runSeed, input) : stretched(runSeed, input - all, longest);
  const finding = { fault, detail, index: input, input: shown(given) };
  return {
    decoder: name,
    file,
    inputs: input,
    accepted: 0,
    findings: [finding],
    longestMs: 0,
    cpuMs: 0,
  };
}

const TICKS_PER_MS = 0.1;
const PAGE_BYTES = 4_096;

/** Returns the processor time and the memory of a process. Zero where the system does not tell. */
function usageOf(pid: number): { readonly cpuMs: number; readonly bytes: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime, stime and rss: the 14th, 15th and 24th (proc_pid_stat(5)); these begin with the third.
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { cpuMs: ticks / TICKS_PER_MS, bytes: Number(fields[21]) * PAGE_BYTES };
  } catch {
    return { cpuMs: 0, bytes: 0 };
  }
}
