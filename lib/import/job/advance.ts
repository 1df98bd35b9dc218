import { isoTime } from "../../base/clock.ts";
import { problem, type Problem } from "../../base/problem.ts";
import { presentLooks } from "../looks.ts";
import { photoFiles } from "../photo-files.ts";
import { isReady, planImport } from "../plan.ts";
import { planShown } from "../plan-shown.ts";
import { TableRefused } from "../table.ts";
import { tableProblem } from "../table-faults.ts";
import type { StoredImport } from "./model.ts";
import { runImport } from "./run.ts";
import { undoImport } from "./undo.ts";
import {
  allCategories,
  FileMissing,
  ImportFailed,
  Work,
  WorkEnded,
  type WorkContext,
} from "./work.ts";

/** Works on an import until its state is another one. Rejects with `StoreUnavailable`; another attempt then continues. */
export async function workOn(context: WorkContext, row: StoredImport): Promise<void> {
  const work = new Work(context, row);
  try {
    await attempt(work, row);
  } catch (error) {
    if (!(error instanceof WorkEnded)) throw error;
    await settle(work);
  }
}

/** Throws `WorkEnded` if the import was changed or cancelled meanwhile. */
async function attempt(work: Work, { state }: StoredImport): Promise<void> {
  try {
    if (state === "undoing") await undoImport(work);
    else if (state === "running") await runImport(work);
    else await readImport(work);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const ends = state === "running" ? "failed" : "waiting";
    const endedAt = state === "running" ? { endedAt: work.context.clock.now() } : {};
    await work.save(ends, { problem: reason, ready: false, ...endedAt });
  }
}

/** Stores what a cancelled import has done so far. */
async function settle(work: Work): Promise<void> {
  const { importStore, clock } = work.context;
  const { catalogueId, id } = work.row;
  const now = await importStore.byId(catalogueId, id);
  if (now?.state !== "cancelled") return;
  const { counts, done, batches } = work.details;
  const details = { ...now.details, counts, done, batches };
  await importStore.save(now, { ...now, details }, clock.now());
}

function reasonOf(error: unknown): Problem | undefined {
  if (error instanceof TableRefused) return tableProblem(error.fault);
  if (error instanceof ImportFailed) return error.problem;
  if (error instanceof FileMissing) {
    return problem("not_found", "The file of the import is no longer stored. Upload it again.");
  }
  return undefined;
}

/** Reads the file, and finds out what has to be asked. */
async function readImport(work: Work): Promise<void> {
  const { store, clock, stopped } = work.context;
  const { catalogueId, details } = work.row;
  const { request } = details;
  const { table, archive } = await work.open();
  const today = details.today ?? isoTime(clock.now()).slice(0, 10);
  const plan = await planImport({
    table,
    choices: request,
    categories: await allCategories(store, catalogueId),
    today,
    files: archive && photoFiles(archive.names),
    catalogue: { store, id: catalogueId, looks: await presentLooks(store, catalogueId) },
    onProgress: () => {
      if (stopped()) throw new WorkEnded();
    },
  });
  await work.save("waiting", {
    facts: table.facts,
    plan: planShown(plan, request),
    ready: isReady(plan, request),
    rows: plan.mapping.rows,
    done: 0,
    today,
  });
}
