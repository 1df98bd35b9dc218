import { expect, test } from "bun:test";

import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { installationKey } from "../../server/data/encryption-key.ts";
import { rejection } from "../helpers/rejection.ts";
import { scratch } from "./installation.ts";

async function installation() {
  const path = join(await scratch(), "encryption.key");
  const store = await bunSqliteStore({ path: ":memory:" });
  const open = (given?: Uint8Array) => installationKey({ store, path, given });
  return { path, open };
}

test("a new installation creates a key that only its owner can read, and keeps using it", async () => {
  const { path, open } = await installation();
  const key = await open();
  expect(key).toHaveLength(32);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await open()).toEqual(key);
  expect(Buffer.from((await readFile(path, "utf8")).trim(), "base64url")).toEqual(Buffer.from(key));
});

test("a key from the options is used and not stored", async () => {
  const { path, open } = await installation();
  const given = new Uint8Array(32).fill(9);
  expect(await open(given)).toEqual(given);
  expect(await Bun.file(path).exists()).toBe(false);
});

test("a key that does not match the database is refused", async () => {
  const { path, open } = await installation();
  await open();
  expect(String(await rejection(open(new Uint8Array(32))))).toContain(
    "The given encryption key is not the key",
  );
  await writeFile(path, Buffer.alloc(32, 1).toString("hex"));
  expect(String(await rejection(open()))).toContain(`in ${path} is not the key of this database`);
});

test("a missing key is not replaced by a new one", async () => {
  const { path, open } = await installation();
  await open();
  await rm(path);
  expect(String(await rejection(open()))).toContain("is missing, and the database needs it");
  expect(await Bun.file(path).exists()).toBe(false);
});

test("a key of the wrong length is refused", async () => {
  const { path, open } = await installation();
  await writeFile(path, "c2hvcnQ=");
  expect(String(await rejection(open()))).toContain("must be 32 bytes");
});
