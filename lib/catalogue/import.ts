import { nearest } from "../base/nearest.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { check } from "../base/check.ts";
import { inSteps, nextTurn, type Pause } from "../base/steps.ts";
import { MOST_ROWS } from "../base/traffic.ts";
import { foldCategoryName, MAX_CATEGORY_NAME, MAX_SPELLING, type NewPet } from "./model.ts";
import { NewPetSchema } from "./schema.ts";
import { statusNamed, statusWords } from "./status-words.ts";
import { faultOfName, normalText, trimText } from "../model/text.ts";
import { StoreUnavailable } from "../sql/sql.ts";
import type { StoreReads } from "../storage/store.ts";
import type { CatalogueContext } from "./commit.ts";
import { normalPet, unknownCategory } from "./pets.ts";

/** The most rows per call. */
export const MAX_IMPORT_ROWS = 1_000;
/** The most categories that one call creates. A column with more distinct values is probably not a category. */
export const MAX_NEW_CATEGORIES = 50;
const MAX_ROUNDS = 5;
/** Rows to check, or categories to read, between two pauses. */
const ROWS_A_STEP = 100;
const CATEGORIES_A_STEP = 1_000;
/** The most missing categories that get a suggestion, and the most names it is chosen from. */
const MAX_SUGGESTIONS = 10;
const MAX_CANDIDATES = 200;
/** Names to compare between two pauses, in addition to one suggestion: a comparison takes up to 50 µs. */
const COMPARISONS_A_STEP = 100;

/** An unchecked animal to import. `category` is a name and replaces `categoryId`. */
export interface ImportRow extends Readonly<Partial<Record<keyof NewPet, unknown>>> {
  readonly category?: unknown;
}

/** The outcome of an import. */
export interface ImportOutcome {
  /** The number of rows that were added or, in a dry run, would be. */
  readonly added: number;
  /** The rows that were not added, by index. */
  readonly failures: readonly { readonly index: number; readonly problem: Problem }[];
  /** The names of the categories that were created or, in a dry run, would be. */
  readonly categories: readonly string[];
}

type Failure = ImportOutcome["failures"][number];

interface ImportInput {
  readonly rows: readonly ImportRow[];
  readonly dryRun?: boolean | undefined;
  readonly createCategories?: boolean | undefined;
}

/** A valid row, by its index among all rows of the call. */
interface Valid {
  readonly index: number;
  readonly pet: NewPet;
}

/** The result of checking the rows that were not added yet. */
interface Judged {
  readonly pets: readonly Valid[];
  readonly failures: ImportOutcome["failures"];
  /** The names of missing categories that otherwise valid rows need. */
  readonly wanted: readonly string[];
  /** The number of rows that need one of them. */
  readonly waiting: number;
}

/**
 * Adds the valid rows in order and returns the faults of the others. Missing categories are created first. The size of a
 * commit depends on other requests (`Traffic`). If the store becomes unavailable after the first commit, the remaining
 * rows fail with `unavailable`. `pause` lets the server handle other requests between two steps.
 */
export async function importPets(
  context: CatalogueContext,
  catalogueId: number,
  { rows, dryRun = false, createCategories = false }: ImportInput,
  pause?: Pause,
): Promise<Result<ImportOutcome, Problem>> {
  if (!Array.isArray(rows) || rows.length > MAX_IMPORT_ROWS) {
    return refused(problem("invalid_value", `At most ${MAX_IMPORT_ROWS} rows at a time.`));
  }
  const { store, commit, clock } = context;
  const created: string[] = [];
  /** The faults of the rows before `from`, which the next round starts with. */
  const settled: Failure[] = [];
  let from = 0;
  let added = 0;
  for (let round = 1; ; round++) {
    // Read in every round: a category may be deleted between the read and the commit.
    const categories = await allCategories(store, catalogueId, pause);
    // If another request creates one of the names at the same time, the next round finds it.
    const creates = createCategories && round <= MAX_ROUNDS;
    const room = creates ? MAX_NEW_CATEGORIES - created.length : 0;
    const judged = await inSteps(judge(rows, from, categories, room), pause);
    const { pets, failures, wanted, waiting } = judged;
    if (dryRun) return done({ added: pets.length + waiting, failures, categories: wanted });
    if (wanted.length > 0) {
      const at = clock.now();
      const made = await commit(
        wanted.map((name) => ({ kind: "category.create", catalogueId, name, at })),
      );
      if (made.ok) created.push(...wanted);
      else if (made.failure.refusal !== "exists") return refused(accountDeleted);
      continue;
    }
    const written = await addPets(context, catalogueId, pets, pause);
    added += written.added;
    if (written.end === "account deleted") return refused(accountDeleted);
    if (written.end === "unavailable" && added === 0) throw written.error;
    if (written.end !== "category deleted") {
      const left = written.end === "unavailable" ? pets.slice(written.added) : [];
      const unadded = left.map(({ index }) => ({ index, problem: notAdded }));
      const all = [...settled, ...failures, ...unadded].toSorted((a, b) => a.index - b.index);
      return done({ added, failures: all, categories: created });
    }
    const next = pets[written.added]?.index ?? from;
    settled.push(...failures.filter(({ index }) => index < next));
    from = next;
  }
}

const accountDeleted: Problem = problem("not_found", "There is no such account.");

const notAdded: Problem = problem(
  "unavailable",
  "The service became unavailable before it added this row.",
);

/** How many of the first pets were added, and why the rest was not. */
type Added = { readonly added: number } & (
  | { readonly end: "done" | "account deleted" | "category deleted" }
  | { readonly end: "unavailable"; readonly error: StoreUnavailable }
);

async function addPets(
  { store, commit, clock }: CatalogueContext,
  catalogueId: number,
  pets: readonly Valid[],
  pause: Pause = nextTurn,
): Promise<Added> {
  let added = 0;
  while (added < pets.length) {
    // Where a commit can be in doubt, it is the only one of the call.
    const rows = store.traffic?.rowsAtOnce(clock.now()) ?? pets.length;
    // Imports that run at the same time take turns. Otherwise their commits would add up.
    if (store.traffic !== undefined && rows < MOST_ROWS) await pause();
    const at = clock.now();
    const batch = pets.slice(added, added + rows);
    try {
      const committed = await commit(
        batch.map(({ pet }) => ({ kind: "pet.create", catalogueId, pet, at })),
      );
      if (!committed.ok) {
        const missing = committed.failure.refusal === "unknown_category";
        return { added, end: missing ? "category deleted" : "account deleted" };
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return { added, end: "unavailable", error };
    }
    added += batch.length;
  }
  return { added, end: "done" };
}

/** The existing categories of a catalogue. */
interface Known {
  readonly ids: ReadonlySet<number>;
  /** The ids of categories by folded name. */
  readonly byName: ReadonlyMap<string, number>;
}

async function allCategories(
  store: StoreReads,
  catalogueId: number,
  pause: Pause = nextTurn,
): Promise<Known> {
  const ids = new Set<number>();
  const byName = new Map<string, number>();
  const limit = CATEGORIES_A_STEP;
  for (let after = 0; ;) {
    const page = await store.categories.list(catalogueId, { limit, order: "asc", after });
    for (const { id, name } of page) {
      ids.add(id);
      byName.set(foldCategoryName(name), id);
      after = id;
    }
    if (page.length < limit) return { ids, byName };
    await pause();
  }
}

/** Checks the rows from index `from`; yields after each step. `room` is how many categories may be created. */
function* judge(
  rows: readonly ImportRow[],
  from: number,
  known: Known,
  room: number,
): Generator<undefined, Judged> {
  const failures: Failure[] = [];
  const pets: Valid[] = [];
  const wanted = new Map<string, string>();
  const suggest = suggestions(known);
  let waiting = 0;
  let compared = 0;
  for (const [index, row] of rows.entries()) {
    if (index < from) continue;
    const manyNames = suggest.compared - compared >= COMPARISONS_A_STEP;
    if (manyNames || (index > from && index % ROWS_A_STEP === 0)) {
      yield;
      compared = suggest.compared;
    }
    const pet = petOf(row, known, suggest, (folded, name) => {
      if (!wanted.has(folded) && wanted.size >= room) return false;
      if (faultOfName(name, MAX_CATEGORY_NAME) !== undefined) return false;
      if (!wanted.has(folded)) wanted.set(folded, normalText(name));
      waiting++;
      return true;
    });
    if (!pet.ok) failures.push({ index, problem: pet.failure });
    else if (pet.value !== undefined) pets.push({ index, pet: pet.value });
  }
  return { pets, failures, wanted: [...wanted.values()], waiting };
}

/** A placeholder for a category to be created, while the other fields are checked. */
const SOME_CATEGORY = 1;

/** Returns undefined for a row whose category must be created first; `want` has recorded the name. */
function petOf(
  row: ImportRow,
  known: Known,
  suggest: Suggestions,
  want: (folded: string, name: string) => boolean,
): Result<NewPet | undefined, Problem> {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    return refused(problem("invalid_body", "A row must be an object."));
  }
  const { category, ...fields } = row;
  if (category === undefined || fields.categoryId !== undefined) {
    const pet = checked(row);
    if (!pet.ok || known.ids.has(pet.value.categoryId)) return pet;
    return refused(unknownCategory(pet.value.categoryId));
  }
  if (typeof category !== "string") {
    return refused(problem("invalid_value", '"category" must be the name of a category.'));
  }
  const name = trimText(category);
  const folded = name.length > MAX_SPELLING ? undefined : foldCategoryName(name);
  const id = folded === undefined ? undefined : known.byName.get(folded);
  const pet = checked({ ...fields, categoryId: id ?? SOME_CATEGORY });
  if (id !== undefined) return pet;
  if (folded !== undefined && pet.ok && want(folded, name)) return done(undefined);
  return refused(unknownName(name, suggest.nameLike(folded ?? "")));
}

function checked(row: ImportRow): Result<NewPet, Problem> {
  const outcome = check(NewPetSchema, withStatus(row));
  if (outcome.ok) return done(normalPet(outcome.value));
  const [first] = outcome.failure;
  if (first.pointer === "/status" && typeof row.status === "string") {
    return refused(unknownStatus(row.status));
  }
  return refused(problem(first.code, first.message, { errors: outcome.failure }));
}

/** Replaces the word for a status by the status. */
function withStatus(row: ImportRow): ImportRow {
  const status = typeof row.status === "string" ? statusNamed(row.status) : undefined;
  return status === undefined ? row : { ...row, status };
}

function unknownStatus(status: string): Problem {
  const { available, pending, sold } = statusWords.en;
  const message = `${JSON.stringify(status.slice(0, 80))} is not a status. Use ${available}, ${pending} or ${sold}.`;
  const error = { pointer: "/status", code: "invalid_value", message } as const;
  return problem("invalid_value", message, { errors: [error] });
}

function unknownName(name: string, meant: string | undefined): Problem {
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  return problem(
    "unknown_category",
    `There is no category ${JSON.stringify(name.slice(0, 80))}.${hint}`,
  );
}

interface Suggestions {
  /** Returns the existing name closest to a missing one. */
  nameLike(folded: string): string | undefined;
  /** The number of names compared so far. */
  readonly compared: number;
}

/** Compares each missing name once, and only the first few: the caller decides how many rows and categories there are. */
function suggestions({ byName }: Known): Suggestions {
  const made = new Map<string, string | undefined>();
  let candidates: readonly string[] | undefined;
  let compared = 0;
  return {
    nameLike: (folded) => {
      if (made.has(folded) || made.size >= MAX_SUGGESTIONS) return made.get(folded);
      candidates ??= [...byName.keys()].slice(0, MAX_CANDIDATES);
      compared += candidates.length;
      const meant = nearest(folded, candidates);
      made.set(folded, meant);
      return meant;
    },
    get compared() {
      return compared;
    },
  };
}
