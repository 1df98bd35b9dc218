import { expect, test } from "bun:test";

import { nodeCompress } from "../../../../adapters/compress.ts";
import type { Blobs } from "../../../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import type { Manifest, ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import { tarGzOf, type RawEntry } from "../../../helpers/tar.ts";
import { take } from "./take.ts";
import { must } from "../../../helpers/outcome.ts";

const text = "Rex is a friendly dog who likes long walks. ";

async function manifestOf(
  entries: readonly RawEntry[],
  options: Parameters<typeof take>[1] = {},
): Promise<Manifest> {
  return must(await take(tarGzOf(entries), options));
}

async function fileOf(
  entry: RawEntry,
  options: Parameters<typeof take>[1] = {},
): Promise<ManifestFile> {
  const { files } = await manifestOf([entry], options);
  const [file] = files;
  if (file === undefined) throw new Error("no file");
  return file;
}

test("a site becomes a manifest sorted by path, including its site file", async () => {
  const blobs = memoryBlobs();
  const { files, site } = await manifestOf(
    [
      { name: "z.txt", content: "z" },
      { name: "animals/", type: "5" },
      { name: "animals/7/bio.md", content: "Rex" },
      { name: "petstore.site.json", content: '{"title":"Our dogs"}' },
    ],
    { blobs },
  );
  expect(files.map(({ path, type, size }) => `${path} ${type} ${size}`)).toEqual([
    "/animals/7/bio.md text/markdown; charset=utf-8 3",
    "/petstore.site.json application/json 20",
    "/z.txt text/plain; charset=utf-8 1",
  ]);
  expect(site).toEqual({ title: "Our dogs" });
  const bio = await blobs.read(files[0]?.sha256 ?? "");
  expect(new TextDecoder().decode(bio)).toBe("Rex");
});

test("names are normalized to NFC", async () => {
  const { path } = await fileOf({ name: "cafe\u0301.txt" });
  expect(path).toBe("/caf\u00e9.txt");
});

test("text is also stored as brotli and gzip, which unpack to it", async () => {
  const blobs = memoryBlobs();
  const content = text.repeat(100);
  const file = await fileOf({ name: "a.html", content }, { blobs, compress: nodeCompress });
  expect(file.encodings.map(({ encoding }) => encoding)).toEqual(["br", "gzip"]);
  for (const { encoding, sha256, size } of file.encodings) {
    const bytes = new Uint8Array((await blobs.read(sha256)) ?? []);
    expect(bytes.length).toBe(size);
    expect(size).toBeLessThan(content.length / 2);
    const unpacked =
      encoding === "gzip"
        ? Bun.gunzipSync(bytes)
        : (await import("node:zlib")).brotliDecompressSync(bytes);
    expect(new TextDecoder().decode(unpacked)).toBe(content);
  }
});

test("a saving below 5 % is not stored", async () => {
  const lengths: Readonly<Record<"br" | "gzip", number>> = { br: 951, gzip: 950 };
  const compress = async (encoding: "br" | "gzip"): Promise<Uint8Array> =>
    new Uint8Array(lengths[encoding]);
  const file = await fileOf({ name: "a.html", content: "x".repeat(1_000) }, { compress });
  expect(file.encodings.map(({ encoding }) => encoding)).toEqual(["gzip"]);
});

test("photos, tiny files and those over 4 MiB are not compressed", async () => {
  let compressions = 0;
  const compress = async (): Promise<Uint8Array> => {
    compressions++;
    return new Uint8Array();
  };
  const content = text.repeat(100);
  await fileOf({ name: "a.jpg", content }, { compress });
  await fileOf({ name: "a.html", content: "x".repeat(255) }, { compress });
  await fileOf({ name: "a.txt", content: crypto.getRandomValues(new Uint8Array(65_536)) }, {});
  expect(compressions).toBe(0);
  await fileOf({ name: "a.html", content: "x".repeat(256) }, { compress });
  expect(compressions).toBe(2);
  const large = new Uint8Array(4 * 1_048_576 + 1);
  for (let at = 0; at < large.length; at += 60_000)
    crypto.getRandomValues(large.subarray(at, at + 60_000));
  await fileOf({ name: "a.txt", content: large }, { compress });
  expect(compressions).toBe(2);
});

test("progress is reported after every file", async () => {
  const progress: string[] = [];
  const entries = ["a", "bb", "ccc"].map((content) => ({ name: `${content}.txt`, content }));
  await manifestOf(entries, { onProgress: (files, bytes) => progress.push(`${files} ${bytes}`) });
  expect(progress).toHaveLength(3);
  expect(progress.at(-1)).toBe("3 6");
});

test("at most eight files of at most 8 MiB together are written at a time", async () => {
  const inner = memoryBlobs();
  const busy = { files: 0, bytes: 0, mostFiles: 0, mostBytes: 0 };
  // The first seven wait for the eighth, because the speed depends on the machine.
  const eighth = Promise.withResolvers<void>();
  const blobs: Blobs = {
    ...inner,
    put: async (content, options) => {
      const size = content instanceof Uint8Array ? content.length : 0;
      busy.files++;
      busy.bytes += size;
      busy.mostFiles = Math.max(busy.mostFiles, busy.files);
      busy.mostBytes = Math.max(busy.mostBytes, busy.bytes);
      if (busy.files === 8) eighth.resolve();
      await eighth.promise;
      await Bun.sleep(1);
      const stored = await inner.put(content, options);
      busy.files--;
      busy.bytes -= size;
      return stored;
    },
  };
  const large = new Uint8Array(3 * 1_048_576);
  for (let at = 0; at < large.length; at += 65_536)
    crypto.getRandomValues(large.subarray(at, at + 65_536));
  const small = Array.from({ length: 40 }, (_, index) => ({
    name: `${index}.txt`,
    content: `${index}`,
  }));
  const heavy = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.js`, content: large }));
  await manifestOf([...small, ...heavy], { blobs });
  expect(busy.mostFiles).toBe(8);
  expect(busy.mostBytes).toBeLessThanOrEqual(8 * 1_048_576);
});
