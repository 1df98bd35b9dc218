import { loadavg } from "node:os";
import { join } from "node:path";
import type { Machine } from "./machine.ts";
import type { Figure } from "./row.ts";

/** A figure that later runs are compared with, and the circumstances of its run. */
export interface BaselineFigure extends Figure {
  /** ISO 8601. */
  readonly at: string;
  /** Whether nothing else kept the machine busy: on a busy one a ratio may be off by more than `TOLERANCE`. */
  readonly quiet: boolean;
}

interface Baseline {
  readonly machine: Machine;
  readonly figures: readonly BaselineFigure[];
}

/** A figure that is worse than the baseline. */
export interface Regression {
  readonly before: BaselineFigure;
  readonly now: Figure;
}

/** By how much a figure may be worse than the baseline before it counts as a regression. */
const TOLERANCE = 0.05;

const FILE = Bun.file(join(import.meta.dir, "baseline.json"));

/** Returns the regressions of a run. Figures that the baseline does not have are skipped. */
export function regressions(
  baseline: readonly BaselineFigure[],
  figures: readonly Figure[],
): readonly Regression[] {
  return figures.flatMap((now) => {
    const before = baseline.find((one) => isSame(one, now));
    return before !== undefined && isWorse(before, now) ? [{ before, now }] : [];
  });
}

/** Compares CPU times where both figures have them: they hardly depend on what else the machine does. */
function isWorse(before: BaselineFigure, now: Figure): boolean {
  const { cpuRatio } = now;
  if (cpuRatio !== undefined && before.cpuRatio !== undefined) {
    return cpuRatio < before.cpuRatio * (1 - TOLERANCE);
  }
  return isWorseValue(before.value, now);
}

function isWorseValue(before: number, { value, better }: Figure): boolean {
  switch (better) {
    case "higher":
      return value < before * (1 - TOLERANCE);
    case "lower":
      return value > before * (1 + TOLERANCE);
    case "nearer 1":
      return Math.abs(value - 1) > Math.abs(before - 1) + TOLERANCE;
  }
}

export function regressionText({ before, now }: Regression): string {
  const byCpu = before.cpuRatio !== undefined && now.cpuRatio !== undefined;
  const [was, is] = [before, now].map(({ value, cpuRatio = 0 }) =>
    (byCpu ? cpuRatio : value).toFixed(2),
  );
  const noise = byCpu ? " (CPU time)" : before.quiet ? "" : ", measured on a busy machine";
  return `Row ${now.row}, ${now.what}, against ${now.against}: ${is}, worse than the ${was} of ${before.at.slice(0, 10)}${noise}`;
}

/** Returns the figures of `bench/baseline.json`; none if the file does not exist. */
export async function readBaseline(): Promise<readonly BaselineFigure[]> {
  if (!(await FILE.exists())) return [];
  return ((await FILE.json()) as Baseline).figures;
}

/** Replaces the measured figures in `bench/baseline.json` and keeps the others. */
export async function writeBaseline(
  machine: Machine,
  figures: readonly Figure[],
  run: Pick<BaselineFigure, "at" | "quiet">,
): Promise<void> {
  const kept = (await readBaseline()).filter((one) => !figures.some((now) => isSame(one, now)));
  const all = [...kept, ...figures.map((figure) => ({ ...figure, ...run }))];
  const baseline: Baseline = {
    machine,
    figures: all.toSorted((one, other) => one.row - other.row),
  };
  await Bun.write(FILE, `${JSON.stringify(baseline, undefined, 2)}\n`);
}

function isSame(one: Figure, other: Figure): boolean {
  return one.row === other.row && one.what === other.what && one.against === other.against;
}

/** Whether other programs have left the machine alone during the last minute. */
export function isQuiet(): boolean {
  const [lastMinute = 0] = loadavg();
  return lastMinute < 0.25;
}
