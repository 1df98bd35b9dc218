import { beforeAll, describe, expect, test } from "bun:test";

import { Database } from "bun:sqlite";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { bunSqliteSql } from "../../adapters/sqlite/bun.ts";
import { ageSealing } from "../../backup/age.ts";
import { pack, unpack } from "../../backup/container.ts";
import { backupKeys } from "../../backup/keys.ts";
import type { Manifest } from "../../backup/model/manifest.ts";
import { placeOf } from "../../backup/place.ts";
import { BackupDamaged } from "../../backup/ports.ts";
import { readContents, takeSnapshot } from "../../backup/snapshot.ts";
import { checkRestore, restoreInstallation } from "../../server/backup/restore.ts";
import type { DataDirectory } from "../../server/data/data-directory.ts";
import { fingerprintOf } from "../../server/data/encryption-key.ts";
import { Failure } from "../../settings/failure.ts";
import { beginImport } from "../../transfer/marks.ts";
import { scratch } from "../cli/installation.ts";
import { chance, runSeed, torture } from "../helpers/chance.ts";
import { rejection } from "../helpers/rejection.ts";
import {
  backUp,
  contentsOf,
  emptyWith,
  filesIn,
  neededFilesOf,
  request,
  shelter,
  type Shelter,
} from "./fixture.ts";

let here: Shelter;
let file: string;
let sealed: Uint8Array;

beforeAll(async () => {
  here = await shelter();
  file = join(await scratch(), "one.backup");
  await backUp(here, placeOf(file));
  // A copy: the slices of a Buffer share its memory.
  sealed = new Uint8Array(await readFile(file));
  boundaries = Array.from(
    { length: Math.ceil((sealed.length - HEADER) / CHUNK) },
    (_, index) => HEADER + index * CHUNK,
  );
});

/** The age header for one X25519 recipient ends with a nonce of 16 bytes. */
const HEADER = 216;
const CHUNK = 65_536 + 16;
/** Where the chunks of the payload begin. */
let boundaries: readonly number[];

/** Restores bytes into an empty directory; returns the refusal. */
async function refusal(
  bytes: Uint8Array,
  key: Uint8Array = here.encryptionKey,
  prepare: (directory: DataDirectory) => Promise<unknown> = async () => {},
): Promise<Failure> {
  const changed = join(await scratch(), "changed.backup");
  await writeFile(changed, bytes);
  const directory = await emptyWith(key);
  await prepare(directory);
  const before = await filesIn(directory.path);
  try {
    await restoreInstallation(request(placeOf(changed), directory));
  } catch (error) {
    const left = (await filesIn(directory.path)).filter((name) => name !== "petstore.lock");
    expect(left).toEqual([...before]);
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("The backup was restored.");
}

describe("a backup", () => {
  test("is restored equal by counts, checksums and blobs", async () => {
    const directory = await emptyWith(here.encryptionKey);
    await restoreInstallation(request(placeOf(file), directory));
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
    expect(readContents(directory.database).tables["pets"]?.rows).toBe(3);
    const blobs = await filesIn(directory.blobs);
    expect(blobs).toEqual(neededFilesOf(here.directory));
    expect(blobs.length).toBeGreaterThan(1);
    const [first = ""] = blobs;
    expect(await readFile(join(directory.blobs, first))).toEqual(
      await readFile(join(here.directory.blobs, first)),
    );
    expect(await filesIn(directory.path)).not.toContain("restore.unfinished");
  });

  test("has nothing readable inside, and not the key", async () => {
    const text = Buffer.from(sealed).toString("latin1");
    expect(text).toStartWith("age-encryption.org/v1\n-> X25519 ");
    for (const secret of ["SQLite format", "Animal 1", "petstore.db", "manifest"]) {
      expect(text).not.toContain(secret);
    }
    expect(Buffer.from(sealed).includes(Buffer.from(here.encryptionKey))).toBe(false);
  });

  test("with a flipped bit anywhere is refused, and nothing is written", async () => {
    const random = chance();
    const anywhere = Array.from({ length: torture ? 2_000 : 20 }, () =>
      random.between(0, sealed.length - 1),
    );
    // The header's lines: version, recipient, its key, MAC; then the nonce, and each chunk with its tag.
    const inHeader = Array.from({ length: HEADER }, (_, at) => at).filter(
      (at) => torture || at % 4 === 0,
    );
    const around = boundaries.flatMap((at) => [at - 17, at - 16, at - 1, at]);
    const last = sealed.length - 1;
    for (const at of [...inHeader, ...around, last - 16, last, ...anywhere]) {
      if (at > last) continue;
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ (1 << random.between(0, 7));
      const { message } = await refusal(changed);
      expect(message).toMatch(/ is damaged: |No key opens /);
    }
  }, 600_000);

  test("cut off anywhere, or with more at its end, is refused, and nothing is written", async () => {
    const random = chance(runSeed + 1);
    const lengths = Array.from({ length: torture ? 500 : 10 }, () =>
      random.between(0, sealed.length - 1),
    );
    // Ends of chunks, where only the last chunk's mark tells.
    for (const length of [0, 1, 200, 215, ...boundaries, sealed.length - 1, ...lengths]) {
      expect((await refusal(sealed.slice(0, length))).message).toMatch(/ is damaged: /);
    }
    const longer = new Uint8Array([...sealed, 0]);
    expect((await refusal(longer)).message).toMatch(/ is damaged: /);
  }, 600_000);

  test("is refused with another encryption key, or without one", async () => {
    const wrong = await refusal(sealed, new Uint8Array(32).fill(7));
    expect(wrong.message).toMatch(/^No key opens .*PETSTORE_ENCRYPTION_KEY_FILE/);
    expect(wrong.exit).toBe("configuration");
    const none = await refusal(sealed, here.encryptionKey, ({ encryptionKey }) =>
      rm(encryptionKey),
    );
    expect(none.message).toMatch(
      /^A backup never contains the encryption key\. Put your copy of it in /,
    );
  });

  test("is refused by a directory that is not empty", async () => {
    const { message, exit } = await refusal(sealed, here.encryptionKey, ({ path }) =>
      writeFile(join(path, "petstore.db"), "x"),
    );
    expect(message).toMatch(
      / is not empty: it contains petstore\.db\. Restore into a new directory/,
    );
    expect(exit).toBe("configuration");
  });

  test("continues a restore that was interrupted while it moved files in place", async () => {
    const directory = await emptyWith(here.encryptionKey);
    await mkdir(directory.restoreScratch);
    await writeFile(directory.restorePlacing, "");
    await mkdir(directory.blobs);
    await restoreInstallation(request(placeOf(file), directory));
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
  });

  test("is refused where another restore was interrupted before it moved anything, which did not write the site files and the CA", async () => {
    const { message, exit } = await refusal(sealed, here.encryptionKey, async (directory) => {
      await mkdir(directory.restoreScratch);
      await mkdir(directory.blobs);
      await writeFile(join(directory.blobs, "one"), "in use");
      await writeFile(directory.caKey, "in use");
    });
    expect(message).toContain(" is not empty: it contains blobs, internal-ca.key. Restore into");
    expect(exit).toBe("configuration");
  });

  test("replaces what an interrupted import has left", async () => {
    const directory = await emptyWith(here.encryptionKey);
    const sql = await bunSqliteSql({ path: directory.database });
    expect(await beginImport(sql, 1)).toBe(true);
    await sql.close();
    await mkdir(directory.blobs);
    await restoreInstallation(request(placeOf(file), directory));
    expect(contentsOf(directory)).toEqual(contentsOf(here.directory));
  });

  test("is checked without writing, with exit code 6 for damage", async () => {
    const { directory } = here;
    const before = await filesIn(directory.path);
    const { manifest } = await checkRestore(request(placeOf(file), directory));
    expect(manifest.tables).toEqual(readContents(directory.database).tables);
    const damaged = join(await scratch(), "damaged.backup");
    await writeFile(damaged, sealed.slice(0, -1));
    const refused = checkRestore(request(placeOf(damaged), directory));
    expect(await refused.catch((error: unknown) => error)).toMatchObject({ exit: "notOk" });
    expect(await filesIn(directory.path)).toEqual(before);
  });
});

describe("a container that is sealed right", () => {
  /** Seals a container with a changed manifest, signed with `signer`. */
  async function sealedWith(
    change: object,
    signer: Uint8Array = here.encryptionKey,
    content?: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array> {
    const { manifest } = await checkRestore(request(placeOf(file), here.directory));
    // A manifest of another version has another form.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const changed = { ...manifest, ...change } as Manifest;
    const sealing = await ageSealing({ encryptionKey: here.encryptionKey });
    const sizes = new Map(manifest.files.map(({ name, bytes }) => [name, bytes]));
    const zeros = async (name: string): Promise<ReadableStream<Uint8Array>> =>
      new Blob([content ?? new Uint8Array(sizes.get(name) ?? 0)]).stream();
    // The ID of an installation is no secret.
    const { installation } = backupKeys(here.encryptionKey);
    const keys = { ...backupKeys(signer), installation };
    const plain = pack({ ...changed, blobs: [] }, keys, { file: zeros, blob: zeros });
    return new Uint8Array(await new Response(await sealing.seal(plain)).arrayBuffer());
  }

  test("of a newer format is refused", async () => {
    const { message, exit } = await refusal(await sealedWith({ format: 2 }));
    expect(message).toStartWith("A newer version of this program made this backup.");
    expect(exit).toBe("configuration");
  });

  test("that was signed with another key is refused: a recipient's public key is no secret", async () => {
    const forged = await sealedWith({}, new Uint8Array(32).fill(9));
    expect((await refusal(forged)).message).toContain(
      "its manifest was not signed with this encryption key",
    );
    const zeroed = await sealedWith({});
    expect((await refusal(zeroed)).message).toContain("a content differs from its checksum");
  });

  test.each([
    ["lost a row", "DELETE FROM pets WHERE id = 3", "the table pets has 2 rows instead of 3"],
    ["changed a value", "UPDATE pets SET name = 'B' WHERE id = 1", "rows of the table pets differ"],
    ["lost a table", "DROP TABLE deleted_pets", "the table deleted_pets is missing"],
    ["gained a table", "CREATE TABLE more (id INTEGER)", "the table more was added"],
    ["is unchanged", "SELECT 1", undefined],
  ])("with a database that %s is compared with its manifest", async (_, statement, difference) => {
    const path = join(await scratch(), "petstore.db");
    takeSnapshot(here.directory.database, path);
    const { schemas, tables, blobs: missingBlobs } = readContents(path);
    const database = new Database(path);
    database.run(statement);
    database.close();
    const content = new Uint8Array(await readFile(path));
    const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const files = [{ name: "petstore.db", bytes: content.length, sha256 }];
    const change = { schemas, tables, missingBlobs, files };
    const made = await sealedWith(change, here.encryptionKey, content);
    const restored = refusal(made);
    if (difference === undefined) expect(restored).rejects.toThrow("The backup was restored.");
    else expect((await restored).message).toContain(difference);
  });

  test.each([
    ["without a blob that its database references", (blobs: readonly string[]) => blobs.slice(1)],
    ["with a blob too many", (blobs: readonly string[]) => [...blobs, "0".repeat(64)]],
    [
      "with another blob",
      ([, ...blobs]: readonly string[]): readonly string[] => [...blobs, "0".repeat(64)],
    ],
  ])("%s is refused", async (_what, changed) => {
    const path = join(await scratch(), "petstore.db");
    takeSnapshot(here.directory.database, path);
    const { schemas, tables, blobs } = readContents(path);
    const content = new Uint8Array(await readFile(path));
    const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const files = [{ name: "petstore.db", bytes: content.length, sha256 }];
    const change = { schemas, tables, missingBlobs: changed(blobs), files };
    const made = await sealedWith(change, here.encryptionKey, content);
    expect((await refusal(made)).message).toContain(
      "it has other blobs than its database references",
    );
  });
});

describe("a container with hostile entries", () => {
  interface Hostile {
    readonly name: string;
    readonly content?: string;
    /** Default: that of the content. */
    readonly size?: number;
    readonly type?: string;
  }

  /** Seals a manifest, its right signature, and any entries behind them. */
  async function sealedEntries(
    entries: readonly Hostile[],
    change: Partial<Manifest> = {},
    signedText = (text: string): string => text,
  ): Promise<Uint8Array> {
    const { manifest } = await checkRestore(request(placeOf(file), here.directory));
    const files = [{ name: "petstore.db", bytes: 0, sha256: sha256("") }];
    const text = JSON.stringify({ ...manifest, files, blobs: [], ...change });
    const head = [
      { name: "manifest.signature", content: signatureOf(signedText(text)) },
      { name: "manifest.json", content: text },
    ];
    const blocks = [...head, ...entries].flatMap(
      ({ name, content = "", size = Buffer.byteLength(content), type = "0" }: Hostile) => [
        tarHeader(name, size, type),
        content.padEnd(Math.ceil(content.length / 512) * 512, "\0"),
      ],
    );
    const plain = new Blob([...blocks, new Uint8Array(1_024)]).stream();
    const sealing = await ageSealing({ encryptionKey: here.encryptionKey });
    return new Uint8Array(await new Response(await sealing.seal(plain)).arrayBuffer());
  }

  /** Returns the signature of a manifest, made of its size and SHA-256 (docs/decisions/backups.md). */
  function signatureOf(text: string): string {
    const { installation, sign } = backupKeys(here.encryptionKey);
    const signed = {
      format: 1,
      installation,
      bytes: Buffer.byteLength(text),
      sha256: sha256(text),
    };
    const signature = sign(JSON.stringify(["manifest", ...Object.values(signed)]));
    return JSON.stringify({ ...signed, signature });
  }

  function sha256(text: string): string {
    return new Bun.CryptoHasher("sha256").update(text).digest("hex");
  }

  function tarHeader(name: string, size: number, type = "0"): Uint8Array<ArrayBuffer> {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write("0000644\0", 100);
    block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
    block.write(type, 156);
    block.write("ustar\x0000", 257);
    block.fill(" ", 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0);
    block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return new Uint8Array(block);
  }

  test.each([
    ["signed with another key", (text: string) => text.replace(/.{8}"}$/, '00000000"}')],
    ["smaller than it claims to be", (text: string) => text],
    ["unsigned", () => "{}"],
    ["preceded by a signature without an end", () => "x".repeat(512)],
  ])("whose manifest is %s is refused before the manifest is read", async (_what, change) => {
    const signature = change(signatureOf("small"));
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(tarHeader("manifest.signature", signature.length));
        controller.enqueue(Buffer.from(signature.padEnd(512, "\0")));
        controller.enqueue(tarHeader("manifest.json", 2 ** 32));
      },
      pull: (controller) => {
        pulled += 65_536;
        controller.enqueue(new Uint8Array(65_536));
      },
    });
    const refused = unpack(endless, backupKeys(here.encryptionKey), {
      begin: async () => expect.unreachable(),
      file: async () => expect.unreachable(),
      blob: async () => expect.unreachable(),
    });
    expect(await rejection(refused)).toBeInstanceOf(BackupDamaged);
    expect(pulled).toBeLessThan(1_000_000);
  });

  const digest = "0".repeat(64);

  test("is otherwise read: the entries below are refused for what they are", async () => {
    const right = await sealedEntries([{ name: "petstore.db" }]);
    // An empty file has no tables.
    expect((await refusal(right)).message).toMatch(/ is damaged: (the table|no such table)/);
  });

  test.each([
    "../../petstore.db",
    "/etc/cron.d/petstore",
    "..",
    "blobs/../../x",
    "encryption.key",
    "blobs",
    "",
  ])("named %j is refused: only the names of the manifest are read", async (name) => {
    const changed = await sealedEntries([{ name }]);
    expect((await refusal(changed)).message).toContain(" is damaged: it lacks petstore.db");
  });

  test.each(["../petstore.db", "/tmp/x", "a/b", "..", ".ssh", "", "x\0y"])(
    "whose manifest names the file %j is refused, although it is signed",
    async (name) => {
      const files = [{ name, bytes: 0, sha256: digest }];
      const changed = await sealedEntries([{ name }], { files });
      expect((await refusal(changed)).message).toContain(
        " is damaged: its manifest cannot be read",
      );
    },
  );

  test.each(["../../x", "/etc/passwd", `${"0".repeat(62)}/.`])(
    "whose manifest names the blob %j is refused, although it is signed",
    async (sha256) => {
      const changed = await sealedEntries([], { blobs: [{ sha256, bytes: 0 }] });
      expect((await refusal(changed)).message).toContain(
        " is damaged: its manifest cannot be read",
      );
    },
  );

  test.each(["1", "2", "5"])(
    "of type %s, a link or a directory, is refused, although its content is empty, too",
    async (type) => {
      const changed = await sealedEntries([{ name: "petstore.db", type }]);
      expect((await refusal(changed)).message).toContain(" is damaged: it lacks petstore.db");
    },
  );

  test("of a size that no disk has is refused before anything is written", async () => {
    const bytes = 2 ** 50;
    const changed = await sealedEntries([{ name: "petstore.db", size: 0o77777777777 }], {
      files: [{ name: "petstore.db", bytes, sha256: digest }],
    });
    expect((await refusal(changed)).message).toContain("has no room for this backup: it needs ");
  });

  test("larger than the manifest says is refused: it does not fill the disk", async () => {
    const content = "x".repeat(1_000_000);
    const changed = await sealedEntries([{ name: "petstore.db", content }]);
    expect((await refusal(changed)).message).toContain(
      " is damaged: petstore.db is larger than its manifest says",
    );
  });

  test("whose manifest has another text than the signed one, of the same length, are refused", async () => {
    const swapped = (text: string): string => text.replace('"format":1', '"format":2');
    const changed = await sealedEntries([{ name: "petstore.db" }], {}, swapped);
    expect((await refusal(changed)).message).toContain("its manifest differs from its signature");
  });

  test("that continue after the last one are refused", async () => {
    const changed = await sealedEntries([{ name: "petstore.db" }, { name: "more" }]);
    expect((await refusal(changed)).message).toContain(" is damaged: it continues after its end");
  });
});

test("a backup of a newer schema is refused, with the version that reads it", async () => {
  const database = new Database(here.directory.database);
  database.run("INSERT INTO petstore_migrations VALUES ('publishing', 999, 0)");
  try {
    const newer = join(await scratch(), "newer.backup");
    await backUp(here, placeOf(newer));
    const { message, exit } = await refusal(await readFile(newer));
    expect(message).toStartWith(
      'The backup has version 999 of the schema "publishing", and this program knows',
    );
    expect(exit).toBe("configuration");
  } finally {
    database.run("DELETE FROM petstore_migrations WHERE version = 999");
    database.close();
  }
});

test("a backup of another installation's key is refused by its fingerprint", async () => {
  const other = new Uint8Array(32).fill(3);
  const borrowed = join(await scratch(), "borrowed.backup");
  const recipient = (await ageSealing({ encryptionKey: other })).recipient;
  await backUp(here, placeOf(borrowed), { "backup-recipient": recipient });
  const { message } = await refusal(await readFile(borrowed), other);
  expect(message).toStartWith("The encryption key is not the one of this backup");
  expect(fingerprintOf(other)).not.toBe(fingerprintOf(here.encryptionKey));
});
