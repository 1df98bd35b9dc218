import { Script, type OutcomeOf } from "../../sql/script.ts";
import type { Outcome, Refusal } from "../change.ts";

/** Reads a change's outcome from the rows of the whole batch. */
export type Outcomes = OutcomeOf<Outcome>;

/** The steps of one commit of the `Store`. */
export class StoreScript extends Script<Refusal, Outcome> {
  /** Steps whose row holds the new `revision` of a catalogue. */
  readonly revised: { readonly catalogueId: number; readonly step: number }[] = [];

  /**
   * Adds a step whose row has the catalogue's new `revision` and its `account_id`. This update is the first step of
   * every change of a catalogue: the lock on its row makes them wait for each other.
   */
  revise(catalogueId: number, text: string, refusal: Refusal): number {
    const step = this.demand(text, [catalogueId], refusal);
    this.revised.push({ catalogueId, step });
    return step;
  }
}

/** Moves the revision, nothing else. */
export const REVISE =
  "UPDATE catalogues SET revision = revision + 1 WHERE id = ? RETURNING revision, account_id";
