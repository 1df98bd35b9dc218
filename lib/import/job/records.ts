import type { ChangeOf, Outcome, RecordedAnswer } from "../../storage/change.ts";
import type { StoreReads } from "../../storage/store.ts";
import { RECORDS_KEPT_MS, type BatchRecord, type StoredImport } from "./model.ts";

// A batch records what it did in its own commit, as an answer to a request with an idempotency key: it is never done twice.

/** Returns the change that records what a step of an import did. The commit is refused `exists` if it was done before. */
export function recordStep(
  { id, catalogueId }: StoredImport,
  step: string,
  at: number,
  what: (outcomes: readonly Outcome[]) => unknown,
): ChangeOf<"answer.record"> {
  return {
    kind: "answer.record",
    id: { catalogueId, request: `import ${id}`, key: step },
    fingerprint: "",
    answer: (outcomes): RecordedAnswer => ({
      status: 200,
      headers: {},
      body: JSON.stringify(what(outcomes)),
    }),
    at,
    expiresAt: at + RECORDS_KEPT_MS,
  };
}

/** Returns what a step of an import did; undefined if it was not done. */
export async function stepDone(
  { answers }: StoreReads,
  { id, catalogueId }: StoredImport,
  step: string,
): Promise<string | undefined> {
  const found = await answers.find({ catalogueId, request: `import ${id}`, key: step });
  return found?.body;
}

/** Returns what a batch did; undefined if it was not done. */
export async function batchDone(
  store: StoreReads,
  row: StoredImport,
  batch: number,
): Promise<BatchRecord | undefined> {
  const body = await stepDone(store, row, batchName(batch));
  // Only `recordStep` writes it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return body === undefined ? undefined : (JSON.parse(body) as BatchRecord);
}

/** The name of the step that is a batch, which counts from 0. */
export function batchName(batch: number): string {
  return `batch ${batch}`;
}
