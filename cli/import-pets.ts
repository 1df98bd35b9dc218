import type { Environment, ImportRow, Problem } from "../lib/index.ts";
import type { ManagementClient } from "../lib/management/index.ts";
import { Failure } from "./exit.ts";
import { petReader, type PetFormat } from "./pet-rows.ts";
import { must } from "./problem-failure.ts";
import { records } from "./records.ts";

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

/** One call takes a thousand rows; these keep it small as well. */
const BATCH_ROWS = 1_000;
const BATCH_BYTES = 1024 * 1024;

/**
 * Adds what is right of a file, batch by batch, each of which is added whole or not at all. Holds one batch at a time.
 * Fails, naming the line to go on from, when a batch cannot be added.
 */
export async function importPets(job: ImportPets): Promise<Imported> {
  const { client, accountId, environment, source, format, dryRun, fromLine, onFault } = job;
  let added = 0;
  let failed = 0;
  let read = 0;
  let bytes = 0;
  let faults: RowFault[] = [];
  let lines: number[] = [];
  let rows: ImportRow[] = [];
  let size = 0;

  const send = async (): Promise<void> => {
    if (rows.length > 0) {
      const standing = { added, from: lines[0] ?? 0, to: lines.at(-1) ?? 0 };
      const outcome = await client.pets
        .import({ accountId, environment, rows, dryRun })
        .catch((error: unknown) => {
          throw brokeOff(error, standing);
        });
      if (!outcome.ok && certain.has(outcome.failure.code)) throw goOn(outcome.failure, standing);
      if (!outcome.ok && outcome.failure.code === "internal_error") {
        throw brokeOff(outcome.failure, standing);
      }
      const { added: more, failures } = must(outcome);
      added += more;
      for (const { index, problem } of failures) {
        faults.push({ line: lines[index] ?? 0, message: problem.message });
      }
    }
    failed += faults.length;
    for (const fault of faults.toSorted((a, b) => a.line - b.line)) onFault(fault);
    faults = [];
    lines = [];
    rows = [];
    size = 0;
    job.onProgress(read, bytes);
  };

  const petOf = petReader(format);
  const onBytes = (total: number): void => {
    bytes = total;
  };
  for await (const found of records(source, { quotes: format === "csv", onBytes })) {
    for (const record of found) {
      const pet = petOf(record);
      if (pet === undefined || pet.line < fromLine) continue;
      read++;
      if (pet.row.ok) {
        rows.push(pet.row.value);
        lines.push(pet.line);
        size += "bytes" in record ? record.bytes.length : 0;
      } else faults.push({ line: pet.line, message: pet.row.failure });
      if (rows.length + faults.length >= BATCH_ROWS || size >= BATCH_BYTES) await send();
    }
  }
  await send();
  return { added, failed };
}

interface Standing {
  readonly added: number;
  /** Lines of the batch. */
  readonly from: number;
  readonly to: number;
}

/** Said of what was not done. */
const certain: ReadonlySet<string> = new Set(["unavailable", "rate_limited"]);

function goOn(problem: Problem, standing: Standing): Failure {
  return new Failure(
    "tryLater",
    `${stopped(problem.message, standing)} Go on with --from-line ${standing.from}.`,
  );
}

function brokeOff(error: unknown, standing: Standing): Failure {
  const { from, to } = standing;
  return new Failure(
    "failed",
    `${stopped(reasonIn(error), standing)} Whether the rows of lines ${from} to ${to} were added is not known: look before you go on with --from-line.`,
    { cause: error },
  );
}

function stopped(reason: string, { added, from }: Standing): string {
  return `Stopped at line ${from}: ${reason} ${added} animals were added before it.`;
}

function reasonIn(error: unknown): string {
  return typeof error === "object" && error !== null && "message" in error
    ? String(error.message)
    : String(error);
}
