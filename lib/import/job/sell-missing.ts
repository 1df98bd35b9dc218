import { problem } from "../../base/problem.ts";
import { petFieldsOf } from "../../catalogue/model.ts";
import type { Change } from "../../storage/change.ts";
import { animalReader, type AnimalReaderOptions } from "../animal.ts";
import { animalsOfSources, countMissing, fileKeys, ofSources, type FileKeys } from "../missing.ts";
import type { Table } from "../table.ts";
import { none, type BatchRecord, type ImportCounts } from "./model.ts";
import { batchDone, batchName, recordStep } from "./records.ts";
import { ImportFailed, WorkEnded, type Work } from "./work.ts";

/** The most animals that are set to sold in one commit, which is the most that a list finds by their ids. */
const MOST_ANIMALS = 100;
/** How often a batch is decided again because somebody changed one of its animals meanwhile. */
const MOST_TRIES = 5;

/** Reads the keys of all rows of a file; undefined if it has no column with keys. */
export async function keysOf(
  table: Table,
  options: AnimalReaderOptions,
): Promise<FileKeys | undefined> {
  const keys = fileKeys(options.mapping);
  const readRow = animalReader({ ...options, onKey: keys?.note });
  for await (const rows of table.rows()) {
    for (const row of rows) if ("cells" in row) readRow(row.line, row.cells);
  }
  return keys;
}

/** Where the work on missing animals begins. */
interface Begin {
  /** The next batch. */
  readonly batch: number;
  /** The rows of the table. */
  readonly through: number;
  /** The last animal that an earlier attempt has set to sold. */
  readonly soldThrough: number;
  readonly counts: ImportCounts;
}

/**
 * Sets the animals to sold that were there before the import and that the file no longer has: never more of them than
 * the plan has shown. Writes no order, because the file has no date. Returns the counts of the whole import.
 */
export async function sellMissing(
  work: Work,
  keys: FileKeys | undefined,
  { through, soldThrough, ...begin }: Begin,
): Promise<ImportCounts> {
  const { store } = work.context;
  const { catalogueId } = work.row;
  const { lastId = 0, plan } = work.details;
  let { batch, counts } = begin;
  if (keys === undefined) return counts;
  const range = { after: soldThrough, lastId };
  const { count } = await countMissing(animalsOfSources(store, catalogueId, keys, range), 0);
  if (count + counts.sold > (plan?.missing?.count ?? 0)) throw new ImportFailed(moreThanShown);
  for await (const some of animalsOfSources(store, catalogueId, keys, range)) {
    const ids = some.flatMap(({ pet, missing }) => (missing ? [pet.id] : []));
    for (let from = 0; from < ids.length;) {
      const most = work.animalsAtOnce(MOST_ANIMALS);
      const record = await sellBatch(work, keys, {
        batch,
        through,
        ids: ids.slice(from, from + most),
      });
      from += most;
      batch++;
      counts = { ...counts, sold: counts.sold + record.counts.sold };
      await work.note({ batches: batch, counts });
      await work.giveWay();
    }
  }
  return counts;
}

interface Batch {
  readonly batch: number;
  readonly through: number;
  readonly ids: readonly number[];
}

/** Sets animals to sold, except for those that no longer are here or are sold meanwhile. */
async function sellBatch(
  work: Work,
  keys: FileKeys,
  { batch, through, ids }: Batch,
): Promise<BatchRecord> {
  const { store, clock } = work.context;
  const { row } = work;
  const { catalogueId } = row;
  const page = { limit: MOST_ANIMALS, order: "asc" } as const;
  for (let attempt = 1; ; attempt++) {
    const at = clock.now();
    const pets = await store.pets.list(catalogueId, { ids }, page);
    const found = await ofSources(store, catalogueId, keys, pets);
    const selling = found.filter(({ missing }) => missing);
    const changes = selling.map(({ pet, profile: { version: profileVersion } }): Change => {
      const to = { ...petFieldsOf(pet), status: "sold" } as const;
      return { kind: "pet.update", catalogueId, from: pet, profileVersion, to, soldAt: null, at };
    });
    const record: BatchRecord = {
      through,
      counts: { ...none, sold: selling.length },
      added: [],
      updated: selling.map(({ pet, profile }) => ({
        pet,
        profile: profile.fields,
        petVersion: pet.version + 1,
        profileVersion: profile.version,
      })),
      pictured: [],
      soldThrough: ids.at(-1) ?? 0,
    };
    const done = await work.commit([
      ...changes,
      recordStep(row, batchName(batch), at, () => record),
    ]);
    if (done.ok) return record;
    const earlier = await batchDone(store, row, batch);
    // Another process works on the import, and its batches end at other animals.
    if (earlier !== undefined && earlier.soldThrough !== record.soldThrough) throw new WorkEnded();
    if (earlier !== undefined) return earlier;
    if (attempt === MOST_TRIES) throw new ImportFailed(busy);
  }
}

const busy = problem(
  "unavailable",
  "The animals that the file no longer has were changed again and again. The other animals were imported. Upload the file again to set the rest to sold.",
);

const moreThanShown = problem(
  "import_not_ready",
  "Since the file was read, there are more animals that it does not have. The animals of the file were imported, and no other was set to sold. Upload the file again.",
);
