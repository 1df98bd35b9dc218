import { noEvidence, withEvidence, type OrderEvidence } from "./dates.ts";
import type { Cell } from "./table.ts";
import { saysNothing } from "./words.ts";

/** What the rows of a file say about one of its columns. */
export interface ColumnSurvey {
  /** The rows that have a value in it. */
  readonly filled: number;
  /** The first different values, at most 3, each at most 80 characters long. */
  readonly samples: readonly string[];
  /** The first different values that say something, at most 60, each cut at 80 characters. */
  readonly values: readonly string[];
  /** Only for columns of dates. */
  readonly order: OrderEvidence;
}

/** What the rows of a file say about its columns. */
export interface Survey {
  readonly rows: number;
  /** The surveys in the order of the columns. */
  readonly columns: readonly ColumnSurvey[];
}

const MAX_SAMPLES = 3;
const MAX_SAMPLE = 80;
const MAX_VALUES = 60;

/** Counts the values of columns in constant memory. */
export interface Surveyor {
  readonly add: (cells: readonly Cell[]) => void;
  readonly result: () => Survey;
}

/** Creates a surveyor. `dates`: the indexes of the columns that may contain dates. */
export function createSurveyor(count: number, dates: ReadonlySet<number>): Surveyor {
  const columns = Array.from({ length: count }, () => ({
    filled: 0,
    samples: new Set<string>(),
    values: new Set<string>(),
    order: noEvidence,
  }));
  let rows = 0;
  return {
    add: (cells) => {
      rows++;
      for (const [index, column] of columns.entries()) {
        const value = String(cells[index] ?? "");
        if (value === "") continue;
        column.filled++;
        if (column.samples.size < MAX_SAMPLES) {
          column.samples.add(value.replaceAll(/\s+/gu, " ").slice(0, MAX_SAMPLE));
        }
        if (column.values.size < MAX_VALUES && !saysNothing(value)) {
          column.values.add(value.slice(0, MAX_SAMPLE));
        }
        if (dates.has(index)) column.order = withEvidence(column.order, value);
      }
    },
    result: () => ({
      rows,
      columns: columns.map(({ filled, samples, values, order }) => ({
        filled,
        samples: [...samples],
        values: [...values],
        order,
      })),
    }),
  };
}
