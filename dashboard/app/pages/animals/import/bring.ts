import type { ImportOutcome } from "../../../../../lib/actions/local-client.ts";
import { importPetFile, type ImportEnd } from "../../../../../lib/management/pet-import.ts";
import type { Category } from "../../../../../lib/model/category.ts";
import { send, unreachable, type Problem } from "../../../api.ts";
import { pathIn, type Where } from "../catalogue.ts";
import { piecesOf } from "./file-bytes.ts";
import { rightOf, type Job, type Seen } from "./look.ts";
import { patiently } from "../patiently.ts";
import { createTally } from "./tally.ts";

/** What is done besides adding what is right. */
export interface Bringing {
  /** Names of categories that are made first. */
  readonly create: readonly string[];
  /** Rows before that line were added by an earlier attempt. */
  readonly fromLine: number;
}

/** Adds what is right of a file. */
export async function bring(
  { where, file, format, signal, onProgress }: Job,
  { create, fromLine }: Bringing,
): Promise<Seen> {
  const tally = createTally();
  const problem = await createCategories(where, create);
  if (problem !== undefined) {
    const end = {
      kind: "stopped",
      problem,
      added: 0,
      failed: 0,
      from: fromLine,
      to: fromLine,
    } as const;
    return { end, report: tally.report(), ignored: [] };
  }
  const end = await importPetFile({
    source: piecesOf(file),
    format,
    fromLine,
    signal,
    onProgress,
    onFault: tally.fault,
    send: async (rows) => {
      const outcome = await patiently(signal, () =>
        send<ImportOutcome>("POST", `${pathIn(where)}/pets/import`, { rows }),
      );
      if (outcome.ok) tally.right(rightOf(rows, outcome.value));
      return outcome;
    },
  });
  return { end, report: tally.report(), ignored: [] };
}

/** False where the answer did not come: then nobody knows whether the last rows were added. */
export function isCertain(end: ImportEnd): boolean {
  return (
    end.kind !== "stopped" || (end.problem !== unreachable && end.problem.code !== "internal_error")
  );
}

/** Makes categories that are not there; one that somebody made meanwhile is as good. */
async function createCategories(
  where: Where,
  names: readonly string[],
): Promise<Problem | undefined> {
  for (const name of names) {
    const made = await send<Category>("POST", `${pathIn(where)}/categories`, { name });
    if (!made.ok && made.failure.code !== "category_exists") return made.failure;
  }
  return undefined;
}
