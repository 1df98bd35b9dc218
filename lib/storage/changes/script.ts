import type { Outcome, Refusal } from "../change.ts";
import type { BatchRows, SqlRow, Step } from "../sql.ts";

/** Makes a change's outcome from the rows of the whole batch. */
export type Outcomes = (rows: BatchRows) => Outcome;

/**
 * The steps of a commit while they are put together. Steps are named by their index in the batch;
 * one that has a refusal must yield a row, else the whole commit is refused with it.
 */
export class Script {
  readonly steps: Step[] = [];
  readonly refusals: (Refusal | undefined)[] = [];
  /** Index of the change that each step belongs to. */
  readonly changeOf: number[] = [];
  /** One per change that is complete. */
  readonly outcomes: Outcomes[] = [];
  /** Steps whose row holds the new `revision` of a catalogue. */
  readonly revised: { readonly catalogueId: number; readonly step: number }[] = [];

  /** Adds a step and returns its index. */
  add(text: string, values: Step["values"], refusal?: Refusal): number {
    this.changeOf.push(this.outcomes.length);
    this.refusals.push(refusal);
    return this.steps.push({ text, values }) - 1;
  }

  /**
   * Adds a step whose row tells the `revision` that a catalogue has moved to and its `account_id`. The update that
   * moves it comes first in every change of a catalogue: the lock on its row makes them wait for each other.
   */
  revise(catalogueId: number, text: string, refusal: Refusal): number {
    const step = this.add(text, [catalogueId], refusal);
    this.revised.push({ catalogueId, step });
    return step;
  }
}

/** The first row of a step that must have yielded one. */
export function rowOf(rows: BatchRows, step: number): SqlRow {
  const row = rows[step]?.[0];
  if (row === undefined) throw new Error(`Step ${step} of the batch yielded no row.`);
  return row;
}

/** Moves the revision, nothing else. */
export const REVISE =
  "UPDATE catalogues SET revision = revision + 1 WHERE id = ? RETURNING revision, account_id";

/** The outcome of a change that leaves nothing to tell. */
export const nothing: Outcomes = () => undefined;
