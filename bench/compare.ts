import type { Served } from "./load.ts";

/** Returns the median: the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}

/** Returns the value that a share `part` of the values, such as 0.99, does not exceed. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}

/**
 * Runs the contestants in turn (A B A B), `runs` times each, and returns their medians. A machine that becomes slower or
 * busier then affects all of them.
 */
export async function alternate<Name extends string>(
  runs: number,
  contestants: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Readonly<Record<Name, number>>> {
  return mapped(await samples(runs, contestants), median);
}

/** The same for servers under load. */
export async function alternateLoads<Name extends string>(
  runs: number,
  contestants: Readonly<Record<Name, () => Promise<Served>>>,
): Promise<Readonly<Record<Name, Served>>> {
  return mapped(await samples(runs, contestants), (seen) => ({
    perSecond: median(seen.map(({ perSecond }) => perSecond)),
    cpuMicros: median(seen.map(({ cpuMicros }) => cpuMicros)),
    medianMicros: median(seen.map(({ medianMicros }) => medianMicros)),
  }));
}

async function samples<Name extends string, Sample>(
  runs: number,
  contestants: Readonly<Record<Name, () => Sample | Promise<Sample>>>,
): Promise<Readonly<Record<Name, readonly Sample[]>>> {
  const names = Object.keys(contestants) as Name[];
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Sample[]
  >;
  for (let run = 0; run < runs; run++) {
    for (const name of names) seen[name].push(await contestants[name]());
  }
  return seen;
}

function mapped<Name extends string, From, To>(
  from: Readonly<Record<Name, From>>,
  map: (value: From) => To,
): Readonly<Record<Name, To>> {
  const entries = Object.entries<From>(from).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
