import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { nodeDigest } from "../../../adapters/node.ts";
import { bunSqliteSql } from "../../../adapters/sqlite-bun.ts";
import { createPetstore } from "../../../lib/index.ts";
import { createPublishing, memoryBlobs } from "../../../lib/publishing/index.ts";
import { manualClock } from "../../../lib/testing/clock.ts";
import { openStorage } from "../../../server/compose.ts";
import { CREATED_AT, ENCRYPTION_KEY } from "../../fixtures/database.ts";
import { api } from "../../helpers/api.ts";
import { scratch } from "../../helpers/sqlite.ts";

const { file, remove } = scratch();
afterAll(remove);

const fixtures = join(import.meta.dir, "../../fixtures");

/** The working key of each database, which its maker printed. */
const KEYS: Readonly<Record<string, string>> = {
  "2026-11.db.gz": "pet_live_YclVQlewjg_eoKQwY8XI5bWK9iN5QNaMbWRRYC2B3mt42Cwgg",
};

describe.each([...new Glob("*.db.gz").scanSync(fixtures)])("the database %s", (name) => {
  const open = async () => {
    const database = file();
    const packed = await Bun.file(join(fixtures, name)).bytes();
    await Bun.write(database, Bun.gunzipSync(packed));
    const storage = await openStorage(await bunSqliteSql({ path: database }), memoryBlobs());
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
    const at = api({ fetch: petstore.fetch, key: KEYS[name] ?? "" });
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
