import { expect, test } from "bun:test";
import { Database } from "bun:sqlite";

import {
  durableObjectSql,
  durableObjectStore,
  type DurableObjectStorage,
} from "../../adapters/cloudflare/durable-object.ts";
import { sqlContract } from "../../testing/index.ts";
import { createPetstore, StoreUnavailable } from "../../lib/index.ts";
import { migrate } from "../../lib/sql/migrate.ts";
import type { SqlValue } from "../../lib/sql/sql.ts";
import { describeContract } from "../contract/run.ts";
import { must } from "../helpers/outcome.ts";

/** The storage of an object, as far as SQLite has what Cloudflare adds. While `fault` is set, statements fail with it. */
function objectStorage() {
  const database = new Database(":memory:");
  const storage: DurableObjectStorage & { fault?: string | undefined } = {
    sql: {
      exec: (text, ...values) => {
        if (storage.fault !== undefined) throw new Error(storage.fault);
        if (values.length > 100) throw new Error("too many SQL variables: SQLITE_ERROR");
        const rows = database.query<Record<string, unknown>, SqlValue[]>(text).all(...values);
        return { toArray: () => rows };
      },
    },
    transactionSync: (closure) => database.transaction(closure)(),
  };
  return storage;
}

describeContract(
  "the storage of a Durable Object as SQL",
  sqlContract(() => durableObjectSql({ storage: objectStorage() })),
);

test.each([
  ["database or disk is full: SQLITE_FULL", "has no space left on its disk"],
  ["disk I/O error: SQLITE_IOERR_WRITE", "cannot be read or written"],
  ["out of memory: SQLITE_NOMEM", "has no memory left"],
])("after %p, a later attempt may succeed", async (fault, words) => {
  const storage = objectStorage();
  const sql = durableObjectSql({ storage });
  const statement = { text: "SELECT 1 AS one", values: [] };
  storage.fault = fault;
  const failures = [
    await sql.batch([statement], () => true).catch((error: unknown) => error),
    await Promise.resolve()
      .then(() => sql.query(statement))
      .catch((error: unknown) => error),
  ];
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(StoreUnavailable);
    expect(String(failure)).toContain(words);
  }
  storage.fault = undefined;
  expect(await sql.query(statement)).toEqual([{ one: 1 }]);
});

test("a text that looks like the code of a failure is none", async () => {
  const storage = objectStorage();
  const sql = durableObjectSql({ storage });
  storage.fault = "no such column: SQLITE_FULL at offset 7: SQLITE_ERROR";
  const failure: unknown = await sql
    .batch([{ text: "SELECT 1", values: [] }], () => true)
    .catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(StoreUnavailable);
});

test("two stores of one object see each other's writes", async () => {
  const storage = objectStorage();
  const [one, other] = await Promise.all(
    [1, 2].map(async () => createPetstore({ store: await durableObjectStore({ storage }) })),
  );
  const { token } = must((await one?.client.keys.create({})) ?? expect.unreachable());
  const names = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await other?.fetch(new Request("https://x.example/v1/pets", { headers }));
    const pets = (await answer?.json()) as readonly { readonly name: string }[];
    return pets.map(({ name }) => name);
  };
  expect(await names()).toEqual([]);
  must((await one?.client.pets.create({ name: "Rex", categoryId: 1 })) ?? expect.unreachable());
  expect(await names()).toEqual(["Rex"]);
});

test("an older version that can use the tables may open them after a rollback", async () => {
  const sql = durableObjectSql({ storage: objectStorage() });
  const shop = {
    component: "shop",
    since: 1,
    migrations: [
      () => ["CREATE TABLE items (id BIGINT PRIMARY KEY)"],
      () => ["ALTER TABLE items ADD COLUMN name TEXT"],
    ],
  };
  await migrate(sql, [shop], 0);
  await migrate(sql, [{ ...shop, migrations: shop.migrations.slice(0, 1) }], 0);
  await expect(migrate(sql, [{ ...shop, migrations: [] }], 0)).rejects.toThrow("newer program");
});
