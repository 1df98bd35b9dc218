import { readableMinute } from "../lib/base/readable.ts";
import type { ImportView } from "../lib/management/index.ts";
import { must } from "../settings/failure.ts";
import type { Command, Context } from "./command.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import { RUN, settled } from "./import-job.ts";
import { photoLines } from "./import-texts.ts";
import { operation } from "./operation.ts";
import { confirm, createProgress, writeTable, yesFlag } from "./output.ts";

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
