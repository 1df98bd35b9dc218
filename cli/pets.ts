import type { PetstoreClient } from "../domains/operations.ts";
import type { Environment, Pet } from "../lib/index.ts";
import {
  exportedAnimal,
  exportHeader,
  exportRow,
  fullExportColumns,
  type ExportDelimiter,
  type Profile,
} from "../lib/management/index.ts";
import { fileSink } from "../server/data/files.ts";
import { must } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import { withClient } from "./client.ts";
import { command, optional, optionalText, withDefault, type Command } from "./command.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import { petsImport } from "./imports.ts";
import { clientFlags } from "./operation.ts";
import { createProgress, writeJson } from "./output.ts";

const petFormats = ["csv", "ndjson"] as const;
type PetFormat = (typeof petFormats)[number];

const separators = { comma: ",", semicolon: ";", tab: "\t" } as const;

const PAGE = 1_000;

const petsExport: Command = command({
  path: "pets export",
  summary: "Write all animals as CSV or NDJSON, oldest first",
  details: `The columns are ${fullExportColumns.join(", ")}, with categories by name. \`pets import\` of the file into an empty catalogue gives the same animals. CSV begins with a byte order mark, so that spreadsheets read it as UTF-8. Photos are not part of it. Names are not escaped: a spreadsheet may treat one that begins with = + - or @ as a formula.`,
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the extension of the file, else csv.",
      parse: oneOf(petFormats),
    }),
    separator: withDefault(
      {
        name: "separator",
        placeholder: "NAME",
        help: "comma, semicolon (for spreadsheets with a decimal comma) or tab. Default: comma.",
        parse: oneOf(["comma", "semicolon", "tab"]),
      },
      "comma",
    ),
    output: optionalText(
      "output",
      "FILE",
      "File to write; it appears once it is complete. Default: stdout.",
    ),
    ...clientFlags,
  },
  examples: [
    "pets export --account acc_7Gk2mQ9xYt4B > animals.csv",
    "pets export --account acc_7Gk2mQ9xYt4B --environment staging --output animals.ndjson",
  ],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const { account, environment, output, json } = flags;
    const format = flags.format ?? formatOfExport(output);
    const encoder =
      json && output === undefined
        ? petEncoders.array
        : format === "csv"
          ? csvEncoder(separators[flags.separator])
          : petEncoders.ndjson;
    const progress = createProgress(terminal, clock, "animals");
    const sink = output === undefined ? undefined : await fileSink(output);
    const write = sink?.write ?? terminal.out;
    const onProgress = (count: number): void => {
      // Not between rows on the terminal.
      if (output !== undefined || !terminal.outIsTerminal) progress.show(count, undefined);
    };
    let written: Written;
    try {
      written = await withClient(flags, context, (client) =>
        writePets({ client, where: { account, environment }, encoder, write, onProgress }),
      );
    } catch (error) {
      await sink?.discard();
      throw error;
    } finally {
      progress.clear();
    }
    await sink?.finish();
    const { count, formulas } = written;
    if (format === "csv" && formulas > 0) {
      terminal.err(
        `Warning: ${formulas} names begin with = + - or @, which a spreadsheet may treat as a formula.\n`,
      );
    }
    if (output === undefined) return "done";
    if (json) await writeJson(terminal, { file: output, format, exported: count });
    else terminal.err(`Wrote ${count} animals to ${output}\n`);
    return "done";
  },
});

interface Written {
  readonly count: number;
  readonly formulas: number;
}

interface Writing {
  readonly client: PetstoreClient;
  readonly where: { readonly account: string; readonly environment: Environment };
  readonly encoder: PetEncoder;
  readonly write: (text: string) => Promise<void>;
  readonly onProgress: (count: number) => void;
}

/** Writes page by page. An animal that exists throughout is written once. */
async function writePets({ client, where, encoder, write, onProgress }: Writing): Promise<Written> {
  let categories = await categoryNames(client, where);
  let count = 0;
  let formulas = 0;
  let after: number | undefined;
  await write(encoder.head);
  for (;;) {
    const input = { ...where, query: { after, limit: PAGE, include: "profile" } } as const;
    const pets = must(await client.call("GET /accounts/:account/:environment/pets", input));
    // The category may be newer than our list.
    if (pets.some(({ categoryId }) => !categories.has(categoryId))) {
      categories = await categoryNames(client, where);
    }
    let part = "";
    for (const pet of pets) {
      if (count > 0) part += encoder.between;
      part += encoder.row(pet, categories.get(pet.categoryId) ?? "", pet.profile ?? {});
      count++;
      if (looksLikeFormula(pet.name)) formulas++;
      after = pet.id;
    }
    if (part !== "") await write(part);
    onProgress(count);
    if (pets.length < PAGE) break;
  }
  await write(encoder.tail);
  return { count, formulas };
}

async function categoryNames(
  { all }: PetstoreClient,
  where: Writing["where"],
): Promise<ReadonlyMap<number, string>> {
  const categories = must(await all("GET /accounts/:account/:environment/categories", where));
  return new Map(categories.map(({ id, name }) => [id, name]));
}

function formatOfExport(output: string | undefined): PetFormat {
  return output !== undefined && /\.(?:ndjson|jsonl)$/i.test(output) ? "ndjson" : "csv";
}

/** The parts of an export. */
interface PetEncoder {
  readonly head: string;
  readonly row: (pet: Pet, category: string, profile: Profile) => string;
  /** Separates two rows. */
  readonly between: string;
  readonly tail: string;
}

/** Writes CSV. Categories are written by name: IDs differ between catalogues. */
export function csvEncoder(delimiter: ExportDelimiter): PetEncoder {
  return {
    head: exportHeader(delimiter),
    row: (pet, category, profile) => exportRow(pet, category, profile, delimiter),
    between: "",
    tail: "",
  };
}

/** `array` is one JSON document; `ndjson` can be imported. */
export const petEncoders: Readonly<Record<"ndjson" | "array", PetEncoder>> = {
  ndjson: {
    head: "",
    row: (pet, category, profile) => `${petJson(pet, category, profile)}\n`,
    between: "",
    tail: "",
  },
  array: {
    head: "[",
    row: (pet, category, profile) => `\n  ${petJson(pet, category, profile)}`,
    between: ",",
    tail: "\n]\n",
  },
};

function petJson(pet: Pet, category: string, profile: Profile): string {
  return JSON.stringify(exportedAnimal(pet, category, profile));
}

function looksLikeFormula(name: string): boolean {
  return /^[=+\-@]/.test(name);
}

export const petCommands: readonly Command[] = [petsImport, petsExport];
