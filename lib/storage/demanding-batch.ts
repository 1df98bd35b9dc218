import { refused, type Result } from "../base/result.ts";
import type { BatchRows, Sql, Step } from "./sql.ts";

/**
 * Runs a batch in which the steps that have a refusal must yield a row. Of the first one that yields none the refusal is
 * the answer, and nothing was written.
 */
export async function demandingBatch<Refusal extends object | string>(
  sql: Pick<Sql, "batch">,
  steps: readonly Step[],
  /** By the index of the step; undefined demands nothing of it. Pure. */
  refusalOf: (step: number) => Refusal | undefined,
): Promise<Result<BatchRows, Refusal>> {
  const written = await sql.batch(
    steps,
    (rows, step) => rows.length > 0 || refusalOf(step) === undefined,
  );
  if (written.ok) return written;
  const refusal = refusalOf(written.failure);
  if (refusal === undefined) throw new Error(`Step ${written.failure} was refused without reason.`);
  return refused(refusal);
}
