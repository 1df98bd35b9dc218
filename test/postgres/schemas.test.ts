import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { claimPostgres, isClaimed } from "../../adapters/postgres/claim.ts";
import { locksIn, locksOf } from "../../adapters/postgres/locks.ts";
import { readPostgres } from "../../adapters/postgres/reader.ts";
import {
  postgresSql,
  postgresStore,
  sharedLimits,
  type PostgresOptions,
  type PostgresSql,
} from "../../adapters/postgres/sql.ts";
import { blobSchema } from "../../adapters/postgres/blobs.ts";
import { domainSchema, sqlLeases } from "../../domains/index.ts";
import {
  ForeignTables,
  migrate,
  type Schema,
  sqlStore,
  storeSchema,
  UnsuitableDatabase,
} from "../../lib/index.ts";
import { system } from "../../lib/model/actor.ts";
import { projectSchema } from "../../lib/publishing/index.ts";
import { schemas } from "../../server/data/storage.ts";
import { systemClock } from "../../lib/base/clock.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";
import { rejection } from "../helpers/rejection.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

/** Everything in a schema: relations, functions and types. */
const inSchema = async (url: string, schema: string): Promise<readonly string[]> => {
  const of = `(SELECT oid FROM pg_namespace WHERE nspname = '${schema.replaceAll("'", "''")}')`;
  const rows = await server.run(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = ${of}
      UNION SELECT proname FROM pg_proc WHERE pronamespace = ${of}
      UNION SELECT typname FROM pg_type WHERE typnamespace = ${of}`,
    nameOf(url),
  );
  return rows.map(({ name }) => String(name));
};

/** The longest name, in bytes, which needs quotes. */
const LONG = `Pet "store" ü, it's ${"x".repeat(42)}`;

/** Most of it does not depend on the driver. */
const connect: PostgresOptions["connect"] = (options) => new Bun.SQL(options);

const open = async (options: Partial<PostgresOptions>): Promise<PostgresSql> =>
  postgresSql({ url: await server.createDatabase(), connect, connections: 4, ...options });

/** Creates tables, and the functions of the counters. */
const setUp = async (sql: PostgresSql, some: readonly Schema[]): Promise<void> => {
  await migrate(sql, some, 1);
  await sql.counters.setUp();
};

describe("A schema of our own", () => {
  test.each(Object.keys(drivers))(
    "holds all that is ours, by %s, and nothing else is read or changed",
    async (driver) => {
      expect(Buffer.byteLength(LONG)).toBe(63);
      const url = await server.createDatabase();
      const decoyed = `decoyed_${driver.replace(".", "_").toLowerCase()}`;
      // A host that has tables of our names where a search would find them first.
      const hosts = `CREATE TABLE accounts (id TEXT, note TEXT); INSERT INTO accounts VALUES ('a', 'mine');
        CREATE TABLE schema_migrations (version TEXT); CREATE TABLE counters (name TEXT);
        CREATE FUNCTION limits_clock_2() RETURNS BIGINT LANGUAGE sql AS 'SELECT -1::bigint';
        CREATE ROLE ${decoyed} LOGIN SUPERUSER;
        ALTER ROLE ${decoyed} SET search_path = public, pg_catalog`;
      await server.run(hosts, nameOf(url));
      const before = await inSchema(url, "public");
      const as = url.replace("postgres@", `${decoyed}@`);
      const sql = await open({
        url: as,
        schema: LONG,
        ...(drivers[driver] === undefined ? {} : { connect: drivers[driver] }),
      });
      await setUp(sql, [...schemas, blobSchema]);
      const store = await sqlStore({ sql });
      const limits = sharedLimits({ postgres: sql.counters });
      const spent = await limits.limiter.spend(
        { counter: "catalogue 1", keyId: "key" },
        { perMinute: 5, perDay: 5 },
      );
      expect(spent.allowed).toBe(true);
      await store.commit([{ kind: "setting.save", name: "a", value: "b" }], system);
      expect(await store.settings.get("a")).toBe("b");
      expect(Number(await sql.settled?.("feed"))).toBeGreaterThanOrEqual(0);
      limits.close();
      await store.close();

      expect((await inSchema(url, "public")).toSorted()).toEqual(before.toSorted());
      const rows = await server.run("SELECT id, note FROM public.accounts", nameOf(url));
      expect([...rows]).toEqual([{ id: "a", note: "mine" }]);
      const ours = await inSchema(url, LONG);
      for (const name of ["accounts", "petstore_migrations", "lease_fence", "limits_apply_2"]) {
        expect(ours).toContain(name);
      }
      const others = await server.run(
        `SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`,
        nameOf(url),
      );
      expect(new Set(others.map(({ nspname }) => nspname))).toEqual(new Set([LONG, "public"]));
    },
  );

  test("is found again, and read as of one instant", async () => {
    const url = await server.createDatabase();
    const first = await postgresStore({ url, connect, schema: "pets" });
    await first.commit([{ kind: "setting.save", name: "a", value: "b" }], system);
    await first.close();
    const second = await postgresStore({ url, connect, schema: "pets" });
    expect(await second.settings.get("a")).toBe("b");
    await second.close();
    const reader = await readPostgres({ url, connect, schema: "pets" });
    const [row] = await reader.query("SELECT value FROM settings WHERE name = 'a'");
    expect([reader.versionsTable, row]).toEqual(["petstore_migrations", { value: "b" }]);
    await reader.close();
    const missing = await rejection(readPostgres({ url, connect }));
    expect(missing).toBeInstanceOf(UnsuitableDatabase);
    expect(String(missing)).toContain("has no tables of Petstore");
  });

  test("is not created before the first table, and two processes can create it at once", async () => {
    const url = await server.createDatabase();
    const reading = await open({ url, schema: "pets" });
    await reading.query({ text: "SELECT 1 AS one", values: [] });
    expect(await server.run("SELECT to_regnamespace('pets')::text AS found", nameOf(url))).toEqual([
      { found: null },
    ] as never);
    await reading.close();
    const stores = await Promise.all(
      [1, 2, 3].map(() => postgresStore({ url, connect, schema: "pets" })),
    );
    for (const store of stores) await store.close();
    const [row] = await server.run(
      "SELECT count(*)::int AS count, max(version) AS version FROM pets.petstore_migrations WHERE component = 'petstore'",
      nameOf(url),
    );
    expect(row?.["count"]).toBe(row?.["version"] as number);
  });

  test("that may not be created or used is refused with the statement that helps", async () => {
    const url = await server.createDatabase();
    const role = "tenant";
    await server.run(`CREATE ROLE ${role} LOGIN`, nameOf(url));
    const as = url.replace("postgres@", `${role}@`);
    const opening = (): Promise<unknown> =>
      rejection(postgresStore({ url: as, connect, schema: 'a"b' }).then((store) => store.close()));
    const refused = await opening();
    expect(refused).toBeInstanceOf(UnsuitableDatabase);
    const [remedy = ""] = /CREATE SCHEMA .* AUTHORIZATION .*(?=\.$)/.exec(String(refused)) ?? [];
    expect(remedy).toBe(`CREATE SCHEMA "a""b" AUTHORIZATION ${role}`);
    await server.run(remedy, nameOf(url));
    const store = await postgresStore({ url: as, connect, schema: 'a"b' });
    await store.close();

    await server.run(`ALTER SCHEMA "a""b" OWNER TO postgres`, nameOf(url));
    await server.run(`REVOKE ALL ON SCHEMA "a""b" FROM ${role}`, nameOf(url));
    const unusable = String(await opening());
    const [grant = ""] = /GRANT USAGE, CREATE ON SCHEMA .*(?=\.$)/.exec(unusable) ?? [];
    expect(grant).toBe(`GRANT USAGE, CREATE ON SCHEMA "a""b" TO ${role}`);
    await server.run(grant, nameOf(url));
    await (await postgresStore({ url: as, connect, schema: 'a"b' })).close();
  });

  test("two of them in one database are independent", async () => {
    const url = await server.createDatabase();
    const one = await open({ url, schema: "one" });
    const two = await open({ url, schema: "two" });
    // As if another process had opened it.
    expect(two.shared).toBe(false);
    for (const sql of [one, two]) await setUp(sql, [storeSchema, domainSchema]);
    const locks = { one: await locksIn(one), two: await locksIn(two) };
    expect(locks.one.writers).not.toEqual(locks.two.writers);

    // A transaction that holds every lock of the first one delays nothing of the second one.
    const keys = [
      locks.one.writers,
      locks.one.limits,
      locks.one.readsFiles,
      locks.one.backsUp,
      ...["", "settings", "catalogue 1", "petstore"].map(locks.one.ofLane),
    ];
    const holder = new Bun.SQL(url, { max: 1 });
    for (const key of keys) await holder.unsafe(`SELECT pg_advisory_lock(${key.join(", ")})`);
    const store = await sqlStore({ sql: two });
    await store.commit([{ kind: "setting.save", name: "a", value: "b" }], system);
    expect(await store.settings.get("a")).toBe("b");
    const limits = sharedLimits({ postgres: two.counters });
    const charge = { counter: "catalogue 1", keyId: "key" };
    const rates = { perMinute: 1, perDay: 10 };
    expect((await limits.limiter.spend(charge, rates)).allowed).toBe(true);
    expect((await limits.limiter.spend(charge, rates)).allowed).toBe(false);
    const claim = await claimPostgres({ url, connect, schema: "two" }, { alone: true });
    expect(claim).toBeDefined();
    expect([await isClaimed(two), await two.settled?.("events")]).toEqual([true, 0]);
    await claim?.release();
    limits.close();
    await holder.end();

    // Names of leases, counters and rows are each one's own.
    const leases = [one, two].map((sql) => sqlLeases({ sql, clock: systemClock, holder: "a" }));
    for (const of of leases) expect(await of.acquire("shelter.example", 60_000)).toBeDefined();
    const others = sharedLimits({ postgres: one.counters });
    expect((await others.limiter.spend(charge, rates)).allowed).toBe(true);
    others.close();
    const read = { text: "SELECT value FROM settings WHERE name = 'a'", values: [] };
    expect(await one.query(read)).toEqual([]);
    await one.close();
    await store.close();
  });

  test("is the same to nodes that reach it by the option and by the role's search path", async () => {
    const url = await server.createDatabase();
    const role = "path_of_pets";
    await server.run(
      `CREATE ROLE ${role} LOGIN SUPERUSER; ALTER ROLE ${role} IN DATABASE ${nameOf(url)} SET search_path = pets`,
      nameOf(url),
    );
    const first = await open({ url, schema: "pets" });
    await setUp(first, [storeSchema]);
    const second = await open({ url: url.replace("postgres@", `${role}@`) });
    const text = "SELECT current_setting('application_name') AS name";
    const names = await Promise.all(
      [first, second].map(async (sql) => (await sql.query({ text, values: [] }))[0]?.["name"]),
    );
    expect(names[0]).toBe(names[1] as string);
    expect(await locksIn(second)).toMatchObject({ ...locksOf("pets"), ofLane: expect.anything() });
    expect(await locksIn(first)).toMatchObject({ ...locksOf("pets"), ofLane: expect.anything() });
    await first.close();
    await second.close();
  });

  test("that a pooler does not set is refused", async () => {
    const lying: PostgresOptions["connect"] = (options) => {
      const client = connect(options);
      return {
        end: (how) => client.end(how),
        unsafe: async (text) => {
          const rows = (await client.unsafe(text)) as Record<string, unknown>[];
          return rows.map((row) => ({ ...row, path: "public" }));
        },
      };
    };
    const refused = await rejection(open({ schema: "pets", connect: lying }));
    expect(refused).toBeInstanceOf(UnsuitableDatabase);
    expect(String(refused)).toContain("drops the settings of a connection");
  });

  test("of another program is refused before anything is touched", async () => {
    const url = await server.createDatabase();
    await server.run("CREATE SCHEMA pets; CREATE TABLE pets.mine (id INT)", nameOf(url));
    const before = await inSchema(url, "pets");
    const refused = await rejection(postgresStore({ url, connect, schema: "pets" }));
    expect(refused).toBeInstanceOf(ForeignTables);
    expect(refused).toMatchObject({ tables: ["mine"] });
    expect(String(refused)).toContain("Give Petstore a schema of its own");
    expect(await inSchema(url, "pets")).toEqual(before);
  });
});

test.each([
  ["", "empty"],
  ["x".repeat(64), "too long"],
  ["ü".repeat(32), "too many bytes"],
  ["pg_pets", "reserved"],
  ["information_schema", "PostgreSQL's own"],
  ["$user", "another schema in a search path"],
  ["a\0b", "NUL"],
  ["\u{d800}", "no Unicode"],
  [7, "a number"],
])("the name %p of a schema is refused: %s", async (schema) => {
  const options = {
    url: "postgres://a@127.0.0.1:1/a",
    connect: () => expect.unreachable(),
    schema,
  };
  const refused = await rejection(postgresSql(options as never));
  expect(refused).toBeInstanceOf(TypeError);
  expect(String(refused)).toContain("the option schema must be the name of a PostgreSQL schema");
});

describe("tables of an earlier version", () => {
  /** Returns the address of a database as earlier versions made it. */
  const earlier = async (): Promise<string> => {
    const url = await server.createDatabase();
    const store = await postgresStore({ url, connect });
    await store.close();
    await server.run("ALTER TABLE petstore_migrations RENAME TO schema_migrations", nameOf(url));
    return url;
  };

  test("keep the name of their table of versions and their locks, so that both versions serve", async () => {
    const url = await earlier();
    const sql = await postgresSql({ url, connect });
    await setUp(sql, [storeSchema, projectSchema]);
    expect(await locksIn(sql)).toMatchObject({
      writers: [1_885_697_139, 1],
      limits: [1_885_697_139, 2],
      readsFiles: [1_885_697_139, 3],
      backsUp: [1_885_697_139, 4],
    });
    const names = await inSchema(url, "public");
    expect(names).toContain("schema_migrations");
    expect(names).not.toContain("petstore_migrations");
    const [begin] = await server.run(
      "SELECT prosrc FROM pg_proc WHERE proname = 'limits_begin_2'",
      nameOf(url),
    );
    expect(begin?.["prosrc"]).toContain("pg_advisory_xact_lock(1885697139, 2)");
    await sql.close();
  });

  test("get the new name when the host renames the table", async () => {
    const url = await earlier();
    await server.run("ALTER TABLE schema_migrations RENAME TO petstore_migrations", nameOf(url));
    await server.run("CREATE TABLE schema_migrations (version TEXT)", nameOf(url));
    const store = await postgresStore({ url, connect });
    await store.close();
  });
});
