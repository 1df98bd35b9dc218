import { join } from "node:path";
import { animals } from "../animals.ts";
import { run } from "../child.ts";
import { besideWork, timesOf, type Times } from "../paced.ts";
import { startProgram } from "../program.ts";
import type { Bench, Row } from "../row.ts";

/** Row 24: how long requests take while ten thousand messages go to a slow receiver. */
export const webhooks: Row = {
  name: "webhooks",

  measure: async (bench) => {
    bench.say(`row 24: ${DELIVERIES.toLocaleString("en")} messages to a slow receiver`);
    await using shop = await open(bench, DELIVERIES);
    const measured = async (): Promise<Times> =>
      timesOf(shop, PER_SECOND, () => Bun.sleep(bench.seconds * 1_000));
    // The webhooks of a suspended account wait.
    const idle = async (): Promise<Times> => {
      await shop.petstore("accounts", "suspend", shop.account);
      return measured();
    };
    const busy = async (): Promise<Times> => {
      await shop.petstore("accounts", "resume", shop.account);
      const before = shop.received();
      const times = await measured();
      if (shop.received() === before) throw new Error("No message was sent in row 24.");
      return times;
    };
    return besideWork(
      bench,
      { idle, busy },
      {
        row: 24,
        what: (requests) => `${requests} beside a slow webhook`,
        against: "while it waits",
        bound: 1.2,
      },
    );
  },

  smoke: async (bench) => {
    await using shop = await open(bench, 5);
    while (shop.received() < 5) await Bun.sleep(50);
    return [];
  },
};

const DELIVERIES = 10_000;
/** How long the receiver takes to answer. */
const SLOW_MS = 300;
const PER_SECOND = 500;

interface Shop extends AsyncDisposable {
  readonly url: string;
  /** A key of an account without a webhook. */
  readonly key: string;
  /** The account with the webhook. */
  readonly account: string;
  readonly petstore: (...args: readonly string[]) => Promise<string>;
  /** How many messages have arrived. */
  readonly received: () => number;
}

/** Starts the program with a webhook to a slow receiver, and queues so many messages. */
async function open(bench: Bench, count: number): Promise<Shop> {
  const shelter = await bench.shelter(`webhooks-${count}`);
  const executable = await bench.executable();
  let received = 0;
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async () => {
      received++;
      await Bun.sleep(SLOW_MS);
      return new Response("ok");
    },
  });
  const args = ["--allow-private-networks"];
  const child = await startProgram("webhooks", executable, { ...shelter, args });
  const petstore = (...words: readonly string[]): Promise<string> =>
    run([...executable, ...words, `--data-dir=${shelter.dataDir}`]);
  const accounts: readonly { readonly id: string; readonly name: string }[] = JSON.parse(
    await petstore("accounts", "list", "--json"),
  );
  const account = accounts.find(({ name }) => name === "Full")?.id ?? "";
  const of = `--account=${account}`;
  await petstore("webhooks", "create", `${receiver.url.href}in`, of, "--type=pet.created");
  const file = join(bench.scratch, "messages.ndjson");
  const lines = animals(count).map((animal) => `${JSON.stringify(animal)}\n`);
  await Bun.write(file, lines.join(""));
  await petstore("pets", "import", file, of, "--alike=add");
  const queued = async (): Promise<number> => {
    const [webhook]: readonly { readonly waiting: number }[] = JSON.parse(
      await petstore("webhooks", "list", of, "--json"),
    );
    return (webhook?.waiting ?? 0) + received;
  };
  // The list counts up to 10,000.
  while ((await queued()) < Math.min(count, 9_900)) await Bun.sleep(200);
  return {
    url: child.url,
    key: shelter.emptyKey,
    account,
    petstore,
    received: () => received,
    [Symbol.asyncDispose]: async () => {
      await child[Symbol.asyncDispose]();
      await receiver.stop(true);
    },
  };
}
