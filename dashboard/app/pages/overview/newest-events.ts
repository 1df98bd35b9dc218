import { done, type Result } from "../../../../lib/base/result.ts";
import type { ToldEvent } from "../../../../lib/management/event-pages.ts";
import { eventTypes } from "../../../../lib/model/event.ts";
import { get, type Problem } from "../../api.ts";

const ofAnimals = eventTypes.filter((type) => type.startsWith("pet."));
/** An order tells what its animal's change of status has told. */
const ofOthers = eventTypes.filter((type) => !type.startsWith("pet.") && type !== "order.placed");

/** More than is shown: those of a kind that happened together are one. */
const EACH = 100;

/**
 * What happened last, newest first. Asked for in two, so that an import of animals does not hide all else. The page
 * is about Production: animals and categories of Staging, which are there to try things with, are left out.
 */
export async function newestEvents(path: string): Promise<Result<readonly ToldEvent[], Problem>> {
  const ask = (types: readonly string[], query: object = {}): ReturnType<typeof newestEvents> =>
    get(`${path}/events`, { order: "newest", limit: EACH, types: types.join(","), ...query });
  const [animals, others] = await Promise.all([
    ask(ofAnimals, { environment: "production" }),
    ask(ofOthers),
  ]);
  if (!animals.ok) return animals;
  if (!others.ok) return others;
  const shown = others.value.filter(
    ({ type, environment }) => environment !== "staging" || !type.startsWith("category."),
  );
  return done([...animals.value, ...shown].toSorted((a, b) => b.seq - a.seq));
}
