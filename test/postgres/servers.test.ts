import { describe, expect, test } from "bun:test";

import { postgresSql, type PostgresOptions } from "../../adapters/postgres/sql.ts";
import type { Eventual } from "../../lib/base/eventual.ts";
import { type Sql, StoreUnavailable } from "../../lib/sql/sql.ts";
import { manualClock, type ManualClock } from "../helpers/clock.ts";
import { selfSigned } from "../helpers/openssl.ts";
import { drivers, startPostgres } from "../helpers/postgres.ts";
import { startTcpProxy } from "../helpers/tcp-proxy.ts";

const accepted = (): boolean => true;

const insert = (sql: Sql, id: number): ReturnType<Sql["batch"]> =>
  sql.batch([{ text: "INSERT INTO items (id) VALUES (?)", values: [id] }], accepted);

const ids = async (sql: Sql): Promise<unknown> => {
  const rows = await sql.query({ text: "SELECT id FROM items ORDER BY id", values: [] });
  return rows.map(({ id }) => id);
};

async function withItems(options: PostgresOptions): Promise<Sql> {
  const sql = await postgresSql(options);
  await sql.batch([{ text: "CREATE TABLE items (id BIGINT PRIMARY KEY)", values: [] }], accepted);
  return sql;
}

const one = { text: "SELECT 1 AS one", values: [] };

/** Moves the clock in small steps until the calls end. Returns their failures, and the time by the clock. */
async function failures(
  clock: ManualClock,
  calls: readonly Eventual<unknown>[],
): Promise<{ readonly failures: readonly unknown[]; readonly ms: number }> {
  const startedAt = clock.now();
  let ended = false;
  const all = Promise.all(
    calls.map((call) => Promise.resolve(call).catch((error: unknown) => error)),
  );
  void all.then(() => {
    ended = true;
  });
  while (!ended) {
    if (clock.sleeping > 0) clock.advance(50);
    await Bun.sleep(1);
  }
  return { failures: await all, ms: clock.now() - startedAt };
}

for (const [driver, connect] of Object.entries(drivers)) {
  describe(`PostgreSQL servers by ${driver}:`, () => {
    test("writes go to the primary of the list, and after its loss to the promoted standby", async () => {
      await using primary = await startPostgres();
      await using standby = await startPostgres({ standbyOf: primary });
      const url = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres`;
      const sql = await withItems({ url, connect });
      await insert(sql, 1);
      for (let turn = 0; turn < 200; turn++) {
        const [row] = await standby.run(
          "SELECT pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() AS same, to_regclass('items') IS NOT NULL AS has",
        );
        if (row?.["same"] === true && row["has"] === true) break;
        await Bun.sleep(20);
      }
      await primary.stop("SIGQUIT");
      expect(await insert(sql, 2).catch((error: unknown) => error)).toBeInstanceOf(
        StoreUnavailable,
      );
      await standby.run("SELECT pg_promote(true, 30)");
      await insert(sql, 3);
      expect(await ids(sql)).toEqual([1, 3]);
      await sql.close();
    });

    test("a commit that waits for a missing standby is in doubt, and is not cancelled", async () => {
      await using server = await startPostgres();
      const sql = await withItems({ url: server.url("postgres"), connect, queryTimeoutMs: 500 });
      await server.run("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
      await server.run("SELECT pg_reload_conf()");
      let last = 0;
      let ending: unknown;
      // The processes of the server read the setting one after another.
      while (!(ending instanceof Error)) {
        ending = await insert(sql, ++last).catch((error: unknown) => error);
      }
      expect(ending).toBeInstanceOf(StoreUnavailable);
      const [row] = await server.run(
        "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
      );
      expect(row).toEqual({ waiting: 1 });
      await server.run("ALTER SYSTEM RESET synchronous_standby_names");
      await server.run("SELECT pg_reload_conf()");
      await insert(sql, ++last);
      expect(await ids(sql)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      await sql.close();
    });

    test("writes that a missing standby does not confirm leave connections for reads", async () => {
      await using server = await startPostgres();
      const clock = manualClock(0);
      const sql = await withItems({ url: server.url("postgres"), connect, clock });
      await server.run("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
      await server.run("SELECT pg_reload_conf()");
      const text = "INSERT INTO items (id) VALUES (?)";
      const waiting = async (): Promise<number> => {
        const [row] = await sql.query({
          text: "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
          values: [],
        });
        return Number(row?.["n"]);
      };
      /** Writes, each in a lane of its own, until all are confirmed or given up. Returns whether each was confirmed. */
      const write = async (...numbers: readonly number[]): Promise<readonly boolean[]> => {
        let ended = false;
        const before = await waiting();
        const writes = Promise.all(
          numbers.map((id) =>
            sql.batch([{ text, values: [id] }], accepted, `lane ${id}`).then(accepted, () => false),
          ),
        ).finally(() => {
          ended = true;
        });
        // No time passes until the commits wait. Meanwhile the server replies to reads.
        while (!ended) if ((await waiting()) >= before + numbers.length) clock.advance(250);
        return writes;
      };
      let first = 1_000;
      while ((await write(first))[0] === true) first++;
      for (let id = 1; id <= 60; id += 4) {
        const confirmed = await write(id, id + 1, id + 2, id + 3);
        expect(confirmed).toEqual([false, false, false, false]);
      }
      expect(await waiting()).toBeWithin(8, 16);
      expect(await sql.query(one)).toEqual([{ one: 1 }]);
      await server.run("ALTER SYSTEM RESET synchronous_standby_names");
      await server.run("SELECT pg_reload_conf()");
      while ((await write(61))[0] !== true) await Bun.sleep(5);
      expect(await ids(sql)).toContain(61);
      await sql.close();
    });

    test("calls to a server that does not answer end long before the statement's deadline", async () => {
      await using server = await startPostgres();
      await using proxy = await startTcpProxy(server.port);
      const clock = manualClock(0);
      const url = server.url("postgres").replace(`:${server.port}`, `:${proxy.port}`);
      const sql = await withItems({ url, connect, clock });
      // Its replies are lost: the server has applied it.
      const held = proxy.holdReplies("COMMIT AND");
      const writing = insert(sql, 1);
      await held;
      proxy.pause();
      const lost = await failures(clock, [writing, sql.query(one), insert(sql, 2)]);
      for (const failure of lost.failures) expect(failure).toBeInstanceOf(StoreUnavailable);
      expect(lost.ms).toBeLessThan(4_000);
      proxy.resume();
      const again = (): Promise<unknown> => insert(sql, 3).catch((error: unknown) => error);
      // By the clock no time passes, so a slow machine ends no call.
      while ((await again()) instanceof StoreUnavailable);
      expect(await ids(sql)).toEqual([1, 3]);
      await sql.close();
    });

    test("a statement that takes long is not abandoned while the server answers others", async () => {
      await using server = await startPostgres();
      const clock = manualClock(0);
      const sql = await postgresSql({ url: server.url("postgres"), connect, clock });
      const gate = await server.gate("postgres");
      const waiting = sql.query({ text: gate.text, values: [] });
      await gate.reached();
      for (let ms = 0; ms < 9_000; ms += 250) {
        clock.advance(250);
        await sql.query(one);
      }
      await gate.open();
      expect(await waiting).toEqual([{ one: 1 }]);
      await sql.close();
    });

    test("calls to a silent primary end when the promoted standby is found", async () => {
      await using primary = await startPostgres();
      await using standby = await startPostgres({ standbyOf: primary });
      await using proxy = await startTcpProxy(primary.port);
      const clock = manualClock(0);
      const url = `postgres://postgres@127.0.0.1:${proxy.port},127.0.0.1:${standby.port}/postgres`;
      const sql = await postgresSql({ url, connect, clock });
      await sql.query(one);
      await standby.run("SELECT pg_promote(true, 30)");
      proxy.vanish();
      const silent = Promise.resolve(sql.query(one)).catch((error: unknown) => error);
      while (clock.now() < 1_500) {
        if (clock.sleeping > 0) clock.advance(250);
        await Bun.sleep(1);
      }
      // No deadline passes any more.
      expect(await silent).toBeInstanceOf(StoreUnavailable);
      expect(await sql.query(one)).toEqual([{ one: 1 }]);
      await sql.close();
    });

    test("connections are encrypted, and verify-full checks the certificate and the name in it", async () => {
      const { certificate, key } = await selfSigned();
      const { certificate: other } = await selfSigned();
      const files = { "server.crt": certificate, "server.key": key };
      const settings = ["ssl=on", "ssl_cert_file=../server.crt", "ssl_key_file=../server.key"];
      await using server = await startPostgres({ files, settings });
      const encrypted = async (
        host: string,
        mode: string,
        trusted?: string,
      ): Promise<boolean | string> => {
        const url = `postgres://postgres@${host}:${server.port}/postgres?sslmode=${mode}`;
        try {
          const options = trusted === undefined ? {} : { ca: trusted };
          const sql = await postgresSql({ url, connect, ...options });
          const [row] = await sql.query({
            text: "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
            values: [],
          });
          await sql.close();
          return row?.["ssl"] === 1;
        } catch (error) {
          return String(error);
        }
      };
      expect(await encrypted("127.0.0.1", "disable")).toBe(false);
      expect(await encrypted("127.0.0.1", "prefer")).toBe(true);
      expect(await encrypted("127.0.0.1", "require")).toBe(true);
      expect(await encrypted("localhost", "verify-full", certificate)).toBe(true);
      expect(await encrypted("localhost", "verify-full", other + certificate)).toBe(true);
      const unknown = `UnsuitableDatabase: The certificate of localhost:${server.port} is from an unknown authority`;
      expect(await encrypted("localhost", "verify-full", other)).toStartWith(unknown);
      expect(await encrypted("localhost", "verify-full")).toStartWith(unknown);
      expect(await encrypted("127.0.0.1", "verify-full", certificate)).toStartWith(
        `UnsuitableDatabase: The certificate of 127.0.0.1:${server.port} is for another host`,
      );
      // postgres.js would end the process.
      for (const wrong of ["hello", certificate.replace("M", "A")]) {
        expect(await encrypted("localhost", "verify-full", wrong)).toContain(
          "the option ca must be certificates (PEM)",
        );
      }
    });

    test("a server without encryption is refused by all modes that demand it", async () => {
      await using server = await startPostgres();
      for (const mode of ["require", "verify-full"]) {
        const url = `${server.url("postgres")}?sslmode=${mode}`;
        const opening = postgresSql({ url, connect, connectTimeoutMs: 1_000 });
        expect(await opening.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
      }
    });
  });
}
