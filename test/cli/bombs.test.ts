import { expect, test } from "bun:test";

import { crc32, deflateSync, gzipSync } from "node:zlib";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { torture } from "../helpers/chance.ts";
import { zipOfEntries } from "../helpers/zips.ts";
import { installation, scratch } from "./installation.ts";

const MIB = 1_048_576;

function chunk(type: string, data: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, "latin1");
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

/** Returns a PNG of one colour, with the size that its header states and that of its pixels. */
function flatPng(width: number, height: number, rows: number): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(rows * (1 + width * 3)))),
    chunk("IEND", new Uint8Array()),
  ]);
}

const sheet = (rows: number): string =>
  `<worksheet><sheetData>${"<row><c><v>1</v></c></row>".repeat(rows)}</sheetData></worksheet>`;
const workbook = (rows: number): Uint8Array =>
  zipOfEntries([
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "xl/workbook.xml",
      content: '<workbook><sheets><sheet name="A" sheetId="1"/></sheets></workbook>',
    },
    { name: "xl/worksheets/sheet1.xml", content: sheet(rows) },
  ]);

test("files that unpack to a thousand times their size are refused, and take little memory of a running server", async () => {
  const here = await installation();
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  const of = ["--account", id];
  await here.feed("name,category\nRex,Dogs\n", "pets", "import", "-", ...of);
  const at = await scratch();
  const files: Readonly<Record<string, readonly [() => Uint8Array, RegExp]>> = {
    "rows.csv.gz": [
      () =>
        gzipSync(Buffer.concat([Buffer.from("name,category\n"), Buffer.alloc(300 * MIB, "a,b\n")])),
      /unpacks to more than 256 MiB|more than 1000000 rows/,
    ],
    "zeros.csv.gz": [() => gzipSync(Buffer.alloc(300 * MIB)), /./],
    "rows.xlsx": [() => workbook(1_200_000), /more than 1000000 rows/],
    "table.zip": [
      () => zipOfEntries([{ name: "animals.csv", content: Buffer.alloc(200 * MIB, "a,b\n") }]),
      /unpacks to far more than its size/,
    ],
  };
  await using server = await here.serve();
  const peak = async (): Promise<number> => {
    const status = await readFile(`/proc/${server.pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
  };
  const before = await peak();
  // One of each way to read a file; the long form has all.
  const tried = Object.entries(files).filter(([name]) => torture || name === "rows.csv.gz");
  for (const [name, [bytes, message]] of tried) {
    const file = join(at, name);
    await Bun.write(file, bytes());
    const refused = await here.run("pets", "import", file, ...of);
    expect([name, refused.exitCode, refused.stderr]).toEqual([
      name,
      1,
      expect.stringMatching(message),
    ]);
  }
  // The decoder reads no more rows than the header states.
  for (const [name, picture, exitCode] of [
    ["large.png", flatPng(20_000, 20_000, 1), 1],
    ["more.png", flatPng(100, 100, 1_000_000), 0],
  ] as const) {
    if (!torture && name === "more.png") continue;
    const file = join(at, name);
    await Bun.write(file, picture);
    const added = await here.run("pets", "photos", "add", "1", file, ...of);
    expect([name, added.exitCode]).toEqual([name, exitCode]);
  }
  const photos = join(at, "photos.zip");
  const bomb = { name: "Rex.png", content: flatPng(20_000, 20_000, 1), stored: true };
  await Bun.write(photos, zipOfEntries([bomb]));
  const table = join(at, "animals.csv");
  await Bun.write(table, "name,category\nRex,Cats\n");
  const done = await here.run("pets", "import", table, "--photos", photos, ...of);
  expect([done.exitCode, done.stdout.split("\n")[0]]).toEqual([0, "1 added, 0 failed."]);
  expect(done.stderr).toContain("1 picture could not be read or fetched");
  // A workbook is read into memory, of at most 64 MiB; nothing else is.
  expect((await peak()) - before).toBeLessThan(300);
});
