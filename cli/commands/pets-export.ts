import { petFormats, type ManagementClient, type PetFormat } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { accountFlag, environmentFlag } from "../fields.ts";
import { fileSink } from "../../server/files.ts";
import { optional } from "../flag.ts";
import { withClient } from "../client.ts";
import { writeJson } from "../output.ts";
import { looksLikeFormula, petEncoders, type PetEncoder } from "../pet-encoder.ts";
import { must } from "../../settings/failure.ts";
import { createProgress } from "../progress.ts";
import { clientFlags } from "../serve-flags.ts";
import { oneOf, text } from "../../settings/values.ts";

const PAGE = 1_000;

export const petsExport = command({
  path: "pets export",
  summary: "Write all animals as CSV or NDJSON, oldest first",
  details:
    "The columns are id, name, category (its name) and status; `pets import` reads them back. Names are written as they are: mind that a spreadsheet may take one that begins with = + - or @ for a formula.",
  operands: {},
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the name of the file, else csv.",
      parse: oneOf(petFormats),
    }),
    output: optional({
      name: "output",
      placeholder: "FILE",
      help: "A file, which appears when it is whole. Default: stdout.",
      parse: text,
    }),
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
      // On the terminal the rows themselves are what is to be seen.
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
        `${formulas} names begin with = + - or @, which a spreadsheet may take for a formula.\n`,
      );
    }
    if (output === undefined) return "done";
    if (json) await writeJson(terminal, { file: output, format, exported: count });
    else terminal.err(`${count} animals written to ${output}\n`);
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

/** Writes page by page. An animal that is there all the time is written once. */
async function writePets({ client, where, encoder, write, onProgress }: Writing): Promise<Written> {
  let categories = await categoryNames(client, where);
  let count = 0;
  let formulas = 0;
  let after = 0;
  await write(encoder.head);
  for (;;) {
    const pets = must(await client.pets.page({ ...where, after, limit: PAGE }));
    // One that was made since.
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
