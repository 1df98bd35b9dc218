import { join } from "node:path";
import { pinned, run } from "../child.ts";
import { median, percentile } from "../compare.ts";
import { startProgram } from "../program.ts";
import { figure, timesAtMost, type Bench, type Figure, type Row } from "../row.ts";

/** Row 20: how long requests take while a backup runs. */
export const backup: Row = {
  name: "backup",

  measure: async (bench) => {
    await using shop = await open(bench);
    bench.say("row 20: requests during a backup");
    const idle = (): Promise<Times> =>
      timesOf(shop, PER_SECOND, () => Bun.sleep(bench.seconds * 1_000));
    const busy = (): Promise<Times> => timesOf(shop, PER_SECOND, shop.backUp);
    // Warms up both sides.
    for (const one of [idle, busy]) await one();
    const seen: { readonly idle: Times; readonly busy: Times }[] = [];
    for (let index = 0; index < bench.runs; index++) {
      seen.push({ idle: await idle(), busy: await busy() });
    }
    return (["reads", "creates"] as const).map((what): Figure => {
      const p99 = (side: "idle" | "busy"): number =>
        median(seen.map((one) => percentile(one[side][what], 0.99)));
      const facts = { row: 20, what: `${what} during a backup, p99`, unit: "ms" } as const;
      const against = { ours: p99("busy"), against: "with no backup", theirs: p99("idle") };
      return figure({ ...facts, ...against }, timesAtMost(1.5));
    });
  },

  smoke: async (bench) => {
    await using shop = await open(bench);
    const { reads, creates } = await timesOf(shop, 50, shop.backUp);
    if (reads.length === 0 || creates.length === 0) throw new Error("No request was answered.");
    return [];
  },
};

/** Far from what the server can do: the times of a saturated server are those of its queue. */
const PER_SECOND = 1_000;
const CLIENT = join(import.meta.dir, "../clients/paced.ts");

interface Shop extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly backUp: () => Promise<unknown>;
}

async function open(bench: Bench): Promise<Shop> {
  const shelter = await bench.shelter("backup");
  const executable = await bench.executable();
  const child = await startProgram("backup", executable, shelter);
  let count = 0;
  return {
    url: child.url,
    key: shelter.key,
    // The server makes it, in a process that shares its core.
    backUp: () => {
      const to = join(bench.scratch, `backup-${++count}`);
      return run([...executable, "backup", to, `--data-dir=${shelter.dataDir}`]);
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** How long each request took, in milliseconds. */
interface Times {
  readonly reads: readonly number[];
  readonly creates: readonly number[];
}

/** Sends so many requests a second during `work`. */
async function timesOf(
  { url, key }: Shop,
  perSecond: number,
  work: () => Promise<unknown>,
): Promise<Times> {
  const command = [process.execPath, CLIENT, url, key, String(perSecond)];
  const client = Bun.spawn(pinned("load", command), { stdio: ["pipe", "pipe", "inherit"] });
  await work();
  await client.stdin.end();
  const output = await new Response(client.stdout).text();
  if ((await client.exited) !== 0) throw new Error("The client of row 20 failed.");
  return JSON.parse(output) as Times;
}
