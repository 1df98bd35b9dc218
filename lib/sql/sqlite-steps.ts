import { done, refused, type Result } from "../base/result.ts";
import type { BatchRows, SqlRow, SqlValue, Step } from "./sql.ts";

/** Runs one statement of SQLite and returns its rows. */
export type RunStatement = (text: string, values: readonly SqlValue[]) => readonly SqlRow[];

/** How many rows a statement adds: SQLite takes about as long to begin one as to add a row. */
const ROWS_AT_ONCE = 8;
/** The same for a step of at least so many rows, such as an import's. */
const MANY_ROWS = 64;

/** Returns an `INSERT … VALUES (…)` for several rows. */
const insertOf = (() => {
  const known = new Map<string, Map<number, string>>();
  return (text: string, rows: number): string => {
    let texts = known.get(text);
    if (texts === undefined) known.set(text, (texts = new Map()));
    let found = texts.get(rows);
    if (found === undefined) {
      found = text + `, ${text.slice(text.lastIndexOf("("))}`.repeat(rows - 1);
      texts.set(rows, found);
    }
    return found;
  };
})();

/**
 * Runs the steps of a batch within a transaction, which the caller rolls back if a step is not accepted, or throws. A
 * statement that adds rows binds at most `maxVariables` values, unless one row has more.
 */
export function runSteps(
  steps: readonly Step[],
  accept: (rows: readonly SqlRow[], index: number) => boolean,
  run: RunStatement,
  maxVariables: number = Number.POSITIVE_INFINITY,
): Result<BatchRows, number> {
  const rows: (readonly SqlRow[])[] = [];
  for (const step of steps) {
    const found = runStep(step, rows, run, maxVariables);
    if (!accept(found, rows.length)) return refused(rows.length);
    rows.push(found);
  }
  return done(rows);
}

function runStep(
  step: Step,
  earlier: BatchRows,
  run: RunStatement,
  maxVariables: number,
): readonly SqlRow[] {
  const { text, values, times } = step;
  if (times !== undefined) {
    addRows(step, earlier, run, maxVariables);
    return [];
  }
  const bound = typeof values === "function" ? values(earlier, 0) : values;
  return bound === undefined ? [] : run(text, bound);
}

function addRows(
  { text, values, times = 1 }: Step,
  earlier: BatchRows,
  run: RunStatement,
  maxVariables: number,
): void {
  let bound: SqlValue[] = [];
  let rows = 0;
  let most = times < MANY_ROWS ? ROWS_AT_ONCE : MANY_ROWS;
  for (let index = 0; index < times; index++) {
    const row = typeof values === "function" ? values(earlier, index) : values;
    if (row !== undefined) {
      bound.push(...row);
      rows++;
    }
    const isFull = rows === most || bound.length + (row?.length ?? 0) > maxVariables;
    if (isFull || (rows > 0 && index === times - 1)) {
      run(insertOf(text, rows), bound);
      bound = [];
      rows = 0;
      // The rest uses the small sizes, so that few statements are kept.
      if (times - index <= MANY_ROWS) most = ROWS_AT_ONCE;
    }
  }
}
