import type { Category } from "../catalogue/model.ts";
import { foldCategoryName } from "../catalogue/model.ts";
import {
  animalReader,
  type AnimalReaderOptions,
  type ImportedAnimal,
  type ReadAnimal,
} from "./animal.ts";
import { withPhotoFiles, type PhotoFiles } from "./photo-files.ts";
import type { ColumnFault } from "./row-view.ts";
import type { ImportChoices } from "./choices.ts";
import { ruleOf } from "./fields.ts";
import { draftMapping, finishMapping, type Mapping } from "./mapping.ts";
import { createSurveyor } from "./survey.ts";
import { presentProfiles } from "./decide.ts";
import type { Looks } from "./looks.ts";
import {
  animalsOfSources,
  countMissing,
  fileKeys,
  missingQuestion,
  type Missing,
} from "./missing.ts";
import type { ImportRequest } from "./choices-schema.ts";
import type { StoreReads } from "../storage/store.ts";
import { keyOf } from "./read-profile.ts";
import type { RowFault, Table } from "./table.ts";
import { valueForm } from "./words.ts";

/** The most categories that one file creates. A column with more values holds no categories. */
export const MAX_CREATED_CATEGORIES = 50;
/** The most groups of faults with a value of their own; further values count in one group per field. */
const MAX_GROUPS = 100;
/** The most lines that a group names. */
const MAX_LINES = 10;
const MAX_FIRST_ANIMALS = 5;
/** The most animals that are looked for at once. */
const MAX_COMPARED = 1_000;

/** Rows with the same fault, or with the same unknown value. */
export interface FaultGroup {
  /** The fault of the first row. */
  readonly fault: RowFault | ColumnFault;
  readonly count: number;
  /** The lines of the first rows, at most 10. */
  readonly lines: readonly number[];
  /** Further values with a fault of this kind count here. */
  readonly more?: true;
}

/** What a file contains, and what is missing to import it. */
export interface ImportPlan {
  readonly mapping: Mapping;
  /** The animals that can be imported. */
  readonly animals: number;
  /** The rows that the person chose to leave out, and further rows that only repeat an animal's number and name. */
  readonly skipped: number;
  /** The rows that have faults. */
  readonly faulty: number;
  readonly faults: readonly FaultGroup[];
  /** The names of the categories to create, at most 51: more than 50 are refused. */
  readonly newCategories: readonly string[];
  readonly tooManyCategories: boolean;
  /** The animals that have a key, which makes a later import an update. */
  readonly keyed: number;
  /** The animals that are there, by key, and will be updated. */
  readonly updates: number;
  /** The animals whose key is not there, but an animal with their name and category. */
  readonly alike: { readonly count: number; readonly first: readonly ImportedAnimal[] };
  /** The animals that are here and not in the file. Absent without a column with keys. */
  readonly missing?: Missing;
  /** The photos that the rows name: how many, and the first one. */
  readonly photos: {
    readonly count: number;
    readonly first?: { readonly line: number; readonly photo: string };
  };
  /** The pictures of the archive that no animal gets; absent without an archive. */
  readonly unused?: { readonly count: number; readonly first: readonly string[] };
  /** The first animals, at most 5, to be shown. */
  readonly first: readonly ImportedAnimal[];
}

/** What a plan is made from. */
export interface PlanInput {
  readonly table: Table;
  readonly choices: ImportChoices;
  readonly categories: readonly Category[];
  /** The present date, `2026-11-26`. */
  readonly today: string;
  /** The files of the archive of photos. Absent: the table alone names photos. */
  readonly files?: PhotoFiles | undefined;
  /** Where the animals go, to be compared with those that are there. Absent: an empty catalogue. */
  readonly catalogue?: {
    readonly store: StoreReads;
    readonly id: number;
    readonly looks: Looks;
  };
  /** Called after each batch of rows with the number of rows read in both passes, of at most `2 × rows`. */
  readonly onProgress?: (read: number) => void;
}

/** Reads the columns of a table, and what its rows say about them. Throws `TableRefused`. */
export async function surveyTable(
  table: Table,
  choices: ImportChoices,
  onRows: (count: number) => void = () => undefined,
): Promise<Mapping> {
  const draft = draftMapping(table.columns, choices);
  const dates = new Set(
    [...draft.columns.entries()].flatMap(([index, { fields }]) =>
      fields.some((field) => ruleOf(field).kind === "date") ? [index] : [],
    ),
  );
  const surveyor = createSurveyor(table.columns.length, dates);
  for await (const batch of table.rows()) {
    for (const row of batch) if ("cells" in row) surveyor.add(row.cells);
    onRows(batch.length);
  }
  return finishMapping(draft, surveyor.result(), choices);
}

/** Counts all animals of a table whose photos are in an archive. Throws `TableRefused`. */
export async function noteAnimals(
  table: Table,
  options: AnimalReaderOptions,
  files: PhotoFiles | undefined,
): Promise<void> {
  if (files === undefined) return;
  const readRow = animalReader(options);
  for await (const batch of table.rows()) {
    for (const row of batch) {
      const read = "cells" in row ? readRow(row.line, row.cells) : undefined;
      if (read !== undefined && "animal" in read) files.note(read.animal);
    }
  }
}

/** Plans an import: reads the table twice, or three times with an archive, and changes nothing. Throws `TableRefused`. */
export async function planImport(input: PlanInput): Promise<ImportPlan> {
  const { table, choices, categories, today, catalogue, files, onProgress } = input;
  let read = 0;
  const count = (rows: number): void => {
    read += rows;
    onProgress?.(read);
  };
  const mapping = await surveyTable(table, choices, count);
  const faults = createFaultGroups();
  const created = new Map<string, string>();
  const first: ImportedAnimal[] = [];
  const alike: ImportedAnimal[] = [];
  let [animals, skipped, faulty, keyed, updates, looksAlike] = [0, 0, 0, 0, 0, 0];
  let photos: ImportPlan["photos"] = { count: 0 };
  const keys = fileKeys(mapping);
  let unread = 0;
  const reading = { mapping, choices, categories, today };
  const readRow = withPhotoFiles(animalReader({ ...reading, onKey: keys?.note }), files);
  const judge = (row: ReadAnimal, line: number): ImportedAnimal | undefined => {
    if ("animal" in row) return row.animal;
    if ("skipped" in row) skipped++;
    else {
      faulty++;
      for (const fault of row.faults) faults.add(line, fault);
    }
    return undefined;
  };
  const tally = (animal: ImportedAnimal): void => {
    animals++;
    if (animal.profile.externalId !== undefined) keyed++;
    const [photo] = animal.photos;
    if (photo !== undefined) {
      photos = {
        first: { line: animal.line, photo },
        ...photos,
        count: photos.count + animal.photos.length,
      };
    }
    if (first.length < MAX_FIRST_ANIMALS) first.push(animal);
    if (typeof animal.category === "string" && created.size <= MAX_CREATED_CATEGORIES) {
      const folded = foldCategoryName(animal.category);
      if (!created.has(folded)) created.set(folded, animal.category);
    }
  };
  const compare = async (found: readonly ImportedAnimal[]): Promise<void> => {
    if (catalogue === undefined) return;
    const { store, id, looks } = catalogue;
    for (let from = 0; from < found.length; from += MAX_COMPARED) {
      const some = found.slice(from, from + MAX_COMPARED);
      const present = await presentProfiles(
        store,
        id,
        some.map(({ profile }) => profile),
      );
      const here = new Set(present.map(({ fields }) => keyOf(fields)));
      for (const animal of some) {
        if (here.has(keyOf(animal.profile))) updates++;
        else if (looks.has(animal)) {
          looksAlike++;
          if (alike.length < MAX_FIRST_ANIMALS) alike.push(animal);
        }
      }
    }
  };
  // Without its name or category, every row would have the same fault.
  const readable = !mapping.questions.some(
    ({ code }) => code === "no_column" || code === "several_columns",
  );
  if (readable) await noteAnimals(table, reading, files);
  for await (const batch of table.rows()) {
    const found: ImportedAnimal[] = [];
    for (const row of batch) {
      if (!("cells" in row)) {
        faulty++;
        unread++;
        faults.add(row.line, row.fault);
      } else if (readable) {
        const known = keys?.count();
        const said = readRow(row.line, row.cells);
        if ("faults" in said && keys?.count() === known) unread++;
        const animal = judge(said, row.line);
        if (animal !== undefined) found.push(animal);
      }
    }
    for (const animal of found) tally(animal);
    await compare(found);
    count(batch.length);
  }
  const newCategories = [...created.values()];
  const fromSources =
    keys === undefined || catalogue === undefined || !readable
      ? undefined
      : animalsOfSources(catalogue.store, catalogue.id, keys);
  return {
    mapping,
    animals,
    skipped,
    faulty,
    faults: faults.all(),
    newCategories,
    tooManyCategories: newCategories.length > MAX_CREATED_CATEGORIES,
    keyed,
    updates,
    alike: { count: looksAlike, first: alike },
    ...(fromSources !== undefined && { missing: await countMissing(fromSources, unread) }),
    photos,
    ...(files !== undefined && readable && { unused: unusedOf(files) }),
    first,
  };
}

/** The most unused pictures of an archive that a plan names. */
const MAX_UNUSED = 20;

function unusedOf(files: PhotoFiles): Required<ImportPlan>["unused"] {
  const unused = files.unused();
  return { count: unused.length, first: unused.slice(0, MAX_UNUSED) };
}

/** Returns true if the plan can run: every question is answered, and rows with faults may be left out or do not exist. */
export function isReady(
  plan: ImportPlan,
  request: Pick<ImportRequest, "goodRows" | "alike" | "missing" | "manyMissing">,
): boolean {
  const { goodRows = false, alike, missing } = request;
  if (plan.mapping.questions.length > 0 || plan.tooManyCategories) return false;
  if (plan.alike.count > 0 && alike === undefined) return false;
  if (missingQuestion(plan.missing, request) !== undefined) return false;
  const toSell = missing === "sold" ? (plan.missing?.count ?? 0) : 0;
  return plan.animals + toSell > 0 && (plan.faulty === 0 || goodRows);
}

/** Counts faults in constant memory: once for each different fault and value. */
export interface FaultGroups {
  readonly add: (line: number, fault: RowFault | ColumnFault) => void;
  /** Returns the groups in the order of their first lines. */
  readonly all: () => readonly FaultGroup[];
}

/** Creates groups of faults. */
export function createFaultGroups(): FaultGroups {
  const groups = new Map<string, { group: FaultGroup; readonly lines: number[] }>();
  return {
    add: (line, fault) => {
      const own = groupOf(fault, true);
      const isOwn = groups.has(own) || groups.size < MAX_GROUPS;
      const key = isOwn ? own : `${groupOf(fault, false)} …`;
      const known = groups.get(key);
      if (known === undefined) {
        const lines = [line];
        groups.set(key, {
          group: { fault, count: 1, lines, ...(isOwn ? {} : { more: true }) },
          lines,
        });
        return;
      }
      if (known.lines.length < MAX_LINES) known.lines.push(line);
      known.group = { ...known.group, count: known.group.count + 1 };
    },
    all: () => Array.from(groups.values(), ({ group }) => group),
  };
}

/** Rows belong to one group if this is equal: for unknown words the word counts, otherwise only the kind of the fault. */
function groupOf(fault: RowFault | ColumnFault, withValue: boolean): string {
  switch (fault.code) {
    case "unknown_value":
      return `${fault.code} ${fault.field} ${withValue ? valueForm(fault.found) : ""}`;
    case "invalid_value":
      return `${fault.code} ${fault.field} ${fault.fault}`;
    case "not_text":
      return `${fault.code} ${fault.field}`;
    case "not_json":
      return `${fault.code} ${withValue ? fault.message : ""}`;
    case "no_name":
    case "two_categories":
    case "key_twice":
    case "nul":
    case "field_count":
    case "too_long":
    case "not_an_object":
      return fault.code;
  }
}
