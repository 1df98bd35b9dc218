import { petFormats, type IgnoredColumn, type PetFormat } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { Failure, must, codeOf, reasonOf } from "../../settings/failure.ts";
import { accountFlag, environmentFlag } from "../fields.ts";
import { optional, toggle, withDefault } from "../flag.ts";
import { createFaultGroups, groupText, type FaultGroup } from "../fault-groups.ts";
import { importPets, type Imported } from "../import-pets.ts";
import { rowFaultText } from "../pet-faults.ts";
import { withClient } from "../client.ts";
import { writeJson } from "../output.ts";
import { createProgress } from "../progress.ts";
import { clientFlags } from "../serve-flags.ts";
import type { Terminal } from "../terminal.ts";
import { integer, oneOf, quoted } from "../../settings/values.ts";

/** The faulty rows that `--json` lists one by one; `groups` counts them all. */
const MAX_TOLD = 1_000;

export const petsImport = command({
  path: "pets import",
  summary: "Add animals from a CSV or NDJSON file",
  details:
    "CSV begins with a row of column names: name, category (its name) or categoryId, and status if there is one; columns are told apart by commas, semicolons or tabs. NDJSON has one object per line with the same members. An id is ignored: new ids are assigned. Unknown columns are ignored with a warning. Valid rows are added; the others are counted on stderr by what is wrong with them, with their first lines, and the exit code is 1. --json prints {dryRun, added, failed, categories, ignoredColumns, groups, errors}: categories are the created ones, groups have a code, a message, a count and the first lines, errors the first 1,000 rows with line and message.",
  operands: { file: { placeholder: "FILE", help: "Path of the file; - for stdin." } },
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the name of the file.",
      parse: oneOf(petFormats),
    }),
    dryRun: toggle("dry-run", "Only check the file: say what would be added and what is wrong."),
    createCategories: toggle(
      "create-categories",
      "Create categories that rows name and that do not exist, at most 50 for the file.",
    ),
    fromLine: withDefault(
      {
        name: "from-line",
        placeholder: "N",
        help: "Leave out the rows before that line, which an earlier attempt has added.",
        parse: integer({ min: 1, max: 1_000_000_000_000 }),
      },
      1,
    ),
    ...clientFlags,
  },
  examples: [
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B",
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B --environment staging --dry-run",
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B --create-categories",
    "pets import - --format ndjson --account acc_7Gk2mQ9xYt4B < animals.ndjson",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock } = context;
    const { account, environment, dryRun, fromLine, createCategories } = flags;
    const { file } = operands;
    const format = flags.format ?? formatOf(file);
    const { source, size } = await open(file, terminal);
    const progress = createProgress(terminal, clock, "rows");
    const errors: { readonly line: number; readonly message: string }[] = [];
    const groups = createFaultGroups();
    const ignoredColumns: IgnoredColumn[] = [];
    const report = (): void => {
      progress.clear();
      const all = groups.all();
      if (ignoredColumns.length > 0) terminal.err(`${ignoredText(ignoredColumns)}\n`);
      for (const group of all) terminal.err(`${groupText(group)}\n`);
      if (!createCategories && mayCreate(all)) {
        terminal.err("Create the missing categories with --create-categories.\n");
      }
    };
    const imported = await withClient(flags, context, async (client) => {
      // Also where not one row is right.
      must(await client.accounts.byId(account));
      return importPets({
        client,
        accountId: account,
        environment,
        source,
        format,
        dryRun,
        createCategories,
        fromLine,
        onFault: (fault) => {
          const message = rowFaultText(fault);
          groups.add(fault, message);
          if (errors.length < MAX_TOLD) errors.push({ line: fault.line, message });
        },
        onIgnored: (column) => {
          ignoredColumns.push(column);
        },
        onProgress: (rows, bytes) =>
          progress.show(rows, size === undefined ? undefined : bytes / Math.max(1, size)),
      });
    }).finally(report);
    const { added, failed, categories } = imported;
    if (flags.json) {
      const shown = { dryRun, added, failed, categories, ignoredColumns };
      await writeJson(terminal, { ...shown, groups: groups.all(), errors });
    } else await terminal.out(`${outcomeText(imported, dryRun)}\n`);
    return failed === 0 ? "done" : "failed";
  },
});

function outcomeText({ added, failed, categories }: Imported, dryRun: boolean): string {
  const verb = dryRun ? "would be added" : "added";
  const created = dryRun ? "would be created" : "created";
  const names = categories.map((name) => quoted(name)).join(", ");
  const more = categories.length === 0 ? "" : `; categories ${created}: ${names}`;
  return `${added} ${verb}, ${failed} failed${more}`;
}

function ignoredText(columns: readonly IgnoredColumn[]): string {
  const names = columns.map(({ name, meant }) =>
    meant === undefined ? quoted(name) : `${quoted(name)} (did you mean ${meant}?)`,
  );
  return `warning: unknown columns are ignored: ${names.join(", ")}`;
}

/** Where most of a column is missing, it holds no categories. */
function mayCreate(groups: readonly FaultGroup[]): boolean {
  const missing = groups.filter(({ code }) => code === "unknown_category");
  return missing.length > 0 && missing.length < 20;
}

function formatOf(file: string): PetFormat {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === "csv") return "csv";
  if (extension === "ndjson" || extension === "jsonl") return "ndjson";
  throw new Failure(
    "usage",
    `The name ${file} does not tell the format: add --format csv or --format ndjson.`,
  );
}

async function open(
  file: string,
  terminal: Terminal,
): Promise<{ readonly source: AsyncIterable<Uint8Array>; readonly size: number | undefined }> {
  if (file === "-") return { source: terminal.input(), size: undefined };
  const opened = Bun.file(file);
  if (!(await opened.exists())) throw new Failure("notFound", `There is no file ${file}.`);
  return { source: readable(opened, file), size: opened.size };
}

async function* readable(opened: Blob, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* opened.stream();
  } catch (error) {
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
