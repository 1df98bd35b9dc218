import { Database } from "bun:sqlite";
import { copyFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { animals } from "./animals.ts";
import { run, startServer, type Child } from "./child.ts";
import { failureOf, goPeerMissing, goPocketBase } from "./go-peers.ts";
import { ROOT } from "./program.ts";
import type { Bench } from "./row.ts";

/** An implementation of row 4's two operations with another framework. */
export interface Peer {
  readonly name: string;
  /** The counterpart of row 1's request. */
  readonly list: string;
  /** The path that creates an animal. */
  readonly create: string;
  readonly createStatus: number;
  /** Prepares it to start, or returns why it cannot run. */
  prepare(bench: Bench): Promise<string | undefined>;
  start(bench: Bench): Promise<Child>;
}

const HOME = join(ROOT, "bench/peers");
const NODE = join(HOME, "node_modules/node24/bin/node");

export const peers: readonly Peer[] = [
  handwritten("Hono + bun:sqlite", process.execPath, "hono.ts"),
  handwritten("Elysia + bun:sqlite", process.execPath, "elysia.ts"),
  handwritten("Fastify + better-sqlite3 on Node 24", NODE, "fastify.ts"),
  {
    name: "PocketBase",
    list: "/api/collections/pets/records?filter=status%3D%27available%27&sort=-%40rowid&perPage=20&skipTotal=1",
    create: "/api/collections/pets/records",
    createStatus: 200,
    prepare: (bench) => goPeerMissing(goPocketBase, bench),
    start: (bench) =>
      startServer({
        name: "PocketBase",
        scratch: bench.scratch,
        probe: "/api/health",
        command: (port) => [
          goPocketBase.file,
          String(port),
          join(bench.scratch, "pocketbase"),
          String(bench.animals),
        ],
      }),
  },
];

/** Returns a small handwritten peer over SQLite, with the same animals at the start. */
function handwritten(name: string, runtime: string, file: string): Peer {
  return {
    name,
    list: "/v1/pets?status=available&limit=20",
    create: "/v1/pets",
    createStatus: 201,
    prepare: async ({ installs, say }) => {
      if (existsSync(NODE)) return undefined;
      if (!installs) return "not installed; --peers installs it";
      say("installing the peers");
      return failureOf(run(["npm", "ci", "--no-audit", "--no-fund"], { cwd: HOME }));
    },
    start: async (bench) => {
      const database = join(bench.scratch, `${file}.sqlite`);
      await copyFile(await seedDatabase(bench), database);
      return startServer({
        name,
        scratch: bench.scratch,
        probe: "/v1/pets",
        command: (port) => [runtime, join(HOME, file), String(port), database],
      });
    },
  };
}

/** Creates the peers' shared table of animals, with the index that their list needs. */
async function seedDatabase({ scratch, animals: count }: Bench): Promise<string> {
  const file = join(scratch, "seed.sqlite");
  if (existsSync(file)) return file;
  const database = new Database(file, { create: true });
  database.run(
    "CREATE TABLE pets (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, categoryId INTEGER NOT NULL, status TEXT NOT NULL)",
  );
  const insert = database.prepare("INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?)");
  database.transaction(() => {
    for (const { name, categoryId, status } of animals(count)) {
      insert.run(name, categoryId, status);
    }
  })();
  database.run("CREATE INDEX pets_status ON pets (status, id)");
  database.close();
  return file;
}
