import { beforeAll, describe, expect, test } from "bun:test";

import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { schemas } from "../../server/data/storage.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { checkImport, exportInstallation, importInstallation } from "../../server/data/transfer.ts";
import { Failure } from "../../settings/failure.ts";
import { readManifest, type Manifest } from "../../transfer/model/manifest.ts";
import { linesOf, MAX_LINE_BYTES } from "../../transfer/lines.ts";
import { schemasAt, tablesOf } from "../../transfer/tables.ts";
import { emptyWith, filesIn } from "../backup/fixture.ts";
import { scratch } from "../cli/installation.ts";
import { chance, torture } from "../helpers/chance.ts";
import { rejection } from "../helpers/rejection.ts";
import { contentsOf, empty, exported, imported, importing, KEY, live, open } from "./fixture.ts";

let whole: string;

beforeAll(async () => {
  const here = await empty();
  const opened = await open(here);
  await live(opened, chance());
  await opened.close();
  whole = await exported(here);
});

async function copy(): Promise<string> {
  const path = join(await scratch(), "export");
  await cp(whole, path, { recursive: true });
  return path;
}

/** Imports, and returns the refusal. Fails if anything was written. */
async function refusal(from: string, directory?: DataDirectory): Promise<Failure> {
  const into = directory ?? (await empty());
  const before = await contentsIn(into);
  const failures: unknown[] = [
    await rejection(importInstallation(importing(from, into))),
    await rejection(checkImport(importing(from, into))),
  ];
  expect(await contentsIn(into)).toEqual(before);
  const [failure, checked] = failures;
  if (!(failure instanceof Failure) || !(checked instanceof Failure)) throw failure;
  expect(checked.exit).toBe(failure.exit === "failed" ? "notOk" : failure.exit);
  return failure;
}

async function contentsIn({ path }: DataDirectory): Promise<readonly string[]> {
  return (await filesIn(path)).filter((name) => name !== "petstore.lock");
}

/** Replaces the lines of a table, and corrects the manifest. */
async function rewrite(
  from: string,
  noun: string,
  change: (lines: readonly string[]) => readonly string[],
  versions: Readonly<Record<string, number>> = {},
): Promise<Manifest> {
  const path = join(from, `tables/${noun}.ndjson`);
  const lines = change((await readFile(path, "utf8")).split("\n").filter((line) => line !== ""));
  const text = lines.map((line) => `${line}\n`).join("");
  await writeFile(path, text);
  const manifest: Manifest = JSON.parse(await readFile(join(from, "manifest.json"), "utf8"));
  const changed = {
    ...manifest,
    schemas: { ...manifest.schemas, ...versions },
    tables: manifest.tables.map((entry) =>
      entry.name === noun
        ? {
            ...entry,
            rows: lines.length,
            bytes: Buffer.byteLength(text),
            sha256: new Bun.CryptoHasher("sha256").update(text).digest("hex"),
          }
        : entry,
    ),
  };
  await writeFile(join(from, "manifest.json"), JSON.stringify(changed));
  return changed;
}

async function edit(path: string, change: (text: string) => string): Promise<void> {
  await writeFile(path, change(await readFile(path, "utf8")));
}

const DEPLOY_BLOBS = "tables/deploy-blobs.ndjson";
const PETS = "tables/pets.ndjson";

describe("an import refuses, before it writes anything,", () => {
  test.each<[string, (from: string) => Promise<void>, string]>([
    [
      "a line that is not JSON",
      (from) => edit(join(from, PETS), (text) => text.replace('"name"', "name")),
      `${PETS}: line 1 is not JSON`,
    ],
    [
      "a line that lacks a member",
      (from) => edit(join(from, PETS), (text) => text.replace(/\n(.*?)"status":"\w+",/, "\n$1")),
      `${PETS}: line 2 lacks the member "status"`,
    ],
    [
      "a line with an unknown member",
      (from) => edit(join(from, PETS), (text) => text.replace("{", '{"colour":"red",')),
      `${PETS}: line 1 has an unknown member "colour"`,
    ],
    [
      "a member of another type",
      (from) => edit(join(from, PETS), (text) => text.replace('"version":', '"version":1.5,"x":')),
      `${PETS}: line 1 has a member "version" that is not an integer up to 9007199254740991`,
    ],
    [
      "a name that no file can have",
      (from) =>
        edit(join(from, DEPLOY_BLOBS), (text) =>
          text.replace(/"sha256":"[^"]*"/, '"sha256":"../x"'),
        ),
      `${DEPLOY_BLOBS}: line 1 has a member "sha256" that is not a SHA-256 in hex`,
    ],
    [
      "a changed value",
      (from) => edit(join(from, PETS), (text) => text.replace("Bello", "Bella")),
      `${PETS} differs from its checksum`,
    ],
    [
      "a removed line",
      (from) => edit(join(from, PETS), (text) => text.slice(text.indexOf("\n") + 1)),
      "lines instead of ",
    ],
    [
      "a file that is cut off",
      (from) => edit(join(from, PETS), (text) => text.slice(0, -3)),
      " is cut off",
    ],
    [
      "bytes that are not UTF-8",
      async (from) => {
        const bytes = await readFile(join(from, PETS));
        bytes[bytes.indexOf(10) + 5] = 0xff;
        await writeFile(join(from, PETS), bytes);
      },
      `${PETS}: line 2 is not UTF-8`,
    ],
    ["a missing file", (from) => rm(join(from, PETS)), `${PETS} is missing`],
    [
      "no manifest",
      (from) => rm(join(from, "manifest.json")),
      "it has no manifest.json, which an export writes last: it is not a whole export",
    ],
    [
      "a manifest that cannot be read",
      (from) => edit(join(from, "manifest.json"), (text) => text.slice(1)),
      "its manifest.json cannot be read",
    ],
    [
      "a newer format",
      (from) =>
        edit(join(from, "manifest.json"), (text) => text.replace('"format": 1', '"format": 2')),
      "A newer version of this program made this export.",
    ],
    [
      "a newer schema",
      (from) =>
        edit(join(from, "manifest.json"), (text) =>
          text.replace(/"petstore": \d+/, '"petstore": 99'),
        ),
      'The export has version 99 of the schema "petstore"',
    ],
    [
      "a manifest without a table",
      (from) =>
        edit(join(from, "manifest.json"), (text) => {
          const manifest = JSON.parse(text);
          manifest.tables.pop();
          return JSON.stringify(manifest);
        }),
      "its manifest.json lacks successor-accounts",
    ],
    ["a directory that does not exist", (from) => rm(from, { recursive: true }), "does not exist."],
  ])("%s", async (_what, damage, words) => {
    const from = await copy();
    await damage(from);
    expect((await refusal(from)).message).toContain(words);
  });

  test("a flipped bit in any file", async () => {
    const random = chance();
    const names = await filesIn(whole);
    const chosen = torture ? names : names.filter((name) => name.startsWith("blobs")).slice(0, 8);
    for (const name of [
      ...chosen,
      "blobs.ndjson",
      "tables/events.ndjson",
      "tables/members.ndjson",
    ]) {
      const from = await copy();
      const bytes = await readFile(join(from, name));
      if (bytes.length === 0) continue;
      const at = random.between(0, bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      await writeFile(join(from, name), bytes);
      expect((await refusal(from)).message).toContain(`is damaged: ${name}`);
    }
  });

  test("another encryption key, and none", async () => {
    const other = await emptyWith(new Uint8Array(32).fill(8));
    const wrong = await refusal(whole, other);
    expect([wrong.exit, wrong.message]).toEqual([
      "configuration",
      expect.stringContaining("The encryption key is not the one of this export"),
    ]);
    await rm(other.encryptionKey);
    const none = await refusal(whole, other);
    expect([none.exit, none.message]).toEqual([
      "configuration",
      expect.stringContaining("An export never contains the encryption key."),
    ]);
  });

  test("a directory with an installation, or with anything else", async () => {
    const used = await empty();
    await (await open(used)).close();
    const failed = await rejection(importInstallation(importing(whole, used)));
    expect((failed as Failure).message).toContain("is not empty: it contains petstore.db");
    const strange = await empty();
    await writeFile(join(strange.path, "notes.txt"), "");
    const refused = await rejection(importInstallation(importing(whole, strange)));
    expect((refused as Failure).message).toContain("it contains notes.txt");
    expect((refused as Failure).exit).toBe("configuration");
  });
});

test("an import replaces what an interrupted restore has left, and removes nothing else", async () => {
  const directory = await empty();
  await mkdir(directory.restoreScratch);
  await mkdir(directory.blobs);
  await writeFile(directory.caKey, "in use");
  // Nothing was moved in place yet.
  const before = await contentsIn(directory);
  const refused = await rejection(importInstallation(importing(whole, directory)));
  expect(String(refused)).toContain("it contains blobs, internal-ca.key");
  expect(await contentsIn(directory)).toEqual(before);
  await rm(directory.caKey);
  await writeFile(directory.restorePlacing, "");
  await importInstallation(importing(whole, directory));
  expect(await contentsOf(await exported(directory))).toEqual(await contentsOf(whole));
});

test("an export refuses a directory that is not empty, and leaves it as it is", async () => {
  const here = await empty();
  await (await open(here)).close();
  const to = await copy();
  const before = await filesIn(to);
  const failure = async (path: string): Promise<string> => {
    const options = { ...importing("", here), to: path, kept: undefined, version: "1" };
    return String(await rejection(exportInstallation({ ...options, serving: false })));
  };
  expect(await failure(to)).toContain("is not empty. Export into a new directory.");
  await rm(join(to, "manifest.json"));
  expect(await failure(to)).toContain("contains an export that was interrupted");
  expect(await filesIn(to)).toEqual(before.filter((name) => name !== "manifest.json"));
});

test("an export of an older version of the tables is upgraded by the import", async () => {
  const from = await copy();
  const newest = Object.fromEntries(schemas.map((one) => [one.component, one.migrations.length]));
  // The searchable names of animals came with version 5.
  const older = { petstore: 4 };
  const then = schemasAt(schemas, { ...newest, ...older });
  for (const { noun, columns } of await tablesOf(then, "export")) {
    const names = columns.map(({ member }) => member);
    await rewrite(from, noun, (lines) =>
      lines.map((line) => JSON.stringify(JSON.parse(line), names)),
    );
  }
  const manifest = await rewrite(from, "pets", (lines) => lines, older);
  const known = new Set((await tablesOf(then, "export")).map(({ name }) => name));
  const tables = manifest.tables.filter(({ name }) => known.has(name.replaceAll("-", "_")));
  await writeFile(join(from, "manifest.json"), JSON.stringify({ ...manifest, tables }));
  const directory = await empty();
  await importInstallation(importing(from, directory));
  const again = readManifest(
    await readFile(join(await exported(directory), "manifest.json"), "utf8"),
  );
  if (typeof again === "string") throw new Error(again);
  expect(again.schemas).toEqual(newest);
  const inOlder = new Set(tables.map(({ name }) => name));
  expect(again.tables.map(({ name, rows }) => [name, rows])).toEqual(
    manifest.tables.map(({ name, rows }) => [name, inOlder.has(name) ? rows : 0]),
  );
});

test("rows that contradict each other fail, and what was written is removed", async () => {
  const from = await copy();
  await rewrite(from, "pets", (lines) => [...lines, lines[0] ?? ""]);
  const directory = await empty();
  const failure = await rejection(importInstallation(importing(from, directory)));
  expect(String(failure)).toContain("tables/pets.ndjson: the lines from 1 cannot be added: UNIQUE");
  expect(await contentsIn(directory)).toEqual(["encryption.key"]);
  await importInstallation(importing(whole, directory));
});

test("a line without an end does not fill the memory", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1_048_576;
      controller.enqueue(new Uint8Array(1_048_576).fill(65));
    },
  });
  const reading = Array.fromAsync(linesOf("a file", endless));
  expect(String(await rejection(reading))).toContain("a file: line 1 is longer than 32 MiB");
  expect(sent).toBeLessThan(MAX_LINE_BYTES + 4 * 1_048_576);
});

test("a blob that is missing is named, and the rest is exported and imported", async () => {
  const here = await imported(whole);
  const [lost = ""] = await filesIn(here.blobs);
  await rm(join(here.blobs, lost));
  const from = await exported(here);
  expect(await readFile(join(from, "blobs.ndjson"), "utf8")).toContain(
    `{"sha256":"${lost.replace("/", "")}","bytes":null}`,
  );
  const there = await imported(from);
  const rest = (await filesIn(here.blobs)).filter((name) => !name.startsWith("unfinished"));
  expect(await filesIn(there.blobs)).toEqual(rest);
});

test("the encryption key is not inside", async () => {
  for (const name of await filesIn(whole)) {
    const text = await readFile(join(whole, name), "latin1");
    for (const encoding of ["hex", "base64", "base64url", "latin1"] as const) {
      expect(text).not.toContain(Buffer.from(KEY).toString(encoding));
    }
  }
});
