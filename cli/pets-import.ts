import { encodings, importPresets, type ImportRequest } from "../lib/management/index.ts";
import { must } from "../settings/failure.ts";
import { oneOf, text } from "../settings/values.ts";
import { withClient } from "./client.ts";
import { command, each, optional, optionalText, toggle, type Command } from "./command.ts";
import { accountFlag, environmentFlag, given } from "./fields.ts";
import { importFile } from "./import-job.ts";
import { reportImport } from "./import-report.ts";
import { mapChoice, valueChoice } from "./import-texts.ts";
import { clientFlags } from "./operation.ts";
import { createProgress } from "./output.ts";

const orders = { "day-first": "day", "month-first": "month" } as const;

export const petsImport: Command = command({
  path: "pets import",
  summary: "Add or update animals from a table, as other programs export it",
  details: `Reads CSV with any delimiter, Excel workbooks (.xlsx) and JSON, of at most 64 MiB; the content decides, not the name of the file. Columns are known by their names in English and German, and the exports of ${importPresets.join(", ")} by their header. Nothing is imported unless everything in the file is understood: what is not is asked, one question after the other on a terminal, and elsewhere with the option that answers. Animals with a number (externalId) are updated if the number is there already. --dry-run changes nothing, and shows what each column is used for and the options to use again for such files. The server does the work: if this command is interrupted, the import continues. \`imports undo\` takes it back within 48 hours. --json prints {dryRun, import, options, plan, animals}; plan has the columns, the questions and the faults.`,
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
    photos: optionalText(
      "photos",
      "FILE",
      "A zip archive with pictures, at most 1 GiB. A column of the table names them; otherwise a picture belongs to the animal whose number or name its name or its folder is: A12-2.jpg, Bella/1.jpg. The table may be in such an archive as well.",
    ),
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
    "pets import animals.csv --photos photos.zip --account acc_7Gk2mQ9xYt4B",
    "pets import - --account acc_7Gk2mQ9xYt4B --create-categories < animals.ndjson",
  ],
  run: async ({ flags, operands: { file }, context }) => {
    const { account, environment, photos, dryRun, json } = flags;
    const asks = context.terminal.interactive && !dryRun && !json && file !== "-";
    const progress = createProgress(context.terminal, context.clock, "");
    const outcome = await withClient(flags, context, async (client) => {
      // Before anything is read: the account may not exist.
      must(await client.call("GET /accounts/:account", { account }));
      return importFile(
        { client, place: { account, environment }, context, progress },
        { file, photos, request: requestOf(flags), dryRun, asks },
      );
    }).finally(() => {
      progress.clear();
    });
    return reportImport(outcome, { context, file, photos, flags });
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
