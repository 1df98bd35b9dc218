import type { Environment } from "../lib/index.ts";
import { problem } from "../lib/base/problem.ts";
import { refused } from "../lib/base/result.ts";
import {
  importPetFile,
  type IgnoredColumn,
  type ImportEnd,
  type ImportFault,
  type ManagementClient,
  type PetFormat,
} from "../lib/management/index.ts";
import { Failure, must } from "../settings/failure.ts";
import { headerFaultText } from "./pet-faults.ts";

export interface ImportPets {
  readonly client: { readonly pets: Pick<ManagementClient["pets"], "import"> };
  readonly accountId: string;
  readonly environment: Environment;
  readonly source: AsyncIterable<Uint8Array>;
  readonly format: PetFormat;
  readonly dryRun: boolean;
  /** Creates categories that rows name and that do not exist. */
  readonly createCategories: boolean;
  /** Rows before that line were added by an earlier attempt. */
  readonly fromLine: number;
  /** By line, in order. */
  readonly onFault: (fault: ImportFault) => void;
  /** Called once for each unknown column; at most 20 times. */
  readonly onIgnored: (column: IgnoredColumn) => void;
  readonly onProgress: (rows: number, bytes: number) => void;
}

export interface Imported {
  readonly added: number;
  readonly failed: number;
  /** Names of the categories that were (or would be) created. */
  readonly categories: readonly string[];
}

/** The most categories for a file: a column with more values holds no categories. */
export const MAX_CREATED = 50;

const folded = (name: string): string => name.toLowerCase();

/** Adds what is right of a file. Fails, naming the line to go on from, when a batch cannot be added. */
export async function importPets(job: ImportPets): Promise<Imported> {
  const { client, accountId, environment, source, format, dryRun, fromLine } = job;
  const { onFault, onIgnored, onProgress } = job;
  let thrown: unknown;
  // A dry run names those that it would create in every batch.
  const categories = new Map<string, string>();
  const end = await importPetFile({
    source,
    format,
    fromLine,
    onProgress,
    onFault,
    onIgnored,
    send: async (rows) => {
      const ask = (how: { readonly dryRun: boolean; readonly createCategories: boolean }) =>
        client.pets.import({ accountId, environment, rows, ...how }).catch((error: unknown) => {
          thrown = error;
          return refused(problem("internal_error", reasonIn(error)));
        });
      let createCategories = job.createCategories && categories.size < MAX_CREATED;
      // A call is bounded by the service; together with earlier batches it may exceed the bound.
      if (createCategories && categories.size > 0) {
        const looked = await ask({ dryRun: true, createCategories });
        if (!looked.ok) return looked;
        const names = [...categories.keys(), ...looked.value.categories.map(folded)];
        createCategories = new Set(names).size <= MAX_CREATED;
      }
      const outcome = await ask({ dryRun, createCategories });
      if (outcome.ok) {
        for (const name of outcome.value.categories) {
          if (!categories.has(folded(name))) categories.set(folded(name), name);
        }
      }
      return outcome;
    },
  });
  if (end.kind === "unreadable") throw new Failure("failed", headerFaultText(end.header));
  if (end.kind === "stopped") return stopped(end, thrown);
  return { added: end.added, failed: end.failed, categories: [...categories.values()] };
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
