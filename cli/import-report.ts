import { shellWord } from "../lib/base/readable.ts";
import type { Environment } from "../lib/index.ts";
import {
  choicesOf,
  toWire,
  type ImportRequest,
  type ImportView,
  type ShownPlan,
} from "../lib/management/index.ts";
import type { Exit } from "../settings/failure.ts";
import { quoted } from "../settings/values.ts";
import type { Context } from "./command.ts";
import { given } from "./fields.ts";
import type { ImportOutcome } from "./import-job.ts";
import { mappingRows, missingText, openPoints, optionsOf, photoLines } from "./import-texts.ts";
import { writeJson, writeTable } from "./output.ts";

/** How an import was asked for. */
export interface Reported {
  readonly context: Context;
  readonly file: string;
  readonly photos: string | undefined;
  readonly flags: {
    readonly account: string;
    readonly environment: Environment;
    readonly dryRun: boolean;
    readonly json: boolean;
  };
}

/** Says what became of an import. */
export async function reportImport(
  { imported, plan, request, asked }: ImportOutcome,
  reported: Reported,
): Promise<Exit> {
  const { context, flags } = reported;
  const { terminal } = context;
  const { dryRun } = flags;
  const { problem, ready, state, counts } = imported;
  const open = plan === undefined ? [] : openPoints(plan);
  const isOpen = problem !== undefined || (!ready && state !== "finished");
  if (problem !== undefined) terminal.fault(`${problem.message}\n`);
  for (const line of open) if (isOpen || dryRun) terminal.fault(`${line}\n`);
  for (const { code, message } of plan?.warnings ?? []) {
    // Afterwards the result says what became of the photos.
    if (code === "photos") {
      if (isOpen || dryRun) terminal.err(`${message}\n`);
      continue;
    }
    const answer =
      code === "ambiguous_dates" ? " Say which: --dates day-first or month-first." : "";
    terminal.fault(`Warning: ${message}${answer}\n`);
  }
  const missing = dryRun && !isOpen ? plan?.missing : undefined;
  if (missing !== undefined && missing.count > 0) {
    terminal.err(`${missingText(missing, request.missing)}\n`);
  }
  for (const line of photoLines(imported)) terminal.fault(`Warning: ${line}\n`);
  const empty = plan?.rows === 0 && request.missing !== "sold";
  if (empty) terminal.fault("The file has no rows with animals.\n");
  const options = optionsFor(plan, request);
  if (flags.json) {
    const shown = {
      id: imported.id,
      state: dryRun || isOpen ? "cancelled" : state,
      ...counts,
      ...given({ photos: imported.photos }),
    };
    await writeJson(
      terminal,
      toWire({ dryRun, import: shown, options, plan, ...given({ problem }) }),
    );
  } else {
    if (plan !== undefined && (dryRun || plan.questions.length > 0)) await showPlan(plan, context);
    await terminal.out(`${outcomeText(imported, plan, reported, isOpen)}\n`);
    if ((dryRun || asked) && !isOpen) terminal.err(`${againText(options, reported)}\n`);
  }
  return isOpen || state === "failed" || empty ? "failed" : "done";
}

/** Returns the options to use again for such files. */
function optionsFor(plan: ShownPlan | undefined, request: ImportRequest): readonly string[] {
  return optionsOf(plan === undefined ? request : { ...request, ...choicesOf(plan, request) });
}

async function showPlan(plan: ShownPlan, { terminal }: Context): Promise<void> {
  if (plan.presetTitle !== undefined) await terminal.out(`An export of ${plan.presetTitle}.\n`);
  await writeTable(terminal, ["COLUMN", "FIELD", "VALUES", "SUCH AS"], mappingRows(plan));
}

function outcomeText(
  { counts, photos, state, id }: ImportView,
  plan: ShownPlan | undefined,
  { context: { program }, flags }: Reported,
  isOpen: boolean,
): string {
  if (isOpen) return "Nothing was imported.";
  if (flags.dryRun) {
    const { animals = 0, updates = 0 } = plan ?? {};
    const some = updates === 0 ? "" : `, ${updates} of them updated`;
    return `Would import ${animals === 1 ? "1 animal" : `${animals} animals`}${some}${categoriesText(plan, "would be created")}. Nothing was changed.`;
  }
  const { added, updated, same, skipped, faulty, sold } = counts;
  const parts = [
    `${added} added`,
    ...(updated > 0 ? [`${updated} updated`] : []),
    ...(same > 0 ? [`${same} unchanged`] : []),
    ...(skipped > 0 ? [`${skipped} left out`] : []),
    ...(sold > 0 ? [`${sold} set to sold`] : []),
    `${faulty} failed`,
    ...((photos?.added ?? 0) > 0 ? [`${photos?.added} photos`] : []),
  ];
  const undo = `Undo it: ${program} imports undo ${id} --account ${flags.account}${environmentOption(flags)}`;
  const ended = state === "finished" ? "" : ` The import ended early: ${state}.`;
  return `${parts.join(", ")}${categoriesText(plan, "created")}.${ended}\n${undo}`;
}

function categoriesText(plan: ShownPlan | undefined, what: string): string {
  const names = plan?.newCategories ?? [];
  return names.length === 0 ? "" : `; categories ${what}: ${names.map(quoted).join(", ")}`;
}

function environmentOption({ environment }: Reported["flags"]): string {
  return environment === "production" ? "" : ` --environment ${environment}`;
}

/** Returns the command that imports such a file without questions. */
function againText(options: readonly string[], { context, file, photos, flags }: Reported): string {
  const beside = photos === undefined ? "" : ` --photos ${shellWord(photos)}`;
  const again = `${context.program} pets import ${shellWord(file)}${beside} --account ${flags.account}${environmentOption(flags)}`;
  return ["Import it, and such files later:", `  ${[again, ...options].join(" ")}`].join("\n");
}
