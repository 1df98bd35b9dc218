import { describe, expect, test } from "bun:test";

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import * as fc from "fast-check";

import { tarGz, type FileToPack } from "../../../../lib/publishing/archive/write-tar.ts";
import { ingest } from "../../../../lib/publishing/ingest/ingest.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { runSeed, torture } from "../../../helpers/chance.ts";
import { streamOf } from "../../../helpers/tar.ts";
import { must } from "../../../helpers/outcome.ts";
import { folders } from "../../../helpers/folders.ts";

const { folder: directory } = folders();

type Site = Readonly<Record<string, Uint8Array>>;

async function* packed(site: Site, streamed = false): AsyncGenerator<FileToPack> {
  for (const [path, content] of Object.entries(site)) {
    yield { path, size: content.length, content: streamed ? streamOf(content, 999) : content };
  }
}

/** Returns the files of an ingested site, by path without the first slash. */
async function taken(archive: ReadableStream<Uint8Array>): Promise<Site> {
  const blobs = memoryBlobs();
  const result = must(await ingest(archive, { blobs }));
  const files = result.files.map(async ({ path, sha256 }) => {
    const content = await blobs.read(sha256);
    return [path.slice(1), new Uint8Array(content ?? [0xff])] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

function sorted(site: Site): Site {
  return Object.fromEntries(
    Object.entries(site)
      .map(([path, content]) => [path.normalize("NFC"), new Uint8Array(content)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const letters = ["a", "B", "z", "0", "_", "-", " ", "é", "猫", "🐕", "&", "%", "+"];
const segment = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 30 })
  .map((text) => `f${text}`);
const path = fc.array(segment, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("/"));
const sites = fc
  .uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 2_000 })), {
    minLength: 1,
    maxLength: 20,
    // No two are equal, ignoring case, and none is a directory of another.
    comparator: (a: string, b: string) => a.startsWith(b) || b.startsWith(a),
    selector: ([name]) => name.toUpperCase().normalize("NFC"),
  })
  .map((files): Site => Object.fromEntries(files));

test("packed files are read back unchanged, with any names and sizes", async () => {
  await fc.assert(
    fc.asyncProperty(sites, fc.boolean(), async (site, streamed) => {
      expect(await taken(tarGz(packed(site, streamed)))).toEqual(sorted(site));
    }),
    { seed: runSeed, numRuns: torture ? 2_000 : 100 },
  );
});

const samples: Site = {
  "index.html": new TextEncoder().encode("<h1>Rex</h1>"),
  "empty.txt": new Uint8Array(),
  "animals/7/photo.jpg": new Uint8Array(700_001).fill(7),
  "grüße/猫.txt": new Uint8Array(512),
  [`${"long/".repeat(30)}${"n".repeat(150)}.txt`]: new Uint8Array(513).fill(1),
  [`${"d".repeat(90)}/${"n".repeat(90)}.txt`]: new Uint8Array([1, 2, 3]),
};

describe("the system's tar", () => {
  for (const format of ["gnu", "pax", "posix", "oldgnu"]) {
    test(`can be read in ${format} format`, async () => {
      const site = await directory();
      await write(site, samples);
      const archive = await run(["tar", "cz", `--format=${format}`, "-C", site, "."]);
      expect(await taken(streamOf(archive))).toEqual(sorted(samples));
    });
  }

  for (const format of ["ustar", "v7"]) {
    test(`can be read in ${format} format, which has no long names`, async () => {
      const short = { "index.html": new Uint8Array(3), "a/b/c.txt": new Uint8Array(9_999) };
      const site = await directory();
      await write(site, short);
      const archive = await run(["tar", "cz", `--format=${format}`, "-C", site, "."]);
      expect(await taken(streamOf(archive))).toEqual(sorted(short));
    });
  }

  test("can read our archives", async () => {
    const [site, file] = [await directory(), join(await directory(), "site.tgz")];
    await Bun.write(file, await new Response(tarGz(packed(samples))).bytes());
    await run(["tar", "xzf", file, "-C", site]);
    const found = Object.keys(samples).map(
      async (name) => [name, await Bun.file(join(site, name)).bytes()] as const,
    );
    const unpacked: Site = Object.fromEntries(await Promise.all(found));
    expect(unpacked).toEqual(samples);
  });
});

test("the same files give the same archive", async () => {
  const once = await new Response(tarGz(packed(samples))).bytes();
  const again = await new Response(tarGz(packed(samples, true))).bytes();
  expect(Bun.hash(once)).toBe(Bun.hash(again));
});

test("a file whose size changes during the read fails the archive", async () => {
  for (const size of [2, 4]) {
    const files = async function* (): AsyncGenerator<FileToPack> {
      yield { path: "a.txt", size, content: new Uint8Array(3) };
    };
    const failure: unknown = await new Response(tarGz(files())).bytes().catch((error) => error);
    expect(String(failure)).toContain('The file "a.txt" changed while it was read.');
  }
});

test("cancelling the archive ends the files", async () => {
  const ended = Promise.withResolvers<void>();
  const content = new Uint8Array(50_000).fill(1);
  const files = async function* (): AsyncGenerator<FileToPack> {
    try {
      for (;;) yield { path: "a", size: content.length, content };
    } finally {
      ended.resolve();
    }
  };
  const reader = tarGz(files()).getReader();
  await reader.read();
  await reader.cancel();
  await ended.promise;
});

async function write(root: string, site: Site): Promise<void> {
  for (const [name, content] of Object.entries(site)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

async function run(command: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const child = Bun.spawn([...command], { stdout: "pipe", stderr: "inherit" });
  const output = await new Response(child.stdout).bytes();
  expect(await child.exited).toBe(0);
  return output;
}
