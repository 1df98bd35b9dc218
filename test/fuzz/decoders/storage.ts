import { elementsIn, keyDecoder, textIn } from "../../../adapters/s3/xml.ts";
import { ageSealing, identityOf } from "../../../backup/age.ts";
import { unpack } from "../../../backup/container.ts";
import { backupKeys } from "../../../backup/keys.ts";
import { readIndex, readManifest, readSeal } from "../../../backup/model/manifest.ts";
import { BackupDamaged } from "../../../backup/ports.ts";
import { isId, nextId } from "../../../backup/stored.ts";
import { Failure } from "../../../settings/failure.ts";
import { linesOf, readRow, ExportDamaged } from "../../../transfer/lines.ts";
import { readBlobLine, readManifest as readExport } from "../../../transfer/model/manifest.ts";
import type { Table } from "../../../transfer/tables.ts";
import type { Chance } from "../../helpers/chance.ts";
import { rawEntry, streamOf, tarEnd } from "../../helpers/tar.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import { joined } from "../kit/mutate.ts";
import { LETTERS, listOf, textOf, VISIBLE } from "./writing.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const xml = (random: Chance): string => {
  const text = (): string =>
    random.pick([
      "a%2Fb",
      "a&amp;b",
      "&#65;",
      "&#x1f600;",
      "&#1114112;",
      "&lt;",
      "%ff",
      textOf(random, VISIBLE, 0, 10),
    ]);
  const object = (): string =>
    `<Contents><Key>${text()}</Key><Size>${random.pick(["1", "-1", "x", "1e30"])}</Size></Contents>`;
  const token = random.true(0.5)
    ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${text()}</NextContinuationToken>`
    : "";
  const list = `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/"><EncodingType>url</EncodingType>${token}${listOf(0, 4, random, object).join("")}</ListBucketResult>`;
  return random.true(0.8)
    ? list
    : `<Error><Code>NoSuchKey</Code><Message>${text()}</Message></Error>`;
};

const digest = "ab".repeat(32);
const size = (random: Chance): unknown => random.pick<unknown>([0, 1, 2 ** 40, -1, 1.5, "1", null]);

const backupManifest = (random: Chance): object => ({
  format: random.pick([1, 1, 1, 2, "1"]),
  petstore: "0.1.0",
  madeAt: "2026-11-23T04:00:00.000Z",
  schemas: { petstore: 1 },
  files: listOf(1, 2, random, () => ({
    name: random.pick(["petstore.sqlite", "../x", "a"]),
    bytes: size(random),
    sha256: digest,
  })),
  tables: { pets: { rows: size(random), checksum: "ab".repeat(8) } },
  blobs: listOf(0, 3, random, () => ({ sha256: digest, bytes: size(random) })),
  blobsInside: random.true(0.5),
  sealedTo: "age1",
  missingBlobs: [],
});

const described = (random: Chance): string => {
  const signed = { format: 1, installation: "ab".repeat(16), signature: digest };
  const measured = { bytes: size(random), sha256: digest };
  return JSON.stringify(
    random.pick([
      backupManifest(random),
      { ...signed, ...measured },
      {
        ...signed,
        id: random.pick(["20261123T040000000Z", "../x"]),
        madeAt: "",
        petstore: "",
        sealed: measured,
        blobs: measured,
      },
      {
        format: 1,
        petstore: "",
        exportedAt: "",
        serving: false,
        keyFingerprint: "ab".repeat(16),
        schemas: {},
        tables: listOf(0, 2, random, () => ({
          name: random.pick(["pets", "deleted-pets", "a-"]),
          rows: size(random),
          ...measured,
          lastNumber: size(random),
        })),
        files: [],
        blobs: { ...measured, count: 1, totalBytes: 1, missing: 0 },
      },
      { sha256: digest, bytes: size(random) },
    ]),
  );
};

const table: Table = {
  name: "pets",
  noun: "pets",
  key: ["id"],
  numbered: "id",
  columns: [
    {
      name: "id",
      member: "id",
      type: "integer",
      maximum: Number.MAX_SAFE_INTEGER,
      nullable: false,
      namesFile: false,
    },
    { name: "name", member: "name", type: "text", maximum: 0, nullable: false, namesFile: false },
    { name: "bio", member: "bio", type: "text", maximum: 0, nullable: true, namesFile: false },
  ],
};

const exported = (random: Chance): string =>
  listOf(0, 4, random, () =>
    JSON.stringify({
      id: size(random),
      name: textOf(random, VISIBLE, 0, 8),
      ...(random.true(0.8) && { bio: random.pick([null, "x"]) }),
    }),
  )
    .map((line) => `${line}\n`)
    .join("");

const key = new Uint8Array(32);
const keys = backupKeys(key);
const discard = async (_: unknown, content: ReadableStream<Uint8Array>): Promise<void> => {
  for await (const _part of content);
};

/** A container whose signature is right unless it is damaged, so that what follows is read, too. */
function container(random: Chance): Uint8Array {
  const manifest = { ...backupManifest(random), files: [], blobs: [], blobsInside: false };
  const file = { name: "petstore.sqlite", content: "SQLite" };
  const sha256 = new Bun.CryptoHasher("sha256").update(file.content).digest("hex");
  const content = JSON.stringify({
    ...manifest,
    tables: {},
    files: [{ name: file.name, bytes: 6, sha256 }],
  });
  const seal = {
    format: 1,
    installation: keys.installation,
    bytes: content.length,
    sha256: new Bun.CryptoHasher("sha256").update(content).digest("hex"),
  };
  const signature = keys.sign(
    JSON.stringify(["manifest", seal.format, seal.installation, seal.bytes, seal.sha256]),
  );
  return joined([
    rawEntry({ name: "manifest.signature", content: JSON.stringify({ ...seal, signature }) }),
    rawEntry({ name: "manifest.json", content }),
    rawEntry(file),
    tarEnd,
  ]);
}

export async function storage(): Promise<readonly Decoder[]> {
  const sealing = await ageSealing({ encryptionKey: key });
  const seal = async (plain: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await new Response(await sealing.seal(streamOf(plain))).arrayBuffer());
  const sealed = await Promise.all([utf8(""), utf8("a backup"), new Uint8Array(70_000)].map(seal));
  const [first = key, ...others] = sealed;
  return [
    ofText({
      name: "answer of S3",
      file: "adapters/s3/xml.ts",
      valid: xml,
      longest: 512 * 1_024,
      stretches: 30,
      inputs: 50_000,
      nests: [
        ["<Contents>", "</Contents>"],
        ["<Key ", ">"],
      ],
      decode: (text) => {
        const decode = keyDecoder(text);
        textIn(text, "Error");
        textIn(text, "NextContinuationToken");
        return elementsIn(text, "Contents").some(
          (one) => decode(textIn(one, "Key") ?? "") !== undefined,
        );
      },
    }),
    ofText({
      name: "manifests of backups and exports",
      file: "backup/model/manifest.ts",
      valid: described,
      longest: 256 * 1_024,
      stretches: 8,
      inputs: 20_000,
      nests: [["[", "]"]],
      decode: (text) => {
        const found = [
          readManifest(text),
          readSeal(text),
          readIndex(text),
          readExport(text),
          readBlobLine(text),
        ];
        return found.some((one) => typeof one === "object");
      },
    }),
    ofText({
      name: "name of a backup",
      file: "backup/stored.ts",
      valid: (random) =>
        `202611${random.between(10, 39)}T04${random.between(10, 99)}00${random.between(100, 999)}Z`,
      longest: 64 * 1_024,
      decode: (text) => isId(text) && nextId(0, text),
    }),
    ofBytes({
      name: "lines of an export",
      file: "transfer/lines.ts",
      valid: (random) => utf8(exported(random)),
      longest: 256 * 1_024,
      stretches: 16,
      inputs: 20_000,
      decode: async (bytes) => {
        let good = 0;
        for await (const { lines } of linesOf("pets.ndjson", streamOf(bytes, 60_000))) {
          for (const line of lines) if (typeof readRow(table, line) !== "string") good++;
        }
        return good > 0;
      },
      refuses: (error) => error instanceof ExportDamaged,
    }),
    ofBytes({
      name: "container of a backup",
      file: "backup/container.ts",
      valid: container,
      longest: 256 * 1_024,
      stretches: 10,
      inputs: 10_000,
      perByteUs: 10,
      decode: async (bytes) =>
        unpack(streamOf(bytes), keys, {
          begin: async () => undefined,
          file: discard,
          blob: discard,
        }),
      refuses: (error) => error instanceof BackupDamaged || error instanceof Failure,
    }),
    ofBytes({
      name: "age file",
      file: "backup/age.ts",
      valid: (random) => random.pick([first, ...others]),
      longest: 64 * 1_024,
      inputs: 1_000,
      stretches: 10,
      perByteUs: 50,
      decode: async (bytes) => {
        const plain = await sealing.open(streamOf(bytes));
        await discard(undefined, plain);
        return true;
      },
      // The library has errors of its own; a backup that cannot be opened is damaged, whatever they say.
      refuses: (error) => error instanceof Error,
      extremes: [
        (length) => utf8(`age-encryption.org/v1\n${"-> X25519 AAAA\nAAAA\n".repeat(length / 20)}`),
        (length) => utf8(`age-encryption.org/v1\n-> X25519 ${"A".repeat(length)}\n`),
      ],
    }),
    ofText({
      name: "age identity and recipient",
      file: "backup/age.ts",
      valid: (random) =>
        random.pick([identityOf(key), sealing.recipient, `age1${textOf(random, LETTERS, 40, 60)}`]),
      longest: 4_096,
      inputs: 5_000,
      decode: async (text) => {
        const { faultOfIdentity, faultOfRecipient } = await import("../../../backup/age.ts");
        const faults = [await faultOfIdentity(text), await faultOfRecipient(text)];
        return faults.includes(undefined);
      },
    }),
  ];
}
