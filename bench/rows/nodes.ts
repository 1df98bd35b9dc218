import { join } from "node:path";
import { ensureTools, POSTGRES_FOLDERS } from "../../scripts/debian.ts";
import { startPostgres } from "../../test/helpers/postgres.ts";
import type { Child } from "../child.ts";
import { alternateLoads } from "../compare.ts";
import { serve, type Load, type Served } from "../load.ts";
import { bearer, LIST, program, startProgram } from "../program.ts";
import { openQuota } from "../quota.ts";
import { atLeast, loadFigure, type Bench, type Figure, type Gap, type Row } from "../row.ts";
import { makeShelter, type Shelter } from "../shelter.ts";

/** Row 22: two nodes on one database beside one, each with a quarter of a core. */
export const nodes: Row = {
  name: "nodes",

  measure: async (bench) => {
    const servers = await startServers(bench, 1_000);
    if (typeof servers === "string") return [gap(servers)];
    await using started = servers;
    // Until both have compiled their code, which takes four times as long with a quarter of a core.
    for (const { load } of works) {
      for (const shelter of started.shelters) {
        const both = [load(shelter, bench.seconds), load(shelter, bench.seconds)];
        await serveBoth(started.children, both);
      }
    }
    await started.confine();
    const figures: Figure[] = [];
    for (const work of works) {
      for (const catalogues of ["same", "different"] as const) {
        const what = `${work.name}, two nodes, ${catalogues} catalogue${catalogues === "same" ? "" : "s"}`;
        bench.say(`row 22: ${what}`);
        const [first, second] = started.shelters;
        const keys = [first, catalogues === "same" ? first : second] as const;
        const [one, other] = started.children;
        const on = (children: readonly [Child, Child]) => (): Promise<Served> =>
          serveBoth(
            children,
            keys.map((shelter) => work.load(shelter, bench.seconds)),
          );
        const { ours, theirs } = await alternateLoads(bench.runs, {
          ours: on([one, other]),
          theirs: on([one, one]),
        });
        const facts = { row: 22, what, against: "one node, as many connections to it" };
        figures.push(loadFigure(facts, { ours, theirs }, atLeast(1.8)));
      }
    }
    return figures;
  },

  smoke: async (bench) => {
    const servers = await startServers(bench, 100);
    if (typeof servers === "string") return [gap(servers)];
    await using started = servers;
    await started.confine();
    for (const child of started.children) {
      for (const { key } of started.shelters) {
        const response = await fetch(child.url + LIST, { headers: bearer(key) });
        const body = (await response.json()) as readonly unknown[];
        if (body.length !== 20) throw new Error(`${response.status}: ${body.length} animals`);
      }
    }
    return [];
  },
};

const TOOLS = [{ command: "initdb", folders: POSTGRES_FOLDERS, debianPackage: "postgresql" }];
const SHARE = 0.25;
/** To each node. */
const CONNECTIONS = 64;
const CREATE = join(import.meta.dir, "../lua/create.lua");

const gap = (reason: string): Gap => ({ row: 22, what: "two nodes", reason });

interface Work {
  readonly name: string;
  readonly load: (shelter: Shelter, seconds: number) => Omit<Load, "url"> & { path: string };
}

const works: readonly Work[] = [
  {
    name: "list",
    load: ({ key }, seconds) => ({ path: LIST, headers: bearer(key), seconds }),
  },
  {
    name: "create",
    load: ({ emptyKey }, seconds) => ({
      path: "/v1/pets",
      headers: bearer(emptyKey),
      script: CREATE,
      seconds,
    }),
  },
];

/** Puts both under load at the same time, or one twice, and adds up what they did. */
async function serveBoth(
  children: readonly [Child, Child],
  loads: readonly ReturnType<Work["load"]>[],
): Promise<Served> {
  const distinct = [...new Set(children)];
  const used = async (): Promise<number> =>
    (await Promise.all(distinct.map(({ cpuMicros }) => cpuMicros()))).reduce(
      (sum, one) => sum + one,
      0,
    );
  const before = await used();
  const seen = await Promise.all(
    children.map((child, index) => {
      const { path, ...load } = loads[index] ?? loads[0] ?? { path: "", seconds: 0 };
      const connections = CONNECTIONS / (children.length / distinct.length);
      return serve(child, { ...load, connections, url: child.url + path });
    }),
  );
  const cpu = (await used()) - before;
  const perSecond = seen.reduce((sum, one) => sum + one.perSecond, 0);
  const seconds = loads[0]?.seconds ?? Number.NaN;
  return {
    perSecond,
    cpuMicros: cpu / (perSecond * seconds),
    medianMicros: Math.max(...seen.map(({ medianMicros }) => medianMicros)),
  };
}

interface Servers extends AsyncDisposable {
  readonly children: readonly [Child, Child];
  /** Each with a catalogue of animals and an empty one. */
  readonly shelters: readonly [Shelter, Shelter];
  /** From here on, each node gets its share of a core. */
  readonly confine: () => Promise<void>;
}

/** Starts PostgreSQL, which has no quota, and two nodes. Returns why not if quotas are impossible here. */
async function startServers(bench: Bench, animals: number): Promise<Servers | string> {
  const missing = await ensureTools(TOOLS);
  if (missing !== undefined) return missing;
  await using stack = new AsyncDisposableStack();
  // As an operator would run it.
  const settings = ["fsync=on", "full_page_writes=on"];
  const server = stack.use(await startPostgres({ settings }));
  const env = {
    PETSTORE_DATABASE_URL: await server.createDatabase(),
    PETSTORE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const confining: (() => Promise<void>)[] = [];
  const start = async (name: string): Promise<readonly [Child, Shelter] | string> => {
    const quota = await openQuota(name, SHARE);
    if (typeof quota === "string") return quota;
    stack.use(quota);
    const dataDir = join(bench.scratch, name);
    const shelter = await makeShelter(dataDir, animals, env);
    const child = stack.use(
      await startProgram(name, program, { dataDir, env: { ...env, PETSTORE_NODE_NAME: name } }),
    );
    confining.push(() => quota.confine(child.pid));
    return [child, shelter];
  };
  const one = await start("node-1");
  if (typeof one === "string") return one;
  const other = await start("node-2");
  if (typeof other === "string") return other;
  const started = stack.move();
  return {
    children: [one[0], other[0]],
    shelters: [one[1], other[1]],
    confine: async () => {
      for (const confine of confining) await confine();
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
