import type { PetstoreClient } from "../domains/operations.ts";
import { csvRow } from "../lib/base/csv.ts";
import { problem, type Problem } from "../lib/base/problem.ts";
import { refused, type Result } from "../lib/base/result.ts";
import type { Environment, ImportOutcome, ImportRow, Pet } from "../lib/index.ts";
import {
  exportColumns,
  exportedPet,
  exportedRow,
  importPetFile,
  petFormats,
  type IgnoredColumn,
  type ImportEnd,
  type ImportPetFile,
  type PetFormat,
} from "../lib/management/index.ts";
import { fileSink } from "../server/data/files.ts";
import { codeOf, Failure, must, reasonOf } from "../settings/failure.ts";
import { integer, oneOf, quoted } from "../settings/values.ts";
import { withClient } from "./client.ts";
import {
  command,
  optional,
  optionalText,
  toggle,
  withDefault,
  type Command,
  type Flag,
} from "./command.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import { clientFlags } from "./operation.ts";
import { createProgress, writeJson } from "./output.ts";
import {
  createFaultGroups,
  groupText,
  headerFaultText,
  rowFaultText,
  type FaultGroup,
} from "./pet-faults.ts";
import type { Terminal } from "./terminal.ts";

function formatFlag(fallback: string): Flag<PetFormat | undefined> {
  return optional({
    name: "format",
    placeholder: "FORMAT",
    help: `csv or ndjson. Default: by the extension of the file${fallback}.`,
    parse: oneOf(petFormats),
  });
}

/** The columns that a file may omit. */
const omittable = exportColumns.filter((column) => !["id", "name", "category"].includes(column));

/** The most invalid rows that `--json` lists; `groups` counts all of them. */
const MAX_LISTED = 1_000;

const petsImport: Command = command({
  path: "pets import",
  summary: "Add animals from a CSV or NDJSON file",
  details: `CSV starts with a row of column names: name, category (its name) or categoryId, and optionally ${omittable.join(", ")}. A status is available, pending or sold, or the dashboard's word for it, in any of its languages (Reserved, reserviert). Commas, semicolons or tabs separate the columns. NDJSON has one object per line with the same fields. IDs in the file are ignored: new ones are assigned. Unknown columns are ignored with a warning, but a misspelt name, category or status is an error. A file without rows is an error, too. Valid rows are added; for invalid rows, stderr lists each error once, with the number of rows and the line numbers of the first ones, and the exit code is 1. --json prints {dryRun, added, failed, categories, ignoredColumns, groups, errors}: categories lists the created categories; groups has the code, the message, the count and the first line numbers (lines) of each error; errors has the line and message of the first 1,000 invalid rows.`,
  operands: { file: { placeholder: "FILE", help: "Path of the file; - reads stdin." } },
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: formatFlag(""),
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
    const format = flags.format ?? formatOfImport(file);
    const { source, size } = await open(file, terminal);
    const progress = createProgress(terminal, clock, "rows");
    const errors: { readonly line: number; readonly message: string }[] = [];
    const groups = createFaultGroups();
    const ignoredColumns: IgnoredColumn[] = [];
    let collectedAt = 0;
    const report = (): void => {
      progress.clear();
      const all = groups.all();
      if (ignoredColumns.length > 0) terminal.err(`${ignoredText(ignoredColumns)}\n`);
      for (const group of all) terminal.err(`${groupText(group)}\n`);
      if (!createCategories && mayCreate(all)) {
        terminal.err("Create the missing categories with --create-categories.\n");
      }
    };
    const imported = await withClient(flags, context, async ({ call }) => {
      // Reports an unknown account even if no row is valid.
      must(await call("GET /accounts/:account", { account }));
      return importPets({
        send: (body) =>
          call("POST /accounts/:account/:environment/pets/import", { account, environment, body }),
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
        onProgress: (rows, bytes) => {
          if (rows - collectedAt >= ROWS_BETWEEN_COLLECTIONS) {
            collectedAt = rows;
            Bun.gc(true);
          }
          progress.show(rows, size === undefined ? undefined : bytes / Math.max(1, size));
        },
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

/** Rows between two collections of garbage. Left to itself, the runtime takes 35 MB more for a long import. */
const ROWS_BETWEEN_COLLECTIONS = 20_000;

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

function formatOfImport(file: string): PetFormat {
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

interface RowsToImport {
  readonly rows: readonly ImportRow[];
  readonly dryRun: boolean;
  /** Creates missing categories that rows name. */
  readonly createCategories: boolean;
}

export interface ImportPets
  extends Omit<ImportPetFile, "send" | "signal">, Omit<RowsToImport, "rows"> {
  /** Imports a batch of rows. */
  readonly send: (batch: RowsToImport) => Promise<Result<ImportOutcome, Problem>>;
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
  const { dryRun, createCategories: wanted, ...file } = job;
  let thrown: unknown;
  // By folded name: a dry run reports the same categories in every batch.
  const categories = new Map<string, string>();
  const end = await importPetFile({
    ...file,
    send: async (rows) => {
      const ask = (how: Omit<RowsToImport, "rows">) =>
        job.send({ rows, ...how }).catch((error: unknown) => {
          thrown = error;
          return refused(problem("internal_error", reasonIn(error)));
        });
      let createCategories = wanted && categories.size < MAX_CREATED;
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
    `${where} The rows of lines ${from} to ${to} may or may not have been added, or only the first of them: check before you continue with --from-line.`,
    cause === undefined ? {} : { cause },
  );
}

function reasonIn(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}

const PAGE = 1_000;

const petsExport: Command = command({
  path: "pets export",
  summary: "Write all animals as CSV or NDJSON, oldest first",
  details: `The columns are ${exportColumns.join(", ")}, with categories by name; \`pets import\` accepts them. Names are not escaped: a spreadsheet may treat one that begins with = + - or @ as a formula.`,
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: formatFlag(", else csv"),
    output: optionalText(
      "output",
      "FILE",
      "File to write; it appears once it is complete. Default: stdout.",
    ),
    ...clientFlags,
  },
  examples: [
    "pets export --account acc_7Gk2mQ9xYt4B > animals.csv",
    "pets export --account acc_7Gk2mQ9xYt4B --environment staging --output animals.ndjson",
  ],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const { account, environment, output, json } = flags;
    const format = flags.format ?? formatOfExport(output);
    const encoder = petEncoders[json && output === undefined ? "array" : format];
    const progress = createProgress(terminal, clock, "animals");
    const sink = output === undefined ? undefined : await fileSink(output);
    const write = sink?.write ?? terminal.out;
    const onProgress = (count: number): void => {
      // Not between rows on the terminal.
      if (output !== undefined || !terminal.outIsTerminal) progress.show(count, undefined);
    };
    let written: Written;
    try {
      written = await withClient(flags, context, (client) =>
        writePets({ client, where: { account, environment }, encoder, write, onProgress }),
      );
    } catch (error) {
      await sink?.discard();
      throw error;
    } finally {
      progress.clear();
    }
    await sink?.finish();
    const { count, formulas } = written;
    if (format === "csv" && formulas > 0) {
      terminal.err(
        `Warning: ${formulas} names begin with = + - or @, which a spreadsheet may treat as a formula.\n`,
      );
    }
    if (output === undefined) return "done";
    if (json) await writeJson(terminal, { file: output, format, exported: count });
    else terminal.err(`Wrote ${count} animals to ${output}\n`);
    return "done";
  },
});

interface Written {
  readonly count: number;
  readonly formulas: number;
}

interface Writing {
  readonly client: PetstoreClient;
  readonly where: { readonly account: string; readonly environment: Environment };
  readonly encoder: PetEncoder;
  readonly write: (text: string) => Promise<void>;
  readonly onProgress: (count: number) => void;
}

/** Writes page by page. An animal that exists throughout is written once. */
async function writePets({ client, where, encoder, write, onProgress }: Writing): Promise<Written> {
  let categories = await categoryNames(client, where);
  let count = 0;
  let formulas = 0;
  let after: number | undefined;
  await write(encoder.head);
  for (;;) {
    const input = { ...where, query: { after, limit: PAGE } };
    const pets = must(await client.call("GET /accounts/:account/:environment/pets", input));
    // The category may be newer than our list.
    if (pets.some(({ categoryId }) => !categories.has(categoryId))) {
      categories = await categoryNames(client, where);
    }
    let part = "";
    for (const pet of pets) {
      if (count > 0) part += encoder.between;
      part += encoder.row(pet, categories.get(pet.categoryId) ?? "");
      count++;
      if (looksLikeFormula(pet.name)) formulas++;
      after = pet.id;
    }
    if (part !== "") await write(part);
    onProgress(count);
    if (pets.length < PAGE) break;
  }
  await write(encoder.tail);
  return { count, formulas };
}

async function categoryNames(
  { all }: PetstoreClient,
  where: Writing["where"],
): Promise<ReadonlyMap<number, string>> {
  const categories = must(await all("GET /accounts/:account/:environment/categories", where));
  return new Map(categories.map(({ id, name }) => [id, name]));
}

function formatOfExport(output: string | undefined): PetFormat {
  return output !== undefined && /\.(?:ndjson|jsonl)$/i.test(output) ? "ndjson" : "csv";
}

/** The parts of an export. */
interface PetEncoder {
  readonly head: string;
  readonly row: (pet: Pet, category: string) => string;
  /** Separates two rows. */
  readonly between: string;
  readonly tail: string;
}

/** `array` is one JSON document; the others can be imported. Categories are written by name: IDs differ between catalogues. */
export const petEncoders: Readonly<Record<PetFormat | "array", PetEncoder>> = {
  csv: {
    head: csvRow(exportColumns),
    row: exportedRow,
    between: "",
    tail: "",
  },
  ndjson: {
    head: "",
    row: (pet, category) => `${petJson(pet, category)}\n`,
    between: "",
    tail: "",
  },
  array: {
    head: "[",
    row: (pet, category) => `\n  ${petJson(pet, category)}`,
    between: ",",
    tail: "\n]\n",
  },
};

function petJson(pet: Pet, category: string): string {
  return JSON.stringify(exportedPet(pet, category));
}

function looksLikeFormula(name: string): boolean {
  return /^[=+\-@]/.test(name);
}

export const petCommands: readonly Command[] = [petsImport, petsExport];
