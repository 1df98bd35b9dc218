import { run, type Child } from "../child.ts";
import { median } from "../compare.ts";
import { bearer, program, startProgram } from "../program.ts";
import { comparedTimes, timesOf, type Sides, type Times } from "../paced.ts";
import { atMost, figure, timesAtMost, type Bench, type Figure, type Row } from "../row.ts";

/** Row 17: how long one account's requests wait during another account's import. */
export const stall: Row = {
  name: "stall",

  measure: async (bench) => {
    await using shop = await open(bench);
    bench.say("row 17: the longest wait of a second caller");
    // Warms up both sides.
    for (const { bodies, status } of loads) await send(shop, bodies, status);
    await longestWait(shop, async () => Bun.sleep(bench.seconds * 1_000));
    const idle = await longestWait(shop, async () => Bun.sleep(bench.seconds * 1_000));
    const figures: Figure[] = await othersWaits(bench, shop);
    for (const { what, bodies, status } of loads) {
      const ours = await longestWait(shop, async () => send(shop, bodies, status));
      const facts = { row: 17, what: `longest wait during ${what}`, ours, unit: "ms" } as const;
      const against = { against: "with no import", theirs: idle, value: ours };
      figures.push(figure({ ...facts, ...against }, atMost(20, "ms")));
    }
    return figures;
  },

  smoke: async (bench) => {
    await using shop = await open(bench);
    for (const { bodies, status } of loads) await send(shop, bodies.slice(0, 1), status);
    await list(shop);
    const { reads, creates } = await timesDuring(shop, () =>
      send(shop, goodBodies().slice(0, 2), 200),
    );
    if (reads.length + creates.length === 0) throw new Error("No request was answered.");
    return [];
  },
};

const SIZE = 4 * 1_024 * 1_024;
const HOSTILE_CALLS = 20;
const GOOD_BYTES = 10 * 1_000 * 1_000;

interface Load {
  readonly what: string;
  readonly bodies: readonly string[];
  readonly status: number;
}

const loads: readonly Load[] = [
  { what: "4 MB of brackets", bodies: repeated("[".repeat(SIZE)), status: 400 },
  { what: "4 MB of unknown keys", bodies: repeated(`{${keys()}}`), status: 400 },
  {
    what: "4 MB of values",
    bodies: repeated(`{"rows":[${"{},".repeat(SIZE / 3 - 20)}{}]}`),
    status: 400,
  },
  { what: "10 MB of good rows", bodies: goodBodies(), status: 200 },
];

function repeated(body: string): readonly string[] {
  return Array.from({ length: HOSTILE_CALLS }, () => body);
}

function keys(): string {
  const count = Math.floor(SIZE / 14);
  return Array.from({ length: count }, (_, index) => `"k${1_000_000 + index}":1`).join(",");
}

/** Batches like those of the commands. */
function goodBodies(): readonly string[] {
  const rows = Array.from({ length: 500 }, (_, index) => ({
    name: `Rex ${index}, who likes long walks and short names`,
    category: index % 2 === 0 ? "Dogs" : "Cats",
    status: index % 5 === 0 ? "sold" : "available",
  }));
  const body = JSON.stringify({ rows });
  return Array.from({ length: Math.ceil(GOOD_BYTES / body.length) }, () => body);
}

interface Shop extends AsyncDisposable {
  readonly child: Child;
  /** The import path of the first account. */
  readonly imports: string;
  readonly token: string;
  /** The API key of the second account. */
  readonly key: string;
}

async function open(bench: Bench): Promise<Shop> {
  const shelter = await bench.shelter("stall");
  const petstore = async (...args: string[]): Promise<Readonly<Record<string, unknown>>> =>
    JSON.parse(await run([...program, ...args, "--json", `--data-dir=${shelter.dataDir}`]));
  const { id } = await petstore("accounts", "create", "Importer");
  const { token } = await petstore("tokens", "create");
  const child = await startProgram("stall", program, shelter);
  return {
    child,
    imports: `${child.url}/manage/v1/accounts/${String(id)}/production/pets/import`,
    token: String(token),
    key: shelter.emptyKey,
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

async function send(
  { imports, token }: Shop,
  bodies: readonly string[],
  status: number,
): Promise<void> {
  const headers = { ...bearer(token), "content-type": "application/json" };
  for (const body of bodies) {
    const response = await fetch(imports, { method: "POST", headers, body });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  }
}

async function list({ child, key }: Shop): Promise<void> {
  const response = await fetch(`${child.url}/v1/pets?limit=1`, { headers: bearer(key) });
  await response.text();
  if (response.status !== 200) throw new Error(`The second caller got ${response.status}.`);
}

const PER_SECOND = 200;

/** Has a second caller send requests during `work`. */
function timesDuring({ child, key }: Shop, work: () => Promise<void>): Promise<Times> {
  return timesOf({ url: child.url, key }, PER_SECOND, work);
}

/** Compares a second caller's times during an import with those without one, and the import's CPU time likewise. */
async function othersWaits(bench: Bench, shop: Shop): Promise<Figure[]> {
  const bodies = goodBodies().slice(0, IMPORT_CALLS);
  const cpuMillis = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await shop.child.cpuMicros();
    await work();
    return ((await shop.child.cpuMicros()) - before) / 1_000;
  };
  const rest = (): Promise<void> => Bun.sleep(bench.seconds * 1_000);
  const seen: Sides<Times>[] = [];
  const millis: { readonly busy: number; readonly alone: number }[] = [];
  for (let index = 0; index < bench.runs; index++) {
    let idle: Times = { reads: [], creates: [] };
    let busy: Times = idle;
    const paced = await cpuMillis(async () => (idle = await timesDuring(shop, rest)));
    const both = await cpuMillis(
      async () => (busy = await timesDuring(shop, () => send(shop, bodies, 200))),
    );
    seen.push({ idle, busy });
    await Bun.sleep(FORGOTTEN_MS);
    const alone = await cpuMillis(() => send(shop, bodies, 200));
    millis.push({ busy: both - (paced * countOf(busy)) / countOf(idle), alone });
  }
  const figures = comparedTimes(seen, {
    row: 17,
    what: (requests) => `others' ${requests} during an import`,
    against: "with no import",
    bound: 2,
  });
  const cost = (side: "busy" | "alone"): number => median(millis.map((one) => one[side]));
  const facts = { row: 17, what: "that import, CPU time", unit: "ms" } as const;
  const against = { ours: cost("busy"), against: "with no other requests", theirs: cost("alone") };
  return [...figures, figure({ ...facts, ...against }, timesAtMost(3))];
}

/** So few that all imports of the row stay below the management API's limit per minute. */
const IMPORT_CALLS = 30;

/** An import that follows the second caller's last request by this much is alone. */
const FORGOTTEN_MS = 5_500;

function countOf({ reads, creates }: Times): number {
  return reads.length + creates.length;
}

/** Returns the longest of the second caller's sequential requests during `work`, in milliseconds. */
async function longestWait(shop: Shop, work: () => Promise<void>): Promise<number> {
  let longest = 0;
  let working = true;
  const ended = work().finally(() => {
    working = false;
  });
  while (working) {
    const startedAt = performance.now();
    await list(shop);
    longest = Math.max(longest, performance.now() - startedAt);
  }
  await ended;
  return longest;
}
