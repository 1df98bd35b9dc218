import { describe, expect, test } from "bun:test";

import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { MAX_ARCHIVE_FILES } from "../../../lib/import/limits.ts";
import { openPhotoArchive } from "../../../lib/import/photo-archive.ts";
import { photoFiles } from "../../../lib/import/photo-files.ts";
import { TableRefused } from "../../../lib/import/table.ts";
import { openArchive } from "../../../lib/import/zip/archive.ts";
import { directoryEntries, directoryPlace } from "../../../lib/import/zip/directory.ts";
import { zipArchive, type ZipMember } from "../../../lib/import/zip/write.ts";
import { storedBytes, zipOfEntries, type ZipEntry } from "../../helpers/zips.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const open = (bytes: Uint8Array) => openArchive(storedBytes(bytes));
const MOST = 1_048_576;

async function contents(bytes: Uint8Array): Promise<readonly (readonly [string, string])[]> {
  const archive = await open(bytes);
  const found: [string, string][] = [];
  for (const file of archive.files) {
    let text = "";
    for await (const part of archive.bytes(file, MOST)) text += new TextDecoder().decode(part);
    found.push([file.name, text]);
  }
  return found;
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TableRefused) return error.fault;
    throw error;
  }
  return undefined;
}

describe("an archive", () => {
  test("is read as every usual program writes it", async () => {
    const files: readonly ZipEntry[] = [
      { name: "animals.csv", content: "name,category\n" },
      { name: "photos/", content: "", stored: true },
      { name: "photos/Zoë.jpg", content: "one", stored: true },
      { name: "photos\\back.jpg", content: "two", descriptor: true },
      { name: "long.jpg", content: "three", zip64: true },
      { name: "__MACOSX/photos/._Zoë.jpg", content: "x" },
      { name: ".DS_Store", content: "x" },
      { name: "photos/Thumbs.db", content: "x" },
    ];
    const expected = [
      ["animals.csv", "name,category\n"],
      ["photos/Zoë.jpg", "one"],
      ["photos/back.jpg", "two"],
      ["long.jpg", "three"],
    ];
    for (const options of [{}, { comment: "Made in 2026 PK\u0005\u0006" }, { zip64: true }]) {
      expect(await contents(zipOfEntries(files, options))).toEqual(expected as [string, string][]);
    }
    const old = { name: Uint8Array.of(0x50, 0x81, 0xe1, 0x2e, 0x6a, 0x70, 0x67), content: "a" };
    expect(await contents(zipOfEntries([{ ...old, utf8: false }]))).toEqual([["Püß.jpg", "a"]]);
    const other = { name: "Zoë.jpg", content: "a", utf8: false };
    expect(await contents(zipOfEntries([other]))).toEqual([["Zoë.jpg", "a"]]);
  });

  const one: ZipEntry = { name: "a.jpg", content: "a".repeat(100) };
  const two: ZipEntry = { name: "b.jpg", content: "b".repeat(100) };
  const unusable = (reason: string) => ({ code: "unusable_archive", reason, name: "a.jpg" });
  const damaged = { code: "damaged", found: "a zip archive" };
  const faults: Readonly<Record<string, readonly [Uint8Array, object]>> = {
    "has a password": [zipOfEntries([{ ...one, encrypted: true }]), unusable("password")],
    "has an unusual compression": [
      zipOfEntries([{ ...one, lies: { method: 9 } }]),
      unusable("compression"),
    ],
    "has overlapping files": [zipOfEntries([one, { ...two, lies: { offset: 0 } }]), damaged],
    "lists a file twice": [zipOfEntries([one, two, { ...one, lies: { offset: 0 } }]), damaged],
    "has a file that reaches into its directory": [
      zipOfEntries([{ ...one, lies: { packed: 10_000 } }]),
      damaged,
    ],
    "is cut off": [zipOfEntries([one, two]).subarray(0, -30), damaged],
    "claims more entries than it has": [
      zipOfEntries([one]).map((byte, at, all) => (at === all.length - 12 ? 9 : byte)),
      damaged,
    ],
    "unpacks to far more than its size": [
      zipOfEntries([{ ...one, content: new Uint8Array(8 * MOST) }]),
      unusable("ratio"),
    ],
    "is no archive": [utf8("name,category\n"), damaged],
    "is empty": [new Uint8Array(), damaged],
    "has too many files": [
      zipOfEntries(
        Array.from({ length: MAX_ARCHIVE_FILES + 1 }, (_, index) => ({
          name: `${index}.jpg`,
          content: "",
          stored: true,
        })),
      ),
      { code: "too_many_files", most: MAX_ARCHIVE_FILES },
    ],
  };
  for (const [what, [bytes, fault]] of Object.entries(faults)) {
    test(`that ${what} is refused`, async () => {
      expect(await faultOf(open(bytes))).toEqual(fault);
    });
  }

  test("that unpacks to too much altogether is refused before anything is unpacked", async () => {
    // Each is within the ratio.
    const packed = 12 * MOST;
    const files = [{ ...one, stored: true, lies: { method: 8, size: 2_300 * MOST, packed } }];
    const bytes = Buffer.concat([Buffer.alloc(0), zipOfEntries(files)]);
    const sparse = {
      size: bytes.length + packed,
      // What the file has is behind its header.
      async *open(start: number, end: number): AsyncGenerator<Uint8Array> {
        const whole = Buffer.alloc(end - start);
        for (let at = start; at < end; at++) {
          whole[at - start] = at < 135 ? (bytes[at] ?? 0) : (bytes[at - packed] ?? 0);
        }
        yield whole;
      },
    };
    const end = bytes.length - 22;
    bytes.writeUInt32LE(bytes.readUInt32LE(end + 16) + packed, end + 16);
    expect(await faultOf(openArchive(sparse))).toMatchObject({ code: "too_large", unpacked: true });
  });

  test("whose content is not what its directory says is refused when it is read", async () => {
    for (const lies of [{ crc: 1 }, { size: 99 }, { size: 101 }]) {
      const bytes = zipOfEntries([{ ...one, lies }]);
      expect(await faultOf(contents(bytes))).toMatchObject({
        code: lies.size === 99 ? expect.stringMatching(/damaged|too_large/) : "damaged",
      });
    }
    const archive = await open(zipOfEntries([one]));
    const [file] = archive.files;
    if (file === undefined) throw new Error("It has no file.");
    expect(await faultOf(archive.bytes(file, 10).next())).toEqual({
      code: "too_large",
      most: 10,
      unpacked: true,
    });
  });

  test("that is written can be read by another program, and by us", async () => {
    const members = async function* (): AsyncGenerator<ZipMember> {
      yield {
        name: "animals.csv",
        content: (async function* () {
          yield utf8("name\n");
          yield utf8("Zoë\n");
        })(),
      };
      yield { name: "photos/1 Zoë.webp", content: utf8("picture") };
    };
    const parts: Uint8Array[] = [];
    for await (const part of zipArchive(members(), Date.UTC(2026, 10, 26, 9, 30))) parts.push(part);
    const bytes = Buffer.concat(parts);
    expect(await contents(bytes)).toEqual([
      ["animals.csv", "name\nZoë\n"],
      ["photos/1 Zoë.webp", "picture"],
    ]);
    const file = join(mkdtempSync(join(tmpdir(), "petstore-zip-")), "animals.zip");
    writeFileSync(file, bytes);
    const script =
      "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), [(i.filename, i.date_time[:5], len(z.read(i))) for i in z.infolist()])";
    const read = spawnSync("python3", ["-c", script, file], { encoding: "utf8" });
    // Python is where the checks run; elsewhere our own reading has to do.
    if (read.error !== undefined) return;
    expect(read.stdout).toBe(
      "None [('animals.csv', (2026, 11, 26, 9, 30), 10), ('photos/1 Zoë.webp', (2026, 11, 26, 9, 30), 7)]\n",
    );
  });

  test("with more than 65,534 files is written with zip64", async () => {
    const count = 65_600;
    const members = async function* (): AsyncGenerator<ZipMember> {
      const content = new Uint8Array();
      for (let index = 0; index < count; index++) yield { name: `${index}`, content };
    };
    const parts: Uint8Array[] = [];
    for await (const part of zipArchive(members(), 0)) parts.push(part);
    const bytes = Buffer.concat(parts);
    const place = directoryPlace(bytes, 0);
    expect(place?.count).toBe(count);
    const { start = 0, length = 0 } = place ?? {};
    expect(directoryEntries(bytes.subarray(start, start + length), count)?.at(-1)?.name).toBe(
      String(count - 1),
    );
  });
});

describe("photos of an archive", () => {
  const animal = (name: string, externalId?: string, photos: readonly string[] = []) => ({
    name,
    profile: externalId === undefined ? {} : { externalId },
    photos,
  });
  const given = (
    names: readonly string[],
    animals: readonly (ReturnType<typeof animal> & { readonly number?: string })[],
  ) => {
    const files = photoFiles(names);
    for (const one of animals) files.note(one);
    const photos = animals.map((one) => files.of(one));
    return { photos, unused: files.unused(), files };
  };

  test("belong to the animal whose number or name their name or folder is, in their order", () => {
    const { photos, unused } = given(
      [
        "A12-10.jpg",
        "a12_2.JPG",
        "A12.jpeg",
        "Zoe (2).png",
        "photos/ZOË.webp",
        "Bella/DSC_0001.jpg",
        "pictures/Bella/DSC_0002.jpg",
        "Max3.jpg",
        "Nobody.jpg",
        "readme.txt",
        "7.jpg",
      ],
      [
        animal("Rex", "A12"),
        animal("Zoë"),
        animal("Bella"),
        animal("Max"),
        { ...animal("Seven"), number: "7" },
      ],
    );
    expect(photos).toEqual([
      ["A12.jpeg", "a12_2.JPG", "A12-10.jpg"],
      ["photos/ZOË.webp", "Zoe (2).png"],
      ["Bella/DSC_0001.jpg", "pictures/Bella/DSC_0002.jpg"],
      ["Max3.jpg"],
      ["7.jpg"],
    ]);
    expect(unused).toEqual(["Nobody.jpg"]);
  });

  test("go to no animal if several have the name, and a number is worth more than a name", () => {
    const { photos, unused } = given(
      ["Bella.jpg", "Max.jpg", "12.jpg", "12-3.jpg"],
      [animal("Bella"), animal("Bella"), animal("12"), animal("Rex", "12"), animal("Max", "M")],
    );
    expect(photos).toEqual([[], [], [], ["12.jpg", "12-3.jpg"], ["Max.jpg"]]);
    expect(unused).toEqual(["Bella.jpg"]);
  });

  test("are those that a column names, by their path or the end of it, and addresses stay", () => {
    const { photos, files } = given(
      ["export/photos/A 1.jpg", "export/a2.png", "x/same.jpg", "y/same.jpg", "Max.jpg"],
      [
        animal("Rex", undefined, ["photos/a 1.jpg", "https://example.com/a.jpg", "A2.PNG"]),
        animal("Tom", undefined, ["same.jpg"]),
        animal("Bo", undefined, ["X\\same.jpg"]),
        animal("Max", undefined, ["https://example.com/max.jpg"]),
      ],
    );
    expect(photos).toEqual([
      ["export/photos/A 1.jpg", "https://example.com/a.jpg", "export/a2.png"],
      ["same.jpg"],
      ["x/same.jpg"],
      ["Max.jpg"],
    ]);
    expect(files.faultOf("same.jpg")).toContain("several files");
    expect(files.faultOf("gone.jpg")).toBe("the archive has no such file");
  });

  test("that a row names belong to no other animal", () => {
    const { photos } = given(
      ["photos/7-1.webp", "photos/8-1.webp", "photos/other.webp"],
      [animal("Rex", "8", ["photos/7-1.webp"]), animal("Photos")],
    );
    expect(photos).toEqual([["photos/7-1.webp"], ["photos/other.webp"]]);
  });

  test("are at most 12, and names that lead out of the archive belong to nobody", () => {
    const many = Array.from({ length: 14 }, (_, index) => `Rex ${index + 1}.jpg`);
    const { photos, unused } = given(
      [...many, "../Bo.jpg", "Bo/../../x.jpg"],
      [animal("Rex"), animal("Bo")],
    );
    expect(photos).toEqual([many.slice(0, 12), []]);
    expect(unused).toEqual([...many.slice(12), "../Bo.jpg", "Bo/../../x.jpg"]);
  });

  test("are compared in a time that grows with their number", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `${"-".repeat(400)}${index}.jpg`);
    const { unused } = given(names, [animal("Rex")]);
    expect(unused.length).toBe(20_000);
  });

  test("are described by the archive, whose table is the only one or the one in no folder", async () => {
    const archive = await openPhotoArchive(
      storedBytes(
        zipOfEntries([
          {
            name: "photos.csv",
            content: "file,alt,focusX,focusY\na.jpg,In the grass,10,90\nb.jpg,,x,1\n",
          },
          { name: "a.jpg", content: "a" },
          { name: "b.jpg", content: "b", lies: { crc: 7 } },
          { name: "README.txt", content: "Hello" },
          { name: "old/animals.csv", content: "x" },
          { name: "animals.csv", content: "name\n" },
        ]),
      ),
    );
    expect(await archive.read("a.jpg")).toMatchObject({
      ok: true,
      value: { alt: "In the grass", focus: { x: 10, y: 90 } },
    });
    expect(await archive.read("b.jpg")).toMatchObject({ ok: false, failure: "it is damaged" });
    let text = "";
    for await (const part of archive.table().open()) text += new TextDecoder().decode(part);
    expect(text).toBe("name\n");
    const tables = async (...names: readonly string[]): Promise<unknown> => {
      const bytes = zipOfEntries(names.map((name) => ({ name, content: "x" })));
      const found = await openPhotoArchive(storedBytes(bytes));
      return faultOf((async () => found.table())());
    };
    expect(await tables("a.jpg")).toEqual({ code: "no_single_table", names: [] });
    expect(await tables("a.csv", "b.xlsx", "c/d.csv")).toEqual({
      code: "no_single_table",
      names: ["a.csv", "b.xlsx", "c/d.csv"],
    });
    expect(await tables("animals.txt", "a.jpg")).toBeUndefined();
  });
});
