import { join } from "node:path";
import { run } from "../child.ts";
import { besideWork, timesOf, type Times } from "../paced.ts";
import { startProgram } from "../program.ts";
import type { Bench, Row } from "../row.ts";

/** Row 20: how long requests take while a backup runs. */
export const backup: Row = {
  name: "backup",

  measure: async (bench) => {
    await using shop = await open(bench);
    bench.say("row 20: requests during a backup");
    const idle = (): Promise<Times> =>
      timesOf(shop, PER_SECOND, () => Bun.sleep(bench.seconds * 1_000));
    const busy = (): Promise<Times> => timesOf(shop, PER_SECOND, shop.backUp);
    return besideWork(
      bench,
      { idle, busy },
      {
        row: 20,
        what: (requests) => `${requests} during a backup`,
        against: "with no backup",
        bound: 1.5,
      },
    );
  },

  smoke: async (bench) => {
    await using shop = await open(bench);
    const { reads, creates } = await timesOf(shop, 50, shop.backUp);
    if (reads.length === 0 || creates.length === 0) throw new Error("No request was answered.");
    return [];
  },
};

const PER_SECOND = 1_000;

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
