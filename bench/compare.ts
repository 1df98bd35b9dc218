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
  const names = Object.keys(contestants) as Name[];
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >;
  for (let run = 0; run < runs; run++) {
    for (const name of names) seen[name].push(await contestants[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(seen[name])])) as Record<
    Name,
    number
  >;
}
