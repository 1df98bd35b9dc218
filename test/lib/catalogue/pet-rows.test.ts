import { expect, test } from "bun:test";
import { dirname, join } from "node:path";

import { records } from "../../../lib/base/records.ts";
import { petStatuses, type PetStatus } from "../../../lib/catalogue/model.ts";
import { languageOf } from "../../../lib/publishing/storefront/language.ts";
import { petReader, type PetFormat } from "../../../lib/catalogue/pet-rows.ts";

async function rows(text: string | Uint8Array, format: PetFormat = "csv") {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  async function* source(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.slice(at, at + 7);
  }
  const found: unknown[] = [];
  const petOf = petReader(format, (ignored) => found.push({ ignored }));
  for await (const some of records(source(), { quotes: format === "csv" })) {
    for (const one of some) found.push(petOf(one));
  }
  return found.filter((one) => one !== undefined);
}

test("columns can have any order, after a byte order mark; ids and empty fields are left out", async () => {
  const text = '\uFEFFstatus,id,name,categoryId\r\nsold,9,"Rex, the 2nd",2\r\n,,Tom,x\r\n\r\n';
  expect(await rows(text)).toEqual([
    { line: 2, row: { ok: true, value: { status: "sold", name: "Rex, the 2nd", categoryId: 2 } } },
    { line: 3, row: { ok: true, value: { name: "Tom", categoryId: "x" } } },
  ]);
});

test.each([
  ["name,categry\n", { code: "unknown_column", name: "categry", meant: "category" }],
  ["nmae,category\n", { code: "unknown_column", name: "nmae", meant: "name" }],
  ["name,Name,category\n", { code: "column_twice", name: "name" }],
  ["category,Tiername\n", { code: "no_name_column", columns: ["category", "Tiername"] }],
  ["category,age\n", { code: "no_name_column", columns: ["category", "age"] }],
  ["name,category,stauts\n", { code: "unknown_column", name: "stauts", meant: "status" }],
  ["name,category,Status1\n", { code: "unknown_column", name: "Status1", meant: "status" }],
  ["name,status\n", { code: "no_category_column" }],
  ["name,category,categoryId\n", { code: "no_category_column" }],
  ['"name,category\n', { code: "open_quote" }],
  ['name,"cat"egory\n', { code: "stray_quote" }],
])("the heading %j is refused with the reason", async (text, header) => {
  expect(await rows(`${text}Rex,Dogs\n`)).toContainEqual({ line: 1, header });
});

test.each([
  ["a spreadsheet of a country with commas in its numbers", "Name;Category\nRex, the 2nd;Dogs\n"],
  ["a table that was pasted", "name\tCATEGORY\nRex, the 2nd\tDogs\n"],
  ["names in another case, with spaces", '" Name ", Category\n"Rex, the 2nd",Dogs\n'],
])("a file with %s is read", async (_, text) => {
  expect(await rows(text)).toEqual([
    { line: 2, row: { ok: true, value: { name: "Rex, the 2nd", category: "Dogs" } } },
  ]);
});

/** Every word for a status that a person reads, whatever the language, from the catalogues themselves. */
const WORDS = join(import.meta.dir, "../../../dashboard/app/words");
const languages = Array.from(new Bun.Glob("*/index.ts").scanSync(WORDS), (path) => dirname(path));
const shown: readonly Readonly<Record<PetStatus, string>>[] = [
  ...(await Promise.all(
    languages.map(async (tag) => {
      const { common } = await import(join(WORDS, tag, "shell.ts"));
      return common.statuses;
    }),
  )),
  ...languages.map((tag) => languageOf(tag).words.status),
];

for (const status of petStatuses) {
  const words = [status, ...shown.map((words) => words[status])];
  const spellings = words.flatMap((word) => [
    word,
    word.toUpperCase(),
    `\u00A0 ${word}\u00A0`,
    `\u200B${word.replaceAll(" ", "\u00A0")}\uFEFF`,
    word.normalize("NFD"),
  ]);
  test(`the words for ${status} are understood in every language and spelling`, async () => {
    const csv = ["name,category,Status", ...spellings.map((word) => `Rex,Dogs,"${word}"`)];
    const json = spellings.map((word) =>
      JSON.stringify({ name: "Rex", category: "Dogs", status: word }),
    );
    const read = [...(await rows(csv.join("\n"))), ...(await rows(json.join("\n"), "ndjson"))];
    const value = { name: "Rex", category: "Dogs", status };
    expect(read.map((one) => (one as { readonly row: unknown }).row)).toEqual(
      read.map(() => ({ ok: true, value })),
    );
    expect(read).toHaveLength(2 * spellings.length);
  });
}

test("a status of white space is absent, and an unknown one stays as it is written", async () => {
  expect(await rows("name,category,status\nRex,Dogs,\u00A0\nTom,Dogs, Gone \n")).toMatchObject([
    { row: { value: { name: "Rex", category: "Dogs" } } },
    { row: { value: { status: "Gone" } } },
  ]);
});

test("a misspelt status in NDJSON is a fault of its row, unless it has a status as well", async () => {
  const text =
    '{"name":"Rex","category":"Dogs","stauts":"sold"}\n{"name":"Tom","category":"Dogs","status":"sold","staus":1}\n';
  expect(await rows(text, "ndjson")).toEqual([
    {
      line: 1,
      row: { ok: false, failure: { code: "unknown_member", name: "stauts", meant: "status" } },
    },
    { ignored: { name: "staus" } },
    { line: 2, row: { ok: true, value: { name: "Tom", category: "Dogs", status: "sold" } } },
  ]);
});

test("no column of another meaning is taken for a misspelt one", async () => {
  const others =
    "age,race,date,note,gate,tame,size,state,species,breed,region,zip,pid,nom,stay,cattle,gender";
  expect(await rows(`${others}\n`)).toEqual([
    { line: 1, header: { code: "no_name_column", columns: others.split(",") } },
  ]);
  const found = await rows(`name,category,${others}\n`);
  expect(found).toEqual(others.split(",").map((name) => ({ ignored: { name } })));
});

test("a row with more or fewer fields than columns is a fault", async () => {
  expect(await rows("name,category\nRex,Dogs,1\nTom\n")).toEqual([
    { line: 2, row: { ok: false, failure: { code: "field_count", found: 3, expected: 2 } } },
    { line: 3, row: { ok: false, failure: { code: "field_count", found: 1, expected: 2 } } },
  ]);
});

test("invalid UTF-8 is a fault of its row only", async () => {
  const text = Buffer.concat([
    Buffer.from("name,category\nRex,Dogs\n"),
    Buffer.from([0x54, 0xff, 0x2c, 0x43, 0x0a]),
    Buffer.from("Tom,Cats\n"),
  ]);
  expect(await rows(text)).toMatchObject([
    { line: 2, row: { ok: true } },
    { line: 3, row: { ok: false, failure: { code: "not_utf8" } } },
    { line: 4, row: { ok: true } },
  ]);
});

test("a header with invalid UTF-8 is refused", async () => {
  const text = Buffer.concat([Buffer.from("name,categor"), Buffer.from([0xff, 0x0a])]);
  expect(await rows(text)).toEqual([{ line: 1, header: { code: "not_utf8" } }]);
});

test("an NDJSON line with a duplicate member is refused", async () => {
  const text = '{"name":"Rex","name":"Tom","category":"Dogs"}\n';
  const message = 'The member "name" appears twice.';
  expect(await rows(text, "ndjson")).toEqual([
    { line: 1, row: { ok: false, failure: { code: "not_json", message } } },
  ]);
});

test("each NDJSON line is one object, read without its id", async () => {
  const text =
    '{"id":4,"name":"Rex","category":"Dogs"}\n\n[1]\n{"a":\nnull\n{"category":"x","categoryId":1}\n';
  const refused = (line: number, failure: object) => ({ line, row: { ok: false, failure } });
  expect(await rows(text, "ndjson")).toEqual([
    { line: 1, row: { ok: true, value: { name: "Rex", category: "Dogs" } } },
    refused(3, { code: "not_an_object" }),
    refused(4, { code: "not_json", message: "The line is not valid JSON." }),
    refused(5, { code: "not_an_object" }),
    refused(6, { code: "two_categories" }),
  ]);
});

test("unknown columns are ignored and reported once, with the known one that they misspell", async () => {
  expect(await rows("name,colour,category,categorid\nRex,red,Dogs,x\nTom,,Cats,\n")).toEqual([
    { ignored: { name: "colour" } },
    { ignored: { name: "categorid", meant: "categoryId" } },
    { line: 2, row: { ok: true, value: { name: "Rex", category: "Dogs" } } },
    { line: 3, row: { ok: true, value: { name: "Tom", category: "Cats" } } },
  ]);
});

test("unknown members of NDJSON are ignored and reported once", async () => {
  const text = '{"name":"Rex","categoryId":1,"age":3}\n{"name":"Tom","age":1,"__proto__":{}}\n';
  expect(await rows(text, "ndjson")).toEqual([
    { ignored: { name: "age" } },
    { line: 1, row: { ok: true, value: { name: "Rex", categoryId: 1 } } },
    { ignored: { name: "__proto__" } },
    { line: 2, row: { ok: true, value: { name: "Tom" } } },
  ]);
});

test("only the first 20 unknown columns are reported, with at most 80 characters each", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `${index}${"x".repeat(100)}`);
  const found = await rows(`name,category,${names.join(",")}\n`);
  expect(found).toHaveLength(20);
  expect(found[0]).toEqual({ ignored: { name: `0${"x".repeat(79)}` } });
});
