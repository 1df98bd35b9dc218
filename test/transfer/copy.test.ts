import { expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { copyFile } from "node:fs/promises";

import { BlobDamaged } from "../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../lib/publishing/index.ts";
import { schemas } from "../../server/data/storage.ts";
import { BlobNames, copyBlobs, putting } from "../../transfer/blobs.ts";
import { compareTables } from "../../transfer/copy.ts";
import { sqliteSnapshot } from "../../transfer/sqlite-snapshot.ts";
import { tablesOf } from "../../transfer/tables.ts";
import { chance } from "../helpers/chance.ts";
import { rejection } from "../helpers/rejection.ts";
import { filled } from "./fixture.ts";

test.each([
  [
    "a changed value",
    "UPDATE accounts SET name = name || ' ' WHERE rowid = 1",
    "accounts has other values than the copy",
  ],
  [
    "a removed row",
    "DELETE FROM pets WHERE id = (SELECT MAX(id) FROM pets)",
    "pets has 8 rows, the copy 7",
  ],
  [
    "a number too low",
    "UPDATE sqlite_sequence SET seq = seq - 1 WHERE name = 'events'",
    "events has the last number",
  ],
  [
    "null instead of a text",
    "UPDATE projects SET accent = NULL",
    "projects has other values than the copy",
  ],
])("a copy with %s is not the same", async (_what, damage, words) => {
  const here = await filled(chance(), "move");
  const copy = `${here.database}.copy`;
  const file = new Database(here.database);
  file.run("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  await copyFile(here.database, copy);
  const tables = await tablesOf(schemas, "move");
  const compare = async () => {
    const [mine, theirs] = [sqliteSnapshot(here.database), sqliteSnapshot(copy)];
    try {
      return await compareTables(mine, theirs, tables, () => {});
    } finally {
      await mine.close();
      await theirs.close();
    }
  };
  expect((await compare()).map(({ name }) => name)).toEqual(tables.map(({ noun }) => noun));
  const damaged = new Database(copy);
  damaged.run(damage);
  damaged.close();
  expect(await rejection(compare())).toMatchObject({
    name: "Failure",
    message: expect.stringContaining(words),
  });
});

test("a blob that is missing, damaged or another one is named without a size, and not kept", async () => {
  const [from, to] = [memoryBlobs(), memoryBlobs()];
  const sound = await from.put(new Uint8Array(3_000));
  const other = await from.put(new Uint8Array(10));
  const [absent, damaged, wrong] = ["a", "b", "c"].map((digit) => digit.repeat(64));
  const open = async (sha256: string) => {
    if (sha256 === wrong) return from.open(other.sha256);
    if (sha256 !== damaged) return from.open(sha256);
    return new ReadableStream({
      pull: (controller) => controller.error(new BlobDamaged("A part is missing.")),
    });
  };
  const asked = [sound.sha256, absent, damaged, wrong].map(String);
  const names = await BlobNames.of(asked);
  expect([names.count, [...names]]).toEqual([4, asked]);
  const copied = await Array.fromAsync(copyBlobs(names, { open }, putting(to), () => {}));
  expect(copied.map(({ bytes }) => bytes)).toEqual([3_000, null, null, null]);
  const kept = await Array.fromAsync(to.list());
  expect(kept.map(({ sha256 }) => sha256)).toEqual([sound.sha256]);
});
