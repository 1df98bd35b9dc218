import { petFormats, type PetFormat } from "../../lib/management/index.ts";
import { command } from "../command.ts";
import { Failure } from "../exit.ts";
import { accountFlag, environmentFlag } from "../fields.ts";
import { optional, toggle, withDefault } from "../flag.ts";
import { importPets, type RowFault } from "../import-pets.ts";
import { withClient } from "../with-client.ts";
import { writeJson } from "../output.ts";
import { must } from "../problem-failure.ts";
import { createProgress } from "../progress.ts";
import { clientFlags } from "../serve-flags.ts";
import { codeOf, reasonOf } from "../system-error.ts";
import type { Terminal } from "../terminal.ts";
import { integer, oneOf } from "../values.ts";

/** The faults that `--json` repeats; stderr has them all. */
const MAX_TOLD = 1_000;

export const petsImport = command({
  path: "pets import",
  summary: "Add animals from a CSV or NDJSON file",
  details:
    "CSV begins with a row of column names: name, category (its name) or categoryId, and status if there is one; columns are told apart by commas, semicolons or tabs. NDJSON has one object per line with the same members. An id is read over: ids are given anew. Rows that are wrong are told by their line on stderr, all others are added; the exit code is 1 if any was wrong.",
  operands: { file: { placeholder: "FILE", help: "Path of the file; - for stdin." } },
  flags: {
    account: accountFlag,
    environment: environmentFlag,
    format: optional({
      name: "format",
      placeholder: "FORMAT",
      help: "csv or ndjson. Default: by the name of the file.",
      parse: oneOf(petFormats),
    }),
    dryRun: toggle("dry-run", "Only look: say what would be added and what is wrong."),
    fromLine: withDefault(
      {
        name: "from-line",
        placeholder: "N",
        help: "Leave out the rows before that line, which an earlier attempt has added.",
        parse: integer({ min: 1, max: 1_000_000_000_000 }),
      },
      1,
    ),
    ...clientFlags,
  },
  examples: [
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B",
    "pets import animals.csv --account acc_7Gk2mQ9xYt4B --environment staging --dry-run",
    "pets import - --format ndjson --account acc_7Gk2mQ9xYt4B < animals.ndjson",
  ],
  run: async ({ flags, operands, context }) => {
    const { terminal, clock } = context;
    const { account, environment, dryRun, fromLine } = flags;
    const { file } = operands;
    const format = flags.format ?? formatOf(file);
    const { source, size } = await open(file, terminal);
    const progress = createProgress(terminal, clock, "rows");
    const told: RowFault[] = [];
    const { added, failed } = await withClient(flags, context, async (client) => {
      // Also where not one row is right.
      must(await client.accounts.byId(account));
      return importPets({
        client,
        accountId: account,
        environment,
        source,
        format,
        dryRun,
        fromLine,
        onFault: (fault) => {
          progress.clear();
          terminal.err(`line ${fault.line}: ${fault.message}\n`);
          if (told.length < MAX_TOLD) told.push(fault);
        },
        onProgress: (rows, bytes) =>
          progress.show(rows, size === undefined ? undefined : bytes / Math.max(1, size)),
      });
    }).finally(() => progress.clear());
    if (flags.json) await writeJson(terminal, { dryRun, added, failed, errors: told });
    else {
      const verb = dryRun ? "would be added" : "added";
      await terminal.out(`${added} ${verb}, ${failed} failed\n`);
    }
    return failed === 0 ? "done" : "failed";
  },
});

function formatOf(file: string): PetFormat {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === "csv") return "csv";
  if (extension === "ndjson" || extension === "jsonl") return "ndjson";
  throw new Failure(
    "usage",
    `The name ${file} does not tell the format: add --format csv or --format ndjson.`,
  );
}

async function open(
  file: string,
  terminal: Terminal,
): Promise<{ readonly source: AsyncIterable<Uint8Array>; readonly size: number | undefined }> {
  if (file === "-") return { source: terminal.input(), size: undefined };
  const opened = Bun.file(file);
  if (!(await opened.exists())) throw new Failure("notFound", `There is no file ${file}.`);
  return { source: readable(opened, file), size: opened.size };
}

async function* readable(opened: Blob, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* opened.stream();
  } catch (error) {
    const exit = codeOf(error) === "EACCES" ? "denied" : "failed";
    throw new Failure(exit, `${file} cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
}
