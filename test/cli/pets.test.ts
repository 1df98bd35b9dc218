import { expect, test } from "bun:test";

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { csvRow } from "../../lib/base/csv.ts";
import { fullExportColumns } from "../../lib/management/index.ts";
import { installation, scratch, type Installation } from "./installation.ts";

async function account(here: Installation): Promise<readonly string[]> {
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  return ["--account", id];
}

const rows = ["Rex,dogs,available", '"Tom, the ""Cat""",Cats,', "Lisa,Other,sold"];
const csv = ["name,category,status", ...rows, ""].join("\r\n");
const faulty = ["name,category,status", ...rows, "Broken,Unicorns,available", ",Dogs,sold"].join(
  "\n",
);

/** An export of animals, each of which has the fields of the first columns and lacks the others. */
function table(...animals: readonly (readonly string[])[]): string {
  const lines = animals.map((row) => csvRow(fullExportColumns.map((_, index) => row[index] ?? "")));
  return [csvRow(fullExportColumns), ...lines].join("");
}

const exported = table(
  ["1", "Rex", "Dogs", "available"],
  ["2", 'Tom, the "Cat"', "Cats", "available"],
  ["3", "Lisa", "Other", "sold"],
);

test.each([false, true])(
  "nothing is imported while something is asked, and good rows on request (with a running server: %p)",
  async (running) => {
    const here = await installation();
    await using stack = new AsyncDisposableStack();
    if (running) stack.use(await here.serve());
    const of = await account(here);
    const asked = await here.feed(faulty, "pets", "import", "-", ...of);
    expect(asked).toEqual({
      exitCode: 1,
      stdout: "Nothing was imported.\n",
      stderr: [
        'Line 5: There is no category "Unicorns".',
        "  Say which: --value category:Unicorns=NAME (or =skip to leave it out), or create it: --create-categories",
        "Line 6: The row has no name.",
        "To import the other 3 animals and leave out 2 rows: --good-rows",
        "",
      ].join("\n"),
    });
    expect((await here.run("pets", "export", ...of)).stdout).toBe(table());
    const good = await here.feed(faulty, "pets", "import", "-", ...of, "--good-rows");
    expect([good.exitCode, good.stdout]).toEqual([
      0,
      expect.stringContaining("3 added, 2 failed.\n"),
    ]);
    expect((await here.run("pets", "export", ...of)).stdout).toBe(exported);
  },
);

test("an export imported into another account exports the same again", async () => {
  const here = await installation();
  const [first, second] = [await account(here), await account(here)];
  const full = [
    "name,category,external id,text,good with cats,birth",
    '"A; B",Dogs,1,"one\n\ntwo",no,2024-05',
    "",
  ];
  await here.feed(csv, "pets", "import", "-", ...first);
  await here.feed(full.join("\n"), "pets", "import", "-", ...first);
  for (const [format, environment] of [
    ["csv", "production"],
    ["ndjson", "staging"],
  ] as const) {
    const file = join(await scratch(), `animals.${format}`);
    const out = await here.run(
      "pets",
      "export",
      ...first,
      "--output",
      file,
      "--separator",
      "semicolon",
    );
    expect([out.exitCode, out.stdout]).toEqual([0, ""]);
    const [begins] = await Bun.file(file).bytes();
    expect(begins).toBe(format === "csv" ? 0xef : "{".charCodeAt(0));
    const where = [...second, "--environment", environment];
    const back = await here.run("pets", "import", file, ...where, "--json");
    expect(JSON.parse(back.stdout)).toMatchObject({
      dryRun: false,
      import: { state: "finished", added: 4, faulty: 0 },
      plan: { questions: [], faults: [], rows: 4 },
    });
    const again = await here.run(
      "pets",
      "export",
      ...where,
      "--format",
      format,
      "--separator",
      "semicolon",
    );
    expect(again.stdout).toBe((await Bun.file(file).text()).replace("\uFEFF", ""));
  }
});

test("a dry run changes nothing, and its options import without questions", async () => {
  const here = await installation();
  const of = await account(here);
  const file = join(await scratch(), "a.csv");
  await writeFile(file, "Tier,Art,stauts\nMinka,Katze,sold\nRex,Hund,weg\n");
  const options = ["--map", "name=Tier", "--map", "status=stauts", "--value", "status:weg=pending"];
  const tried = await here.run("pets", "import", file, ...of, ...options, "--dry-run");
  expect(tried.exitCode).toBe(0);
  expect(tried.stdout).toBe(
    [
      "COLUMN  FIELD     VALUES  SUCH AS",
      "Tier    name      2       Minka | Rex",
      "Art     category  2       Katze | Hund",
      "stauts  status    2       sold | weg",
      "Would import 2 animals. Nothing was changed.",
      "",
    ].join("\n"),
  );
  const again = /pets import .*? (--map .*)$/m.exec(tried.stderr)?.[1]?.split(" ") ?? [];
  expect(again).toEqual(
    "--map name=Tier --map category=Art --map status=stauts --value status:weg=pending".split(" "),
  );
  expect((await here.run("pets", "export", ...of)).stdout).toBe(table());
  const imported = await here.run("pets", "import", file, ...of, ...again);
  expect([imported.exitCode, imported.stderr]).toEqual([0, ""]);
  expect((await here.run("pets", "export", ...of)).stdout).toBe(
    table(["1", "Minka", "Cats", "sold"], ["2", "Rex", "Dogs", "pending"]),
  );
});

test.each([
  ["", "The file is empty."],
  ["name,category,status\n", "The file has no rows with animals."],
  [
    "Tiernme,Art,age\nMinka,Cats,3\n",
    'We found no column with the animals\' names (name). The file also has: "Tiernme".',
  ],
  ['name,category\n"Rex,Dogs\n', "The quote that begins on line 2 is never closed"],
])("nothing is added from %j, which is an error", async (text, message) => {
  const here = await installation();
  const of = await account(here);
  const imported = await here.feed(text, "pets", "import", "-", ...of);
  expect([imported.exitCode, imported.stderr]).toEqual([1, expect.stringContaining(message)]);
  expect((await here.run("pets", "export", ...of)).stdout).toBe(table());
});

test("a second import updates by key, and a whole import can be undone", async () => {
  const here = await installation();
  const of = await account(here);
  const file = (status: string): string => `id,name,category,status\n7,Rex,Dogs,${status}\n`;
  await here.feed(file("available"), "pets", "import", "-", ...of, "--key", "id");
  const second = await here.feed(
    file("Reserved"),
    "pets",
    "import",
    "-",
    ...of,
    "--key",
    "id",
    "--json",
  );
  const { import: updated } = JSON.parse(second.stdout);
  expect(updated).toMatchObject({ added: 0, updated: 1 });
  const columns = ["1", "Rex", "Dogs"];
  const shown = async (): Promise<string> => (await here.run("pets", "export", ...of)).stdout;
  expect(await shown()).toContain([...columns, "pending"].join(","));
  const undone = await here.run("imports", "undo", updated.id, ...of, "--yes");
  expect([undone.exitCode, undone.stdout]).toEqual([
    0,
    expect.stringContaining("1 animals undone."),
  ]);
  expect(await shown()).toContain([...columns, "available"].join(","));
  const listed = await here.json<{ state: string }[]>("imports", "list", ...of);
  expect(listed.map(({ state }) => state)).toEqual(["undone", "finished"]);
  const one = await here.run("imports", "show", updated.id, ...of);
  expect(one.stdout).toContain("undone");
});

test("animals that a later file no longer has are named, and set to sold by choice", async () => {
  const here = await installation();
  const of = await account(here);
  const rows = "name,category,externalId\nRex,Dogs,7\n";
  const imported = async (text: string, ...options: readonly string[]) =>
    here.feed(text, "pets", "import", "-", ...of, ...options);
  await imported(`${rows}Bo,Dogs,8\nTom,Cats,9\n`);
  const dry = await imported(rows, "--dry-run");
  expect(dry.stderr).toContain(
    "2 animals from this source are not in the file: Bo (2), Tom (3). The import leaves them. To set them to sold: --missing sold",
  );
  const asked = await imported(rows, "--missing", "sold");
  expect([asked.exitCode, asked.stdout]).toEqual([
    1,
    expect.stringContaining("Nothing was imported."),
  ]);
  expect(asked.stderr).toContain("If it is the whole list: --many-missing");
  const sold = await imported(rows, "--missing", "sold", "--many-missing");
  expect([sold.exitCode, sold.stdout.split("\n")[0]]).toEqual([
    0,
    "0 added, 1 unchanged, 2 set to sold, 0 failed.",
  ]);
});

test("photos of a file are announced by a dry run as the import treats them, without a warning", async () => {
  const here = await installation();
  const of = await account(here);
  const data = "data:image/png;base64,AAAA";
  const file = `name,category,photo\nRex,Dogs,"${data}"\n`;
  const dry = await here.feed(file, "pets", "import", "-", ...of, "--dry-run");
  expect(dry.stdout).toContain("Would import 1 animal. Nothing was changed.");
  expect(dry.stderr.split("\n")[0]).toBe(
    `The animals get 1 photo, on line 2: ${data}. The import adds it after the animal, if the animal has no photos yet, and says so if it cannot be read or fetched.`,
  );
  const done = await here.feed(file, "pets", "import", "-", ...of);
  expect([done.exitCode, done.stdout.split("\n")[0]]).toEqual([0, "1 added, 0 failed."]);
  expect(done.stderr).not.toContain("The animals get");
  expect(done.stderr).toContain(
    "Warning: 1 picture could not be read or fetched. The animals were imported without them.",
  );
});

test("choices that cannot be read are refused with the fields", async () => {
  const here = await installation();
  const of = await account(here);
  for (const [option, value, message] of [
    ["--map", "name", "must be FIELD=COLUMN"],
    ["--map", "colr2=x", 'has no field "colr2"; the fields are name, category'],
    ["--value", "status=sold", "must be FIELD:FOUND=VALUE"],
    ["--preset", "asm", "must be one of asm3, petfinder"],
  ] as const) {
    const { exitCode, stderr } = await here.run("pets", "import", "-", ...of, option, value);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test("--json exports one document", async () => {
  const here = await installation();
  const of = await account(here);
  expect(JSON.parse((await here.run("pets", "export", ...of, "--json")).stdout)).toEqual([]);
  await here.feed("name,categoryId\nRex,1\nTom,2\n", "pets", "import", "-", ...of);
  expect(JSON.parse((await here.run("pets", "export", ...of, "--json")).stdout)).toEqual([
    { id: 1, name: "Rex", category: "Dogs", status: "available" },
    { id: 2, name: "Tom", category: "Cats", status: "available" },
  ]);
});

test("names that a spreadsheet may treat as formulas are written unescaped, with a warning", async () => {
  const here = await installation();
  const of = await account(here);
  await here.feed('{"name":"=1+1","categoryId":1}\n', "pets", "import", "-", ...of);
  const { stdout, stderr } = await here.run("pets", "export", ...of);
  expect(stdout).toContain("1,=1+1,Dogs,available");
  expect(stderr).toContain("1 names begin with");
});

test("a failed export leaves the existing file unchanged", async () => {
  const here = await installation();
  await account(here);
  const file = join(await scratch(), "animals.csv");
  await writeFile(file, "before");
  const { exitCode } = await here.run(
    "pets",
    "export",
    "--account",
    "acc_nobody",
    "--output",
    file,
  );
  expect(exitCode).toBe(4);
  expect(await Bun.file(file).text()).toBe("before");
});

test.each([
  [["import", "no-such.csv"], 4, "The file no-such.csv does not exist."],
  [["import", "no-such-file.xlsx"], 4, "does not exist"],
  [["export", "--output", "/no/such/directory/x.csv"], 1, "cannot be written"],
])("%j is refused", async (args, code, words) => {
  const here = await installation();
  const { exitCode, stderr } = await here.run("pets", ...args, ...(await account(here)));
  expect(exitCode).toBe(code);
  expect(stderr).toContain(words);
});

test("an export onto a directory is refused and leaves no temporary file", async () => {
  const here = await installation();
  const of = await account(here);
  const place = await scratch();
  const taken = join(place, "taken");
  await mkdir(taken);
  const { exitCode, stderr } = await here.run("pets", "export", "--output", taken, ...of);
  expect(stderr).toBe(`petstore: ${taken} cannot be written: it is a directory.\n`);
  expect(exitCode).toBe(1);
  expect(await readdir(place)).toEqual(["taken"]);
});

test.if(process.platform === "linux")("a full disk is reported with a message", async () => {
  const program = join(import.meta.dir, "../../server.ts");
  const full = Bun.spawn([process.execPath, program, "openapi"], {
    stdio: ["ignore", Bun.file("/dev/full"), "pipe"],
  });
  expect(await new Response(full.stderr).text()).toBe(
    "petstore: stdout cannot be written: no space left on the disk.\n",
  );
  expect(await full.exited).toBe(1);
});
