import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";

import postgres from "postgres";

import { system } from "../../lib/model/actor.ts";
import { readPostgres } from "../../adapters/postgres/reader.ts";
import { postgresSql, postgresStore, type PostgresOptions } from "../../adapters/postgres/sql.ts";
import {
  type BatchRows,
  NewerSchema,
  type Sql,
  type SqlRow,
  type Step,
  StoreUnavailable,
  UnsuitableDatabase,
} from "../../lib/sql/sql.ts";
import { sqlStore } from "../../lib/storage/sql-store.ts";
import { torture } from "../helpers/chance.ts";
import { drivers, startPgBouncer, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";
import { startTcpProxy } from "../helpers/tcp-proxy.ts";

const accepted = (): boolean => true;

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const statement = (text: string, values: Step["values"] = []): Step => ({ text, values });

for (const [driver, connect] of Object.entries(drivers)) {
  describe(`PostgreSQL by ${driver}:`, () => {
    const opened: Sql[] = [];
    afterEach(async () => {
      for (const sql of opened.splice(0)) await sql.close();
    });

    const open = async (options: Partial<PostgresOptions> = {}): Promise<Sql> => {
      const url = options.url ?? (await server.createDatabase());
      const sql = await postgresSql({ url, connect, connections: 6, ...options });
      opened.push(sql);
      return sql;
    };

    /** A database with the rows 1 to 4 of `items`, and a sequence that counts attempts. */
    const items = async (
      options: Partial<PostgresOptions> = {},
    ): Promise<Sql & { url: string }> => {
      const { url = await server.createDatabase() } = options;
      const sql = await open({ ...options, url });
      const setup = [
        "CREATE TABLE items (id BIGINT PRIMARY KEY, n BIGINT NOT NULL)",
        "INSERT INTO items (id, n) VALUES (1, 0), (2, 0), (3, 0), (4, 0)",
        "CREATE SEQUENCE attempts",
      ];
      await sql.batch(
        setup.map((text) => statement(text)),
        accepted,
      );
      return { ...sql, url };
    };

    const numbers = async (sql: Sql): Promise<unknown> => {
      const rows = await sql.query({ text: "SELECT n FROM items ORDER BY id", values: [] });
      return rows.map(({ n }) => n);
    };

    /** Resolves when a statement waits for a row that another transaction has changed. */
    const blocked = async (database: string): Promise<void> => {
      const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'transactionid'";
      while ((await server.run(text, database)).length === 0) await Bun.sleep(5);
    };

    /** Repeats a call that the machine was too slow for. */
    const onceInTime = async <Value>(call: () => Promise<Value>): Promise<Value> => {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
        }
      }
    };

    const add = (id: number): Step => statement("UPDATE items SET n = n + 1 WHERE id = ?", [id]);
    const pause = statement("SELECT 1 AS one FROM (SELECT pg_sleep(0.15)) AS slept");
    const kill =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'petstore %'";
    const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

    const roleOf = (name: string): string => `${name}_${driver.replace(".", "_").toLowerCase()}`;
    /** Creates a role and a database in which it may create tables. */
    const asRole = async (name: string): Promise<string> => {
      const url = await server.createDatabase();
      const role = roleOf(name);
      await server.run(
        `CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`,
        nameOf(url),
      );
      return url.replace("postgres@", `${role}@`);
    };

    test("a statement that takes too long is unavailable, and the next one is answered", async () => {
      const sql = await items({ queryTimeoutMs: 500 });
      const slow = { text: "SELECT pg_sleep(5) AS slept", values: [] };
      const read = Promise.resolve(sql.query(slow));
      expect(await read.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      const written = sql.batch([add(1), slow], accepted);
      expect(await written.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      const set = statement("UPDATE items SET n = 1 WHERE id = 2");
      await onceInTime(() => sql.batch([set], accepted));
      expect(await onceInTime(() => numbers(sql))).toEqual([0, 1, 0, 0]);
    });

    test("a server that does not answer is unavailable in time, and its connection is not used again", async () => {
      const sql = await items({ queryTimeoutMs: 500, connections: 2 });
      const [row] = await sql.query({ text: "SELECT pg_backend_pid() AS pid", values: [] });
      const pid = Number(row?.["pid"]);
      process.kill(pid, "SIGSTOP");
      try {
        const asked = Promise.resolve(sql.query({ text: "SELECT 1 AS one", values: [] }));
        expect(await asked.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
        const two = { text: "SELECT 2 AS two", values: [] };
        expect(await onceInTime(async () => sql.query(two))).toEqual([{ two: 2 }]);
      } finally {
        process.kill(pid, "SIGCONT");
      }
      const three = { text: "SELECT 3 AS three", values: [] };
      expect(await onceInTime(async () => sql.query(three))).toEqual([{ three: 3 }]);
    });

    test("connections that the server has ended are replaced, for reads and writes", async () => {
      const sql = await items();
      for (let round = 0; round < 3; round++) {
        await server.run(kill);
        await Promise.all([numbers(sql), numbers(sql), sql.batch([add(1)], accepted)]);
      }
      expect(await numbers(sql)).toEqual([3, 0, 0, 0]);
    });

    test("more idle connections than attempts may have ended, before the driver notices", async () => {
      let made = 0;
      let ended = 0;
      const url = await server.createDatabase();
      const sql = await items({
        url,
        connections: 12,
        connect: (options) => {
          const client = connect(options);
          const number = ++made;
          return {
            end: (how) => client.end(how),
            unsafe: (...asked) =>
              number <= ended
                ? Promise.reject(Object.assign(new Error("ended"), { code: "CONNECTION_CLOSED" }))
                : client.unsafe(...asked),
          };
        },
      });
      const calls: Readonly<Record<string, () => unknown>> = {
        read: () => numbers(sql),
        write: () => sql.batch([add(1)], accepted),
        settled: () => sql.settled?.("items_of"),
      };
      await sql.batch([statement(`CREATE TABLE items_of (seq ${sql.dialect.identity})`)], accepted);
      for (const call of Object.values(calls)) {
        await Promise.all(Array.from({ length: 30 }, () => numbers(sql)));
        ended = made;
        await call();
      }
      expect(await numbers(sql)).toEqual([1, 0, 0, 0]);
    });

    test("a transaction whose connection is lost before COMMIT is repeated as a whole", async () => {
      const sql = await items();
      const dieOnce = statement(
        "SELECT CASE WHEN nextval('attempts') = 1 THEN pg_terminate_backend(pg_backend_pid()) END AS died",
      );
      const outcome = await sql.batch([add(1), dieOnce, add(2)], accepted);
      expect(outcome.ok).toBe(true);
      expect(await numbers(sql)).toEqual([1, 1, 0, 0]);
    });

    test("a connection lost during COMMIT is in doubt: unavailable, and never repeated", async () => {
      const sql = await items();
      const { url } = sql;
      await server.run(
        `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM nextval('attempts'); PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER dies AFTER UPDATE ON items DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION die()`,
        nameOf(url),
      );
      const written = sql.batch([add(1)], accepted);
      expect(await written.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      const [row] = await sql.query({
        text: "SELECT last_value AS tries FROM attempts",
        values: [],
      });
      expect(row).toEqual({ tries: 1 });
      expect(await numbers(sql)).toEqual([0, 0, 0, 0]);
    });

    test("of two transactions that block each other both are applied", async () => {
      const sql = await items();
      const outcomes = await Promise.all([
        sql.batch([add(1), pause, add(2)], accepted, "a"),
        sql.batch([add(2), pause, add(1)], accepted, "b"),
      ]);
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
      expect(await numbers(sql)).toEqual([2, 2, 0, 0]);
    });

    test("a transaction that could not be serialized is repeated", async () => {
      const sql = await items();
      await server.run(
        `CREATE FUNCTION conflict() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('attempts') < 3 THEN RAISE 'busy' USING ERRCODE = '40001'; END IF; RETURN 1; END $$`,
        nameOf(sql.url),
      );
      await sql.batch([add(1), statement("SELECT conflict() AS one")], accepted);
      expect(await numbers(sql)).toEqual([1, 0, 0, 0]);
    });

    test("batches of one lane exclude each other across processes, those of two lanes do not", async () => {
      const url = await server.createDatabase();
      const there = await open({ url });
      const here = await items({ url });
      // Without the lock, both would read the same number.
      const next = (sql: Sql, lane: string, id: number): Promise<unknown> =>
        sql.batch(
          [
            statement("SELECT n FROM items WHERE id = ?", [id]),
            pause,
            statement("UPDATE items SET n = ? WHERE id = ?", ([found]) => [
              Number(found?.[0]?.["n"]) + 1,
              id,
            ]),
          ],
          accepted,
          lane,
        );
      await Promise.all([next(here, "a", 1), next(there, "a", 1), next(here, "a", 1)]);
      expect(await numbers(here)).toEqual([3, 0, 0, 0]);
      await Promise.all([next(here, "a", 2), next(there, "b", 2)]);
      expect(await numbers(here)).toEqual([3, 1, 0, 0]);
    });

    test("a driver that reconnects within a transaction writes no part of it, and confirms none", async () => {
      let when: string | undefined;
      const reconnecting: PostgresOptions["connect"] = (options) => {
        const silent = { ...options, onclose: () => undefined };
        let client = connect(silent);
        return {
          unsafe: (text, ...rest) => {
            if (when !== undefined && text.startsWith(when)) {
              void client.end({ timeout: 0 });
              client = connect(silent);
            }
            return rest.length === 0 ? client.unsafe(text) : client.unsafe(text, ...rest);
          },
          end: (options) => client.end(options),
        };
      };
      const sql = await items({ connect: reconnecting });
      for (const place of ["UPDATE", "SELECT n", "COMMIT"]) {
        when = place;
        const steps = [add(1), statement("SELECT n FROM items WHERE id = 1"), add(2)];
        const written = sql.batch(steps, accepted);
        expect(await written.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
        when = undefined;
        expect(await numbers(sql)).toEqual([0, 0, 0, 0]);
      }
    });

    // Drivers were seen to give rows of one statement to another, after errors, timeouts and lost connections, and with
    // several new statements in flight. Such rows belong to other tenants.
    test("every answer belongs to its question, also after errors, timeouts and lost connections", async () => {
      const sql = await items({ queryTimeoutMs: 300, connections: 3 });
      let [right, failed] = [0, 0];
      const ask = async (id: number): Promise<void> => {
        const texts = [
          "SELECT CAST(? AS BIGINT) AS echo",
          `SELECT CAST(? AS BIGINT) AS echo, 'new ${id}' AS more`,
          "SELECT CAST(? AS BIGINT) AS echo, pg_sleep(0.001) AS slept",
          "SELECT CAST(? AS BIGINT) AS echo, 1 / (SELECT 0) AS broken",
          id % 300 === 4
            ? "SELECT CAST(? AS BIGINT) AS echo, pg_sleep(9) AS slept"
            : "SELECT CAST(? AS BIGINT) AS echo",
          id % 100 === 5
            ? "SELECT CAST(? AS BIGINT) AS echo, pg_terminate_backend(pg_backend_pid()) AS died"
            : "SELECT CAST(? AS BIGINT) AS echo",
        ];
        let rows: readonly SqlRow[];
        try {
          rows = await sql.query({ text: texts[id % texts.length] ?? "", values: [id] });
        } catch {
          failed++;
          return;
        }
        expect(rows.map(({ echo }) => echo)).toEqual([id]);
        right++;
      };
      // A slow machine answers fewer in time.
      for (let first = 0; first < 1_200 || right <= 100; first += 60) {
        const ids = Array.from({ length: 60 }, (_, index) => first + index);
        await Promise.all(ids.map(ask));
      }
      expect(failed).toBeGreaterThan(100);
    });

    test("a number is settled only when every smaller one is visible", async () => {
      const url = await server.createDatabase();
      const [early, late] = [await open({ url }), await open({ url })];
      const table = `CREATE TABLE events (seq ${early.dialect.identity}, name TEXT)`;
      await early.batch([statement(table)], accepted);
      const insert = statement("INSERT INTO events (name) VALUES ('a')");
      const gate = await server.gate(nameOf(url));
      const slow = early.batch([insert, statement(gate.text)], accepted, "slow");
      await gate.reached();
      await late.batch([insert], accepted, "quick");
      const seen = async (): Promise<unknown> =>
        (await late.query({ text: "SELECT seq FROM events ORDER BY seq", values: [] })).map(
          ({ seq }) => seq,
        );
      expect(await seen()).toEqual([2]);
      expect(await late.settled?.("events")).toBe(0);
      await gate.open();
      await slow;
      expect(await late.settled?.("events")).toBe(2);
      expect(await seen()).toEqual([1, 2]);
    });

    test("transactions of other programs do not delay what is settled", async () => {
      const sql = await items();
      const table = `CREATE TABLE events (seq ${sql.dialect.identity}, name TEXT)`;
      await sql.batch([statement(table)], accepted);
      const gate = await server.gate(nameOf(sql.url));
      const foreign = server.run(
        `BEGIN; INSERT INTO items VALUES (9, 9); ${gate.text}; COMMIT`,
        nameOf(sql.url),
      );
      await gate.reached();
      await sql.batch([statement("INSERT INTO events (name) VALUES ('a')")], accepted);
      expect(await sql.settled?.("events")).toBe(1);
      await gate.open();
      await foreign;
    });

    test("while transactions overlap without end, numbers are settled nevertheless", async () => {
      const sql = await items({ connections: 8 });
      const table = `CREATE TABLE events (seq ${sql.dialect.identity}, name TEXT)`;
      await sql.batch([statement(table)], accepted);
      const insert = statement("INSERT INTO events (name) VALUES ('a')");
      let writing = true;
      const writers = ["a", "b", "c"].map(async (lane) => {
        while (writing) await sql.batch([insert, pause], accepted, lane);
      });
      await Bun.sleep(100);
      const settled: number[] = [];
      for (let poll = 0; poll < 5; poll++) {
        await Bun.sleep(100);
        settled.push(Number(await sql.settled?.("events")));
      }
      writing = false;
      await Promise.all(writers);
      expect(settled.at(-1)).toBeGreaterThan(0);
      expect(settled).toEqual(settled.toSorted((a, b) => a - b));
    });

    test("a process knows whether another one has the database open", async () => {
      const url = await server.createDatabase();
      expect((await open({ url })).shared).toBe(false);
      const other = postgres(url, { max: 1, connection: { application_name: "petstore other" } });
      await other.unsafe("SELECT 1");
      expect((await open({ url })).shared).toBe(true);
      await other.end({ timeout: 1 });
      const name = new URL(url).pathname.slice(1);
      const left = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'petstore other'";
      while ((await server.run(left, name)).length > 0) await Bun.sleep(5);
      expect((await open({ url })).shared).toBe(false);
    });

    test("refused databases are named with the remedy", async () => {
      const failureOf = async (url: string): Promise<unknown> =>
        postgresSql({ url, connect }).then(
          (sql) => sql.close(),
          (error: unknown) => error,
        );
      const missing = await failureOf(server.url("nothing"));
      expect(missing).toBeInstanceOf(UnsuitableDatabase);
      expect(String(missing)).toContain("has no database nothing");

      const foreign = await server.createDatabase();
      await server.run("CREATE TABLE schema_migrations (version TEXT)", nameOf(foreign));
      const another = await failureOf(foreign);
      expect(another).toBeInstanceOf(UnsuitableDatabase);
      expect(String(another)).toContain("tables of another program, such as schema_migrations");

      const role = roleOf("limited");
      await server.run(`CREATE ROLE ${role} LOGIN`);
      const limited = (await server.createDatabase()).replace("postgres@", `${role}@`);
      const powerless = await failureOf(limited);
      expect(powerless).toBeInstanceOf(UnsuitableDatabase);
      expect(String(powerless)).toContain(`GRANT CREATE ON SCHEMA public TO ${role}`);

      const quoted = `"${roleOf("My-Shop")}"`;
      await server.run(`CREATE ROLE ${quoted} LOGIN`);
      const shop = (await server.createDatabase("My-Shop")).replace(
        "postgres@",
        `${roleOf("My-Shop")}@`,
      );
      await server.run(`GRANT USAGE ON SCHEMA "My-Shop" TO ${quoted}`, nameOf(shop));
      const remedy = /GRANT CREATE ON SCHEMA .* TO .*(?=\.$)/.exec(
        String(await failureOf(shop)),
      )?.[0];
      expect(remedy).toBe(`GRANT CREATE ON SCHEMA "My-Shop" TO ${quoted}`);
      await server.run(remedy ?? "", nameOf(shop));
      expect(await failureOf(shop)).toBeUndefined();

      const stranger = await failureOf(server.url("postgres").replace("postgres@", "nobody_here@"));
      expect(stranger).toBeInstanceOf(UnsuitableDatabase);
    });

    test("a missing right on a table is named", async () => {
      const url = await server.createDatabase();
      const store = await postgresStore({ url, connect });
      await store.close();
      const role = roleOf("reader");
      await server.run(
        `CREATE ROLE ${role} LOGIN; GRANT ALL ON SCHEMA public TO ${role}`,
        nameOf(url),
      );
      const opening = postgresStore({ url: url.replace("postgres@", `${role}@`), connect });
      const failure = await opening.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(UnsuitableDatabase);
      expect(String(failure)).toContain("permission denied for table petstore_migrations");
    });

    test("a right that was taken away makes writes unavailable until it is back", async () => {
      const sql = await items({ url: await asRole("writer") });
      const add1 = async (): Promise<unknown> =>
        sql.batch([add(1)], accepted).catch((error: unknown) => error);
      await server.run(`REVOKE UPDATE ON items FROM ${roleOf("writer")}`, nameOf(sql.url));
      const failure = await add1();
      expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(String(failure)).toContain("permission denied for table items");
      await server.run(`GRANT UPDATE ON items TO ${roleOf("writer")}`, nameOf(sql.url));
      expect(await add1()).toMatchObject({ ok: true });
    });

    test("while the server has few connections left, callers share those that are open", async () => {
      const url = await asRole("frugal");
      await server.run(`ALTER ROLE ${roleOf("frugal")} CONNECTION LIMIT 2`);
      const sql = await items({ url });
      const reading = Array.from({ length: 20 }, () => numbers(sql));
      const writing = Array.from({ length: 20 }, (_, lane) =>
        sql.batch([add(1)], accepted, String(lane)),
      );
      await Promise.all([...reading, ...writing]);
      expect(await numbers(sql)).toEqual([20, 0, 0, 0]);
      await server.run(`ALTER ROLE ${roleOf("frugal")} CONNECTION LIMIT 0`);
      await server.run(kill);
      expect(await numbers(sql).catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
    });

    test("settings of the role change nothing", async () => {
      const url = await asRole("odd");
      const settings = [
        "client_encoding = 'LATIN1'",
        "default_transaction_isolation = 'serializable'",
        "idle_session_timeout = '100ms'",
        "lock_timeout = '1ms'",
      ];
      for (const setting of settings)
        await server.run(`ALTER ROLE ${roleOf("odd")} SET ${setting}`);
      const sql = await items({ url, connections: 2 });
      const [row] = await sql.query({
        text: `SELECT ? AS text, current_setting('client_encoding') AS encoding,
          current_setting('default_transaction_isolation') AS isolation,
          current_setting('idle_session_timeout') AS idle, current_setting('lock_timeout') AS lock`,
        values: ["Zoë 🐶"],
      });
      expect(row).toEqual({
        text: "Zoë 🐶",
        encoding: "UTF8",
        isolation: "read committed",
        idle: "0",
        lock: "0",
      });
    });

    test("a database of a newer version is refused", async () => {
      const url = await server.createDatabase();
      await (await postgresStore({ url, connect })).close();
      await server.run("INSERT INTO petstore_migrations VALUES ('petstore', 999, 0)", nameOf(url));
      const opening = postgresStore({ url, connect });
      expect(await opening.catch((error: unknown) => error)).toBeInstanceOf(NewerSchema);
    });

    test("two processes create the tables at the same time", async () => {
      const url = await server.createDatabase();
      const stores = await Promise.all([1, 2, 3].map(() => postgresStore({ url, connect })));
      for (const store of stores) await store.close();
      const rows = await server.run(
        "SELECT count(*)::int AS count, max(version) AS version FROM petstore_migrations WHERE component = 'petstore'",
        nameOf(url),
      );
      expect(rows[0]?.["count"]).toBe(rows[0]?.["version"]);
    });

    test("every text column has the order of code points", async () => {
      const url = await server.createDatabase();
      await (await postgresStore({ url, connect })).close();
      const rows = await server.run(
        `SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute
          JOIN pg_class ON pg_class.oid = attrelid AND relkind = 'r'
          WHERE relnamespace = 'public'::regnamespace AND attcollation NOT IN (0, '"C"'::regcollation)`,
        nameOf(url),
      );
      expect([...rows]).toEqual([]);
    });

    test("an older server and a pooler are refused", async () => {
      const url = await server.createDatabase();
      const lying =
        (column: string, value: string): PostgresOptions["connect"] =>
        (options) => {
          const client = connect(options);
          return {
            end: (how) => client.end(how),
            unsafe: async (text) => {
              const rows = (await client.unsafe(text)) as Record<string, unknown>[];
              return rows.map((row) => ({ ...row, [column]: value }));
            },
          };
        };
      const refusal = async (column: string, value: string): Promise<string> =>
        postgresSql({ url, connect: lying(column, value) }).then(async (sql) => {
          await sql.close();
          return "none";
        }, String);
      expect(await refusal("version", "140011")).toContain("is PostgreSQL 14. Use version 15");
      expect(await refusal("encoding", "LATIN1")).toContain("ENCODING 'UTF8'");
      expect(await refusal("guard", "off")).toContain("PgBouncer");
      expect(await refusal("standby", "yes")).toContain("is a standby");
    });

    test.each(["session", "transaction"])(
      "PgBouncer in %s mode is refused, whether or not it ignores settings",
      async (mode) => {
        const ignored =
          "ignore_startup_parameters = default_transaction_read_only, statement_timeout, " +
          "idle_in_transaction_session_timeout, idle_session_timeout, lock_timeout, default_transaction_isolation";
        for (const settings of [[], [ignored]]) {
          await using pooler = await startPgBouncer(server, [`pool_mode = ${mode}`, ...settings]);
          const url = `postgres://postgres@127.0.0.1:${pooler.port}/postgres`;
          const refusal = await postgresSql({ url, connect }).catch((error: unknown) => error);
          expect(refusal).toBeInstanceOf(UnsuitableDatabase);
          expect(String(refusal)).toContain("Connect to the PostgreSQL server itself");
        }
      },
    );

    test("a pool opens as many connections as its size, and no more", async () => {
      const url = await server.createDatabase();
      const sql = await items({ url, connections: 3 });
      let most = 0;
      let asking = true;
      const counting = (async () => {
        const count = `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = '${nameOf(url)}'`;
        // Often enough for batches that last longer.
        for (; asking; await Bun.sleep(20))
          most = Math.max(most, Number((await server.run(count))[0]?.["n"]));
      })();
      const lanes = [0, 1, 2, 3, 4, 5, 6, 7];
      await Promise.all([
        ...lanes.map((lane) => sql.batch([add(1 + (lane % 4)), pause], accepted, `lane ${lane}`)),
        ...lanes.map(() => numbers(sql)),
      ]);
      asking = false;
      await counting;
      expect(most).toBe(3);
      expect(await numbers(sql)).toEqual([2, 2, 2, 2]);
    });

    test("a reader gives up a server that cannot be reached, and waits for one that is only slow", async () => {
      const url = await server.createDatabase();
      await using proxy = await startTcpProxy(server.port);
      await items({ url });
      const there = new URL(url);
      there.port = String(proxy.port);
      await server.run(
        "CREATE TABLE petstore_migrations (component TEXT, version INTEGER)",
        nameOf(url),
      );
      const reader = await readPostgres({ url: there.href, connect });
      // Longer than a server that cannot be reached is waited for.
      const slow = `SELECT 1 AS one FROM (SELECT pg_sleep(${torture ? 5 : 0})) AS slept`;
      expect(await reader.query(slow)).toEqual([{ one: 1 }]);
      const lost = rejection(reader.query("SELECT pg_sleep(60)"));
      while (
        (await server.run("SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'"))
          .length === 0
      )
        await Bun.sleep(5);
      proxy.pause();
      expect(await lost).toBeInstanceOf(StoreUnavailable);
      proxy.resume();
      await reader.close();
    });

    test("commits are durable on a server that does not wait for its disk by default", async () => {
      const shown = async (setting: string): Promise<unknown> => {
        const url = await server.createDatabase();
        await server.run(`ALTER DATABASE ${nameOf(url)} SET synchronous_commit = ${setting}`);
        const sql = await open({ url });
        return (await sql.query({ text: "SHOW synchronous_commit", values: [] }))[0];
      };
      expect(await shown("off")).toEqual({ synchronous_commit: "on" });
      expect(await shown("remote_apply")).toEqual({ synchronous_commit: "remote_apply" });
    });

    test("hosts are tried in turn, and a socket is a host too", async () => {
      const database = nameOf(await server.createDatabase());
      const closed = server.port === 1 ? 2 : 1;
      const several = `postgres://postgres@127.0.0.1:${closed},127.0.0.1:${server.port}/${database}`;
      expect(await numbersOfOne(await open({ url: several }))).toEqual([{ one: 1 }]);
      const socket = `postgres://postgres@/${database}?host=${server.socket}&port=${server.port}`;
      expect(await numbersOfOne(await open({ url: socket }))).toEqual([{ one: 1 }]);
      const none = postgresSql({ url: `postgres://postgres@127.0.0.1:${closed}/x`, connect });
      expect(await none.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
    });

    test("no read sees a write before it is committed, and closing writes what waits", async () => {
      const sql = await items();
      const gate = await server.gate(nameOf(sql.url));
      const waiting = sql.batch([add(1), statement(gate.text)], accepted);
      await gate.reached();
      expect(await numbers(sql)).toEqual([0, 0, 0, 0]);
      const more = sql.batch([add(2)], accepted, "other");
      const closed = sql.close();
      await gate.open();
      await closed;
      expect([(await waiting).ok, (await more).ok]).toEqual([true, true]);
    });

    test("the last event of a deleted account comes after those of commits that were under way", async () => {
      const url = await server.createDatabase();
      const sql = await open({ url });
      const store = await sqlStore({ sql });
      const gate = await server.gate(nameOf(url));
      const limits = { perMinute: 1, perDay: 1 };
      const account = { id: "acc_1", name: "A", plan: "pro", limits, createdAt: 0 } as const;
      await store.commit([{ kind: "account.create", account }], system);
      const { id = 0 } = (await store.catalogues.of("acc_1", "production")) ?? {};
      const creating = sql.batch(
        [
          statement("UPDATE catalogues SET revision = revision + 1 WHERE id = ?", [id]),
          statement(gate.text),
          statement(`INSERT INTO events (type, account_id, catalogue_id, occurred_at, data)
            VALUES ('pet.created', 'acc_1', NULL, 0, '{}')`),
        ],
        accepted,
        `catalogue ${id}`,
      );
      await gate.reached();
      const deleting = store.commit(
        [{ kind: "account.delete", accountId: "acc_1", at: 1 }],
        system,
      );
      await blocked(nameOf(url));
      await gate.open();
      await Promise.all([creating, deleting]);
      const events = await store.events.after(0, 100);
      expect(events.map(({ type }) => type)).toEqual([
        "account.created",
        "pet.created",
        "account.deleted",
      ]);
    });

    test("the revision of a catalogue is read after the question, by every process", async () => {
      const url = await server.createDatabase();
      const [here, there] = [
        await sqlStore({ sql: await open({ url }) }),
        await sqlStore({ sql: await open({ url }) }),
      ];
      const account = {
        id: "acc_1",
        name: "A",
        plan: "pro",
        limits: { perMinute: 1, perDay: 1 },
        createdAt: 0,
      } as const;
      await here.commit([{ kind: "account.create", account }], system);
      const catalogue = await there.catalogues.of("acc_1", "production");
      const id = catalogue?.id ?? 0;
      let revision = await there.catalogues.revision(id);
      for (let round = 0; round < 20; round++) {
        await here.commit(
          [{ kind: "category.create", catalogueId: id, name: `c${round}`, at: 0 }],
          system,
        );
        const asked = await Promise.all([
          there.catalogues.revision(id),
          there.catalogues.revision(id),
          there.catalogues.revision(999),
        ]);
        expect(asked).toEqual([revision + 1, revision + 1, 0]);
        revision++;
      }
    });
  });
}

const numbersOfOne = async (sql: Sql): Promise<BatchRows[number]> =>
  sql.query({ text: "SELECT 1 AS one", values: [] });
