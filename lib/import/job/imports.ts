import type { Clock } from "../../base/clock.ts";
import { randomBase62, type Random } from "../../base/id.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { done, refused, type Result } from "../../base/result.ts";
import { normalText } from "../../model/text.ts";
import type { Actor } from "../../model/actor.ts";
import type { ImportRequest } from "../choices-schema.ts";
import { openPhotoArchive } from "../photo-archive.ts";
import type { ShownPlan } from "../plan-shown.ts";
import { TableRefused } from "../table.ts";
import { tableProblem } from "../table-faults.ts";
import {
  actorInDetails,
  filesIn,
  MAX_OPEN,
  newDetails,
  none,
  UNDO_MS,
  undoableStates,
  type ImportFiles,
  type ImportState,
  type StoredImport,
} from "./model.ts";
import { freeOld, type Spool } from "./spool.ts";
import type { ImportStore } from "./store.ts";

/** What the actions of imports need. */
export interface ImportContext {
  readonly importStore: ImportStore;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly random: Random;
  /** Begins the work on imports that wait for it. */
  readonly wake: () => void;
}

/** The catalogue of an import. */
export interface ImportPlace {
  readonly accountId: string;
  readonly catalogueId: number;
}

const ID_CHARACTERS = 12;
/** The most imports that a list has. */
const MAX_LISTED = 100;

/** A file that is uploaded. */
export interface UploadedFile {
  readonly content: ReadableStream<Uint8Array>;
  readonly fileName: string;
}

/** Stores a file, and begins to read it. */
export async function createImport(
  { importStore, spool, clock, random, wake }: ImportContext,
  { accountId, catalogueId }: ImportPlace,
  { content, fileName, actor }: UploadedFile & { readonly actor: Actor },
): Promise<Result<StoredImport, Problem>> {
  // Checked again when the import is created. Here, so that no file is received and stored in vain.
  if ((await importStore.open(catalogueId)) >= MAX_OPEN) return refused(tooMany);
  const stored = await spool.put(content, {
    accountId,
    stored: () => importStore.spooled(accountId),
  });
  if (!stored.ok) return stored;
  const { file, bytes } = stored.value;
  let created = false;
  try {
    if (bytes === 0) return refused(tableProblem({ code: "empty" }));
    const now = clock.now();
    const row: StoredImport = {
      id: `imp_${randomBase62(random, ID_CHARACTERS)}`,
      accountId,
      catalogueId,
      state: "reading",
      file,
      spoolBytes: bytes,
      details: newDetails({
        fileName: normalText(fileName),
        bytes,
        ...actorInDetails(actor),
        request: {},
      }),
      version: 1,
      createdAt: now,
      touchedAt: now,
    };
    created = await importStore.create(row, MAX_OPEN);
    if (!created) return refused(tooMany);
    wake();
    return done(row);
  } finally {
    if (!created) await spool.free(file);
  }
}

/** Stores an archive of photos beside the file of an import, instead of an earlier one; the file is then read again. */
export async function addArchive(
  context: ImportContext,
  place: ImportPlace,
  id: string,
  { content, fileName }: UploadedFile,
): Promise<Result<StoredImport, Problem>> {
  const { importStore, spool } = context;
  const { accountId } = place;
  const states = ["reading", "waiting"] as const;
  const found = await readImportRow(context, place, id);
  if (!found.ok) return found;
  if (!states.some((state) => state === found.value.state)) {
    return refused(inState(found.value.state, "given photos"));
  }
  const stored = await spool.put(content, {
    accountId,
    stored: () => importStore.spooled(accountId),
  });
  if (!stored.ok) return stored;
  const { file: photosFile, bytes } = stored.value;
  let added: Result<StoredImport, Problem> | undefined;
  try {
    const fault = await archiveFault(spool, photosFile);
    if (fault !== undefined) return refused(fault);
    added = await change(context, place, id, "given photos", states, ({ details }) => {
      const archive = { fileName: normalText(fileName), bytes };
      const again = newDetails({ ...details, archive });
      const spoolBytes = details.bytes + bytes;
      return done({ state: "reading", details: again, photosFile, spoolBytes });
    });
    return added;
  } finally {
    if (added?.ok !== true) await spool.free(photosFile);
  }
}

async function archiveFault(spool: Spool, file: string): Promise<Problem | undefined> {
  const source = await spool.open(file);
  try {
    if (source !== undefined) await openPhotoArchive(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof TableRefused)) throw error;
    const { fault } = error;
    return fault.code === "damaged" ? noArchive : tableProblem(fault);
  }
}

const noArchive: Problem = problem(
  "unreadable_file",
  "The photos are no zip archive, or it is damaged or was cut off. Make the archive again, as an ordinary zip.",
);

const tooMany: Problem = problem(
  "limit_reached",
  `At most ${MAX_OPEN} imports can be open at a time. Run or cancel the others first.`,
);

/** Returns the imports of a catalogue, newest first. */
export async function listImports(
  { importStore }: ImportContext,
  { catalogueId }: ImportPlace,
): Promise<readonly StoredImport[]> {
  return importStore.list(catalogueId, MAX_LISTED);
}

/** Returns an import of a catalogue. */
export async function readImportRow(
  { importStore }: ImportContext,
  { catalogueId }: ImportPlace,
  id: string,
): Promise<Result<StoredImport, Problem>> {
  const row = await importStore.byId(catalogueId, id);
  return row === undefined ? refused(noSuchImport) : done(row);
}

const noSuchImport: Problem = problem("not_found", "There is no such import.");

/** Returns what the file contains, and what has to be answered. */
export async function readPlan(
  context: ImportContext,
  place: ImportPlace,
  id: string,
): Promise<Result<ShownPlan, Problem>> {
  const found = await readImportRow(context, place, id);
  if (!found.ok) return found;
  const { state, details } = found.value;
  if (state !== "reading" && details.plan !== undefined && details.problem === undefined) {
    return done(details.plan);
  }
  return refused(details.problem ?? stillReading);
}

const stillReading: Problem = problem(
  "import_not_ready",
  "The file is still read. Try again in a second.",
  { retryAfterSeconds: 1 },
);

/** Says how to read and map the file, which is then read again. */
export function mapImport(
  context: ImportContext,
  place: ImportPlace,
  id: string,
  request: ImportRequest,
): Promise<Result<StoredImport, Problem>> {
  return change(context, place, id, "mapped", ["reading", "waiting"], ({ details }) => {
    return done({ state: "reading", details: newDetails({ ...details, request }) });
  });
}

/** Begins to bring the animals of the file into the catalogue. */
export function startImport(
  context: ImportContext,
  place: ImportPlace,
  id: string,
  actor: Actor,
): Promise<Result<StoredImport, Problem>> {
  return change(context, place, id, "run", ["waiting"], ({ details }) => {
    if (!details.ready) return refused(details.problem ?? unanswered);
    const startedAt = context.clock.now();
    const begun = { startedAt, done: 0, batches: 0, counts: none, ...actorInDetails(actor) };
    return done({ state: "running", details: { ...details, ...begun } });
  });
}

const unanswered: Problem = problem(
  "import_not_ready",
  "The import cannot run: the file has no rows that can be imported, rows with faults, or something has to be answered. The mapping says what.",
);

/** Ends an import. What it has done so far stays, and can be undone. */
export function cancelImport(
  context: ImportContext,
  place: ImportPlace,
  id: string,
): Promise<Result<StoredImport, Problem>> {
  const states = ["reading", "waiting", "running"] as const;
  return change(context, place, id, "cancelled", states, ({ state, details }) => {
    const ended = state === "running" ? { endedAt: context.clock.now() } : {};
    return done({ state: "cancelled", details: { ...details, ...ended } });
  });
}

/** Begins to undo an import as a whole. */
export function beginUndo(
  context: ImportContext,
  place: ImportPlace,
  id: string,
  actor: Actor,
): Promise<Result<StoredImport, Problem>> {
  return change(context, place, id, "undone", undoableStates, ({ details }) => {
    const { endedAt } = details;
    if (endedAt === undefined) return refused(nothingDone);
    if (context.clock.now() >= endedAt + UNDO_MS) return refused(tooLate);
    const { problem: _problem, ...rest } = details;
    const undone = { ...rest, done: 0, rows: 0, ...actorInDetails(actor) };
    return done({ state: "undoing", details: undone });
  });
}

const nothingDone: Problem = problem("import_not_ready", "The import has changed nothing.");

const tooLate: Problem = problem(
  "import_not_ready",
  "An import can be undone for 48 hours. This one ended before that.",
);

type Decided = Pick<StoredImport, "state" | "details"> & Partial<Omit<ImportFiles, "file">>;
type Decide = (row: StoredImport) => Result<Decided, Problem>;

const MOST_TRIES = 10;

/** Changes an import that is in one of the states, which the server may change at the same time. */
async function change(
  context: ImportContext,
  place: ImportPlace,
  id: string,
  what: string,
  states: readonly ImportState[],
  decide: Decide,
): Promise<Result<StoredImport, Problem>> {
  const { importStore, spool, clock, wake } = context;
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const found = await readImportRow(context, place, id);
    if (!found.ok) return found;
    const row = found.value;
    if (!states.includes(row.state)) return refused(inState(row.state, what));
    const decided = decide(row);
    if (!decided.ok) return decided;
    const { state, details, ...files } = decided.value;
    const kept = filesIn(state, { ...row, ...files });
    const saved = await importStore.save(row, { state, details, ...kept }, clock.now());
    if (saved === undefined) continue;
    await freeOld(spool, row, saved);
    wake();
    return done(saved);
  }
  return refused(busy);
}

const busy: Problem = problem(
  "import_not_ready",
  "The import changes all the time. Try again in a second.",
  { retryAfterSeconds: 1 },
);

const stateTexts: Readonly<Record<ImportState, string>> = {
  reading: "is being read",
  waiting: "waits to be run",
  running: "is running",
  finished: "is finished",
  cancelled: "was cancelled",
  failed: "has failed",
  undoing: "is being undone",
  undone: "was undone",
};

function inState(state: ImportState, what: string): Problem {
  return problem("import_not_ready", `The import ${stateTexts[state]}: it cannot be ${what} now.`);
}
