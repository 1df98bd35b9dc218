import type { PetstoreClient } from "../domains/operations.ts";
import type { Environment, Pet } from "../lib/index.ts";
import { SECOND_MS } from "../lib/base/clock.ts";
import {
  exportArchive,
  exportedAnimal,
  exportHeader,
  exportRow,
  fullExportColumns,
  readPhoto,
  type ExportDelimiter,
  type ExportedPet,
  type PhotoShown,
  type Profile,
} from "../lib/management/index.ts";
import { fileSink } from "../server/data/files.ts";
import { Failure, must, type Exit } from "../settings/failure.ts";
import { oneOf } from "../settings/values.ts";
import { withClient } from "./client.ts";
import {
  command,
  optional,
  optionalText,
  toggle,
  withDefault,
  type Command,
  type Context,
} from "./command.ts";
import { accountFlag, environmentFlag } from "./fields.ts";
import { petsImport } from "./pets-import.ts";
import { clientFlags } from "./operation.ts";
import { createProgress, writeJson } from "./output.ts";

const petFormats = ["csv", "ndjson"] as const;
type PetFormat = (typeof petFormats)[number];

const separators = { comma: ",", semicolon: ";", tab: "\t" } as const;

const PAGE = 1_000;

const petsExport: Command = command({
  path: "pets export",
  summary: "Write all animals as CSV or NDJSON, oldest first",
  details: `The columns are ${fullExportColumns.join(", ")}, with categories by name. \`pets import\` of the file into an empty catalogue gives the same animals. CSV begins with a byte order mark, so that spreadsheets read it as UTF-8. --photos writes a zip archive with the CSV and the largest size of each photo, which \`pets import\` reads as well. Names are not escaped: a spreadsheet may treat one that begins with = + - or @ as a formula.`,
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
    photos: toggle("photos", "Write a zip archive with the photos. Needs --output."),
    output: optionalText(
      "output",
      "FILE",
      "File to write; it appears once it is complete. Default: stdout.",
    ),
    ...clientFlags,
  },
  examples: [
    "pets export --account acc_7Gk2mQ9xYt4B > animals.csv",
    "pets export --account acc_7Gk2mQ9xYt4B --photos --output animals.zip",
    "pets export --account acc_7Gk2mQ9xYt4B --environment staging --output animals.ndjson",
  ],
  run: async ({ flags, context }) => {
    const { terminal, clock } = context;
    const { account, environment, output, json } = flags;
    if (flags.photos) return exportWithPhotos(flags, context);
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
    const onProgress = (count: number, total: number): void => {
      // Not between rows on the terminal.
      if (output === undefined && terminal.outIsTerminal) return;
      progress.show(count, Math.min(1, count / Math.max(1, total)));
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
  readonly onProgress: (count: number, total: number) => void;
}

/** Writes page by page. An animal that exists throughout is written once. */
async function writePets({ client, where, encoder, write, onProgress }: Writing): Promise<Written> {
  let count = 0;
  let formulas = 0;
  const total = await petCount(client, where);
  // The head is written with the first animals, so that a refused export writes nothing.
  let part = encoder.head;
  for await (const page of exportedPages(client, where)) {
    for (const { pet, category, profile } of page) {
      if (count > 0) part += encoder.between;
      part += encoder.row(pet, category, profile);
      count++;
      if (looksLikeFormula(pet.name)) formulas++;
    }
    if (part !== "") await write(part);
    part = "";
    onProgress(count, total);
  }
  await write(part + encoder.tail);
  return { count, formulas };
}

/** Returns how many animals there are, which only the progress needs. */
async function petCount({ call }: PetstoreClient, where: Writing["where"]): Promise<number> {
  const counts = must(await call("GET /accounts/:account/:environment/pets/counts", where));
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Reads all animals with their categories and profiles, oldest first. */
async function* exportedPages(
  client: PetstoreClient,
  where: Writing["where"],
): AsyncGenerator<readonly ExportedPet[]> {
  // For the audit log.
  const body = { what: "animals" } as const;
  must(await client.call("POST /accounts/:account/:environment/exports", { ...where, body }));
  let categories = await categoryNames(client, where);
  let after: number | undefined;
  for (;;) {
    const input = { ...where, query: { after, limit: PAGE, include: "profile" } } as const;
    const pets = must(await client.call("GET /accounts/:account/:environment/pets", input));
    // The category may be newer than our list.
    if (pets.some(({ categoryId }) => !categories.has(categoryId))) {
      categories = await categoryNames(client, where);
    }
    const names = categories;
    yield pets.map(({ profile = {}, ...pet }) => ({
      pet,
      category: names.get(pet.categoryId) ?? "",
      profile,
    }));
    after = pets.at(-1)?.id;
    if (pets.length < PAGE) return;
  }
}

interface WithPhotos {
  readonly account: string;
  readonly environment: Environment;
  readonly format: PetFormat | undefined;
  readonly separator: keyof typeof separators;
  readonly output: string | undefined;
  readonly json: boolean;
}

/** Writes the animals and their photos as a zip archive. */
async function exportWithPhotos(
  flags: WithPhotos & Parameters<typeof withClient>[0],
  context: Context,
): Promise<Exit> {
  const { account, environment, output, separator } = flags;
  const { terminal, clock } = context;
  if (output === undefined) throw new Failure("usage", "--photos needs --output FILE.");
  if (flags.format === "ndjson") {
    throw new Failure("usage", "--photos writes CSV: leave out --format ndjson.");
  }
  const progress = createProgress(terminal, clock, "photos");
  const sink = await fileSink(output);
  let [count, photos, total] = [0, 0, 0];
  try {
    await withClient(flags, context, async (client) => {
      total = await petCount(client, { account, environment });
      const animals = async function* (): AsyncGenerator<readonly ExportedPet[]> {
        for await (const page of exportedPages(client, { account, environment })) {
          count += page.length;
          yield page;
        }
      };
      const archive = exportArchive(
        {
          animals,
          picture: (photo) => pictureOf(client, photo, context),
          onPhoto: (soFar) => {
            photos = soFar;
            progress.show(soFar, Math.min(1, count / Math.max(1, total)));
          },
        },
        { delimiter: separators[separator], at: clock.now() },
      );
      for await (const part of archive) await sink.write(part);
    });
  } catch (error) {
    await sink.discard();
    throw error;
  } finally {
    progress.clear();
  }
  await sink.finish();
  if (flags.json) {
    await writeJson(terminal, { file: output, format: "zip", exported: count, photos });
  } else terminal.err(`Wrote ${count} animals and ${photos} photos to ${output}\n`);
  return "done";
}

/** How often a photo is asked for while the server refuses more requests. */
const ATTEMPTS = 20;

/** Reads the largest size of a photo; undefined if it was removed meanwhile. */
async function pictureOf(
  client: PetstoreClient,
  photo: PhotoShown,
  { clock }: Context,
): Promise<Uint8Array | undefined> {
  for (let attempt = 1; ; attempt++) {
    const read = await readPhoto(client, photo);
    if (read.ok) return read.value;
    if (read.failure.code === "not_found") return undefined;
    const { retryAfterSeconds } = read.failure;
    if (retryAfterSeconds === undefined || attempt === ATTEMPTS) return must(read);
    await clock.sleep(retryAfterSeconds * SECOND_MS);
  }
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
