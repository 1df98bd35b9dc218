import {
  petFormats,
  type ManagementClient,
  type PetFormat,
  exportColumns,
  exportedPet,
} from "../lib/management/index.ts";
import { command, optional, optionalText, type Command } from "./command.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import { fileSink } from "../server/files.ts";
import { withClient } from "./client.ts";
import { writeJson, createProgress } from "./output.ts";
import { must } from "../settings/failure.ts";
import { clientFlags } from "./operation.ts";
import { oneOf } from "../settings/values.ts";
import type { Pet } from "../lib/index.ts";
import { csvRow } from "../lib/base/csv.ts";

const PAGE = 1_000;

export const petsExport: Command = command({
  path: "pets export",
  summary: "Write all animals as CSV or NDJSON, oldest first",
  details:
    "The columns are id, name, category (its name) and status; `pets import` accepts them. Names are not escaped: a spreadsheet may treat one that begins with = + - or @ as a formula.",
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the extension of the file, else csv.",
      parse: oneOf(petFormats),
    }),
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
    const { account: accountId, environment, output, json } = flags;
    const format = flags.format ?? formatOf(output);
    const encoder = petEncoders[json && output === undefined ? "array" : format];
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
        writePets({ client, where: { accountId, environment }, encoder, write, onProgress }),
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
  readonly client: ManagementClient;
  readonly where: Parameters<ManagementClient["categories"]["list"]>[0];
  readonly encoder: PetEncoder;
  readonly write: (text: string) => Promise<void>;
  readonly onProgress: (count: number) => void;
}

/** Writes page by page. An animal that exists throughout is written once. */
async function writePets({ client, where, encoder, write, onProgress }: Writing): Promise<Written> {
  let categories = await categoryNames(client, where);
  let count = 0;
  let formulas = 0;
  let after = 0;
  await write(encoder.head);
  for (;;) {
    const pets = must(await client.pets.page({ ...where, after, limit: PAGE }));
    // The category may be newer than our list.
    if (pets.some(({ categoryId }) => !categories.has(categoryId))) {
      categories = await categoryNames(client, where);
    }
    let part = "";
    for (const pet of pets) {
      if (count > 0) part += encoder.between;
      part += encoder.row(pet, categories.get(pet.categoryId) ?? "");
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
  client: ManagementClient,
  where: Writing["where"],
): Promise<ReadonlyMap<number, string>> {
  const categories = must(await client.categories.list(where));
  return new Map(categories.map(({ id, name }) => [id, name]));
}

function formatOf(output: string | undefined): PetFormat {
  return output !== undefined && /\.(?:ndjson|jsonl)$/i.test(output) ? "ndjson" : "csv";
}

/** The parts of an export. */
interface PetEncoder {
  readonly head: string;
  readonly row: (pet: Pet, category: string) => string;
  /** Separates two rows. */
  readonly between: string;
  readonly tail: string;
}

/** `array` is one JSON document; the others can be imported. Categories are written by name: IDs differ between catalogues. */
export const petEncoders: Readonly<Record<PetFormat | "array", PetEncoder>> = {
  csv: {
    head: csvRow(exportColumns),
    row: (pet, category) => csvRow(Object.values(exportedPet(pet, category))),
    between: "",
    tail: "",
  },
  ndjson: {
    head: "",
    row: (pet, category) => `${petJson(pet, category)}\n`,
    between: "",
    tail: "",
  },
  array: {
    head: "[",
    row: (pet, category) => `\n  ${petJson(pet, category)}`,
    between: ",",
    tail: "\n]\n",
  },
};

function petJson(pet: Pet, category: string): string {
  return JSON.stringify(exportedPet(pet, category));
}

function looksLikeFormula(name: string): boolean {
  return /^[=+\-@]/.test(name);
}
