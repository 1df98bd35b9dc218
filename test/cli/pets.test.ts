import { expect, test } from "bun:test";

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createFaultGroups, groupText } from "../../cli/pet-faults.ts";
import { importPets } from "../../cli/pets.ts";
import { createProgress } from "../../cli/output.ts";
import type { Terminal } from "../../cli/terminal.ts";
import { csvRow } from "../../lib/base/csv.ts";
import { problem, type ProblemCode } from "../../lib/base/problem.ts";
import { done, refused } from "../../lib/base/result.ts";
import type { ImportRow } from "../../lib/index.ts";
import { exportColumns, type ImportFault } from "../../lib/management/index.ts";
import { manualClock } from "../helpers/clock.ts";
import { rejection } from "../helpers/rejection.ts";
import { installation, scratch, type Installation } from "./installation.ts";

async function account(here: Installation): Promise<readonly string[]> {
  const { id } = await here.json<{ id: string }>("accounts", "create", "A");
  return ["--account", id];
}

const csv = [
  "name,category,status",
  "Rex,dogs,available",
  '"Tom, the ""Cat""",Cats,',
  "Broken,Unicorns,available",
  '"Never closed,Dogs,sold',
  "Lisa,Other,sold",
  "",
].join("\r\n");

/** An export of animals, each of which has the fields of the first columns and lacks the others. */
function table(...rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => csvRow(exportColumns.map((_, index) => row[index] ?? "")));
  return [csvRow(exportColumns), ...lines].join("");
}

const exported = table(
  ["1", "Rex", "Dogs", "available"],
  ["2", 'Tom, the "Cat"', "Cats", "available"],
  ["3", "Lisa", "Other", "sold"],
);

test.each([false, true])(
  "an invalid row is reported with its line and the other rows are imported (with a running server: %p)",
  async (running) => {
    const here = await installation();
    await using stack = new AsyncDisposableStack();
    if (running) stack.use(await here.serve());
    const of = await account(here);
    const imported = await here.feed(csv, "pets", "import", "-", "--format", "csv", ...of);
    expect(imported).toEqual({
      exitCode: 1,
      stdout: "3 added, 2 failed\n",
      stderr:
        'line 4: There is no category "Unicorns".\nline 5: a quote is never closed, or the row is longer than 64 KiB\nCreate the missing categories with --create-categories.\n',
    });
    expect((await here.run("pets", "export", ...of)).stdout).toBe(exported);
  },
);

test("an export imported into another account exports the same again", async () => {
  const here = await installation();
  const [first, second] = [await account(here), await account(here)];
  await here.feed(csv, "pets", "import", "-", "--format", "csv", ...first);
  for (const format of ["csv", "ndjson"]) {
    const file = join(await scratch(), `animals.${format}`);
    const out = await here.run("pets", "export", ...first, "--output", file);
    expect([out.exitCode, out.stdout]).toEqual([0, ""]);
    const environment = ["--environment", format === "csv" ? "production" : "staging"];
    const back = await here.run("pets", "import", file, ...second, ...environment, "--json");
    expect(JSON.parse(back.stdout)).toEqual({
      dryRun: false,
      added: 3,
      failed: 0,
      categories: [],
      ignoredColumns: [],
      groups: [],
      errors: [],
    });
    const again = await here.run("pets", "export", ...second, ...environment, "--format", format);
    expect(again.stdout).toBe(await Bun.file(file).text());
  }
});

test("a dry run reports the same counts and errors but adds nothing", async () => {
  const here = await installation();
  const of = await account(here);
  const file = join(await scratch(), "a.csv");
  await writeFile(file, csv);
  const { exitCode, stdout } = await here.run("pets", "import", file, ...of, "--dry-run", "--json");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    dryRun: true,
    added: 3,
    failed: 2,
    errors: [{ line: 4 }, { line: 5 }],
  });
  expect((await here.run("pets", "export", ...of)).stdout).toBe(table());
});

test("unknown columns are ignored with one warning, and missing categories are created on request", async () => {
  const here = await installation();
  const of = await account(here);
  const file = join(await scratch(), "a.csv");
  const rows = ["Rex,Rabbits,red,9", "Tom,rabbits,,", "Kim,Dogs,,", "Lisa,Horses,,8"];
  await writeFile(file, ["name,category,colour,categorid", ...rows, ""].join("\n"));
  const warning =
    'warning: unknown columns are ignored: "colour", "categorid" (did you mean categoryId?)\n';
  const dryRun = await here.run("pets", "import", file, ...of, "--dry-run", "--create-categories");
  expect(dryRun).toEqual({
    exitCode: 0,
    stdout: '4 would be added, 0 failed; categories would be created: "Rabbits", "Horses"\n',
    stderr: warning,
  });
  const imported = await here.run("pets", "import", file, ...of, "--create-categories", "--json");
  expect(imported.stderr).toBe(warning);
  expect(JSON.parse(imported.stdout)).toEqual({
    dryRun: false,
    added: 4,
    failed: 0,
    categories: ["Rabbits", "Horses"],
    ignoredColumns: [{ name: "colour" }, { name: "categorid", meant: "categoryId" }],
    groups: [],
    errors: [],
  });
  expect((await here.run("pets", "export", ...of)).stdout).toBe(
    table(
      ["1", "Rex", "Rabbits", "available"],
      ["2", "Tom", "Rabbits", "available"],
      ["3", "Kim", "Dogs", "available"],
      ["4", "Lisa", "Horses", "available"],
    ),
  );
});

test.each([
  ["", "The file is empty."],
  ["name,category,status\n", "The file has no rows with animals."],
  [
    "name,category,stauts\nMinka,Cats,sold\nRex,Dogs,pending\n",
    'Line 1: unknown column "stauts". Did you mean status?',
  ],
  [
    "Tiername,Art,age\nMinka,Cats,3\n",
    'We found no column with the animals\' names. The file has: "Tiername", "Art", "age". Name that column "name".',
  ],
])("nothing is added from %j, which is an error", async (text, message) => {
  const here = await installation();
  const of = await account(here);
  const imported = await here.feed(text, "pets", "import", "-", "--format", "csv", ...of);
  expect([imported.exitCode, imported.stdout, imported.stderr]).toEqual([
    1,
    "",
    `petstore: ${message}\n`,
  ]);
  expect((await here.run("pets", "export", ...of)).stdout).toBe(table());
});

test("the dashboard's words for a status can be imported", async () => {
  const here = await installation();
  const of = await account(here);
  const rows = ["A,Cats,Available", "B,Cats,Reserved", "C,Cats,Adopted", "D,Cats,Reserviert"];
  const text = ["name,category,status", ...rows, "E,Cats,Gone", ""].join("\r\n");
  const imported = await here.feed(text, "pets", "import", "-", "--format", "csv", ...of);
  expect([imported.exitCode, imported.stdout, imported.stderr]).toEqual([
    1,
    "4 added, 1 failed\n",
    'line 6: "Gone" is not a status. Use Available, Reserved or Adopted.\n',
  ]);
  const exported = (await here.run("pets", "export", ...of)).stdout;
  expect(exported.match(/available|pending|sold/g)).toEqual([
    "available",
    "pending",
    "sold",
    "pending",
  ]);
});

test("a category missing from every row is reported in one line", async () => {
  const here = await installation();
  const of = await account(here);
  const rows = Array(3_000).fill("Rex,Unicorns");
  const text = ["name,category", ...rows, ""].join("\n");
  const imported = await here.feed(text, "pets", "import", "-", "--format", "csv", ...of);
  expect(imported).toEqual({
    exitCode: 1,
    stdout: "0 added, 3000 failed\n",
    stderr:
      '3000 rows: There is no category "Unicorns". Lines 2, 3, 4, 5, 6, …\nCreate the missing categories with --create-categories.\n',
  });
});

test("errors are grouped by message, and further groups are counted by code", () => {
  const groups = createFaultGroups();
  const message = (index: number): string => `There is no category "${index}".`;
  for (let line = 2; line < 100_002; line++) {
    const unknown = problem("unknown_category", message(line));
    groups.add({ line, row: {}, problem: unknown }, unknown.message);
  }
  groups.add({ line: 100_002, fault: { code: "not_utf8" } }, "the line is not valid UTF-8");
  groups.add({ line: 100_003, fault: { code: "not_utf8" } }, "the line is not valid UTF-8");
  const all = groups.all();
  expect(all).toHaveLength(22);
  expect(all.slice(-2).map(groupText)).toEqual([
    '99980 rows: More rows with unknown_category, such as: There is no category "22". Lines 22, 23, 24, 25, 26, …',
    "2 rows: More rows with not_utf8, such as: the line is not valid UTF-8. Lines 100002, 100003",
  ]);
});

test("--json exports one document", async () => {
  const here = await installation();
  const of = await account(here);
  expect(JSON.parse((await here.run("pets", "export", ...of, "--json")).stdout)).toEqual([]);
  await here.feed(
    "name,categoryId\nRex,1\nTom,2\n",
    "pets",
    "import",
    "-",
    "--format",
    "csv",
    ...of,
  );
  expect(JSON.parse((await here.run("pets", "export", ...of, "--json")).stdout)).toEqual([
    { id: 1, name: "Rex", category: "Dogs", status: "available" },
    { id: 2, name: "Tom", category: "Cats", status: "available" },
  ]);
});

test("names that a spreadsheet may treat as formulas are written unescaped, with a warning", async () => {
  const here = await installation();
  const of = await account(here);
  await here.feed(
    '{"name":"=1+1","categoryId":1}\n',
    "pets",
    "import",
    "-",
    "--format",
    "ndjson",
    ...of,
  );
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
  [["import", "-"], 2, "Cannot tell the format"],
  [["import", "animals.xlsx"], 2, "Cannot tell the format"],
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

/** An import with a client that only records batch sizes and errors. */
function counting(
  total: number,
  rows: (line: number) => string,
  failAt = Infinity,
  code: ProblemCode = "unavailable",
) {
  const batches: number[] = [];
  const faults: ImportFault[] = [];
  const add = async ({ rows: batch }: { readonly rows: readonly ImportRow[] }) => {
    if (batches.length >= failAt) return refused(problem(code, "The disk is full."));
    batches.push(batch.length);
    return done({ added: batch.length, failures: [], categories: [] });
  };
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("name,category\n");
    for (let line = 2; line <= total + 1; line++) yield Buffer.from(rows(line));
  }
  const run = (fromLine = 1) =>
    importPets({
      send: add,
      source: source(),
      format: "csv",
      dryRun: false,
      createCategories: false,
      fromLine,
      onFault: (fault) => faults.push(fault),
      onIgnored: () => {},
      onProgress: () => {},
    });
  return { batches, faults, run };
}

test("a file of any length is sent in batches of at most 500 rows or 1 MB", async () => {
  const short = counting(2_500, () => "Rex,Dogs\n");
  expect(await short.run()).toEqual({ added: 2_500, failed: 0, categories: [] });
  expect(short.batches).toEqual([500, 500, 500, 500, 500]);
  const wide = counting(100, () => `${"x".repeat(60_000)},Dogs\n`);
  expect(await wide.run()).toEqual({ added: 100, failed: 0, categories: [] });
  expect(Math.max(...wide.batches)).toBe(18);
});

test("if a batch cannot be written, the import names the line to continue from and can continue there", async () => {
  const stopped = counting(2_500, () => "Rex,Dogs\n", 1);
  expect(String(await rejection(stopped.run()))).toContain(
    "Stopped at line 502: The disk is full. 500 animals were added before it. Continue with --from-line 502.",
  );
  const resumed = counting(2_500, () => "Rex,Dogs\n");
  expect(await resumed.run(502)).toEqual({ added: 2_000, failed: 0, categories: [] });
});

test("a batch whose result is unknown is reported as possibly written", async () => {
  const broken = counting(2_500, () => "Rex,Dogs\n", 1, "internal_error");
  const error = await rejection(broken.run());
  expect(error).toMatchObject({ exit: "failed" });
  expect(String(error)).toContain("lines 502 to 1001 may or may not have been added");
});

test("one import creates at most 50 categories in all batches together", async () => {
  const created: string[] = [];
  const add = async ({
    rows,
    dryRun,
    createCategories,
  }: {
    readonly rows: readonly ImportRow[];
    readonly dryRun?: boolean | undefined;
    readonly createCategories?: boolean | undefined;
  }) => {
    const names = rows.map(({ category }) => String(category));
    const missing = [...new Set(names)].filter((name) => !created.includes(name));
    const categories = createCategories === true ? missing : [];
    if (dryRun !== true) created.push(...categories);
    return done({ added: rows.length, failures: [], categories });
  };
  /** 40 in the first thousand rows, 20 in the second, 10 in the third. */
  async function* source(): AsyncGenerator<Uint8Array> {
    const column = (line: number): string =>
      line <= 1_000 ? `A${line % 40}` : line <= 2_000 ? `B${line % 20}` : `C${line % 10}`;
    yield Buffer.from("name,category\n");
    for (let line = 1; line <= 3_000; line++) yield Buffer.from(`Rex,${column(line)}\n`);
  }
  const imported = await importPets({
    send: add,
    source: source(),
    format: "csv",
    dryRun: false,
    createCategories: true,
    fromLine: 1,
    onFault: () => {},
    onIgnored: () => {},
    onProgress: () => {},
  });
  expect(imported.categories).toHaveLength(50);
  expect(created.toSorted()).toEqual(imported.categories.toSorted());
  expect(created.filter((name) => name.startsWith("B"))).toEqual([]);
});

test("errors are reported in the order of their lines", async () => {
  const mixed = counting(50, (line) => (line % 7 === 0 ? "a,b,c\n" : "Rex,Dogs\n"));
  await mixed.run();
  expect(mixed.faults.map(({ line }) => line)).toEqual([7, 14, 21, 28, 35, 42, 49]);
});

test("progress shows a bar, a percentage and a rate on a terminal, and nothing elsewhere", async () => {
  const plain = (text: string): string => text;
  const style = { dim: plain, red: plain, yellow: plain, green: plain };
  const show = (errIsTerminal: boolean): string => {
    let written = "";
    const err = (text: string): void => void (written += text);
    const clock = manualClock(0);
    const progress = createProgress(
      { errIsTerminal, err, style } as unknown as Terminal,
      clock,
      "rows",
    );
    clock.advance(2_000);
    progress.show(3_000, 0.5);
    progress.show(4_000, 0.6);
    progress.clear();
    return written;
  };
  expect(show(true)).toBe(
    `\r\u001B[K${"█".repeat(12)}${"░".repeat(12)} 50 %  3,000 rows, 1,500/s\r\u001B[K`,
  );
  expect(show(false)).toBe("");
});
