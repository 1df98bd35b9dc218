import type { ImportRow } from "../../../../../lib/catalogue/import.ts";
import { nearest } from "../../../../../lib/base/nearest.ts";
import type { ImportFault } from "../../../../../lib/catalogue/pet-import.ts";
import {
  type Category,
  foldCategoryName,
  type PetStatus,
  petStatuses,
} from "../../../../../lib/catalogue/model.ts";
import { faultOfName } from "../../../../../lib/model/text.ts";
import type { ImportingWords } from "../../../words/en/importing.ts";

/** What a file would add, or has added: the rows that can be added now, and those that also need a new category. */
export interface Report {
  readonly valid: number;
  /** Rows that are valid once their category exists. */
  readonly waiting: number;
  readonly invalid: number;
  readonly sums: { readonly valid: Sums; readonly withWaiting: Sums };
  /** The number of waiting rows by missing category, spelled as in the first of them. */
  readonly missing: ReadonlyMap<string, number>;
  /** A few of the rows in `sums`: the first of each kind, then the first ones. */
  readonly samples: {
    readonly valid: readonly ImportRow[];
    readonly withWaiting: readonly ImportRow[];
  };
  /** The faults by line; `lasting` leaves out those of waiting rows. */
  readonly faults: {
    readonly all: readonly ImportFault[];
    readonly lasting: readonly ImportFault[];
  };
}

/** Numbers of animals. */
export interface Sums {
  readonly byStatus: Readonly<Record<PetStatus, number>>;
  /** By category name, or by `#` and its id; the first 100 categories of the file. */
  readonly byCategory: ReadonlyMap<string, number>;
}

export interface Tally {
  readonly valid: (rows: readonly ImportRow[]) => void;
  readonly fault: (fault: ImportFault) => void;
  readonly report: () => Report;
}

/** Rows of a sample, unless it has more kinds of rows. */
const MAX_SAMPLE = 5;
const MAX_FAULTS = 10_000;
const MAX_CATEGORIES = 100;
/** A column with more missing categories does not hold categories. */
export const MAX_MISSING = 50;

/** Adds up the rows of a file. Its memory does not grow with the file. */
export function createTally(): Tally {
  let [validRows, waitingRows, invalidRows] = [0, 0, 0];
  const valid = createSummary();
  const withWaiting = createSummary();
  const missing = new Map<string, { readonly name: string; rows: number }>();
  const all: ImportFault[] = [];
  const lasting: ImportFault[] = [];

  const isWaiting = (fault: ImportFault): boolean => {
    const name = missingCategory(fault);
    if (name === undefined) return false;
    const folded = foldCategoryName(name);
    const known = missing.get(folded);
    if (known === undefined && missing.size >= MAX_MISSING) return false;
    if (known === undefined) missing.set(folded, { name, rows: 1 });
    else known.rows++;
    return true;
  };
  return {
    valid: (rows) => {
      validRows += rows.length;
      for (const row of rows) {
        valid.add(row, "valid");
        withWaiting.add(row, "valid");
      }
    },
    fault: (fault) => {
      if (all.length < MAX_FAULTS) all.push(fault);
      if ("row" in fault && isWaiting(fault)) {
        waitingRows++;
        withWaiting.add(fault.row, "waiting");
        return;
      }
      invalidRows++;
      if (lasting.length < MAX_FAULTS) lasting.push(fault);
    },
    report: () => ({
      valid: validRows,
      waiting: waitingRows,
      invalid: invalidRows,
      sums: { valid: valid.sums(), withWaiting: withWaiting.sums() },
      missing: new Map(Array.from(missing.values(), ({ name, rows }) => [name, rows])),
      samples: { valid: valid.sample(), withWaiting: withWaiting.sample() },
      faults: { all: [...all], lasting: [...lasting] },
    }),
  };
}

interface Summary {
  readonly add: (row: ImportRow, state: "valid" | "waiting") => void;
  readonly sums: () => Sums;
  readonly sample: () => readonly ImportRow[];
}

/** Counts rows, and samples them so that each status and each state is among them. */
function createSummary(): Summary {
  const byStatus = { available: 0, pending: 0, sold: 0 };
  const byCategory = new Map<string, number>();
  const kept: { readonly row: ImportRow; readonly isFirst: boolean }[] = [];
  const kinds = new Set<string>();
  return {
    add: (row, state) => {
      const status = statusOf(row);
      byStatus[status]++;
      const category = categoryOf(row);
      const count = byCategory.get(category);
      if (count !== undefined || byCategory.size < MAX_CATEGORIES) {
        byCategory.set(category, (count ?? 0) + 1);
      }
      const kind = `${state} ${status}`;
      const isFirst = !kinds.has(kind);
      kinds.add(kind);
      const others = kept.filter((one) => !one.isFirst).length;
      if (isFirst || others < MAX_SAMPLE) kept.push({ row, isFirst });
    },
    sums: () => ({ byStatus: { ...byStatus }, byCategory: new Map(byCategory) }),
    sample: () => {
      let room = Math.max(0, MAX_SAMPLE - kinds.size);
      return kept.filter(({ isFirst }) => isFirst || room-- > 0).map(({ row }) => row);
    },
  };
}

/** Returns the missing category of a row, if a category can have that name. */
export function missingCategory(fault: ImportFault): string | undefined {
  if (!("problem" in fault) || fault.problem.code !== "unknown_category") return undefined;
  const { category } = fault.row;
  if (typeof category !== "string" || faultOfName(category, 80) !== undefined) return undefined;
  return category.normalize("NFC").trim();
}

function statusOf({ status }: ImportRow): PetStatus {
  return petStatuses.find((one) => one === status) ?? "available";
}

function categoryOf({ category, categoryId }: ImportRow): string {
  return typeof category === "string" ? category.trim() : `#${String(categoryId)}`;
}

/** Describes a row's fault in the user's language, or in the service's words if it is unknown here. */
export function faultText(
  fault: ImportFault,
  words: ImportingWords,
  categories: readonly Category[],
): string {
  if ("fault" in fault) return words.row(fault.fault);
  const { problem, row } = fault;
  const field = /^\/([^/]+)$/.exec(problem.errors?.[0]?.pointer ?? "")?.[1] ?? "";
  const { code } = problem;
  if (code === "unknown_category") {
    const name = text(row.category ?? `#${text(row.categoryId)}`);
    const known = categories.map((one) => one.name);
    return words.unknownCategory(name, nearest(name, known));
  }
  if (code === "missing_field") return words.missing(field);
  if (code === "unknown_field") return words.unknownField(field);
  if (code !== "invalid_value") return problem.message;
  if (field === "name") return words.badName;
  if (field === "status") return words.badStatus(text(row.status));
  return field === "categoryId" || field === "" ? words.badCategory : problem.message;
}

/** Shortens a value to fit on a line. */
function text(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
