import { isoTime } from "../../base/clock.ts";
import { problem } from "../../base/problem.ts";
import { foldCategoryName } from "../../catalogue/model.ts";
import type { Change, Outcome } from "../../storage/change.ts";
import type { StoreReads } from "../../storage/store.ts";
import { animalReader, type ImportedAnimal } from "../animal.ts";
import { decideAnimals, type Applied } from "../decide.ts";
import { presentLooks, type Looks } from "../looks.ts";
import { photoFiles, withPhotoFiles } from "../photo-files.ts";
import { noteAnimals, surveyTable } from "../plan.ts";
import type { BatchRecord, ImportCounts, UpdatedAnimal } from "./model.ts";
import { none } from "./model.ts";
import { addPhotos } from "./photos.ts";
import { batchDone, batchName, recordStep, stepDone } from "./records.ts";
import { keysOf, sellMissing } from "./sell-missing.ts";
import { allCategories, ImportFailed, WorkEnded, type Work } from "./work.ts";

/** The most animals of a batch where no traffic limits it. */
const MOST_ANIMALS = 250;
/** The most UTF-16 code units of the animals of a batch, about. */
const MOST_TEXT = 1_000_000;
/** How often a batch is decided again because somebody changed one of its animals meanwhile. */
const MOST_TRIES = 5;

/** Brings the animals of a file into the catalogue, from where an earlier attempt stopped. */
export async function runImport(work: Work): Promise<void> {
  const { store, clock } = work.context;
  const { row } = work;
  const { catalogueId, accountId, details } = row;
  const { request, today = "" } = details;
  const { table, archive } = await work.open();
  const lastId = details.lastId ?? (await lastPet(store, catalogueId));
  await work.save("running", { lastId });
  await createCategories(work);
  const categories = await allCategories(store, catalogueId);
  const mapping = await surveyTable(table, request);
  const reading = { mapping, choices: request, categories, today };
  const files = archive && photoFiles(archive.names);
  await noteAnimals(table, reading, files);
  const readRow = withPhotoFiles(animalReader(reading), files);
  const skip =
    request.alike === "skip" ? await presentLooks(store, catalogueId, { lastId }) : undefined;

  let { batch, through, counts, soldThrough, pictured } = await doneSoFar(work);
  const continued = batch > 0;
  let [read, size, faulty] = [0, 0, 0];
  let animals: ImportedAnimal[] = [];
  let rowsOfAnimals: number[] = [];
  const flush = async (): Promise<void> => {
    const record = await applyBatch(work, {
      batch,
      animals,
      rows: rowsOfAnimals,
      through: read,
      faulty,
      skip,
    });
    batch++;
    counts = sum(counts, record.counts);
    pictured ||= record.pictured.length > 0;
    animals = [];
    rowsOfAnimals = [];
    [size, faulty] = [0, 0];
    await work.note({ done: record.through, batches: batch, counts });
    await work.giveWay();
  };
  for await (const rows of table.rows()) {
    for (const found of rows) {
      read++;
      // Read in any case: a reader remembers the keys of earlier rows.
      const animal = "cells" in found ? readRow(found.line, found.cells) : undefined;
      if (read <= through) continue;
      if (animal !== undefined && "animal" in animal) {
        animals.push(animal.animal);
        rowsOfAnimals.push(read);
        size += textIn(animal.animal);
      } else if (animal === undefined || "faults" in animal) {
        if (request.goodRows !== true) throw new ImportFailed(changedMeanwhile(found.line));
        faulty++;
      }
      if (animals.length >= work.animalsAtOnce(MOST_ANIMALS) || size >= MOST_TEXT) await flush();
    }
  }
  if (read > through || animals.length > 0) await flush();

  if (request.missing === "sold") {
    const keys = await keysOf(table, reading);
    counts = await sellMissing(work, keys, { batch, through: read, soldThrough, counts });
  }

  if (pictured) {
    // A reader remembers the keys of the rows that it has read.
    const readAgain = withPhotoFiles(animalReader(reading), files);
    await addPhotos(work, { table, archive, files, readRow: readAgain, continued });
  }

  const endedAt = clock.now();
  const { fileName, startedAt = endedAt } = details;
  // Refused if an earlier attempt has written it.
  await work.commit([
    {
      kind: "event.write",
      accountId,
      catalogueId,
      type: "import.finished",
      data: { import: { id: row.id, fileName, startedAt: isoTime(startedAt), ...counts } },
      at: endedAt,
    },
    recordStep(row, "end", endedAt, () => true),
  ]);
  await work.save("finished", { endedAt, counts, done: read, rows: read });
}

function textIn({ profile }: ImportedAnimal): number {
  return 200 + (profile.text?.length ?? 0) + (profile.staffNotes?.length ?? 0);
}

function changedMeanwhile(line: number) {
  return problem(
    "unknown_category",
    `The row on line ${line} can no longer be imported. A category was probably changed meanwhile. Undo the import, or upload the file again.`,
  );
}

async function lastPet(store: StoreReads, catalogueId: number): Promise<number> {
  const [last] = await store.pets.list(catalogueId, {}, { limit: 1, order: "desc" });
  return last?.id ?? 0;
}

/** Creates the categories that the file needs and that do not exist yet. */
async function createCategories(work: Work): Promise<void> {
  const { store, clock } = work.context;
  const { row } = work;
  const { catalogueId } = row;
  const wanted = work.details.plan?.newCategories ?? [];
  if (wanted.length === 0 || (await stepDone(store, row, "categories")) !== undefined) return;
  for (let attempt = 1; ; attempt++) {
    const present = new Set(
      (await allCategories(store, catalogueId)).map(({ name }) => foldCategoryName(name)),
    );
    const at = clock.now();
    const creations = wanted
      .filter((name) => !present.has(foldCategoryName(name)))
      .map((name): Change => ({ kind: "category.create", catalogueId, name, at }));
    const done = await work.commit([...creations, recordStep(row, "categories", at, () => true)]);
    if (done.ok || done.failure.index === creations.length) return;
    if (attempt === MOST_TRIES) throw new ImportFailed(busy);
  }
}

const busy = problem(
  "unavailable",
  "The animals of the file were changed again and again while they were imported. Undo the import, or upload the file again.",
);

interface DoneSoFar {
  /** The next batch. */
  readonly batch: number;
  readonly through: number;
  /** The last animal of those that were set to sold because the file no longer has them. */
  readonly soldThrough: number;
  readonly counts: ImportCounts;
  /** Whether an animal gets photos. */
  readonly pictured: boolean;
}

/** Finds out which batches earlier attempts have done. */
async function doneSoFar(work: Work): Promise<DoneSoFar> {
  const { store } = work.context;
  let [batch, through, soldThrough] = [0, 0, 0];
  let counts = none;
  let pictured = false;
  for (;;) {
    const record = await batchDone(store, work.row, batch);
    if (record === undefined) return { batch, through, soldThrough, counts, pictured };
    ({ through, soldThrough = 0 } = record);
    counts = sum(counts, record.counts);
    pictured ||= record.pictured.length > 0;
    batch++;
    await work.giveWayIfDue();
  }
}

interface Batch {
  readonly batch: number;
  readonly animals: readonly ImportedAnimal[];
  /** The numbers of their rows in the table. */
  readonly rows: readonly number[];
  readonly through: number;
  readonly faulty: number;
  readonly skip: Looks | undefined;
}

async function applyBatch(
  work: Work,
  { batch, animals, rows, through, faulty, skip }: Batch,
): Promise<BatchRecord> {
  const { store, clock } = work.context;
  const { row } = work;
  for (let attempt = 1; ; attempt++) {
    const at = clock.now();
    const decision = await decideAnimals(store, row.catalogueId, animals, {
      at,
      ...(skip !== undefined && { skip }),
    });
    const { catalogueId } = row;
    const withPhotos = new Set(
      animals.some(({ photos }) => photos.length > 0)
        ? (await store.photos.of(catalogueId, decision.present)).map(({ petId }) => petId)
        : [],
    );
    let record: BatchRecord | undefined;
    const make = (outcomes: readonly Outcome[]): BatchRecord =>
      (record = recordOf(decision.applied(outcomes), decision.changes, {
        through,
        faulty,
        // An animal that has photos keeps them, so that no import doubles them.
        pictured: decision.applied(outcomes).flatMap((one, index) => {
          const named = (animals[index]?.photos.length ?? 0) > 0;
          if (!named || one.kind === "skipped" || withPhotos.has(one.petId)) return [];
          return [[rows[index] ?? 0, one.petId] as const];
        }),
      }));
    const committed = await work.commit([
      ...decision.changes,
      recordStep(row, batchName(batch), at, make),
    ]);
    const done = committed.ok ? record : await batchDone(store, row, batch);
    // Another process works on the import, and its batches end at other rows.
    if (done !== undefined && done.through !== through) throw new WorkEnded();
    if (done !== undefined) return done;
    if (committed.ok) throw new TypeError("A batch was not recorded.");
    const { refusal } = committed.failure;
    if (refusal === "unknown_category") {
      throw new ImportFailed(changedMeanwhile(animals[0]?.line ?? 0));
    }
    if (attempt === MOST_TRIES) throw new ImportFailed(busy);
  }
}

function recordOf(
  applied: readonly Applied[],
  changes: readonly Change[],
  {
    through,
    faulty,
    pictured,
  }: Pick<BatchRecord, "through" | "pictured"> & { readonly faulty: number },
): BatchRecord {
  const gets = new Set(pictured.map(([, petId]) => petId));
  const of = (kind: Applied["kind"]): number => applied.filter((one) => one.kind === kind).length;
  const counts = {
    added: of("added"),
    updated: of("updated"),
    same: of("same"),
    skipped: of("skipped"),
    faulty,
    sold: 0,
  };
  const pets = new Map<number, Change & { readonly kind: "pet.update" }>();
  const profiles = new Set<number>();
  for (const change of changes) {
    if (change.kind === "pet.update") pets.set(change.from.id, change);
    if (change.kind === "profile.set") profiles.add(change.petId);
  }
  return {
    through,
    counts,
    pictured,
    added: applied.flatMap((one) => (one.kind === "added" ? [one.petId] : [])),
    updated: applied.flatMap((one): readonly UpdatedAnimal[] => {
      const isChanged = one.kind === "updated" || (one.kind === "same" && gets.has(one.petId));
      if (!isChanged) return [];
      const { pet, profile } = one.before;
      const soldAt = pets.get(one.petId)?.soldAt;
      return [
        {
          pet,
          profile: profile.fields,
          petVersion: pet.version + (pets.has(one.petId) ? 1 : 0),
          profileVersion: profile.version + (profiles.has(one.petId) ? 1 : 0),
          ...(typeof soldAt === "number" && { soldAt }),
        },
      ];
    }),
  };
}

function sum(one: ImportCounts, other: ImportCounts): ImportCounts {
  return {
    added: one.added + other.added,
    updated: one.updated + other.updated,
    same: one.same + other.same,
    skipped: one.skipped + other.skipped,
    faulty: one.faulty + other.faulty,
    sold: one.sold + other.sold,
  };
}
