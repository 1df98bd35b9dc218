import { describe, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { Glob } from "bun";
import { nodeDigest } from "../../../adapters/hosts/node.ts";
import { bunSqliteSql } from "../../../adapters/sqlite/bun.ts";
import { createPetstore } from "../../../lib/index.ts";
import { createPublishing, memoryBlobs } from "../../../lib/publishing/index.ts";
import { manualClock } from "../../../testing/clock.ts";
import { migrate } from "../../../lib/sql/migrate.ts";
import { knownSchemas, openStorage, schemas } from "../../../server/data/storage.ts";
import { schemasAt } from "../../../transfer/tables.ts";
import { CREATED_AT, ENCRYPTION_KEY, WORKING_KEY } from "../../fixtures/database.ts";
import { api } from "../../helpers/api.ts";
import { scratch } from "../../helpers/sqlite.ts";

const file = scratch();

const fixtures = join(import.meta.dir, "../../fixtures");

const names = [...new Glob("*.db.gz").scanSync(fixtures)].toSorted();

async function unpacked(name: string): Promise<string> {
  const database = file();
  await Bun.write(database, Bun.gunzipSync(await Bun.file(join(fixtures, name)).bytes()));
  return database;
}

/** Returns the version of each component's tables. */
function versionsIn(database: Database): Readonly<Record<string, number>> {
  const [table] = database
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_master WHERE name LIKE '%\\_migrations' ESCAPE '\\'",
    )
    .all();
  const versions = database.query<{ component: string; version: number }, []>(
    `SELECT component, MAX(version) AS version FROM ${table?.name} GROUP BY component`,
  );
  return Object.fromEntries(versions.all().map(({ component, version }) => [component, version]));
}

/** Returns the declarations of all tables and indexes. Earlier versions gave the table of the versions another name. */
function declarationsIn(database: Database): readonly unknown[] {
  const all = database.query("SELECT type, name, sql FROM sqlite_master");
  return all
    .values()
    .map((row) => JSON.stringify(row).replaceAll("schema_migrations", "petstore_migrations"))
    .toSorted();
}

test("a database of this version's tables is kept", async () => {
  using database = new Database(await unpacked(names.at(-1) ?? ""));
  // After a new migration: `bun test/fixtures/make-database.ts NAME`.
  expect(versionsIn(database)).toEqual(Object.fromEntries(knownSchemas));
});

test("a database is kept for each schema version of the changelog", async () => {
  const changelog = await Bun.file(join(import.meta.dir, "../../../CHANGELOG.md")).text();
  const released = Array.from(changelog.matchAll(/[Ss]chema version (\d+)/g), ([, one]) =>
    Number(one),
  );
  const kept = new Set<number | undefined>();
  for (const name of names) {
    using database = new Database(await unpacked(name));
    kept.add(versionsIn(database)["petstore"]);
  }
  expect(released).not.toEqual([]);
  expect(released.filter((version) => !kept.has(version))).toEqual([]);
});

describe.each(names)("the database %s", (name) => {
  test("has the tables that its migrations declare: released ones were not edited", async () => {
    using database = new Database(await unpacked(name));
    const path = file();
    const sql = await bunSqliteSql({ path });
    await migrate(sql, schemasAt(schemas, versionsIn(database)), CREATED_AT);
    await sql.close();
    using declared = new Database(path);
    expect(declarationsIn(database)).toEqual(declarationsIn(declared));
  });

  const open = async () => {
    const database = await unpacked(name);
    const storage = await openStorage(await bunSqliteSql({ path: database }), () => memoryBlobs());
    const clock = manualClock(CREATED_AT);
    const shared = { store: storage.store, clock };
    const petstore = createPetstore({
      ...shared,
      digest: nodeDigest,
      encryptionKey: ENCRYPTION_KEY,
    });
    const publishing = createPublishing({
      ...shared,
      projectStore: storage.projectStore,
      blobs: memoryBlobs({ clock }),
    });
    return { storage, petstore, publishing };
  };

  test("keeps its keys and animals", async () => {
    const { storage, petstore } = await open();
    const at = api({ fetch: petstore.fetch, key: WORKING_KEY });
    expect((await at.get("/v1/pets")).body).toEqual([
      { id: 3, name: "Minka", categoryId: 2, status: "sold" },
      { id: 2, name: "Zoë 🦔", categoryId: 4, status: "available" },
      { id: 1, name: "Bello", categoryId: 1, status: "available" },
    ]);
    expect((await at.get("/v1/categories")).body).toContainEqual({ id: 4, name: "Hedgehogs" });
    expect((await at.get("/v1/store/orders")).body).toMatchObject([{ id: 1, petId: 3 }]);
    expect((await at.post("/v1/pets/4/restore")).status).toBe(200);
    const added = { name: "Bella", categoryId: 4 };
    expect((await at.post("/v1/pets", added)).body).toMatchObject({ ...added, id: 5 });
    await storage.close();
  });

  test("keeps its events, which have an actor since version 7", async () => {
    using before = new Database(await unpacked(name));
    const { petstore: version = 0 } = versionsIn(before);
    const { storage, petstore } = await open();
    const kept = await storage.store.events.after(0, 100);
    expect(kept.map(({ type }) => type)).toContain("pet.created");
    for (const { actor } of kept) expect(actor).toEqual(version < 7 ? undefined : { kind: "host" });
    const at = api({ fetch: petstore.fetch, key: WORKING_KEY });
    await at.post("/v1/pets", { name: "Bella", categoryId: 4 });
    const [added] = await storage.store.events.before(Number.MAX_SAFE_INTEGER, 1);
    const id = /^pet_live_(\w{10})/.exec(WORKING_KEY)?.[1] ?? "";
    expect(added?.actor).toEqual({ kind: "key", id });
    await storage.close();
  });

  test("keeps its accounts and projects", async () => {
    const { storage, petstore, publishing } = await open();
    const [account] = await petstore.client.accounts.list();
    expect(account).toMatchObject({ name: "Shelter", plan: "pro" });
    const keys = await petstore.client.keys.list(account?.id ?? "");
    expect(keys.ok && keys.value.map((key) => [key.name, key.revokedAt !== undefined])).toEqual(
      expect.arrayContaining([
        ["Website", false],
        ["Lost", true],
      ]),
    );
    const projects = await publishing.projects.list();
    expect(projects).toMatchObject([{ name: "Animals", slug: "happy-animals" }]);
    await publishing.close();
    await storage.close();
  });
});
