import type { ImportOutcome, ImportRow } from "../../../../../lib/actions/local-client.ts";
import { done, type Result } from "../../../../../lib/base/result.ts";
import { type ImportEnd, importPetFile } from "../../../../../lib/management/pet-import.ts";
import type { IgnoredColumn, PetFormat } from "../../../../../lib/management/pet-rows.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { type Problem, send, unreachable } from "../../../api.ts";
import { pathIn, type Where } from "../catalogue.tsx";
import { patiently } from "../patiently.ts";
import { createTally, missingCategory, type Report } from "./report.ts";

/** A file that is on its way into a catalogue. */
export interface Job {
  readonly where: Where;
  /** Of the catalogue, before anything is made. */
  readonly categories: readonly Category[];
  readonly file: File;
  readonly format: PetFormat;
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number, bytes: number) => void;
}

/** What became of a file. */
export interface Seen {
  readonly end: ImportEnd;
  readonly report: Report;
  /** Columns that are not known. */
  readonly ignored: readonly IgnoredColumn[];
}

type Answer = Promise<Result<ImportOutcome, Problem>>;

/** Has the service look at every row, and adds none. A row is not wrong for a category that can be made. */
export async function look({
  where,
  categories,
  file,
  format,
  signal,
  onProgress,
}: Job): Promise<Seen> {
  const tally = createTally();
  const ignored: IgnoredColumn[] = [];
  const ask = (rows: readonly ImportRow[]): Answer =>
    patiently(signal, () =>
      send<ImportOutcome>("POST", `${pathIn(where)}/pets/import`, { rows, dryRun: true }),
    );
  const end = await importPetFile({
    source: piecesOf(file),
    format,
    signal,
    onProgress,
    onFault: tally.fault,
    onIgnored: (column) => {
      ignored.push(column);
    },
    send: async (rows) => {
      const outcome = await ask(rows);
      if (!outcome.ok) return outcome;
      tally.right(rightOf(rows, outcome.value));
      return lookBehind(rows, outcome.value, categories[0]?.id, ask);
    },
  });
  return { end, report: tally.report(), ignored };
}

/** The rows that nothing is wrong with. */
function rightOf(rows: readonly ImportRow[], { failures }: ImportOutcome): readonly ImportRow[] {
  if (failures.length === 0) return rows;
  const wrong = new Set(failures.map(({ index }) => index));
  return rows.filter((_, index) => !wrong.has(index));
}

/** Looks at rows without a category once more, as if they had one: something else may be wrong with them. */
async function lookBehind(
  rows: readonly ImportRow[],
  outcome: ImportOutcome,
  someCategory: number | undefined,
  ask: (rows: readonly ImportRow[]) => Answer,
): Answer {
  const homeless = outcome.failures.filter(
    ({ index, problem }) =>
      missingCategory({ line: 0, row: rows[index] ?? {}, problem }) !== undefined,
  );
  if (homeless.length === 0 || someCategory === undefined) return done(outcome);
  const again = await ask(
    homeless.map(({ index }) => ({
      ...rows[index],
      category: undefined,
      categoryId: someCategory,
    })),
  );
  if (!again.ok) return again;
  const behind = new Map(
    again.value.failures.map(({ index, problem }) => [homeless[index]?.index, problem]),
  );
  const failures = outcome.failures.map((failure) => ({
    ...failure,
    problem: behind.get(failure.index) ?? failure.problem,
  }));
  return done({ ...outcome, failures });
}

/** What is done besides adding what is right. */
export interface Bringing {
  /** Names of categories that are made first. */
  readonly create: readonly string[];
  /** Rows before that line were added by an earlier attempt. */
  readonly fromLine: number;
}

/** Adds what is right of a file. */
export async function bring(
  { where, file, format, signal, onProgress }: Job,
  { create, fromLine }: Bringing,
): Promise<Seen> {
  const tally = createTally();
  const problem = await createCategories(where, create);
  if (problem !== undefined) {
    const end = {
      kind: "stopped",
      problem,
      added: 0,
      failed: 0,
      from: fromLine,
      to: fromLine,
    } as const;
    return { end, report: tally.report(), ignored: [] };
  }
  const end = await importPetFile({
    source: piecesOf(file),
    format,
    fromLine,
    signal,
    onProgress,
    onFault: tally.fault,
    send: async (rows) => {
      const outcome = await patiently(signal, () =>
        send<ImportOutcome>("POST", `${pathIn(where)}/pets/import`, { rows }),
      );
      if (outcome.ok) tally.right(rightOf(rows, outcome.value));
      return outcome;
    },
  });
  return { end, report: tally.report(), ignored: [] };
}

/** False where the answer did not come: then nobody knows whether the last rows were added. */
export function isCertain(end: ImportEnd): boolean {
  return (
    end.kind !== "stopped" || (end.problem !== unreachable && end.problem.code !== "internal_error")
  );
}

/** Makes categories that are not there; one that somebody made meanwhile is as good. */
async function createCategories(
  where: Where,
  names: readonly string[],
): Promise<Problem | undefined> {
  for (const name of names) {
    const made = await send<Category>("POST", `${pathIn(where)}/categories`, { name });
    if (!made.ok && made.failure.code !== "category_exists") return made.failure;
  }
  return undefined;
}

/** As much as a browser tab reads in a few minutes: about a million animals. */
export const MAX_FILE_BYTES: number = 64 * 1_000_000;

const PIECE = 256 * 1024;

/** A file piece by piece, as it is read; never whole. */
async function* piecesOf(file: Blob): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE) {
    yield new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
  }
}

/** What a file is, by its name; a workbook is none that can be read. */
export function kindOf(name: string): PetFormat | "workbook" {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  if (["ndjson", "jsonl"].includes(extension)) return "ndjson";
  return ["xlsx", "xls", "ods", "numbers"].includes(extension) ? "workbook" : "csv";
}
