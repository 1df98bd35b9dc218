import { readZip } from "../../../dashboard/app/pages/projects/upload/read-zip.ts";
import { siteFiles, SiteRefused } from "../../../dashboard/app/pages/projects/upload/site-files.ts";
import { byteSource } from "../../../lib/publishing/archive/byte-source.ts";
import { gunzip } from "../../../lib/publishing/archive/gunzip.ts";
import { readTar } from "../../../lib/publishing/archive/read-tar.ts";
import { ArchiveRefused } from "../../../lib/publishing/archive/refused.ts";
import { ingest } from "../../../lib/publishing/ingest/ingest.ts";
import { memoryBlobs } from "../../../lib/publishing/memory-blobs.ts";
import type { Chance } from "../../helpers/chance.ts";
import { gzipped, paxEntry, rawEntry, streamOf, tarEnd } from "../../helpers/tar.ts";
import { zipOf } from "../../helpers/zip.ts";
import { ofBytes, type Decoder } from "../kit/decoder.ts";
import { joined } from "../kit/mutate.ts";
import { bytesOf, LETTERS, listOf, textOf } from "./writing.ts";

const name = (random: Chance): string =>
  random.true(0.9)
    ? `${textOf(random, "abcdefgh", 1, 12)}${random.pick([".html", ".css", "/b.png", ""])}`
    : random.pick([
        "a/",
        "../x",
        "petstore.site.json",
        ".git/x",
        textOf(random, LETTERS, 90, 120),
        "ä.png",
      ]);

function entry(random: Chance): Uint8Array {
  const content = random.pick(["", "{}", "<html>", textOf(random, LETTERS, 0, 600)]);
  switch (random.between(0, 19)) {
    case 0:
      return paxEntry(
        {
          path: name(random),
          ...(random.true(0.3) && { size: random.pick(["0", "7", "9".repeat(15), "1e3"]) }),
        },
        random.pick(["x", "x", "g"]),
      );
    case 1:
      return rawEntry({
        name: "././@LongLink",
        type: random.pick(["L", "K"]),
        content: `${name(random)}\0`,
      });
    case 2:
      return rawEntry({
        name: name(random),
        content,
        type: random.pick(["0", "1", "2", "5", "S", "\0", "Z"]),
      });
    case 3: {
      // A number in base 256, or one that is no number.
      const size = random.pick<string | Uint8Array>([
        Uint8Array.from([0x80, ...bytesOf(random, 11, 11)]),
        "77777777777",
        " 12\0 1",
        "x",
      ]);
      return rawEntry({ name: name(random), patch: { 124: size } });
    }
    case 4:
      return rawEntry({ name: name(random), content, size: random.pick([0, 1, 512, 8 ** 11 - 1]) });
    default:
      return rawEntry({ name: name(random), content });
  }
}

const tar = (random: Chance): Uint8Array =>
  joined([
    ...listOf(0, 4, random, () => entry(random)),
    random.true(0.9) ? tarEnd : new Uint8Array(512),
  ]);

const gzip = (random: Chance): Uint8Array =>
  gzipped(new Uint8Array(tar(random)), random.pick([0, 6]));

/** Splits an archive as a network may. */
const arriving = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  streamOf(bytes, bytes.length % 3 === 0 ? 1_000 : 65_536);

const refuses = (error: unknown): boolean => error instanceof ArchiveRefused;
const refusesUpload = (error: unknown): boolean => error instanceof SiteRefused;

/** Reads a stream to its end, and counts its bytes. */
async function drained(stream: ReadableStream<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const part of stream) bytes += part.length;
  return bytes;
}

async function zips(): Promise<readonly Uint8Array[]> {
  const made = [
    zipOf([
      { name: "index.html", content: "<html>" },
      { name: "a/b.css", content: "a{}".repeat(20) },
    ]),
    zipOf([{ name: "a/" }, { name: "ä.png", content: "x", method: "stored" }], "a comment"),
    zipOf([
      { name: "l", content: "x", mode: 0o120777 },
      { name: "e", flags: 1 },
    ]),
    zipOf([]),
  ];
  return Promise.all(made.map(async (one) => new Uint8Array(await one.arrayBuffer())));
}

export async function archives(): Promise<readonly Decoder[]> {
  const [first = new Uint8Array(), ...others] = await zips();
  return [
    ofBytes({
      name: "tar",
      file: "lib/publishing/archive/read-tar.ts",
      valid: tar,
      longest: 256 * 1_024,
      inputs: 20_000,
      stretches: 20,
      decode: async (bytes) => {
        let count = 0;
        for await (const one of readTar(byteSource(arriving(bytes)))) {
          count++;
          if (one.size % 2 === 0) await drained(one.content());
        }
        return count > 0;
      },
      refuses,
    }),
    ofBytes({
      name: "gzip",
      file: "lib/publishing/archive/gunzip.ts",
      valid: gzip,
      longest: 64 * 1_024,
      inputs: 10_000,
      stretches: 10,
      perByteUs: 20,
      decode: async (bytes) => (await drained(gunzip(arriving(bytes), () => undefined))) > 0,
      refuses,
      extremes: [
        // It unpacks to a thousand times its size, of which a hundred times may be read.
        (size) => gzipped(new Uint8Array(size * 1_000)),
        (size) => joined(Array.from({ length: size / 30 }, () => gzipped(new Uint8Array(1)))),
      ],
    }),
    ofBytes({
      name: "archive of a deploy",
      file: "lib/publishing/ingest/ingest.ts",
      valid: gzip,
      longest: 64 * 1_024,
      inputs: 5_000,
      stretches: 8,
      perByteUs: 50,
      decode: async (bytes) => (await ingest(arriving(bytes), { blobs: memoryBlobs() })).ok,
    }),
    ofBytes({
      name: "zip",
      file: "dashboard/app/pages/projects/upload/read-zip.ts",
      valid: (random) => random.pick([first, ...others]),
      longest: 256 * 1_024,
      inputs: 20_000,
      stretches: 10,
      perByteUs: 10,
      decode: async (bytes) => {
        const found = await readZip(new Blob([Uint8Array.from(bytes)]));
        const { files } = siteFiles(found);
        if (bytes.length % 8 !== 0) return true;
        // What unpacking finds only ends this upload.
        for (const file of files) await drained(file.open()).catch(() => undefined);
        return true;
      },
      refuses: refusesUpload,
    }),
  ];
}
