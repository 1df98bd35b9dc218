import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";

import { migrations } from "../../adapters/migrations.ts";
import { blobSchema } from "../../adapters/postgres/blobs.ts";
import { postgresSql } from "../../adapters/postgres/sql.ts";
import { migrate } from "../../lib/index.ts";
import { schemas } from "../../server/data/storage.ts";
import { describeLong } from "../helpers/long.ts";
import { startPostgres, type TestPostgres } from "../helpers/postgres.ts";

// The trials of docs/embedding-database.md: other tools and Petstore take turns in one database. Installs the tools into a
// temporary folder, so only in the long form.

const DRIZZLE = { "drizzle-kit": "0.31.11", "drizzle-orm": "0.45.4", postgres: "3.4.9" };
const PRISMA = { prisma: "6.19.3", "@prisma/adapter-pg": "6.19.3", pg: "8.23.1" };
const DBMATE = { dbmate: "2.36.0" };

const all = [...schemas, blobSchema];
const ours = migrations({ dialect: "postgres", schema: "petstore", schemas: all })
  .map(({ sql }) => sql)
  .join("\n");

let server: TestPostgres;
let folder: string;

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a command of the tool in the folder. */
async function run(url: string, ...args: readonly string[]): Promise<Ran> {
  const child = Bun.spawn(["npx", "--no-install", ...args], {
    cwd: folder,
    env: {
      ...process.env,
      DATABASE_URL: url,
      // Prisma would download its native engines, which the configuration below does not use.
      PRISMA_QUERY_ENGINE_LIBRARY: join(folder, "package.json"),
      PRISMA_SCHEMA_ENGINE_BINARY: join(folder, "package.json"),
      // Without a network, it would wait for its news.
      CHECKPOINT_DISABLE: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: out + err };
}

/** Runs a command that has to succeed. */
async function must(url: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(url, ...args);
  if (code !== 0) throw new Error(`${args.join(" ")}: ${output}`);
  return output;
}

const write = (path: string, text: string): Promise<number> => Bun.write(join(folder, path), text);

/** Opens all stores, which upgrade their tables, or have to find them as they need them. */
async function open(url: string, migrates: boolean): Promise<void> {
  const sql = await postgresSql({ url, connect: postgres, schema: "petstore", migrate: migrates });
  await migrate(sql, all, 1);
  await sql.counters.setUp();
  await sql.close();
}

/** Describes every column, index, function and row of a schema. */
async function contents(url: string, schema: string): Promise<string> {
  const queries = [
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema = '${schema}' ORDER BY 1, 2`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = '${schema}' ORDER BY 1`,
    `SELECT proname, prosrc FROM pg_proc WHERE pronamespace = '${schema}'::regnamespace ORDER BY 1`,
    ...(schema === "petstore" ? ["SELECT * FROM petstore.petstore_migrations ORDER BY 1, 2"] : []),
  ];
  const found: unknown[] = [];
  for (const query of queries) found.push([...(await server.run(query, nameOf(url)))]);
  return JSON.stringify(found);
}

interface Tool {
  readonly packages: Readonly<Record<string, string>>;
  /** Writes the configuration. */
  readonly prepare: () => Promise<unknown>;
  /** Creates the table `visits` of the host. */
  readonly create: (url: string) => Promise<unknown>;
  /** Adds the column `note` to it. */
  readonly upgrade: (url: string) => Promise<unknown>;
  /** Runs our SQL as a migration. */
  readonly runOurs: (url: string) => Promise<unknown>;
  /** Whatever else the tool does to a database. */
  readonly more: (url: string) => Promise<unknown>;
}

const drizzleTable = (columns: string): string =>
  `import { pgTable, serial, text } from "drizzle-orm/pg-core";
  export const visits = pgTable("visits", { id: serial().primaryKey()${columns} });`;

const prismaTable = (columns: string): string =>
  `datasource db {
    provider = "postgresql"
    url      = env("DATABASE_URL")
  }
  model visits {
    id Int @id @default(autoincrement())
    ${columns}
  }`;

/**
 * The driver of Prisma's WebAssembly engine lacks two types of the catalogue, keeps connections that it has to end, and cuts a script
 * at each semicolon, in functions too.
 */
const PRISMA_CONFIG = `
import { defineConfig } from "prisma/config";
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
const types = { 18: 1042, 19: 25 };
const known = (result) => {
  for (const { fields = [] } of [result ?? []].flat()) {
    for (const field of fields) field.dataTypeID = types[field.dataTypeID] ?? field.dataTypeID;
  }
  return result;
};
class Client extends pg.Client {
  query(...args) {
    const last = args.at(-1);
    if (typeof last === "function") args.splice(-1, 1, (error, result) => last(error, known(result)));
    const asked = super.query(...args);
    return typeof asked?.then === "function" ? asked.then(known) : asked;
  }
}
export default defineConfig({
  experimental: { adapter: true },
  engine: "js",
  schema: "prisma/schema.prisma",
  adapter: async () => {
    const { hostname: host, port, username: user, pathname } = new URL(process.env.DATABASE_URL);
    const database = pathname.slice(1);
    const made = new PrismaPg({ host, port: Number(port), user, database, Client, idleTimeoutMillis: 1 });
    const whole = async (connecting) => {
      const adapter = await connecting;
      adapter.executeScript = async (script) => void (await adapter.client.query(script));
      return adapter;
    };
    return {
      provider: made.provider,
      adapterName: made.adapterName,
      connect: () => whole(made.connect()),
      connectToShadowDb: () => whole(made.connectToShadowDb()),
    };
  },
});`;

const dbmate = (url: string, ...args: readonly string[]): Promise<string> =>
  must(url, "dbmate", "--url", `${url}?sslmode=disable`, ...args);

const tools: Readonly<Record<string, Tool>> = {
  dbmate: {
    packages: DBMATE,
    prepare: () => mkdir(join(folder, "db/migrations"), { recursive: true }),
    create: async (url) => {
      await write(
        "db/migrations/1_visits.sql",
        "-- migrate:up\nCREATE TABLE visits (id serial PRIMARY KEY);\n-- migrate:down\nDROP TABLE visits;\n",
      );
      await dbmate(url, "--no-dump-schema", "up");
    },
    upgrade: async (url) => {
      await write(
        "db/migrations/2_note.sql",
        "-- migrate:up\nALTER TABLE visits ADD COLUMN note text;\n-- migrate:down\nALTER TABLE visits DROP COLUMN note;\n",
      );
      for (const command of ["up", "rollback", "up"])
        await dbmate(url, "--no-dump-schema", command);
    },
    runOurs: async (url) => {
      await write("db/migrations/3_petstore.sql", `-- migrate:up\n${ours}\n-- migrate:down\n`);
      await dbmate(url, "--no-dump-schema", "up");
    },
    more: async (url) => {
      await dbmate(url, "dump", "--", "--exclude-schema=petstore");
      expect(await Bun.file(join(folder, "db/schema.sql")).text()).not.toContain("petstore_");
    },
  },
  "drizzle-kit": {
    packages: DRIZZLE,
    prepare: () =>
      write(
        "drizzle.config.ts",
        `export default { dialect: "postgresql", schema: "./schema.ts", out: "./drizzle",
          schemaFilter: ["public"], dbCredentials: { url: process.env.DATABASE_URL } };`,
      ),
    create: async (url) => {
      await write("schema.ts", drizzleTable(""));
      await must(url, "drizzle-kit", "generate", "--name=visits");
      await must(url, "drizzle-kit", "migrate");
    },
    upgrade: async (url) => {
      await write("schema.ts", drizzleTable(", note: text()"));
      await must(url, "drizzle-kit", "generate", "--name=note");
      await must(url, "drizzle-kit", "migrate");
    },
    runOurs: async (url) => {
      await must(url, "drizzle-kit", "generate", "--custom", "--name=petstore");
      await write("drizzle/0002_petstore.sql", ours);
      await must(url, "drizzle-kit", "migrate");
    },
    more: async (url) => {
      await must(url, "drizzle-kit", "push", "--force");
      await must(url, "drizzle-kit", "pull");
      expect(await Bun.file(join(folder, "drizzle/schema.ts")).text()).not.toContain("accounts");
      // The trap: with our schema among its own, it would drop every table.
      const config = await Bun.file(join(folder, "drizzle.config.ts")).text();
      await write("both.config.ts", config.replace('["public"]', '["public", "petstore"]'));
      const { output } = await run(url, "drizzle-kit", "push", "--config=both.config.ts");
      expect(output).toContain("You're about to delete petstore schema with");
    },
  },
  prisma: {
    packages: PRISMA,
    prepare: () => write("prisma.config.ts", PRISMA_CONFIG),
    create: async (url) => {
      await write("prisma/schema.prisma", prismaTable(""));
      await must(url, "prisma", "migrate", "dev", "--name=visits", "--skip-generate");
    },
    upgrade: async (url) => {
      await write("prisma/schema.prisma", prismaTable("note String?"));
      await must(url, "prisma", "migrate", "dev", "--name=note", "--skip-generate");
    },
    runOurs: async (url) => {
      await write("prisma/migrations/20990101000000_petstore/migration.sql", ours);
      await must(url, "prisma", "migrate", "deploy");
    },
    more: async (url) => {
      // It applies all migrations to a database of its own, and finds no drift.
      await must(url, "prisma", "migrate", "dev", "--skip-generate");
      await must(url, "prisma", "db", "push", "--skip-generate");
      const pulled = await must(url, "prisma", "db", "pull", "--print");
      expect(pulled).toContain("model visits");
      expect(pulled).not.toContain("accounts");
    },
  },
};

describeLong("in one database, each with tables of its own:", () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  describe.each(Object.entries(tools))("%s and Petstore", (_name, tool) => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "tools-"));
      await write("package.json", JSON.stringify({ private: true, dependencies: tool.packages }));
      const options = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
      const child = Bun.spawn(["npm", "install", ...options], {
        cwd: folder,
        stdio: ["ignore", "ignore", "inherit"],
      });
      expect(await child.exited).toBe(0);
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    /** Empties the folder of the tool, except its packages. */
    const start = async (): Promise<string> => {
      for (const name of ["db", "drizzle", "prisma", "schema.ts"]) {
        await rm(join(folder, name), { recursive: true, force: true });
      }
      await tool.prepare();
      return server.createDatabase();
    };

    test.each(["before", "after"])("take turns: the tool begins %s", async (order) => {
      const url = await start();
      if (order === "before") await tool.create(url);
      await open(url, true);
      const tables = await contents(url, "petstore");
      if (order === "after") await tool.create(url);
      await open(url, true);
      await tool.upgrade(url);
      await tool.more(url);
      await open(url, true);
      expect(await contents(url, "petstore")).toBe(tables);
      const [row] = await server.run(
        "SELECT count(id)::int AS ids, count(note)::int AS notes FROM visits",
        nameOf(url),
      );
      expect(row).toEqual({ ids: 0, notes: 0 });
    });

    test("run the same SQL", async () => {
      const url = await start();
      await tool.create(url);
      await tool.upgrade(url);
      const before = await contents(url, "public");
      await tool.runOurs(url);
      await open(url, false);
      await tool.more(url);
      await open(url, false);
      const after = await contents(url, "public");
      expect(after).toBe(before);
    });
  });
});
