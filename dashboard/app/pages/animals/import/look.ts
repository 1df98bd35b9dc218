import type { ImportOutcome, ImportRow } from "../../../../../lib/actions/local-client.ts";
import { done, type Result } from "../../../../../lib/base/result.ts";
import { importPetFile, type ImportEnd } from "../../../../../lib/management/pet-import.ts";
import type { IgnoredColumn, PetFormat } from "../../../../../lib/management/pet-rows.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { send, type Problem } from "../../../api.ts";
import { pathIn, type Where } from "../catalogue.ts";
import { piecesOf } from "./file-bytes.ts";
import { patiently } from "../patiently.ts";
import { createTally, missingCategory, type Report } from "./tally.ts";

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
export function rightOf(
  rows: readonly ImportRow[],
  { failures }: ImportOutcome,
): readonly ImportRow[] {
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
