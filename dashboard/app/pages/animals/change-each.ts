import type { Problem } from "../../../../lib/base/problem.ts";
import type { Result } from "../../../../lib/base/result.ts";
import type { Pet } from "../../../../lib/catalogue/model.ts";

/** How many requests are under way at a time. */
const PARALLEL = 4;

/** Why an animal was not changed. An adopted one can only become available. */
type Fault = Problem | "adopted";

/** An animal before and after a change. Without `after` it was deleted. */
export interface Change {
  readonly before: Pet;
  readonly after?: Pet;
}

/** How far a change of several animals is. */
export interface Bulk {
  readonly total: number;
  readonly changed: readonly Change[];
  readonly failed: readonly { readonly pet: Pet; readonly fault: Fault }[];
}

/** Changes one animal. The signal aborts when the user stops the change. */
export type Step = (pet: Pet, stop: AbortSignal) => Promise<Result<Change, Fault>>;

/** Runs a step for each animal, a few at a time. A refused animal does not stop the others. */
export async function changeEach(
  pets: readonly Pet[],
  step: Step,
  stop: AbortSignal,
  onProgress: (bulk: Bulk) => void,
): Promise<Bulk> {
  let bulk: Bulk = { total: pets.length, changed: [], failed: [] };
  const waiting = [...pets];
  const work = async (): Promise<void> => {
    for (let pet = waiting.shift(); pet !== undefined && !stop.aborted; pet = waiting.shift()) {
      const result = await step(pet, stop);
      const { changed, failed } = bulk;
      bulk = result.ok
        ? { ...bulk, changed: [...changed, result.value] }
        : { ...bulk, failed: [...failed, { pet, fault: result.failure }] };
      onProgress(bulk);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return bulk;
}
