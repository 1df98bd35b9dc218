import type { ImportRow } from "../../../../../lib/actions/local-client.ts";
import { nearest } from "../../../../../lib/base/nearest.ts";
import type { ImportFault } from "../../../../../lib/management/pet-import.ts";
import { type Category, foldCategoryName } from "../../../../../lib/model/category.ts";
import { type PetStatus, petStatuses } from "../../../../../lib/model/pet.ts";
import { faultOfName } from "../../../../../lib/model/text.ts";
import type { ImportingWords } from "../../../words/en/importing.ts";

/** What a file would bring, or has brought, as far as it was looked at. */
export interface Report {
  /** Rows that are right as things are. */
  readonly right: number;
  /** Rows that would be right if their category were there. */
  readonly waiting: number;
  /** Rows that are wrong whatever is done. */
  readonly wrong: number;
  /** Of the rows that are right, and of those together with the ones that wait. */
  readonly sums: { readonly right: Sums; readonly hoped: Sums };
  /** Categories that rows wait for: how many rows, by name as the first of them writes it. */
  readonly missing: ReadonlyMap<string, number>;
  /** Some of the rows that are counted in `sums`: the first of each kind, then the first ones. */
  readonly samples: { readonly right: readonly ImportRow[]; readonly hoped: readonly ImportRow[] };
  /** What is wrong, by line: of all that is not right, and of that alone which nothing mends. */
  readonly faults: {
    readonly all: readonly ImportFault[];
    readonly lasting: readonly ImportFault[];
  };
}

/** What animals there are among some rows. */
export interface Sums {
  readonly byStatus: Readonly<Record<PetStatus, number>>;
  /** By the name or the number that rows give; the first ones met. */
  readonly byCategory: ReadonlyMap<string, number>;
}

export interface Tally {
  /** Rows that were found right. */
  readonly right: (rows: readonly ImportRow[]) => void;
  readonly fault: (fault: ImportFault) => void;
  readonly report: () => Report;
}

/** The rows of a sample: more where there are more kinds. */
const MAX_SAMPLE = 5;
/** As many as a list of faults has. */
const MAX_FAULTS = 10_000;
const MAX_CATEGORIES = 100;
/** More than these are no categories, but another column. */
export const MAX_MISSING = 50;

/** Adds up what is found in a file, in memory that does not grow with it. */
export function createTally(): Tally {
  let [right, waiting, wrong] = [0, 0, 0];
  const [sum, hope] = [createSums(), createSums()];
  const missing = new Map<string, { readonly name: string; rows: number }>();
  const [some, hoped] = [createSample(), createSample()];
  const all: ImportFault[] = [];
  const lasting: ImportFault[] = [];

  const awaits = (fault: ImportFault): boolean => {
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
    right: (rows) => {
      for (const row of rows) {
        right++;
        sum.add(row);
        hope.add(row);
        some.add(row, "right");
        hoped.add(row, "right");
      }
    },
    fault: (fault) => {
      if (all.length < MAX_FAULTS) all.push(fault);
      if ("row" in fault && awaits(fault)) {
        waiting++;
        hope.add(fault.row);
        hoped.add(fault.row, "waiting");
        return;
      }
      wrong++;
      if (lasting.length < MAX_FAULTS) lasting.push(fault);
    },
    report: () => ({
      right,
      waiting,
      wrong,
      sums: { right: sum.sums(), hoped: hope.sums() },
      missing: new Map(Array.from(missing.values(), ({ name, rows }) => [name, rows])),
      samples: { right: some.rows(), hoped: hoped.rows() },
      faults: { all: [...all], lasting: [...lasting] },
    }),
  };
}

function createSums(): { readonly add: (row: ImportRow) => void; readonly sums: () => Sums } {
  const byStatus = { available: 0, pending: 0, sold: 0 };
  const byCategory = new Map<string, number>();
  return {
    add: (row) => {
      byStatus[statusOf(row)]++;
      const category = categoryOf(row);
      const known = byCategory.get(category);
      if (known !== undefined || byCategory.size < MAX_CATEGORIES) {
        byCategory.set(category, (known ?? 0) + 1);
      }
    },
    sums: () => ({ byStatus: { ...byStatus }, byCategory: new Map(byCategory) }),
  };
}

interface Sample {
  readonly add: (row: ImportRow, standing: "right" | "waiting") => void;
  readonly rows: () => readonly ImportRow[];
}

/** Keeps a few rows, so that each status is among them, and a row that waits for its category. */
function createSample(): Sample {
  const kept: { readonly row: ImportRow; readonly isFirst: boolean }[] = [];
  const kinds = new Set<string>();
  return {
    add: (row, standing) => {
      const kind = `${standing} ${statusOf(row)}`;
      const isFirst = !kinds.has(kind);
      kinds.add(kind);
      const others = kept.filter((one) => !one.isFirst).length;
      if (isFirst || others < MAX_SAMPLE) kept.push({ row, isFirst });
    },
    rows: () => {
      let room = Math.max(0, MAX_SAMPLE - kinds.size);
      return kept.filter(({ isFirst }) => isFirst || room-- > 0).map(({ row }) => row);
    },
  };
}

/** The category that a row needs and nobody has made, where one can have that name. */
export function missingCategory(fault: ImportFault): string | undefined {
  if (!("problem" in fault) || fault.problem.code !== "unknown_category") return undefined;
  const { category } = fault.row;
  if (typeof category !== "string" || faultOfName(category, 80) !== undefined) return undefined;
  return category.normalize("NFC").trim();
}

function statusOf({ status }: ImportRow): PetStatus {
  return petStatuses.find((one) => one === status) ?? "available";
}

/** A number is told from a name by its sign. */
function categoryOf({ category, categoryId }: ImportRow): string {
  return typeof category === "string" ? category.trim() : `#${String(categoryId)}`;
}

/** What is wrong with a row, in the reader's words; what has none there, as the service says it. */
export function faultText(
  fault: ImportFault,
  said: ImportingWords,
  categories: readonly Category[],
): string {
  if ("fault" in fault) return said.row(fault.fault);
  const { problem, row } = fault;
  const field = /^\/([^/]+)$/.exec(problem.errors?.[0]?.pointer ?? "")?.[1] ?? "";
  const { code } = problem;
  if (code === "unknown_category") {
    const name = text(row.category ?? `#${text(row.categoryId)}`);
    const known = categories.map((one) => one.name);
    return said.unknownCategory(name, nearest(name, known));
  }
  if (code === "missing_field") return said.missing(field);
  if (code === "unknown_field") return said.unknownField(field);
  if (code !== "invalid_value") return problem.message;
  if (field === "name") return said.badName;
  return field === "status" ? said.badStatus(text(row.status)) : said.badCategory;
}

/** As many characters of a stranger's value as a line has room for. */
function text(value: unknown): string {
  const whole = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
