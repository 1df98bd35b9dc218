import { join } from "node:path";
import { system } from "../../lib/model/actor.ts";
import { postgresStore } from "../../adapters/postgres/sql.ts";
import type { PostgresClient, PostgresClientOptions } from "../../adapters/postgres/connection.ts";
import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import type { Store } from "../../lib/storage/store.ts";
import { ensureTools, POSTGRES_FOLDERS } from "../../scripts/debian.ts";
import { startPostgres, type TestPostgres } from "../../test/helpers/postgres.ts";
import { freePort, pinned } from "../child.ts";
import { alternate } from "../compare.ts";
import { atLeast, figure, noGoal, type Bench, type Figure, type Gap, type Row } from "../row.ts";
import { LIMITS, valueOf } from "../service.ts";

/** Row 18: PostgreSQL beside its driver alone, beside creates that do not share transactions, and beside SQLite. */
export const postgres: Row = {
  name: "postgres",

  measure: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    await using server = await startPostgres({ settings: DURABLE });
    const model = await makeModel(server, NEAR.pages * PAGE);
    bench.say("row 18: PostgreSQL");
    const near = await compare(bench, { server, model, port: server.port }, NEAR);
    bench.say("row 18: PostgreSQL, 2 ms away");
    using network = await delayed(server.port);
    const far = await compare(bench, { server, model, port: network.port }, FAR);
    return [...near, ...far];
  },

  smoke: async (bench) => {
    const missing = await ensureTools(TOOLS);
    if (missing !== undefined) return [gap(missing)];
    await using server = await startPostgres();
    const model = await makeModel(server, 200);
    using network = await delayed(server.port);
    await compare({ ...bench, runs: 1 }, { server, model, port: network.port }, SMOKE);
    return [];
  },
};

const TOOLS = [{ command: "initdb", folders: POSTGRES_FOLDERS, debianPackage: "postgresql" }];
/** As an operator would run it. */
const DURABLE = ["fsync=on", "full_page_writes=on"];
const CONNECTIONS = 10;

function gap(reason: string): Gap {
  return { row: 18, what: "PostgreSQL", reason };
}

interface Scale {
  /** Follows the names of the figures. */
  readonly where: string;
  readonly pages: number;
  readonly readers: number;
  readonly creates: number;
  readonly creators: number;
  /** Creates that do not share transactions. */
  readonly alone: number;
  readonly joinedGoal: number;
  readonly besideSqlite: boolean;
}

const NEAR: Scale = {
  where: "",
  pages: 1_000,
  readers: 64,
  creates: 20_000,
  creators: 256,
  alone: 1_000,
  joinedGoal: 5,
  besideSqlite: true,
};
const FAR: Scale = {
  ...NEAR,
  where: ", 2 ms away",
  readers: 16,
  creates: 5_000,
  alone: 100,
  joinedGoal: 10,
  besideSqlite: false,
};
const SMOKE: Scale = { ...NEAR, pages: 9, creates: 40, creators: 20, alone: 20 };

/** A database with animals, which measurements copy. */
interface Model {
  readonly name: string;
  readonly catalogueId: number;
}

const connect = (options: PostgresClientOptions): PostgresClient => new Bun.SQL(options);

async function makeModel(server: TestPostgres, count: number): Promise<Model> {
  const url = await server.createDatabase();
  const store = await postgresStore({ url, connect });
  const catalogueId = await fill(store, count);
  await store.close();
  return { name: url.slice(url.lastIndexOf("/") + 1), catalogueId };
}

/** Creates an account with animals and returns its catalogue. */
async function fill(store: Store, count: number): Promise<number> {
  const account = { id: "acc_1", name: "Bench", plan: "enterprise", limits: LIMITS } as const;
  await store.commit([{ kind: "account.create", account: { ...account, createdAt: 0 } }], system);
  const catalogue = await store.catalogues.of(account.id, "production");
  const catalogueId = catalogue?.id ?? 0;
  await creating(count).run([store], catalogueId, 256);
  return catalogueId;
}

/** A statement as the adapter sent it. */
interface Call {
  readonly text: string;
  readonly values: unknown[] | undefined;
}

/** What the adapter sends, and the options of its connections. */
interface Sent {
  calls: Call[];
  options?: PostgresClientOptions;
}

interface Place {
  /** Where the server is reached. */
  readonly port: number;
  readonly server: TestPostgres;
  readonly model: Model;
}

let copies = 0;

/** Returns the address of a new copy of the model. */
async function copy({ port, server, model }: Place): Promise<string> {
  const name = `copy_${++copies}`;
  await server.run(`CREATE DATABASE ${name} TEMPLATE ${model.name}`);
  return `postgres://postgres@127.0.0.1:${port}/${name}?sslmode=disable`;
}

async function open(url: string, sent?: Sent, connections = CONNECTIONS): Promise<Store> {
  const recording = (options: PostgresClientOptions): PostgresClient => {
    const client = connect(options);
    if (sent === undefined) return client;
    sent.options = options;
    return {
      unsafe: (text, values, how) => {
        sent.calls.push({ text, values });
        return client.unsafe(text, values, how);
      },
      end: (how) => client.end(how),
    };
  };
  return postgresStore({ url, connections, connect: recording });
}

/** Sends the statements again over clients of the driver, each of which takes the next one. Returns the seconds. */
async function replay({ calls, options }: Sent, url: string, clients: number): Promise<number> {
  if (options === undefined) throw new Error("nothing was sent");
  const database = url.slice(url.lastIndexOf("/") + 1).replace(/\?.*/, "");
  const made = Array.from({ length: clients }, () => connect({ ...options, database }));
  await Promise.all(made.map((client) => client.unsafe("SELECT 1")));
  const left = calls.values();
  const startedAt = performance.now();
  await Promise.all(
    made.map(async (client) => {
      for (const { text, values } of left) {
        await (values === undefined
          ? client.unsafe(text)
          : client.unsafe(text, values, { prepare: true }));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(made.map((client) => client.end({ timeout: 1 })));
  return seconds;
}

/** Operations on stores. */
interface Work {
  readonly count: number;
  /** Runs them, `clients` at a time, and returns the seconds. */
  readonly run: (stores: readonly Store[], catalogueId: number, clients: number) => Promise<number>;
}

function workOf(
  count: number,
  step: (store: Store, catalogueId: number, index: number) => Promise<void>,
): Work {
  return {
    count,
    run: async (stores, catalogueId, clients) => {
      const left = Array.from({ length: count }, (_, index) => index).values();
      const startedAt = performance.now();
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          const store = stores[client % stores.length];
          if (store !== undefined) {
            for (const index of left) await step(store, catalogueId, index);
          }
        }),
      );
      return (performance.now() - startedAt) / 1_000;
    },
  };
}

const PAGE = 20;

/** Lists pages, each another one. */
const listing = (pages: number): Work =>
  workOf(pages, async (store, catalogueId, index) => {
    const page = { limit: PAGE, order: "asc", after: index * PAGE } as const;
    const rows = await store.pets.list(catalogueId, {}, page);
    if (rows.length !== PAGE) throw new Error(`page ${index} has ${rows.length} animals`);
  });

/** Creates animals in one catalogue. */
const creating = (count: number): Work =>
  workOf(count, async (store, catalogueId) => {
    const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
    valueOf(await store.commit([{ kind: "pet.create", catalogueId, pet, at: Date.now() }], system));
  });

async function compare(bench: Bench, place: Place, scale: Scale): Promise<readonly Figure[]> {
  const { where, readers, creators } = scale;
  const { catalogueId } = place.model;
  const lists = listing(scale.pages);
  const creates = creating(scale.creates);
  const alone = creating(scale.alone);

  const reading: Sent = { calls: [] };
  const url = await copy(place);
  const reader = await open(url, reading);
  await lists.run([reader], catalogueId, readers);
  const list = await alternate(bench.runs, {
    ours: async () => {
      reading.calls = [];
      return lists.count / (await lists.run([reader], catalogueId, readers));
    },
    theirs: async () => lists.count / (await replay(reading, url, CONNECTIONS)),
  });
  await reader.close();

  const writing: Sent = { calls: [] };
  const create = await alternate(bench.runs, {
    ours: async () => {
      const store = await open(await copy(place), writing);
      writing.calls = [];
      const seconds = await creates.run([store], catalogueId, creators);
      await store.close();
      return creates.count / seconds;
    },
    // They are in one lane, so none runs beside another one.
    theirs: async () => creates.count / (await replay(writing, await copy(place), 1)),
    alone: async () => {
      const shared = await copy(place);
      const stores: Store[] = [];
      while (stores.length < CONNECTIONS) stores.push(await open(shared, undefined, 2));
      const seconds = await alone.run(stores, catalogueId, stores.length);
      for (const store of stores) await store.close();
      return alone.count / seconds;
    },
  });

  const facts = { row: 18, unit: "/s" } as const;
  const driver = "Bun.SQL alone, the same statements";
  const each = `one transaction each, ${CONNECTIONS} writers`;
  const listed = { ...facts, what: `lists on PostgreSQL, ${readers} clients${where}` };
  const created = { ...facts, what: `creates on PostgreSQL, ${creators} clients${where}` };
  const figures = [
    figure({ ...listed, ...list, against: driver }, atLeast(0.6)),
    figure({ ...created, ...create, against: driver }, atLeast(0.6)),
    figure(
      { ...created, ours: create.ours, against: each, theirs: create.alone },
      atLeast(scale.joinedGoal),
    ),
  ];
  if (!scale.besideSqlite) return figures;
  const beside = await onSqlite(bench, { lists, creates, scale });
  return [
    ...figures,
    figure({ ...listed, ours: list.ours, against: "SQLite", theirs: beside.lists }, noGoal),
    figure({ ...created, ours: create.ours, against: "SQLite", theirs: beside.creates }, noGoal),
  ];
}

/** The same on SQLite. */
async function onSqlite(
  bench: Bench,
  {
    lists,
    creates,
    scale,
  }: { readonly lists: Work; readonly creates: Work; readonly scale: Scale },
): Promise<Readonly<Record<"lists" | "creates", number>>> {
  const store = await bunSqliteStore({ path: join(bench.scratch, "beside-postgres.sqlite") });
  const catalogueId = await fill(store, lists.count * PAGE);
  const seen = await alternate(bench.runs, {
    lists: async () => lists.count / (await lists.run([store], catalogueId, scale.readers)),
    creates: async () => creates.count / (await creates.run([store], catalogueId, scale.creators)),
  });
  await store.close();
  return seen;
}

/** A server behind a network that takes a millisecond each way. */
async function delayed(target: number): Promise<{ readonly port: number } & Disposable> {
  const port = freePort();
  const script = join(import.meta.dir, "../servers/delay.ts");
  const command = [process.execPath, script, String(port), String(target), "1"];
  const child = Bun.spawn(pinned("load", command), { stdio: ["ignore", "ignore", "inherit"] });
  for (;;) {
    const socket = { data: () => undefined };
    const reached = await Bun.connect({ hostname: "127.0.0.1", port, socket }).catch(
      () => undefined,
    );
    reached?.end();
    if (reached !== undefined) break;
    await Bun.sleep(5);
  }
  return { port, [Symbol.dispose]: () => child.kill() };
}
