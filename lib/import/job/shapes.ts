import {
  choice,
  count,
  fields,
  flag,
  instant,
  list,
  listOf,
  shape,
  text,
  whole,
  type ValueOf,
} from "../../base/shape.ts";
import {
  importStates,
  none,
  UNDO_MS,
  undoableStates,
  type PhotoProgress,
  type StoredImport,
} from "./model.ts";

const counts = fields({
  added: count("The animals that were added."),
  updated: count("The animals that were there by their number, and were changed."),
  same: count("The animals that were there by their number, and equal the file."),
  skipped: count("The animals that were left out because they look like one that is there."),
  faulty: count("The rows with faults, which were left out."),
  sold: count("The animals that the file no longer has, which were set to `sold`."),
});

const undo = fields({
  undone: count("The animals that were removed or restored."),
  kept: count("The animals that were changed since the import, and stay."),
  named: list(fields({ id: whole(), name: text() }), {
    description: "Those of them that come first, at most 100.",
  }),
});

/** An import, as the management API sends it. */
export const importShape = shape(
  "Import",
  {
    id: text(),
    state: choice(
      importStates,
      "`reading` the file; `waiting` for answers, or for its start; `running`; ended as `finished`, `cancelled` or `failed`; `undoing` and `undone`.",
    ),
    ready: flag("True if nothing has to be asked, and the import can run."),
    fileName: text("Empty if the file has none."),
    bytes: count("The size of the file."),
    percent: whole({ minimum: 0, maximum: 100, description: "How much of the work is done." }),
    counts,
    createdAt: instant(),
  },
  {
    secondsLeft: count("The time that the work probably takes, if it is known."),
    problem: fields(
      { code: text(), message: text() },
      {},
      { description: "Why the file cannot be read, or why the import failed." },
    ),
    titles: list(text(), { description: "Texts above the header, which are not imported." }),
    sheet: text("The sheet of the workbook that is read."),
    otherSheets: list(text(), { description: "Its other sheets." }),
    startedAt: instant(),
    endedAt: instant(),
    undoUntil: instant("Until then the whole import can be undone. Absent if it changed nothing."),
    photos: fields(
      {
        added: count("The pictures that became photos."),
        failed: count("Those that could not be read or fetched. Their animals were added."),
        named: list(
          fields({ line: whole(), name: text("Of the animal."), photo: text(), reason: text() }),
          { description: "The first of these, at most 20." },
        ),
      },
      {},
      { description: "Only if the file names pictures." },
    ),
    archive: fields(
      { fileName: text("Empty if it has none."), bytes: count("Its size.") },
      {},
      { description: "The archive of photos beside the file." },
    ),
    undo,
  },
);
/** A list of imports. */
export const importsShape = listOf("ImportList", importShape);
/** An import, as the management API sends it. */
export type ImportView = ValueOf<typeof importShape>;

/** Returns an import in the form that the management API sends. */
export function importShown(row: StoredImport, now: number): ImportView {
  const { id, state, details, createdAt } = row;
  const { ready, fileName, bytes, counts: done, problem, facts, startedAt, endedAt } = details;
  const left = secondsLeft(row, now);
  const undoUntil = endedAt === undefined ? undefined : endedAt + UNDO_MS;
  const { added, updated, sold } = { ...none, ...done };
  const changed = added + updated + sold + (details.photos?.added ?? 0) > 0;
  // The counts of an import that was cut off may lack its last second.
  const mayUndo = startedAt !== undefined && (changed || state !== "finished");
  const undoable =
    mayUndo && undoableStates.includes(state) && undoUntil !== undefined && now < undoUntil;
  return {
    id,
    state,
    ready: ready && state === "waiting",
    fileName,
    bytes,
    percent: percentOf(row),
    counts: { ...none, ...done },
    createdAt,
    ...(left !== undefined && { secondsLeft: left }),
    ...(problem !== undefined && { problem: { code: problem.code, message: problem.message } }),
    ...(facts !== undefined && facts.titles.length > 0 && { titles: facts.titles }),
    ...(facts?.sheet !== undefined && { sheet: facts.sheet }),
    ...(facts?.otherSheets !== undefined &&
      facts.otherSheets.length > 0 && { otherSheets: facts.otherSheets }),
    ...(startedAt !== undefined && { startedAt }),
    ...(endedAt !== undefined && { endedAt }),
    ...(undoable && { undoUntil }),
    ...(details.archive !== undefined && { archive: details.archive }),
    ...(details.photos !== undefined && { photos: photosShown(details.photos) }),
    ...(details.undo !== undefined && { undo: details.undo }),
  };
}

function photosShown({
  added,
  failed,
  named,
}: PhotoProgress): Exclude<ImportView["photos"], undefined> {
  return { added, failed, named };
}

/** A photo takes about as long as so many rows. */
const ROWS_A_PHOTO = 50;

/** Returns how much of the work is done, of all of it, in rows. */
function workOf({ state, details }: StoredImport): { readonly done: number; readonly all: number } {
  const { done, rows, plan, photos } = details;
  if (state !== "running") return { done, all: rows };
  const tried = (photos?.added ?? 0) + (photos?.failed ?? 0);
  return {
    done: done + ROWS_A_PHOTO * tried,
    all: rows + ROWS_A_PHOTO * Math.max(plan?.photos ?? 0, tried),
  };
}

function percentOf(row: StoredImport): number {
  const { state } = row;
  if (state === "finished" || state === "undone" || state === "waiting") return 100;
  const { done, all } = workOf(row);
  return all === 0 ? 0 : Math.min(99, Math.floor((done / all) * 100));
}

function secondsLeft(row: StoredImport, now: number): number | undefined {
  const { state, details } = row;
  const { done, all } = workOf(row);
  const { startedAt } = details;
  if (state !== "running" || startedAt === undefined || done === 0) return undefined;
  return Math.ceil((((now - startedAt) / done) * Math.max(0, all - done)) / 1_000);
}

/** An example of an import. */
export const importExample: Readonly<Record<string, unknown>> = {
  id: "imp_3k9TqXbZ0aPw",
  state: "running",
  ready: false,
  fileName: "animals.csv",
  bytes: 48_213,
  percent: 40,
  counts: { added: 120, updated: 3, same: 0, skipped: 0, faulty: 0, sold: 0 },
  createdAt: "2026-11-20T09:30:00.000Z",
  secondsLeft: 4,
  startedAt: "2026-11-20T09:31:00.000Z",
};
