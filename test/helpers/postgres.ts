import { rmSync } from "node:fs";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";
import { postgresSql, type PostgresOptions } from "../../adapters/postgres/sql.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { commandPath, POSTGRES_FOLDERS } from "../../scripts/debian.ts";
import { freePort } from "./free-ports.ts";
import { oncePerRun } from "./once-per-run.ts";

/** The supported drivers. */
export const drivers: Readonly<Record<string, PostgresOptions["connect"]>> = {
  "Bun.SQL": (options) => new Bun.SQL(options),
  "postgres.js": postgres,
};

/** A PostgreSQL server for one test file. */
export interface TestPostgres extends AsyncDisposable {
  readonly port: number;
  /** The directory of its socket, which the server may read. */
  readonly socket: string;
  /** Returns the address of a database, by TCP. */
  readonly url: (database: string) => string;
  /** Creates an empty database and returns its address. With a schema, tables are created in that one instead of `public`. */
  readonly createDatabase: (schema?: string) => Promise<string>;
  /** Runs statements as the superuser and returns the rows of the last one. */
  readonly run: (text: string, database?: string) => Promise<readonly Record<string, unknown>[]>;
  /** A lock that statements of a database wait for. */
  readonly gate: (database: string) => Promise<Gate>;
  /** Ends the server: `SIGINT` in good order, `SIGQUIT` like a crash. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  /** Starts it again. */
  readonly start: () => Promise<void>;
}

export interface Gate {
  /** A statement that waits until the gate opens. */
  readonly text: string;
  /** Resolves when a statement waits. */
  readonly reached: () => Promise<void>;
  readonly open: () => Promise<void>;
}

// PostgreSQL refuses to run as root.
const isRoot = process.getuid?.() === 0;
const asPostgres = isRoot ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
const SETPRIV = Bun.which("setpriv");

/** Runs a program as a user who may run the server. It ends with a killed test, where the system supports it. */
function commandOf(program: string, args: readonly string[]): string[] {
  const path = commandPath(program, POSTGRES_FOLDERS) ?? program;
  if (SETPRIV === null) return [path, ...args];
  return [SETPRIV, ...asPostgres, "--pdeathsig", "INT", "--", path, ...args];
}

export interface PostgresSettings {
  /** Such as `max_connections=20`. */
  readonly settings?: readonly string[];
  /** Makes it a standby of this server. */
  readonly standbyOf?: TestPostgres;
  /** Default: a free one. */
  readonly port?: number;
  /** Content of files that its user owns, by name. They are in the directory above its data. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Starts a server in a new directory. */
export async function startPostgres({
  settings = [],
  standbyOf,
  port: wanted,
  files = {},
}: PostgresSettings = {}): Promise<TestPostgres> {
  const parent = process.env["TEST_DATABASES"] ?? tmpdir();
  const directory = await mkdtemp(join(parent, "pg-"));
  await letThrough(parent);
  await chmod(directory, 0o777);
  const data = join(directory, "data");
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    if (standbyOf === undefined) {
      await finished("cp", [], ["cp", "-a", await initialized(), data]);
    } else {
      const options = ["-R", "-X", "stream", "-c", "fast", "--no-sync"];
      const from = ["-h", "127.0.0.1", "-p", String(standbyOf.port), "-U", "postgres"];
      await finished("pg_basebackup", ["-D", data, ...from, ...options]);
    }
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(directory, name), content, { mode: 0o600 });
      if (isRoot) await finished("chown", [], ["chown", "postgres", join(directory, name)]);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const port = wanted ?? (await freePort());
  let child: Bun.Subprocess | undefined;
  let admin: postgres.Sql | undefined;

  const url = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const clientOf = (database: string): postgres.Sql =>
    postgres(url(database), { max: 1, fetch_types: false, onnotice: () => undefined });

  const start = async (): Promise<void> => {
    const options = [...FAST, ...settings].flatMap((setting) => ["-c", setting]);
    child = Bun.spawn(
      commandOf("postgres", [
        ...["-D", data, "-p", String(port), "-h", "127.0.0.1", "-k", directory],
        ...options,
      ]),
      { cwd: "/", stdio: ["ignore", "ignore", Bun.file(join(directory, "log"))] },
    );
    for (;;) {
      const probe = clientOf("postgres");
      try {
        await probe.unsafe("SELECT 1");
        return;
      } catch (error) {
        if (child.exitCode !== null) {
          throw new Error(await Bun.file(join(directory, "log")).text(), { cause: error });
        }
        await Bun.sleep(20);
      } finally {
        await probe.end({ timeout: 1 });
      }
    }
  };
  const stop = async (signal: NodeJS.Signals = "SIGINT"): Promise<void> => {
    await admin?.end({ timeout: 0 });
    admin = undefined;
    child?.kill(signal);
    await child?.exited;
  };

  await start();
  let databases = 0;
  return {
    port,
    socket: directory,
    url,
    createDatabase: async (schema) => {
      const name = `test_${++databases}`;
      admin ??= clientOf("postgres");
      await admin.unsafe(`CREATE DATABASE ${name}`);
      if (schema !== undefined) {
        await admin.unsafe(`ALTER DATABASE ${name} SET search_path = "${schema}"`);
        const client = clientOf(name);
        await client.unsafe(`CREATE SCHEMA "${schema}"`);
        await client.end({ timeout: 1 });
      }
      return url(name);
    },
    run: async (text, database = "postgres") => {
      const client = clientOf(database);
      try {
        return await client.unsafe(text);
      } finally {
        await client.end({ timeout: 1 });
      }
    },
    gate: async (database) => {
      const client = clientOf(database);
      await client.unsafe("SELECT pg_advisory_lock(42)");
      const waiting =
        "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 42 AND NOT granted";
      return {
        text: "SELECT 1 AS one FROM (SELECT pg_advisory_xact_lock_shared(42)) AS waited",
        reached: async () => {
          while ((await client.unsafe(waiting)).length === 0) await Bun.sleep(5);
        },
        open: () => client.end({ timeout: 1 }),
      };
    },
    stop,
    start,
    [Symbol.asyncDispose]: async () => {
      await stop("SIGQUIT");
      await remove();
    },
  };
}

/** Starts a standby. From now on the primary acknowledges no commit that the standby lacks. */
export async function synchronousStandby(
  primary: TestPostgres,
  port?: number,
): Promise<TestPostgres> {
  const standby = await startPostgres({
    standbyOf: primary,
    ...(port === undefined ? {} : { port }),
  });
  await primary.run("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await primary.run("SELECT pg_reload_conf()");
  for (;;) {
    const [row] = await primary.run("SELECT sync_state FROM pg_stat_replication");
    if (row?.["sync_state"] === "sync") return standby;
    await Bun.sleep(20);
  }
}

/** Starts PgBouncer before a server. `settings` are lines of its file. Returns its port. */
export async function startPgBouncer(
  server: TestPostgres,
  settings: readonly string[],
): Promise<{ readonly port: number } & AsyncDisposable> {
  const port = await freePort();
  const file = join(server.socket, `pgbouncer-${port}.ini`);
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${server.port} user=postgres`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    ...settings,
  ];
  await Bun.write(file, lines.join("\n"));
  const child = Bun.spawn(commandOf("pgbouncer", ["-q", file]), {
    cwd: "/",
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (!(await accepts(port))) await Bun.sleep(20);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGQUIT");
      await child.exited;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  try {
    const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } });
    socket.end();
    return true;
  } catch {
    return false;
  }
}

/** A crash of the machine loses nothing that a test looks at. */
const FAST = ["fsync=off", "full_page_writes=off", "max_connections=60", "lc_messages=C"];

/** Creates the files of a new server, once per run: a copy is faster. */
const initialized = oncePerRun("postgres", async (shared) => {
  const parent = shared ?? tmpdir();
  const directory = await mkdtemp(join(parent, "pg-"));
  await letThrough(parent);
  await chmod(directory, 0o777);
  const data = join(directory, "data");
  const options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"];
  await finished("initdb", ["-D", data, ...options, "--no-sync"]);
  if (shared === undefined)
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  return data;
});

async function finished(
  program: string,
  args: readonly string[],
  command: readonly string[] = commandOf(program, args),
): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${program} failed: ${errors}`);
}

/** Lets the server's user pass through a directory that only root may enter. */
async function letThrough(directory: string): Promise<void> {
  const { mode } = await stat(directory);
  if (isRoot && (mode & 0o001) === 0) await chmod(directory, (mode & 0o777) | 0o011);
}

/** Databases that tests use one after another: a new one would copy 8 MB. */
export interface Databases extends AsyncDisposable {
  /** Opens a database whose tables are empty. Closing it makes it available to the next test. */
  readonly open: (connect: PostgresOptions["connect"]) => Promise<Sql>;
  /** Returns the address of such a database, and a function that makes it available. */
  readonly take: () => Promise<{ readonly url: string; readonly giveBack: () => Promise<void> }>;
}

/** A database with tables, whose connections stay open. */
interface Kept {
  readonly sql: Sql;
  readonly empty: () => Promise<unknown>;
}

/**
 * Creates databases with the tables that `migrate` creates; without it they have none. The connections to those with tables
 * stay open between tests: the server starts a process for each.
 */
export function databasesOf(
  server: TestPostgres,
  migrate?: (sql: Sql) => Promise<unknown>,
): Databases {
  const free: string[] = [];
  const idle = new Map<PostgresOptions["connect"], Kept[]>();
  const connections = 4;

  const take: Databases["take"] = async () => {
    let url = free.pop();
    if (url === undefined) {
      url = await server.createDatabase();
      if (migrate !== undefined) {
        const sql = await postgresSql({ url, connect: postgres, connections });
        await migrate(sql);
        await sql.close();
      }
    }
    const taken = url;
    const giveBack = async (): Promise<void> => {
      const reset = migrate === undefined ? NO_TABLES : EMPTY_TABLES;
      await server.run(reset, taken.slice(taken.lastIndexOf("/") + 1));
      free.push(taken);
    };
    return { url: taken, giveBack };
  };

  /** Opens a database that a later test can use with the same connections. */
  const openKept = async (connect: PostgresOptions["connect"]): Promise<Kept> => {
    const { url } = await take();
    const sql = await postgresSql({ url, connect, connections });
    const admin = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
    closing.push(async () => {
      await sql.close();
      await admin.end({ timeout: 1 });
    });
    return { sql, empty: () => admin.unsafe(EMPTY_TABLES) };
  };
  const lend = (connect: PostgresOptions["connect"], kept: Kept): Sql => {
    let closed = false;
    const open = (): Sql => {
      if (closed) throw new Error("the database is closed");
      return kept.sql;
    };
    return {
      ...kept.sql,
      query: async (...given) => open().query(...given),
      batch: async (...given) => open().batch(...given),
      close: async () => {
        closed = true;
        await kept.empty();
        idle.set(connect, [...(idle.get(connect) ?? []), kept]);
      },
    };
  };
  const closing: (() => Promise<void>)[] = [];

  return {
    take,
    open: async (connect) => {
      if (migrate !== undefined) {
        return lend(connect, idle.get(connect)?.pop() ?? (await openKept(connect)));
      }
      const { url, giveBack } = await take();
      const sql = await postgresSql({ url, connect, connections });
      return {
        ...sql,
        close: async () => {
          await sql.close();
          await giveBack();
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(closing.map((close) => close()));
    },
  };
}

const NO_TABLES = "DROP SCHEMA public CASCADE; CREATE SCHEMA public";

/** Deletes all rows except the first fence of leases, and numbers rows from 1 again. Faster than TRUNCATE for few rows. */
const EMPTY_TABLES = `DO $$
  DECLARE name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT relname FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND relname NOT IN ('petstore_migrations', 'lease_fences')
        -- A table that was never written has an empty file.
        AND pg_relation_size(oid) > 0
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
    -- ALTER SEQUENCE would write a new file.
    PERFORM setval(seqrelid, seqstart, false) FROM pg_sequence;
    UPDATE lease_fences SET last = 0;
  END
$$`;
