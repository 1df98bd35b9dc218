import { basename } from "node:path";

import type { PetstoreClient } from "../domains/operations.ts";
import { readableMinute, shellWord } from "../lib/base/readable.ts";
import type { Environment } from "../lib/index.ts";
import {
  encodings,
  importPresets,
  choicesOf,
  toWire,
  uploadImport,
  type ImportRequest,
  type ImportView,
  type ShownPlan,
} from "../lib/management/index.ts";
import { codeOf, Failure, must, reasonOf, type Exit } from "../settings/failure.ts";
import { oneOf, quoted, text } from "../settings/values.ts";
import { withClient } from "./client.ts";
import {
  command,
  each,
  optional,
  optionalText,
  toggle,
  type Command,
  type Context,
} from "./command.ts";
import { accountFlag, environmentFlag, given } from "./fields.ts";
import {
  mapChoice,
  mappingRows,
  missingText,
  openPoints,
  optionsOf,
  valueChoice,
} from "./import-texts.ts";
import { clientFlags, operation } from "./operation.ts";
import {
  confirm,
  createProgress,
  writeJson,
  writeTable,
  yesFlag,
  type Progress,
} from "./output.ts";

const orders = { "day-first": "day", "month-first": "month" } as const;

export const petsImport: Command = command({
  path: "pets import",
  summary: "Add or update animals from a table, as other programs export it",
  details: `Reads CSV with any delimiter, Excel workbooks (.xlsx) and JSON, of at most 64 MiB; the content decides, not the name of the file. Columns are known by their names in English and German, and the exports of ${importPresets.join(", ")} by their header. Nothing is imported unless everything in the file is understood: what is not is asked, with the option that answers. Animals with a number (externalId) are updated if the number is there already. --dry-run changes nothing, and shows what each column is used for and the options to use again for such files. The server does the work: if this command is interrupted, the import continues. \`imports undo\` takes it back within 48 hours. --json prints {dryRun, import, options, plan, animals}; plan has the columns, the questions and the faults.`,
  operands: { file: { placeholder: "FILE", help: "Path of the file; - reads stdin." } },
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    preset: optional({
      name: "preset",
      placeholder: "PRESET",
      help: `The system that the file comes from: ${importPresets.join(", ")}. Default: known by the header.`,
      parse: oneOf(importPresets),
    }),
    map: each({
      name: "map",
      placeholder: "FIELD=COLUMN",
      help: 'The column of a field: its name, its number (#5), or nothing to leave the field out. Example: name="Animal name". Repeatable.',
      parse: mapChoice,
    }),
    value: each({
      name: "value",
      placeholder: "FIELD:FOUND=VALUE",
      help: "What a value means. FOUND is empty for empty cells, * for all other unknown values; VALUE is skip to leave out the rows (status, category). Example: status:Adoption=sold. Repeatable.",
      parse: valueChoice,
    }),
    key: optionalText(
      "key",
      "COLUMN",
      "The column with a number for each animal, by which a later import finds it. Same as --map externalId=COLUMN.",
    ),
    encoding: optional({
      name: "encoding",
      placeholder: "ENCODING",
      help: `${encodings.join(", ")}. Default: UTF-8 or UTF-16, as the file shows.`,
      parse: oneOf(encodings),
    }),
    dates: optional({
      name: "dates",
      placeholder: "ORDER",
      help: "day-first or month-first, for dates such as 05/06/2024. Default: as the file shows.",
      parse: oneOf(["day-first", "month-first"]),
    }),
    alike: optional({
      name: "alike",
      placeholder: "WHAT",
      help: "add or skip animals without a known number that have the name and category of one that is there. Default: ask.",
      parse: oneOf(["add", "skip"]),
    }),
    missing: optional({
      name: "missing",
      placeholder: "WHAT",
      help: "What to do with animals from the same source that the file no longer has: leave them, or set them to sold (without an order). Default: leave.",
      parse: oneOf(["leave", "sold"]),
    }),
    manyMissing: toggle(
      "many-missing",
      "Confirm that more than half of the animals from the source are set to sold.",
    ),
    createCategories: toggle("create-categories", "Create missing categories, at most 50."),
    goodRows: toggle("good-rows", "Import the rows without errors, and leave out the others."),
    format: {
      ...optional({ name: "format", placeholder: "FORMAT", help: "", parse: text }),
      unlisted: true,
    },
    dryRun: toggle("dry-run", "Change nothing: show what would be imported, and how."),
    ...clientFlags,
  },
  examples: [
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B --dry-run",
    "pets import asm-export.csv --account acc_7Gk2mQ9xYt4B",
    'pets import outcomes.csv --account acc_7Gk2mQ9xYt4B --map name="Animal ID" --map status="Outcome Type" --value status:Adoption=sold',
    "pets import - --account acc_7Gk2mQ9xYt4B --create-categories < animals.ndjson",
  ],
  run: async ({ flags, operands: { file }, context }) => {
    const { account, environment, dryRun } = flags;
    const request = requestOf(flags);
    const progress = createProgress(context.terminal, context.clock, "");
    const outcome = await withClient(flags, context, async (client) => {
      // Before anything is read: the account may not exist.
      must(await client.call("GET /accounts/:account", { account }));
      return importFile(
        { client, place: { account, environment }, context, progress },
        { file, request, dryRun },
      );
    }).finally(() => {
      progress.clear();
    });
    return report(outcome, { context, request, file, flags });
  },
});

interface Choices {
  readonly preset: ImportRequest["preset"];
  readonly map: NonNullable<ImportRequest["map"]>;
  readonly value: NonNullable<ImportRequest["values"]>;
  readonly key: string | undefined;
  readonly encoding: ImportRequest["encoding"];
  readonly dates: keyof typeof orders | undefined;
  readonly alike: ImportRequest["alike"];
  readonly missing: ImportRequest["missing"];
  readonly manyMissing: boolean;
  readonly createCategories: boolean;
  readonly goodRows: boolean;
}

function requestOf({
  preset,
  map,
  value,
  key,
  encoding,
  dates,
  alike,
  missing,
  ...toggles
}: Choices): ImportRequest {
  const keyed = key === undefined ? [] : [{ field: "externalId", column: key } as const];
  return {
    ...given({ preset, encoding, alike, missing, dates: dates && orders[dates] }),
    ...(map.length + keyed.length > 0 ? { map: [...map, ...keyed] } : {}),
    ...(value.length > 0 ? { values: value } : {}),
    ...(toggles.createCategories ? { createCategories: true } : {}),
    ...(toggles.manyMissing ? { manyMissing: true } : {}),
    ...(toggles.goodRows ? { goodRows: true } : {}),
  };
}

interface Place {
  readonly account: string;
  readonly environment: Environment;
}

interface Job {
  readonly client: PetstoreClient;
  readonly place: Place;
  readonly context: Context;
  readonly progress: Progress;
}

interface Order {
  readonly file: string;
  readonly request: ImportRequest;
  readonly dryRun: boolean;
}

interface Outcome {
  /** As it ended, or as it waits for answers. */
  readonly imported: ImportView;
  /** Undefined if the file cannot be read. */
  readonly plan: ShownPlan | undefined;
}

const RUN = "/accounts/:account/:environment/imports/:import";

/** Uploads a file, reads it, and imports it if everything is understood. */
async function importFile(job: Job, { file, request, dryRun }: Order): Promise<Outcome> {
  const { client, place, context } = job;
  const { name, content } = await openFile(file, context);
  job.progress.say("Uploading");
  const made = await uploadImport(client, { ...place, fileName: name, content });
  if (!made.ok && made.failure.code === "unreadable_file") {
    throw new Failure("failed", made.failure.message);
  }
  const uploaded = must(made);
  const at = { ...place, import: uploaded.id };
  must(await client.call(`PUT ${RUN}/mapping`, { ...at, body: request }));
  const read = await settled(job, uploaded.id, "Reading");
  if (read.problem !== undefined) return { imported: await cancelled(job, read), plan: undefined };
  const plan = must(await client.call(`GET ${RUN}/mapping`, at));
  if (!read.ready || dryRun) return { imported: await cancelled(job, read), plan };
  must(await client.call(`POST ${RUN}/run`, at));
  return { imported: await settled(job, uploaded.id, "Importing"), plan };
}

/** An import that waits for answers that do not come would keep others from beginning. */
async function cancelled({ client, place }: Job, { id, ...read }: ImportView): Promise<ImportView> {
  must(await client.call(`POST ${RUN}/cancel`, { ...place, import: id }));
  return { id, ...read };
}

const POLL_MS = [50, 100, 200, 500] as const;
const WORKING: ReadonlySet<ImportView["state"]> = new Set(["reading", "running", "undoing"]);

/** Waits until the server no longer works on an import, and shows its progress. */
async function settled(
  { client, place, context, progress }: Job,
  id: string,
  doing: string,
): Promise<ImportView> {
  for (let round = 0; ; round++) {
    const found = must(await client.call(`GET ${RUN}`, { ...place, import: id }));
    if (!WORKING.has(found.state)) return found;
    const { percent, secondsLeft } = found;
    const left = secondsLeft === undefined ? "" : `, ${secondsLeft} s left`;
    progress.say(`${doing}: ${percent} %${left}`);
    await context.clock.sleep(POLL_MS[round] ?? 500);
  }
}

async function openFile(
  file: string,
  { terminal }: Context,
): Promise<{ readonly name: string; readonly content: ReadableStream<Uint8Array> }> {
  if (file === "-") return { name: "", content: streamOf(terminal.input()) };
  const opened = Bun.file(file);
  if (!(await opened.exists())) throw new Failure("notFound", `The file ${file} does not exist.`);
  return { name: basename(file), content: streamOf(readable(opened, file)) };
}

/** `ReadableStream.from` is not everywhere. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

async function* readable(opened: Blob, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* opened.stream();
  } catch (error) {
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}

interface Reported {
  readonly context: Context;
  readonly request: ImportRequest;
  readonly file: string;
  readonly flags: {
    readonly account: string;
    readonly environment: Environment;
    readonly dryRun: boolean;
    readonly json: boolean;
  };
}

async function report({ imported, plan }: Outcome, reported: Reported): Promise<Exit> {
  const { context, request, flags } = reported;
  const { terminal } = context;
  const { dryRun } = flags;
  const { problem, ready, state, counts } = imported;
  const open = plan === undefined ? [] : openPoints(plan);
  const isOpen = problem !== undefined || (!ready && state !== "finished");
  if (problem !== undefined) terminal.err(`${problem.message}\n`);
  for (const line of open) if (isOpen || dryRun) terminal.err(`${line}\n`);
  for (const { code, message } of plan?.warnings ?? []) {
    // Afterwards the result says what became of the photos.
    if (code === "photos") {
      if (isOpen || dryRun) terminal.err(`${message}\n`);
      continue;
    }
    const answer =
      code === "ambiguous_dates" ? " Say which: --dates day-first or month-first." : "";
    terminal.err(`Warning: ${message}${answer}\n`);
  }
  const missing = dryRun && !isOpen ? plan?.missing : undefined;
  if (missing !== undefined && missing.count > 0) {
    terminal.err(`${missingText(missing, request.missing)}\n`);
  }
  for (const line of photoLines(imported)) terminal.err(`Warning: ${line}\n`);
  const empty = plan?.rows === 0 && request.missing !== "sold";
  if (empty) terminal.err("The file has no rows with animals.\n");
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
    if (dryRun && !isOpen) terminal.err(`${againText(options, reported)}\n`);
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

/** Names the pictures that did not become photos. */
function photoLines({ photos }: ImportView): readonly string[] {
  if (photos === undefined || photos.failed === 0) return [];
  const lines = photos.named.map(
    ({ line, name, photo, reason }) => `line ${line}, ${name}: ${photo}: ${reason}`,
  );
  const more = photos.failed - photos.named.length;
  return [
    `${photos.failed === 1 ? "1 picture" : `${photos.failed} pictures`} could not be read or fetched. The animals were imported without them.`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

function categoriesText(plan: ShownPlan | undefined, what: string): string {
  const names = plan?.newCategories ?? [];
  return names.length === 0 ? "" : `; categories ${what}: ${names.map(quoted).join(", ")}`;
}

function environmentOption({ environment }: Reported["flags"]): string {
  return environment === "production" ? "" : ` --environment ${environment}`;
}

/** Returns the command that imports such a file without questions. */
function againText(options: readonly string[], { context, file, flags }: Reported): string {
  const again = `${context.program} pets import ${shellWord(file)} --account ${flags.account}${environmentOption(flags)}`;
  return ["Import it, and such files later:", `  ${[again, ...options].join(" ")}`].join("\n");
}

const importOperand = {
  placeholder: "IMPORT",
  help: "ID of the import, as `imports list` shows it.",
};
const placeFlags = { account: accountFlag, environment: environmentFlag };

/** Writes an import for people. */
async function showImport(view: ImportView, { terminal }: Context): Promise<void> {
  const { id, state, fileName, createdAt, counts, problem, undoUntil, undo } = view;
  const { added, updated, same, skipped, faulty, sold } = counts;
  const lines = [
    `${id}  ${state}  ${fileName === "" ? "(stdin)" : fileName}  ${readableMinute(createdAt)}`,
    `${added} added, ${updated} updated, ${same} unchanged, ${skipped} left out, ${sold} set to sold, ${faulty} failed`,
    ...(problem === undefined ? [] : [problem.message]),
    ...photoLines(view),
    ...(undo === undefined ? [] : undoLines(undo)),
    ...(undoUntil === undefined ? [] : [`Can be undone until ${readableMinute(undoUntil)}.`]),
  ];
  await terminal.out(`${lines.join("\n")}\n`);
}

function undoLines({ undone, kept, named }: NonNullable<ImportView["undo"]>): readonly string[] {
  if (kept === 0) return [`${undone} animals undone.`];
  const names = named.slice(0, 10).map(({ id, name }) => `${name} (${id})`);
  const more = kept > names.length ? ", …" : "";
  return [
    `${undone} animals undone. ${kept} were changed since, and stay: ${names.join(", ")}${more}`,
  ];
}

export const importCommands: readonly Command[] = [
  operation({
    path: "imports list",
    summary: "List the imports of the last 30 days, newest first",
    flags: placeFlags,
    examples: ["imports list --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { flags: { account, environment } }) =>
      must(await call("GET /accounts/:account/:environment/imports", { account, environment })),
    show: (found, { context: { terminal } }) =>
      writeTable(
        terminal,
        ["ID", "STATE", "ADDED", "UPDATED", "FILE", "BEGAN"],
        found.map(({ id, state, counts, fileName, createdAt }) => [
          id,
          state,
          String(counts.added),
          String(counts.updated),
          fileName,
          readableMinute(createdAt),
        ]),
      ),
  }),
  operation({
    path: "imports show",
    summary: "Show an import",
    operands: { import: importOperand },
    flags: placeFlags,
    examples: ["imports show imp_3k9TqXbZ0aPw --account acc_7Gk2mQ9xYt4B"],
    call: async ({ call }, { flags: { account, environment }, operands }) =>
      must(await call(`GET ${RUN}`, { account, environment, import: operands.import })),
    show: (view, { context }) => showImport(view, context),
  }),
  operation({
    path: "imports undo",
    summary: "Take back a whole import, within 48 hours",
    details:
      "Removes the animals that the import added, and restores those that it changed. Animals that were changed since stay as they are, and are named.",
    operands: { import: importOperand },
    flags: { ...placeFlags, yes: yesFlag },
    examples: ["imports undo imp_3k9TqXbZ0aPw --account acc_7Gk2mQ9xYt4B --yes"],
    before: async ({ flags, operands, context: { terminal } }) => {
      await confirm(terminal, `Undo the import ${operands.import}?`, flags.yes);
    },
    call: async (client, { flags: { account, environment }, operands, context }) => {
      const place = { account, environment };
      must(await client.call(`POST ${RUN}/undo`, { ...place, import: operands.import }));
      const progress = createProgress(context.terminal, context.clock, "");
      const job = { client, place, context, progress };
      return settled(job, operands.import, "Undoing").finally(() => {
        progress.clear();
      });
    },
    show: (view, { context }) => showImport(view, context),
  }),
];
