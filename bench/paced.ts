import { join } from "node:path";
import { pinned } from "./child.ts";
import { median, percentile } from "./compare.ts";
import { figure, timesAtMost, type Bench, type Figure } from "./row.ts";

/** How long each request took, in milliseconds. */
export interface Times {
  readonly reads: readonly number[];
  readonly creates: readonly number[];
}

const CLIENT = join(import.meta.dir, "clients/paced.ts");

/**
 * Sends so many requests a second during `work`. Keep them far from what the server can do: the times of a saturated server are
 * those of its queue.
 */
export async function timesOf(
  { url, key }: { readonly url: string; readonly key: string },
  perSecond: number,
  work: () => Promise<unknown>,
): Promise<Times> {
  const command = [process.execPath, CLIENT, url, key, String(perSecond)];
  const client = Bun.spawn(pinned("load", command), { stdio: ["pipe", "pipe", "inherit"] });
  await work();
  await client.stdin.end();
  const output = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error("The client that measures the times failed.");
  return JSON.parse(output) as Times;
}

/** The times of requests while the server does other work, and while it does none. */
export type Sides<Value> = Readonly<Record<"idle" | "busy", Value>>;

interface Compared {
  readonly row: number;
  /** Returns the name of the figure. */
  readonly what: (requests: "reads" | "creates") => string;
  readonly against: string;
  /** How many times as long the requests may take. */
  readonly bound: number;
}

/** Measures both sides several times, and compares them. */
export async function besideWork(
  bench: Bench,
  { idle, busy }: Sides<() => Promise<Times>>,
  compared: Compared,
): Promise<readonly Figure[]> {
  // Warms up both sides.
  for (const one of [idle, busy]) await one();
  const seen: Sides<Times>[] = [];
  for (let index = 0; index < bench.runs; index++) {
    seen.push({ idle: await idle(), busy: await busy() });
  }
  return comparedTimes(seen, compared);
}

/** Returns figures of the reads and of the creates. */
export function comparedTimes(
  seen: readonly Sides<Times>[],
  { row, what, against, bound }: Compared,
): readonly Figure[] {
  return (["reads", "creates"] as const).map((requests) => {
    const p99 = (side: "idle" | "busy"): number =>
      median(seen.map((one) => percentile(one[side][requests], 0.99)));
    const facts = { row, what: `${what(requests)}, p99`, unit: "ms" } as const;
    return figure(
      { ...facts, ours: p99("busy"), against, theirs: p99("idle") },
      timesAtMost(bound),
    );
  });
}
