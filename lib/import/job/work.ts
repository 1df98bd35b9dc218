import { SECOND_MS, systemClock, type Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { Problem } from "../../base/problem.ts";
import { nextTurn } from "../../base/steps.ts";
import { MOST_ROWS } from "../../base/traffic.ts";
import type { Category } from "../../catalogue/model.ts";
import type { PhotoService } from "../../photos/photos.ts";
import type { Commit, Store } from "../../storage/store.ts";
import { openPhotoArchive, type PhotoArchive } from "../photo-archive.ts";
import type { FetchPicture } from "../pictures.ts";
import { headOf } from "../reading/bytes.ts";
import { isZip } from "../reading/kind.ts";
import { openTable, type ReadingPorts } from "../reading/open.ts";
import { TableRefused, type Table, type TableSource } from "../table.ts";
import { archiveNames, type StoredBytes } from "../zip/archive.ts";
import {
  actorOf,
  filesIn,
  type ImportDetails,
  type ImportState,
  type StoredImport,
} from "./model.ts";
import { freeOld, type Spool } from "./spool.ts";
import type { ImportStore } from "./store.ts";

/** What the work on imports needs. */
export interface WorkContext extends ReadingPorts {
  readonly store: Store;
  readonly importStore: ImportStore;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: pictures are left out. */
  readonly photos?: PhotoService | undefined;
  /** Absent: only pictures that the file itself contains are added. */
  readonly fetchPicture?: FetchPicture | undefined;
  /** Identifies this process. */
  readonly holder: string;
  /** True once the process stops: the work then ends after its present batch. */
  readonly stopped: () => boolean;
}

/** How long a process that stopped without notice keeps an import from others. */
export const HELD_MS: number = 30 * SECOND_MS;
/** How often the progress is stored. */
const SAVED_EVERY_MS = 1 * SECOND_MS;

/** Thrown when the import was cancelled, or the process stops. What was done is recorded. */
export class WorkEnded extends Error {
  override readonly name = "WorkEnded";
}

/** An import while a process works on it. */
export class Work {
  readonly context: WorkContext;
  #row: StoredImport;
  #details: ImportDetails;
  #savedAt: number;
  /** When other requests had their last turn, by `steadyNow`. */
  #resumedAt = steadyNow();

  constructor(context: WorkContext, row: StoredImport) {
    this.context = context;
    this.#row = row;
    this.#details = row.details;
    this.#savedAt = context.clock.now();
  }

  get row(): StoredImport {
    return this.#row;
  }

  get details(): ImportDetails {
    return this.#details;
  }

  /** Commits changes as the person who asked for them, after a turn of others: a commit blocks them for as long as it takes. */
  readonly commit: Commit = async (changes) => {
    await this.giveWay();
    return this.context.store.commit(changes, actorOf(this.#details));
  };

  /** Returns how many animals the next commit may have, of at most `most`. */
  animalsAtOnce(most: number): number {
    return this.#isCrowded() ? Math.min(FEW_ANIMALS, most) : most;
  }

  /** Notes progress, and stores it once a second. Throws `WorkEnded` if the work must end. */
  async note(change: Partial<ImportDetails>): Promise<void> {
    this.#details = { ...this.#details, ...change };
    const { importStore, stopped } = this.context;
    const { catalogueId, id, version } = this.#row;
    const present = await importStore.byId(catalogueId, id);
    if (stopped() || present?.version !== version) throw new WorkEnded();
    if (this.#sinceSaved() < SAVED_EVERY_MS) return;
    await this.save(this.#row.state);
  }

  /** Stores the state with all details. Throws `WorkEnded` if somebody else has changed it, such as to cancel it. */
  async save(state: ImportState, change: Partial<ImportDetails> = {}): Promise<void> {
    const { importStore, spool, clock, holder } = this.context;
    const now = clock.now();
    this.#details = { ...this.#details, ...change };
    const { id } = this.#row;
    const kept = filesIn(state, this.#row);
    const saved = await importStore.save(
      this.#row,
      { state, ...kept, details: this.#details },
      now,
    );
    if (saved === undefined) throw new WorkEnded();
    await freeOld(spool, this.#row, saved);
    this.#row = saved;
    this.#savedAt = now;
    const held = await importStore.hold(id, holder, { now, until: now + HELD_MS });
    if (!held) throw new WorkEnded();
  }

  /** Opens the files of the import: its table, and its archive of photos if it has one. Throws `TableRefused`. */
  async open(): Promise<{ readonly table: Table; readonly archive: PhotoArchive | undefined }> {
    const { spool, workbooks } = this.context;
    const { file, photosFile, details } = this.#row;
    const { encoding } = details.request;
    const main = await opened(spool, file);
    const inside = (await isPhotoArchive(main)) ? await openPhotoArchive(main) : undefined;
    const archive =
      photosFile === undefined ? inside : await openPhotoArchive(await opened(spool, photosFile));
    const source = inside?.table() ?? wholeOf(main);
    const found = await openTable(
      { open: () => this.#withBreaks(source.open()) },
      encoding === undefined ? {} : { encoding },
      { workbooks },
    );
    if (!found.ok) throw new TableRefused(found.failure);
    const table = found.value;
    return { table: { ...table, rows: () => this.#withBreaks(table.rows()) }, archive };
  }

  /**
   * Lets other requests have a turn. While requests arrive at a store whose commits block the process, they have as much
   * time as the import had since their last turn.
   */
  async giveWay(): Promise<void> {
    if (this.#isCrowded()) await systemClock.sleep(Math.min(MOST_PAUSE_MS, this.#worked()));
    else await nextTurn();
    this.#resumedAt = steadyNow();
  }

  /** Lets other requests have a turn if the work has gone on for long. */
  async giveWayIfDue(): Promise<void> {
    if (this.#worked() >= (this.#isCrowded() ? CROWDED_MS : WORK_MS)) await this.giveWay();
  }

  #isCrowded(): boolean {
    const { store, clock } = this.context;
    return (store.traffic?.rowsAtOnce(clock.now()) ?? MOST_ROWS) < MOST_ROWS;
  }

  /** Returns the milliseconds since the last turn of others. */
  #worked(): number {
    return Math.abs(steadyNow() - this.#resumedAt);
  }

  /**
   * Passes items on, and gives way now and then: neither files nor SQLite make the work wait. Keeps the import from other
   * processes, also while it is only read.
   */
  async *#withBreaks<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      yield item;
      await this.giveWayIfDue();
      if (this.#sinceSaved() >= HELD_MS / 3) await this.note({});
    }
  }

  #sinceSaved(): number {
    return Math.abs(this.context.clock.now() - this.#savedAt);
  }
}

/** The parts of documents that programs write as archives: workbooks, which are tables, and others, which are refused. */
const OFFICE_PARTS = ["[Content_Types].xml", "content.xml", "Index/Document.iwa"];

async function isPhotoArchive(source: StoredBytes): Promise<boolean> {
  if (!isZip((await headOf(wholeOf(source), 4)).bytes)) return false;
  const names = await archiveNames(source);
  return !OFFICE_PARTS.some((part) => names.includes(part));
}

async function opened(spool: Spool, file: string | undefined): Promise<StoredBytes> {
  const found = await spool.open(file);
  if (found === undefined) throw new FileMissing();
  return found;
}

function wholeOf(source: StoredBytes): TableSource {
  return { open: () => source.open(0, source.size) };
}

/** How many animals a commit has while others wait for it. Each takes as long as two or three rows of other bulk work. */
const FEW_ANIMALS = 12;
/** How long the work goes on before other requests have a turn, in milliseconds. */
const WORK_MS = 2;
/** The same while others have as much time as the work: then a short turn costs it nothing. */
const CROWDED_MS = 1;
/** The longest pause of the work. */
const MOST_PAUSE_MS = 100;

/** The time by which work is measured, in milliseconds. Clocks of a host may stand still or jump. */
function steadyNow(): number {
  return systemClock.steady?.() ?? systemClock.now();
}

/** Thrown when the file of an import was removed. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/** Thrown when an import cannot go on. */
export class ImportFailed extends Error {
  override readonly name = "ImportFailed";
  readonly problem: Problem;

  constructor(reason: Problem) {
    super(reason.message);
    this.problem = reason;
  }
}

const CATEGORIES_A_STEP = 1_000;

/** Returns all categories of a catalogue. */
export async function allCategories(
  store: Store,
  catalogueId: number,
): Promise<readonly Category[]> {
  const all: Category[] = [];
  for (let after = 0; ;) {
    const page = { limit: CATEGORIES_A_STEP, order: "asc", after } as const;
    const some = await store.categories.list(catalogueId, page);
    all.push(...some.map(({ id, name }) => ({ id, name })));
    if (some.length < CATEGORIES_A_STEP) return all;
    after = some.at(-1)?.id ?? after;
    await nextTurn();
  }
}
