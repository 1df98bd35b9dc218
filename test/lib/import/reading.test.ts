import { describe, expect, test } from "bun:test";

import { workbooks } from "../../../adapters/workbooks.ts";
import { openTable } from "../../../lib/import/reading/open.ts";
import { zipOf } from "../../../lib/import/reading/zip.ts";
import {
  TableRefused,
  type Encoding,
  type ReadingOptions,
  type Table,
  type TableFault,
  type TableRow,
} from "../../../lib/import/table.ts";
import { MAX_COLUMNS } from "../../../lib/import/limits.ts";
import { chance } from "../../helpers/chance.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), !bigEndian);
  return bytes;
}

const latin = (text: string): Uint8Array => Uint8Array.from(text, (one) => one.charCodeAt(0));

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([Uint8Array.from(bytes)])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  return new Response(packed).bytes();
}

/** Opens bytes, which arrive in pieces of `size`. */
async function opened(bytes: Uint8Array, options: ReadingOptions = {}, size = 7) {
  const source = {
    async *open(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
  return openTable(source, options, { workbooks: workbooks() });
}

async function allRows(table: Table): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of table.rows()) rows.push(...batch);
  return rows;
}

interface Read {
  readonly columns: readonly string[];
  readonly rows: readonly TableRow[];
  readonly cells: readonly (readonly unknown[])[];
  readonly facts: Table["facts"];
}

async function read(bytes: Uint8Array | string, options?: ReadingOptions): Promise<Read> {
  const found = await opened(typeof bytes === "string" ? utf8(bytes) : bytes, options);
  if (!found.ok) throw new Error(`refused: ${JSON.stringify(found.failure)}`);
  const rows = await allRows(found.value);
  const cells = rows.map((row) => ("cells" in row ? row.cells : [row.fault.code]));
  return { columns: found.value.columns, facts: found.value.facts, rows, cells };
}

async function refusal(bytes: Uint8Array | string): Promise<TableFault | undefined> {
  const found = await opened(typeof bytes === "string" ? utf8(bytes) : bytes);
  if (!found.ok) return found.failure;
  try {
    await allRows(found.value);
  } catch (error) {
    if (error instanceof TableRefused) return error.fault;
    throw error;
  }
  return undefined;
}

describe("a table is the same", () => {
  const encoded: Readonly<Record<string, (text: string) => Uint8Array>> = {
    "UTF-8": utf8,
    "UTF-8 with a mark": (text) => utf8(`\uFEFF${text}`),
    "UTF-16 LE": (text) => utf16(text, false),
    "UTF-16 LE with a mark": (text) => utf16(`\uFEFF${text}`, false),
    "UTF-16 BE": (text) => utf16(text, true),
    "UTF-16 BE with a mark": (text) => utf16(`\uFEFF${text}`, true),
  };
  const delimiters = { comma: ",", semicolon: ";", tab: "\t", pipe: "|" };
  const ends = { LF: "\n", CRLF: "\r\n", CR: "\r" };
  for (const [encoding, encode] of Object.entries(encoded)) {
    for (const [name, delimiter] of Object.entries(delimiters)) {
      test(`in ${encoding} with the delimiter ${name}, whatever its cells are and its lines end with`, async () => {
        const random = chance();
        for (const end of Object.values(ends)) {
          const columns = ["name", "category", "notes", "fee"];
          const value = (): string =>
            random.pick([
              "Müsli",
              'a "b" c',
              "x, y",
              "1;2",
              "3|4",
              "5\t6",
              "two\nlines",
              "12,50",
              "",
              "Łódź",
            ]);
          const rows = Array.from({ length: 5 }, (_, index) => [
            `Rex ${index}`,
            ...columns.slice(1).map(value),
          ]);
          const quoted = (cell: string): string =>
            `"${cell.replaceAll('"', '""').replaceAll("\n", end)}"`;
          const lines = [columns, ...rows].map((row) => row.map(quoted).join(delimiter));
          const text = `${lines.join(end)}${end}`;
          for (const bytes of [encode(text), await gzip(encode(text))]) {
            const table = await read(bytes);
            expect(table.columns).toEqual(columns);
            expect(table.cells).toEqual(rows);
            expect(table.facts.delimiter).toBe(delimiter);
          }
        }
      });
    }
  }
});

describe("CSV as programs write it", () => {
  const cases: Readonly<Record<string, readonly [string, readonly (readonly string[])[]]>> = {
    "lines with different ends": [
      "a,b\n1,2\r\n3,4\r5,6",
      [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"],
      ],
    ],
    "Ctrl-Z at the end": ["a,b\r\n1,2\r\n\x1A", [["1", "2"]]],
    "Ctrl-Z behind the last cell": ["a,b\r\n1,2\x1A", [["1", "2"]]],
    "Ctrl-Z behind a quote": ['a,b\r\n1,"2"\x1A', [["1", "2"]]],
    "a line sep=": ["sep=;\r\na;b\r\n1;2,3\r\n", [["1", "2,3"]]],
    "a line sep= with another delimiter": ["sep=^\na^b\n1^2\n", [["1", "2"]]],
    "a quoted line sep=": ['"sep=;"\na;b\n1;2\n', [["1", "2"]]],
    "titles above the header": [
      "Report\n2026,11\n\na,b,c,d,e\n1,2,3,4,5\n",
      [["1", "2", "3", "4", "5"]],
    ],
    "padded titles": ["Report,,\na,b,c\n1,2,3\n", [["1", "2", "3"]]],
    "a quote after a space": ['a, b\n1, "2, 3"\n', [["1", "2, 3"]]],
    "a space after a quote": ['a,b\n"1" ,2\n', [["1", "2"]]],
    "quotes in a field without": ['a,b\nx "y" z,5"\n', [['x "y" z', '5"']]],
    "text behind a quoted word": ['a,b\n"Rocket" Rex,2\n', [['"Rocket" Rex', "2"]]],
    "short rows": [
      "a,b,c\n1\n2,3\n",
      [
        ["1", "", ""],
        ["2", "3", ""],
      ],
    ],
    "long rows of empty cells": ["a,b\n1,2,,, \n", [["1", "2"]]],
    "blank rows": ["a,b\n,\n\n  \n\u00A0,\t\n1,2\n", [["1", "2"]]],
    "no-break and zero-width spaces around values": [
      "a,b\n\u00A01\u00A0,\u200B2\uFEFF\n",
      [["1", "2"]],
    ],
    "a byte order mark before each line": [
      '\uFEFFa,b\n\uFEFF1,2\n\uFEFF"3",4\n',
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    "one column": ["name\nRex\nMinka\n", [["Rex"], ["Minka"]]],
    "decimal commas between semicolons": [
      "name;fee;kg\nRex;12,50;3,5\nBo;3,00;2,1\n",
      [
        ["Rex", "12,50", "3,5"],
        ["Bo", "3,00", "2,1"],
      ],
    ],
    "a title with another delimiter": ["Tails; Paws\nname,category\nRex,Dogs\n", [["Rex", "Dogs"]]],
  };
  for (const [name, [text, cells]] of Object.entries(cases)) {
    test(name, async () => expect((await read(text)).cells).toEqual(cells));
  }

  test("the names of columns have no invisible characters, and those at the end without name and values are left out", async () => {
    const { columns } = await read("\u200Bname,cate\u00ADgory,sta\u00A0tus ,,\nRex,Dogs,x,,\n");
    expect(columns).toEqual(["name", "category", "sta tus"]);
    expect((await read("name,category,,\nRex,Dogs,,x\n")).columns).toEqual([
      "name",
      "category",
      "",
      "",
    ]);
  });

  test("a row knows its line, though rows before it have several", async () => {
    const { rows } = await read('a,b\r\n"1\r\n2",3\r\n\r\n4,5\r\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  test("only a row with U+0000 or with values beyond the header is faulty", async () => {
    const { cells, rows } = await read("a,b\n1,\0\n1,2,3\n4,5\n");
    expect(cells).toEqual([["nul"], ["field_count"], ["4", "5"]]);
    expect(rows[1]).toEqual({ line: 3, fault: { code: "field_count", found: 3, expected: 2 } });
  });

  test("a cell may be as long as a picture", async () => {
    const long = "picture".padEnd(3_000_000, "A");
    const found = await opened(utf8(`name,photo\nRex,"${long}"\nBo,${long}\n`), {}, 65_536);
    const rows = found.ok ? await allRows(found.value) : [];
    expect(rows.map((row) => "cells" in row && row.cells[1] === long)).toEqual([true, true]);
  });
});

describe("JSON", () => {
  const animals = [
    ["Minka", "Cats"],
    ["Rex", "Dogs"],
  ];
  const cases: Readonly<Record<string, string>> = {
    "one object per line":
      '{"name":"Minka","category":"Cats"}\r\n\r\n{"name":"Rex","category":"Dogs"}\r\n',
    "a list": '[{"name":"Minka","category":"Cats"},{"name":"Rex","category":"Dogs"}]',
    "a list over lines":
      '[\n{"name":"Minka","category":"Cats"},\n{"name":"Rex","category":"Dogs"}\n]\n',
    "objects over lines":
      '{\n "name": "Minka",\n "category": "Cats"\n}\n{\n "name": "Rex",\n "category": "Dogs"\n}',
    "a comma after each object":
      '{"name":"Minka","category":"Cats"},\n{"name":"Rex","category":"Dogs"},\n',
    "objects on one line": '{"name":"Minka","category":"Cats"}{"name":"Rex","category":"Dogs"}',
    "record separators":
      '\u001E{"name":"Minka","category":"Cats"}\n\u001E{"name":"Rex","category":"Dogs"}\n',
    "several lists": '[{"name":"Minka","category":"Cats"}]\n[{"name":"Rex","category":"Dogs"}]',
    "the answer of an API":
      '{"page":{"of":[{"a":1}]},"animals":[{"name":"Minka","category":"Cats"},{"name":"Rex","category":"Dogs"}],"total":2}',
    "an answer with one list":
      '{"ok":true,"data":[{"name":"Minka","category":"Cats"},{"name":"Rex","category":"Dogs"}]}',
  };
  for (const [name, text] of Object.entries(cases)) {
    test(`${name} has two rows`, async () => {
      for (const bytes of [
        utf8(text),
        utf8(`\uFEFF${text}`),
        utf16(`\uFEFF${text}`, false),
        await gzip(utf8(text)),
      ]) {
        const { columns, cells } = await read(bytes);
        expect([columns, cells]).toEqual([["name", "category"], animals]);
      }
    });
  }

  test("nested members are columns with their paths, and values keep their kinds", async () => {
    const { columns, cells } = await read(
      '{"name":"A","age":2,"ok":true,"none":null,"breeds":{"primary":"Beagle"},"tags":["a","b"],"photos":[{"full":"u"},{"full":"v"}]}\n{"name":"B","new":1}',
    );
    expect(columns).toEqual([
      "name",
      "age",
      "ok",
      "none",
      "breeds.primary",
      "tags",
      "photos.1.full",
      "photos.2.full",
      "new",
    ]);
    expect(cells).toEqual([
      ["A", 2, true, "", "Beagle", "a, b", "u", "v", ""],
      ["B", "", "", "", "", "", "", "", 1],
    ]);
  });

  test("a faulty object is one faulty row, and the next ones are read", async () => {
    const { rows, cells } = await read(
      '{"name":"A"}\n{"name":"B","name":"C"}\n{"name":"D"\n{"name":"E"}\nnull\n{"name":"F\n{"name":"\\u0000"}\n{"name":"G"}\n',
    );
    expect(cells).toEqual([
      ["A"],
      ["not_json"],
      ["not_json"],
      ["E"],
      ["not_an_object"],
      ["not_json"],
      ["nul"],
      ["G"],
    ]);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("a cut list or object, and several lists without a name that decides, are refused", async () => {
    expect(await refusal('[{"name":"A"},')).toMatchObject({ code: "not_json", line: 1 });
    expect(await refusal('{"name":"A"}\n{"name":')).toMatchObject({ code: "not_json", line: 2 });
    expect(await refusal('{"dogs":[{"a":1}],"cats":[{"a":1}]}')).toEqual({
      code: "no_list",
      members: ["dogs", "cats"],
    });
  });
});

describe("what cannot be read is refused with what was found:", () => {
  test("Windows-1252 is asked for with samples, and read once it was named", async () => {
    const bytes = latin("name;category\r\nRex;Dogs\r\nM\u00FCsli;Cats\r\n");
    expect(await refusal(bytes)).toEqual({
      code: "encoding",
      suggested: "windows-1252",
      samples: [{ line: 3, text: "Müsli;Cats" }],
    });
    expect((await read(bytes, { encoding: "windows-1252" })).cells).toEqual([
      ["Rex", "Dogs"],
      ["Müsli", "Cats"],
    ]);
  });

  test("a mark wins over the encoding that was named", async () => {
    for (const encoding of ["windows-1252", "utf-16le"] satisfies readonly Encoding[]) {
      expect((await read(utf8("\uFEFFname\nMüsli\n"), { encoding })).cells).toEqual([["Müsli"]]);
    }
  });

  const refused: Readonly<Record<string, readonly [Uint8Array | string, object]>> = {
    "no bytes": ["", { code: "empty" }],
    "white space": [" \r\n\x1A", { code: "empty" }],
    "a quote that is not closed": ['a,b\n1,2\n"3,4\n5,6\n', { code: "unclosed_quote", line: 3 }],
    "a quote that another row closes": ['a,b\n"1,2\n3,"4"\n', { code: "unclosed_quote", line: 2 }],
    "a cut UTF-16 text": [
      utf16("\uFEFFa,b\n1,2", false).subarray(0, 15),
      { code: "not_decodable" },
    ],
    "a PDF": ["%PDF-1.7\n", { code: "not_a_table", found: "a PDF document" }],
    "an old workbook": [latin("\u00D0\u00CF\u0011\u00E0\u00A1\u00B1"), { code: "not_a_table" }],
    "a web page": ["<html><table><tr><td>name</td></tr></table>", { code: "not_a_table" }],
    "a damaged gzip file": [
      Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
      { code: "damaged", found: "a gzip file" },
    ],
    "a damaged archive": [latin("PK\u0003\u0004 and nothing"), { code: "damaged" }],
    "too many columns": [`${"a,".repeat(MAX_COLUMNS)}a\n`, { code: "too_many_columns" }],
  };
  for (const [name, [bytes, fault]] of Object.entries(refused)) {
    test(name, async () => expect(await refusal(bytes)).toMatchObject(fault));
  }

  test("a small gzip file that unpacks to too much", async () => {
    const zeros = new Uint8Array(1_048_576);
    let left = 300;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(zeros);
        else controller.close();
      },
    });
    const packed = await new Response(stream.pipeThrough(new CompressionStream("gzip"))).bytes();
    expect(await refusal(packed)).toMatchObject({ code: "too_large", unpacked: true });
  });
});

describe("a workbook", () => {
  const part = (name: string, text: string) => {
    const bytes = utf8(text);
    return {
      name,
      size: bytes.length,
      bytes: async function* () {
        yield bytes;
      },
    };
  };
  const types = part(
    "[Content_Types].xml",
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
  );
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const rels = part(
    "_rels/.rels",
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );

  async function workbook(...sheets: readonly string[]): Promise<Uint8Array> {
    const named = sheets.map(
      (_, index) =>
        `<sheet name="Sheet ${index + 1} &amp; more" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
    );
    const related = sheets.map(
      (_, index) =>
        `<Relationship Id="rId${index + 1}" Type="${office}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    );
    const written = zipOf([
      types,
      rels,
      part(
        "xl/workbook.xml",
        `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets>${named.join("")}</sheets></workbook>`,
      ),
      part(
        "xl/_rels/workbook.xml.rels",
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${related.join("")}</Relationships>`,
      ),
      ...sheets.map((rows, index) =>
        part(
          `xl/worksheets/sheet${index + 1}.xml`,
          `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
        ),
      ),
    ]);
    const chunks: Uint8Array[] = [];
    for await (const chunk of written) chunks.push(chunk);
    return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
  }

  const text = (reference: string, value: string): string =>
    `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const animals = `<row r="1">${text("A1", "Otters e.V.")}</row><row r="3">${text("A3", "name")}${text("B3", "number")}${text("C3", "in")}</row><row r="5">${text("A5", " Rex ")}<c r="B5"><v>977200009000001</v></c><c r="C5" t="b"><v>1</v></c></row>`;

  test("gives the first sheet with rows, their numbers, and what else it has", async () => {
    const { columns, cells, rows, facts } = await read(await workbook("", animals));
    expect([columns, cells]).toEqual([
      ["name", "number", "in"],
      [["Rex", "977200009000001", "true"]],
    ]);
    expect(rows[0]?.line).toBe(5);
    expect(facts).toMatchObject({
      format: "xlsx",
      titles: ["Otters e.V."],
      headerLine: 3,
      sheet: "Sheet 2 & more",
      otherSheets: ["Sheet 1 & more"],
    });
  });

  test("is refused if a cell is far to the right, hides where it is, or if no sheet has rows", async () => {
    expect(await refusal(await workbook(`<row r="1">${text("XFD1", "x")}</row>`))).toMatchObject({
      code: "too_many_columns",
    });
    expect(
      await refusal(await workbook('<row r="1"><c r="&#88;FD1"><v>1</v></c></row>')),
    ).toMatchObject({ code: "damaged" });
    expect(
      await refusal(await workbook('<row r="1"><c x=">" r="XFD1"><v>1</v></c></row>')),
    ).toMatchObject({ code: "too_many_columns" });
    expect(await refusal(await workbook("", ""))).toEqual({ code: "empty" });
  });

  test("is refused if its rows are too many or its parts are damaged", async () => {
    expect(await refusal(await workbook("<row/>".repeat(1_000_001)))).toMatchObject({
      code: "too_many_rows",
    });
    const whole = await workbook(animals);
    expect(await refusal(whole.subarray(0, whole.length - 30))).toMatchObject({ code: "damaged" });
  });

  test("is refused where no reader of workbooks is given", async () => {
    const bytes = await workbook(animals);
    const source = {
      async *open() {
        yield bytes;
      },
    };
    expect(await openTable(source)).toMatchObject({ ok: false, failure: { code: "not_a_table" } });
  });
});
