import type { ImportOutcome, ImportRow } from "../../../../../lib/catalogue/import.ts";
import { done, type Result } from "../../../../../lib/base/result.ts";
import { type ImportEnd, importPetFile } from "../../../../../lib/catalogue/pet-import.ts";
import type { IgnoredColumn, PetFormat } from "../../../../../lib/catalogue/pet-rows.ts";
import type { Category } from "../../../../../lib/catalogue/model.ts";
import { call, type Problem, unreachable } from "../../../api.ts";
import { inCatalogue, type Where } from "../catalogue.tsx";
import { patiently } from "../patiently.ts";
import { createTally, missingCategory, type Report } from "./report.ts";

/** A file and the catalogue to import it into. */
export interface ImportJob {
  readonly where: Where;
  readonly categories: readonly Category[];
  readonly file: File;
  readonly format: PetFormat;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, bytes: number) => void;
}

/** The result of checking or adding a file. */
export interface ImportResult {
  readonly end: ImportEnd;
  readonly report: Report;
  /** The file's unknown columns. */
  readonly ignored: readonly IgnoredColumn[];
}

/** Has the service check every row, without adding any. A row may name a category that can be created. */
export async function checkFile(job: ImportJob): Promise<ImportResult> {
  const tally = createTally();
  const ignored: IgnoredColumn[] = [];
  const [category] = job.categories;
  const end = await importPetFile({
    ...sourceOf(job),
    onFault: tally.fault,
    onIgnored: (column) => {
      ignored.push(column);
    },
    send: async (rows) => {
      const outcome = await sendRows(job, { rows, dryRun: true });
      if (!outcome.ok) return outcome;
      tally.valid(validRows(rows, outcome.value));
      return category === undefined ? outcome : checkFurther(job, rows, outcome.value, category);
    },
  });
  return { end, report: tally.report(), ignored };
}

/** Creates the categories, then adds the valid rows. Lines before `fromLine` were added by an earlier attempt. */
export async function addFile(
  job: ImportJob,
  { create, fromLine }: { readonly create: readonly string[]; readonly fromLine: number },
): Promise<ImportResult> {
  const tally = createTally();
  const problem = await createCategories(job.where, create);
  const end: ImportEnd =
    problem === undefined
      ? await importPetFile({
          ...sourceOf(job),
          fromLine,
          onFault: tally.fault,
          send: async (rows) => {
            const outcome = await sendRows(job, { rows });
            if (outcome.ok) tally.valid(validRows(rows, outcome.value));
            return outcome;
          },
        })
      : { kind: "stopped", problem, added: 0, failed: 0, from: fromLine, to: fromLine };
  return { end, report: tally.report(), ignored: [] };
}

/** Returns false if the last response did not arrive, so that any number of its rows may have been added. */
export function isCertain(end: ImportEnd): boolean {
  return (
    end.kind !== "stopped" || (end.problem !== unreachable && end.problem.code !== "internal_error")
  );
}

function sendRows(
  { where, signal }: ImportJob,
  body: { readonly rows: readonly ImportRow[]; readonly dryRun?: true },
): Promise<Result<ImportOutcome, Problem>> {
  return patiently(signal, () =>
    call("POST /accounts/:account/:environment/pets/import", { ...inCatalogue(where), body }),
  );
}

function validRows(rows: readonly ImportRow[], { failures }: ImportOutcome): readonly ImportRow[] {
  if (failures.length === 0) return rows;
  const invalid = new Set(failures.map(({ index }) => index));
  return rows.filter((_, index) => !invalid.has(index));
}

/** Checks rows with a missing category again, with an existing one: they may have further faults. */
async function checkFurther(
  job: ImportJob,
  rows: readonly ImportRow[],
  outcome: ImportOutcome,
  { id: categoryId }: Category,
): Promise<Result<ImportOutcome, Problem>> {
  const waiting = outcome.failures.filter(
    ({ index, problem }) =>
      missingCategory({ line: 0, row: rows[index] ?? {}, problem }) !== undefined,
  );
  if (waiting.length === 0) return done(outcome);
  const again = await sendRows(job, {
    rows: waiting.map(({ index }) => ({ ...rows[index], category: undefined, categoryId })),
    dryRun: true,
  });
  if (!again.ok) return again;
  const further = new Map(
    again.value.failures.map(({ index, problem }) => [waiting[index]?.index, problem]),
  );
  const failures = outcome.failures.map((failure) => ({
    ...failure,
    problem: further.get(failure.index) ?? failure.problem,
  }));
  return done({ ...outcome, failures });
}

/** Creates missing categories. A category that someone else created in the meantime counts too. */
async function createCategories(
  where: Where,
  names: readonly string[],
): Promise<Problem | undefined> {
  for (const name of names) {
    const made = await call("POST /accounts/:account/:environment/categories", {
      ...inCatalogue(where),
      body: { name },
    });
    if (!made.ok && made.failure.code !== "category_exists") return made.failure;
  }
  return undefined;
}

function sourceOf({ file, format, signal, onProgress }: ImportJob): {
  readonly source: AsyncIterable<Uint8Array>;
} & Pick<ImportJob, "format" | "signal" | "onProgress"> {
  return { source: chunksOf(file), format, signal, onProgress };
}

/** About a million animals, which a browser tab reads in a few minutes. */
export const MAX_FILE_BYTES: number = 64 * 1_000_000;

const CHUNK_BYTES = 256 * 1024;

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    yield new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
  }
}

/** Tells the format by the file's name. Workbooks cannot be imported. */
export function formatOf(name: string): PetFormat | "workbook" {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (["ndjson", "jsonl"].includes(extension)) return "ndjson";
  return ["xlsx", "xls", "ods", "numbers"].includes(extension) ? "workbook" : "csv";
}
