import type { Environment } from "../lib/index.ts";
import { problem } from "../lib/base/problem.ts";
import { refused } from "../lib/base/result.ts";
import {
  importPetFile,
  type ImportEnd,
  type ManagementClient,
  type PetFormat,
} from "../lib/management/index.ts";
import { Failure } from "./exit.ts";
import { headerFaultText, rowFaultText } from "./pet-faults.ts";
import { must } from "./problem-failure.ts";

/** What is wrong with one row of the file. */
export interface RowFault {
  readonly line: number;
  readonly message: string;
}

export interface ImportPets {
  readonly client: { readonly pets: Pick<ManagementClient["pets"], "import"> };
  readonly accountId: string;
  readonly environment: Environment;
  readonly source: AsyncIterable<Uint8Array>;
  readonly format: PetFormat;
  readonly dryRun: boolean;
  /** Rows before that line were added by an earlier attempt. */
  readonly fromLine: number;
  /** By line, in order. */
  readonly onFault: (fault: RowFault) => void;
  readonly onProgress: (rows: number, bytes: number) => void;
}

export interface Imported {
  readonly added: number;
  readonly failed: number;
}

/** Adds what is right of a file. Fails, naming the line to go on from, when a batch cannot be added. */
export async function importPets(job: ImportPets): Promise<Imported> {
  const { client, accountId, environment, source, format, dryRun, fromLine, onProgress } = job;
  let thrown: unknown;
  const end = await importPetFile({
    source,
    format,
    fromLine,
    onProgress,
    onFault: (fault) => {
      job.onFault({ line: fault.line, message: rowFaultText(fault) });
    },
    send: (rows) =>
      client.pets.import({ accountId, environment, rows, dryRun }).catch((error: unknown) => {
        thrown = error;
        return refused(problem("internal_error", reasonIn(error)));
      }),
  });
  if (end.kind === "unreadable") throw new Failure("failed", headerFaultText(end.header));
  if (end.kind === "stopped") return stopped(end, thrown);
  return { added: end.added, failed: end.failed };
}

/** Said of what was not done. */
const certain: ReadonlySet<string> = new Set(["unavailable", "rate_limited"]);

function stopped(end: Extract<ImportEnd, { readonly kind: "stopped" }>, cause: unknown): never {
  const { problem: told, from, to, added } = end;
  const where = `Stopped at line ${from}: ${told.message} ${added} animals were added before it.`;
  if (certain.has(told.code)) {
    throw new Failure("tryLater", `${where} Go on with --from-line ${from}.`);
  }
  if (told.code !== "internal_error") return must(refused(told));
  throw new Failure(
    "failed",
    `${where} Whether the rows of lines ${from} to ${to} were added is not known: look before you go on with --from-line.`,
    cause === undefined ? {} : { cause },
  );
}

function reasonIn(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
