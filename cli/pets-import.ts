import {
  petFormats,
  type IgnoredColumn,
  type PetFormat,
  importPetFile,
  type ImportEnd,
  type ImportFault,
  type ManagementClient,
} from "../lib/management/index.ts";
import { command, optional, toggle, withDefault, type Command } from "./command.ts";
import { Failure, must, codeOf, reasonOf } from "../settings/failure.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import {
  createFaultGroups,
  groupText,
  type FaultGroup,
  rowFaultText,
  headerFaultText,
} from "./pet-faults.ts";
import { withClient } from "./client.ts";
import { writeJson, createProgress } from "./output.ts";
import { clientFlags } from "./operation.ts";
import type { Terminal } from "./terminal.ts";
import { integer, oneOf, quoted } from "../settings/values.ts";
import type { Environment } from "../lib/index.ts";
import { problem } from "../lib/base/problem.ts";
import { refused } from "../lib/base/result.ts";

/** The most invalid rows that `--json` lists; `groups` counts all of them. */
const MAX_LISTED = 1_000;

export const petsImport: Command = command({
  path: "pets import",
  summary: "Add animals from a CSV or NDJSON file",
  details:
    "CSV starts with a row of column names: name, category (its name) or categoryId, and optionally status; commas, semicolons or tabs separate the columns. NDJSON has one object per line with the same members. IDs in the file are ignored: new ones are assigned. Unknown columns are ignored with a warning. Valid rows are added; invalid rows are counted on stderr by error, with their first lines, and the exit code is 1. --json prints {dryRun, added, failed, categories, ignoredColumns, groups, errors}: categories lists the created categories, groups has a code, a message, a count and the first lines of each error, errors has line and message of the first 1,000 invalid rows.",
  operands: { file: { placeholder: "FILE", help: "Path of the file; - reads stdin." } },
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the extension of the file.",
      parse: oneOf(petFormats),
    }),
    dryRun: toggle("dry-run", "Only check the file: report what would be added, and the errors."),
    createCategories: toggle(
      "create-categories",
      "Create missing categories that rows name, at most 50 per file.",
    ),
    fromLine: withDefault(
      {
        name: "from-line",
        placeholder: "N",
        help: "Skip the rows before this line, which an earlier attempt added.",
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
      // Reports an unknown account even if no row is valid.
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
          if (errors.length < MAX_LISTED) errors.push({ line: fault.line, message });
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

/** A column in which most values are unknown holds no categories. */
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
    `Cannot tell the format of ${file} by its name: add --format csv or --format ndjson.`,
  );
}

async function open(
  file: string,
  terminal: Terminal,
): Promise<{ readonly source: AsyncIterable<Uint8Array>; readonly size: number | undefined }> {
  if (file === "-") return { source: terminal.input(), size: undefined };
  const opened = Bun.file(file);
  if (!(await opened.exists())) throw new Failure("notFound", `The file ${file} does not exist.`);
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

export interface ImportPets {
  readonly client: { readonly pets: Pick<ManagementClient["pets"], "import"> };
  readonly accountId: string;
  readonly environment: Environment;
  readonly source: AsyncIterable<Uint8Array>;
  readonly format: PetFormat;
  readonly dryRun: boolean;
  /** Creates missing categories that rows name. */
  readonly createCategories: boolean;
  /** Skips the rows before this line, which an earlier attempt added. */
  readonly fromLine: number;
  /** Called for each invalid row, in the order of lines. */
  readonly onFault: (fault: ImportFault) => void;
  /** Called once for each unknown column; at most 20 times. */
  readonly onIgnored: (column: IgnoredColumn) => void;
  readonly onProgress: (rows: number, bytes: number) => void;
}

interface Imported {
  readonly added: number;
  readonly failed: number;
  /** Names of the categories that were (or would be) created. */
  readonly categories: readonly string[];
}

/** The most categories to create for a file: a column with more values holds no categories. */
export const MAX_CREATED = 50;

const folded = (name: string): string => name.toLowerCase();

/** Adds the valid rows of a file. If a batch cannot be added, fails with the line to continue from. */
export async function importPets(job: ImportPets): Promise<Imported> {
  const { client, accountId, environment, source, format, dryRun, fromLine } = job;
  const { onFault, onIgnored, onProgress } = job;
  let thrown: unknown;
  // By folded name: a dry run reports the same categories in every batch.
  const categories = new Map<string, string>();
  const end = await importPetFile({
    source,
    format,
    fromLine,
    onProgress,
    onFault,
    onIgnored,
    send: async (rows) => {
      const ask = (how: { readonly dryRun: boolean; readonly createCategories: boolean }) =>
        client.pets.import({ accountId, environment, rows, ...how }).catch((error: unknown) => {
          thrown = error;
          return refused(problem("internal_error", reasonIn(error)));
        });
      let createCategories = job.createCategories && categories.size < MAX_CREATED;
      // The service limits each call; together with earlier batches, this one may exceed our limit.
      if (createCategories && categories.size > 0) {
        const preview = await ask({ dryRun: true, createCategories });
        if (!preview.ok) return preview;
        const names = [...categories.keys(), ...preview.value.categories.map(folded)];
        createCategories = new Set(names).size <= MAX_CREATED;
      }
      const outcome = await ask({ dryRun, createCategories });
      if (outcome.ok) {
        for (const name of outcome.value.categories) {
          if (!categories.has(folded(name))) categories.set(folded(name), name);
        }
      }
      return outcome;
    },
  });
  if (end.kind === "unreadable") throw new Failure("failed", headerFaultText(end.header));
  if (end.kind === "stopped") return stopped(end, thrown);
  return { added: end.added, failed: end.failed, categories: [...categories.values()] };
}

/** Codes which mean that the request had no effect. */
const certain: ReadonlySet<string> = new Set(["unavailable", "rate_limited"]);

function stopped(end: Extract<ImportEnd, { readonly kind: "stopped" }>, cause: unknown): never {
  const { problem: failed, from, to, added } = end;
  const where = `Stopped at line ${from}: ${failed.message} ${added} animals were added before it.`;
  if (certain.has(failed.code)) {
    throw new Failure("tryLater", `${where} Continue with --from-line ${from}.`);
  }
  if (failed.code !== "internal_error") return must(refused(failed));
  throw new Failure(
    "failed",
    `${where} The rows of lines ${from} to ${to} may or may not have been added: check before you continue with --from-line.`,
    cause === undefined ? {} : { cause },
  );
}

function reasonIn(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
