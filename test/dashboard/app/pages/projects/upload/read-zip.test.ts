import { expect, test } from "bun:test";

import { readZip } from "../../../../../../dashboard/app/pages/projects/upload/read-zip.ts";
import { SiteRefused } from "../../../../../../dashboard/app/pages/projects/upload/site-files.ts";
import { zipOf, type ZipEntry } from "../../../../../helpers/zip.ts";

async function contents(archive: Blob): Promise<Readonly<Record<string, string>>> {
  const { files } = await readZip(archive);
  const all = files.map(async ({ path, open }) => [path, await new Response(body(open())).text()]);
  return Object.fromEntries(await Promise.all(all));
}

/** The DOM types of bodies are narrower than those of streams. */
function body(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return stream as ReadableStream<Uint8Array<ArrayBuffer>>;
}

async function refusalOf(archive: Blob): Promise<string> {
  const error: unknown = await readZip(archive).then(
    () => "taken",
    (thrown: unknown) => thrown,
  );
  return error instanceof SiteRefused ? `${error.problem.code}: ${error.message}` : String(error);
}

const refusedEntry = (entry: Partial<ZipEntry>): Promise<string> =>
  refusalOf(zipOf([{ name: "fine.txt" }, { name: "evil.txt", content: "x", ...entry }]));

test("files are read unchanged, compressed or not, and directories are skipped", async () => {
  const long = "Rex likes long walks. ".repeat(5_000);
  const archive = zipOf([
    { name: "site/" },
    { name: "site/index.html", content: "<h1>Hello</h1>", method: "stored" },
    { name: "site/katzen/Käthe.md", content: long },
    { name: "site/empty.txt" },
  ]);
  expect(await contents(archive)).toEqual({
    "site/index.html": "<h1>Hello</h1>",
    "site/katzen/Käthe.md": long,
    "site/empty.txt": "",
  });
});

test("a comment after the archive, even one that looks like an end, does not hide it", async () => {
  expect(await contents(zipOf([{ name: "a", content: "1" }], "PK, with love"))).toEqual({ a: "1" });
});

test("an archive without entries has no files", async () => {
  expect(await readZip(zipOf([]))).toEqual({ files: [], leftOut: [] });
});

test.each([
  [
    "a link",
    { mode: 0o120777 },
    'invalid_archive: "evil.txt" is a link; sites cannot contain links.',
  ],
  ["an encrypted file", { flags: 1 }, 'invalid_archive: "evil.txt" is encrypted.'],
  [
    "another way of packing",
    { method: 12 },
    'invalid_archive: "evil.txt" uses a compression method that browsers cannot read.',
  ],
  [
    "a file too large",
    { size: 25 * 1_048_576 + 1 },
    'payload_too_large: "evil.txt" is larger than 25 MiB.',
  ],
  [
    "a size beyond 4 GiB",
    { size: 0xffffffff },
    'payload_too_large: "evil.txt" is larger than 25 MiB.',
  ],
  [
    "a name of another alphabet's bytes",
    { name: new Uint8Array([0x81, 0x41]) },
    'invalid_archive: "\u{FFFD}A" has a name that is not in UTF-8.',
  ],
] as const)("%s is refused by its name", async (_, entry, refusal) => {
  expect(await refusedEntry(entry)).toBe(refusal);
});

test("a file that is not a zip is refused", async () => {
  for (const bytes of ["", "hello", "PK", "x".repeat(100_000)]) {
    expect(await refusalOf(new Blob([bytes]))).toStartWith(
      "invalid_archive: The zip archive cannot be read",
    );
  }
});

test("a truncated or corrupt archive is read or refused, and causes no other error", async () => {
  const whole = new Uint8Array(
    await zipOf([
      { name: "a.txt", content: "x".repeat(300) },
      { name: "b.txt", content: "y", method: "stored" },
    ]).arrayBuffer(),
  );
  for (let at = 0; at < whole.length; at++) {
    const broken = whole.slice();
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    for (const bytes of [broken, whole.slice(0, at)]) {
      const outcome = await readZip(new Blob([bytes])).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(SiteRefused);
    }
  }
});

test("an archive with too many entries is refused before they are read", async () => {
  const entries = (count: number): readonly ZipEntry[] =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}`, method: "stored" as const }));
  expect(await refusalOf(zipOf(entries(5_000)))).toBe("taken");
  expect(await refusalOf(zipOf(entries(5_001)))).toStartWith("payload_too_large");
});

test("content that contradicts the directory fails its stream", async () => {
  const { files } = await readZip(zipOf([{ name: "a", content: "not deflated", method: 8 }]));
  const reading = new Response(body(files[0]?.open() ?? new ReadableStream())).text();
  expect(await reading.catch(() => "broken")).toBe("broken");
});
