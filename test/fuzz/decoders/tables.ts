import { workbooks } from "../../../adapters/workbooks.ts";
import { animalReader } from "../../../lib/import/animal.ts";
import { fullExportColumns } from "../../../lib/import/export-rows.ts";
import type { Mapping } from "../../../lib/import/mapping.ts";
import { planImport } from "../../../lib/import/plan.ts";
import { openTable } from "../../../lib/import/reading/open.ts";
import { CsvRows } from "../../../lib/import/reading/csv-rows.ts";
import { JsonPieces, outerMembers } from "../../../lib/import/reading/json-pieces.ts";
import { partBytes, zipOf, zipParts, type WrittenPart } from "../../../lib/import/reading/zip.ts";
import { TableRefused } from "../../../lib/import/table.ts";
import { openPhotoArchive } from "../../../lib/import/photo-archive.ts";
import { photoFiles } from "../../../lib/import/photo-files.ts";
import { chance, type Chance } from "../../helpers/chance.ts";
import { storedBytes, zipOfEntries, type ZipEntry } from "../../helpers/zips.ts";
import { ofBytes, ofText, type Decoder } from "../kit/decoder.ts";
import { tableOf } from "../../lib/import/tables.ts";
import { listOf, textOf, VISIBLE } from "./writing.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const refuses = (error: unknown): boolean => error instanceof TableRefused;
const PIECE = 65_536;
/** Fits into the longest text of an animal, with two bytes for each character. */
const TEXT = 16_000;

/** Reads a file to its end, and returns the number of its rows; undefined if it is refused. */
async function rowsIn(bytes: Uint8Array): Promise<number | undefined> {
  const source = {
    async *open(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
    },
  };
  const opened = await openTable(source, {}, { workbooks: workbooks() });
  if (!opened.ok) return undefined;
  let count = 0;
  for await (const rows of opened.value.rows()) count += rows.length;
  return count;
}

const cell = (random: Chance): string =>
  random.pick([
    "Rex",
    "",
    "available",
    "1,5",
    '"a ""b"" c"',
    ' "two\nlines" ',
    '"x" y',
    'y"z',
    "\u00A0",
    "\u001A",
    textOf(random, VISIBLE, 0, 8),
  ]);

const csv = (random: Chance): string => {
  const delimiter = random.pick([",", ";", "\t", "|"]);
  const end = random.pick(["\n", "\r\n", "\r"]);
  const header = ["name", "category", random.pick(["status", "Ärger", ""])].join(delimiter);
  const rows = listOf(0, 4, random, () => [cell(random), "Dogs", cell(random)].join(delimiter));
  const before = random.pick(["", "\uFEFF", `sep=${delimiter}${end}`, `Report${end}${end}`]);
  return [before + header, ...rows].join(end) + random.pick([end, "", "\u001A"]);
};

const value = (random: Chance): string =>
  random.pick([
    "1",
    "null",
    "true",
    '"a"',
    '"\\u0000"',
    '["a", 2]',
    '{"b": {"c": 1}}',
    '[{"d": 1}]',
  ]);

const object = (random: Chance): string =>
  `{"name": ${value(random)}, "x": ${value(random)}${random.pick(["", ', "name": 1', "\n"])}}`;

const json = (random: Chance): string => {
  const objects = listOf(0, 4, random, () => object(random));
  return random.pick([
    objects.join("\n"),
    objects.join(",\r\n"),
    `[${objects.join(",")}]`,
    `[\n${objects.join(",\n")}\n]\n`,
    `{"page": 1, "animals": [${objects.join(",")}], "of": {}}`,
    objects.map((one) => `\u001E${one}`).join("\n"),
  ]);
};

const inUtf16 = (text: string): Uint8Array => {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true);
  return bytes;
};

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

/** Writes a workbook with one sheet. */
async function workbookOf(sheet: string): Promise<Uint8Array> {
  const part = (name: string, text: string): WrittenPart => {
    const bytes = bytesOf(text);
    return {
      name,
      size: bytes.length,
      async *bytes() {
        yield bytes;
      },
    };
  };
  const relation = (id: string, type: string, target: string): string =>
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
  const chunks: Uint8Array[] = [];
  for await (const chunk of zipOf([
    part("[Content_Types].xml", `<Types xmlns="${PACKAGE}/content-types"/>`),
    part("_rels/.rels", relation("rId1", "officeDocument", "xl/workbook.xml")),
    part(
      "xl/workbook.xml",
      `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part("xl/_rels/workbook.xml.rels", relation("rId1", "worksheet", "worksheets/sheet1.xml")),
    part("xl/worksheets/sheet1.xml", `<worksheet><sheetData>${sheet}</sheetData></worksheet>`),
  ])) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const sheet = (random: Chance): string =>
  listOf(
    0,
    4,
    random,
    () =>
      `<row>${listOf(0, 3, random, () =>
        random.pick([
          "<c><v>1</v></c>",
          '<c r="C1"><v>2</v></c>',
          '<c t="b"><v>1</v></c>',
          '<c t="inlineStr"><is><t>Rex &amp; Bo</t></is></c>',
          '<c t="s"><v>9</v></c>',
          '<c r="XFD1"/>',
        ]),
      ).join("")}</row>`,
  ).join("");

const name = (random: Chance): string =>
  random.pick([
    "Bella.jpg",
    "A12-2.png",
    "Bella/1.jpg",
    "../a.jpg",
    "/etc/passwd",
    "photos.csv",
    "animals.csv",
    "__MACOSX/._a.jpg",
    "a\\b.webp",
    "photos/",
    textOf(random, VISIBLE, 0, 12),
  ]);

/** Writes an archive of photos, which often lies. */
const photosZip = (random: Chance): Uint8Array => {
  const lie = (most: number): number => random.between(0, most);
  const entries = listOf(0, 5, random, () => ({
    name: name(random),
    content: random.pick(["", "a", "name,category\nBella,Dogs\n", "file,alt\nBella.jpg,Bella\n"]),
    stored: random.true(0.5),
    descriptor: random.true(0.2),
    utf8: random.true(0.7),
    encrypted: random.true(0.02),
    zip64: random.true(0.2),
    ...(random.true(0.1) && {
      lies: random.pick<NonNullable<ZipEntry["lies"]>>([
        { size: lie(1e9) },
        { packed: lie(300) },
        { offset: lie(300) },
        { crc: lie(9) },
        { method: lie(12) },
      ]),
    }),
  }));
  return zipOfEntries(entries, {
    zip64: random.true(0.2),
    comment: random.pick(["", "PK\u0005\u0006", textOf(random, VISIBLE, 0, 30)]),
  });
};

/** The columns of a text, in a file of another program. */
const textColumns = [
  ..."name,category,status,breed,second breed,colour,special needs,fee,text,staff notes,notes".split(
    ",",
  ),
  ..."microchip,external id,source,photo,picture,id".split(","),
];
/** The columns of an export whose values are not texts. */
const untexts = "sex,neutered,birth,mixedBreed,size,goodWith,intakeAt,status".split(",");

/** Reads a row that has a text in every column where one belongs, from a file of another program and from an export. */
async function rowReader(): Promise<(text: string) => unknown> {
  const categories = [{ id: 1, name: "Dogs" }];
  const today = "2026-11-26";
  const choices = {
    createCategories: true,
    values: [{ field: "status", found: "*", value: "sold" }],
  } as const;
  const exported = [...fullExportColumns, "photos"];
  const mappings: (readonly [readonly string[], Mapping])[] = [];
  for (const columns of [textColumns, exported]) {
    const plan = await planImport({ table: tableOf(columns, []), choices, categories, today });
    mappings.push([columns, plan.mapping]);
  }
  return (text) => {
    const files = photoFiles(["Bella/1.jpg", "Bella.jpg", `${text}.jpg`]);
    let read = 0;
    for (const [columns, mapping] of mappings) {
      const cells = columns.map((name) =>
        untexts.some((other) => name.startsWith(other)) ? "" : text,
      );
      const row = animalReader({ mapping, choices, categories, today })(2, cells);
      if (!("animal" in row)) continue;
      files.note(row.animal);
      read += files.of(row.animal).length + 1;
    }
    files.note({ name: "Bella", profile: {}, photos: [text] });
    files.faultOf(text);
    return read > 0 || undefined;
  };
}

const cellOfText = (random: Chance): string =>
  listOf(1, 3, random, () =>
    random.pick([
      "Rex",
      "<p>Nice &amp; dog&#8203;</p>",
      "Eye drops<br>&#8203;",
      "&nbsp;",
      "black\n\u200B",
      "e\u0301\uFF9E",
      "Bella/1.jpg",
      "https://pets.example.org/1.jpg",
      textOf(random, VISIBLE, 1, 12),
    ]),
  ).join(random.pick([" ", "\n", ", ", ""]));

/** Archives that the grammar draws from: making one waits. */
async function archives(): Promise<readonly Uint8Array[]> {
  const random = chance(1);
  return Promise.all(Array.from({ length: 20 }, () => workbookOf(sheet(random))));
}

/** The decoders of files to be imported. */
export async function tables(): Promise<readonly Decoder[]> {
  const [first = new Uint8Array(), ...others] = await archives();
  const wide = bytesOf(`${"a,".repeat(400)}a\n`);
  return [
    ofBytes({
      name: "file to import",
      file: "lib/import/reading/open.ts",
      valid: (random) => {
        const text = random.true(0.5) ? csv(random) : json(random);
        return random.true(0.8) ? bytesOf(text) : inUtf16(text);
      },
      longest: 256 * 1_024,
      stretches: 12,
      inputs: 8_000,
      decode: rowsIn,
      refuses,
      extremes: [
        (size) => Buffer.concat([wide, bytesOf(`${",".repeat(400)}\n`.repeat(size / 401))]),
        (size) => bytesOf(`a,b\n${'"x" y,z\n'.repeat(size / 8)}`),
        (size) => bytesOf("a,b\n".padEnd(size, '"')),
        (size) => bytesOf('{"a":[\n'.repeat(size / 7)),
        (size) => bytesOf('{"a":1\n'.repeat(size / 7)),
        (size) => bytesOf('{"a":"\n'.repeat(size / 7)),
        (size) => bytesOf(`[${"[],".repeat(size / 3)}`),
        (size) => bytesOf("sep=;\n".repeat(size / 6)),
      ],
    }),
    ofText({
      name: "CSV to import",
      file: "lib/import/reading/csv-rows.ts",
      valid: csv,
      longest: 256 * 1_024,
      stretches: 12,
      inputs: 8_000,
      decode: (text) => {
        const rows = new CsvRows(",");
        let count = 0;
        for (let at = 0; at < text.length; at += 1_000) {
          count += rows.push(text.slice(at, at + 1_000)).length;
        }
        return count + rows.end().length > 0;
      },
      refuses,
      nests: [
        ['"', '"'],
        ['"a', '""'],
      ],
    }),
    ofText({
      name: "JSON to import",
      file: "lib/import/reading/json-pieces.ts",
      valid: json,
      longest: 256 * 1_024,
      stretches: 12,
      inputs: 8_000,
      decode: (text) => {
        const pieces = new JsonPieces(outerMembers(text)?.members[0]?.list);
        let count = 0;
        for (let at = 0; at < text.length; at += 1_000) {
          count += pieces.push(text.slice(at, at + 1_000)).length;
        }
        return count + pieces.end().length > 0;
      },
      refuses,
      nests: [
        ["[", "]"],
        ['{"a":', "}"],
        ['"', "\\"],
      ],
    }),
    ofText({
      name: "texts of a row to import",
      file: "lib/import/animal.ts",
      valid: cellOfText,
      longest: TEXT,
      inputs: 8_000,
      // About thirty columns have the text.
      perByteUs: 4,
      decode: await rowReader(),
      nests: [
        ["<p>", "</p>"],
        ["<style>", "</style>"],
      ],
      extremes: [
        // The same marks, written in HTML.
        (size) => `<p>a${"&#769;&#790;".repeat(size / 12)}</p>`,
        (size) => "<p ".repeat(size / 3),
        (size) => "&#".repeat(size / 2),
        (size) => "\u200B \n".repeat(size / 3),
        (size) => "\uFDFA".repeat(size),
        (size) => "0".repeat(size),
        (size) => `${"./".repeat(size / 2)}a`,
        (size) => ".jpg ".repeat(size / 5),
      ],
    }),
    ofBytes({
      name: "zip archive to import",
      file: "lib/import/reading/zip.ts",
      valid: (random) => random.pick([first, ...others]),
      longest: 64 * 1_024,
      stretches: 8,
      inputs: 5_000,
      decode: async (bytes) => {
        let count = 0;
        for (const part of zipParts(bytes, "a zip archive")) {
          for await (const piece of partBytes(part, "a zip archive", 1_048_576))
            count += piece.length;
        }
        return count > 0;
      },
      refuses,
    }),
    ofBytes({
      name: "archive of photos",
      file: "lib/import/zip/archive.ts",
      valid: photosZip,
      longest: 64 * 1_024,
      stretches: 8,
      inputs: 5_000,
      decode: async (bytes) => {
        const archive = await openPhotoArchive(storedBytes(bytes));
        const files = photoFiles(archive.names);
        files.note({ name: "Bella", profile: { externalId: "A12" }, photos: [] });
        const photos = files.of({
          name: "Bella",
          profile: { externalId: "A12" },
          photos: ["1.jpg"],
        });
        let read = 0;
        for (const name of archive.names) if ((await archive.read(name)).ok) read++;
        for await (const piece of archive.table().open()) read += piece.length;
        return photos.length + read > 0;
      },
      refuses,
      // Each file is unpacked, to at most 200 times its size or a MiB.
      perByteUs: 60,
      extremes: [
        (size) =>
          zipOfEntries(
            Array.from({ length: size / 120 }, (_, index) => ({
              name: `${index}.jpg`,
              content: "a",
            })),
          ),
        (size) => zipOfEntries([{ name: "-".repeat(Math.min(65_000, size)), content: "a" }]),
        (size) => zipOfEntries([{ name: "a.jpg", content: "PK\u0005\u0006".repeat(size / 4) }]),
        (size) =>
          zipOfEntries([{ name: "photos.csv", content: "file,alt\n".padEnd(size, "a.jpg,x\n") }]),
      ],
    }),
    ofBytes({
      name: "workbook to import",
      file: "lib/import/reading/workbook.ts",
      valid: (random) => random.pick([first, ...others]),
      longest: 64 * 1_024,
      stretches: 2,
      inputs: 100,
      // Reading one waits for timers.
      perByteUs: 20,
      decode: rowsIn,
      refuses,
    }),
  ];
}
