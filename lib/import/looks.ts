import { LargeMap } from "../base/large-map.ts";
import { nextTurn, type Pause } from "../base/steps.ts";
import { foldCategoryName } from "../catalogue/model.ts";
import type { StoreReads } from "../storage/store.ts";
import type { ImportedAnimal } from "./animal.ts";

/** The animals of a catalogue by what people see of them: the name and the category. */
export interface Looks {
  /**
   * Returns true if an animal with this name is in the category, which may be the same one: not if both have keys, which
   * are compared instead. Rarely true for another animal, which has the same hash.
   */
  readonly has: (animal: Pick<ImportedAnimal, "name" | "category" | "profile">) => boolean;
}

const PAGE = 1_000;

/**
 * Reads the looks of the animals with ids up to `lastId`, which are those from before an import. Holds a number for each
 * animal.
 */
export async function presentLooks(
  store: StoreReads,
  catalogueId: number,
  {
    lastId = Infinity,
    pause = nextTurn,
  }: { readonly lastId?: number; readonly pause?: Pause } = {},
): Promise<Looks> {
  const [keyed, keyless] = [new LargeMap<number, true>(), new LargeMap<number, true>()];
  let after: number | undefined;
  for (;;) {
    const page = { limit: PAGE, order: "asc", ...(after === undefined ? {} : { after }) } as const;
    const pets = await store.pets.list(catalogueId, {}, page);
    const profiles = await store.profiles.of(
      catalogueId,
      pets.map(({ id }) => id),
    );
    const keys = new Set(
      profiles.filter(({ fields }) => fields.externalId !== undefined).map(({ petId }) => petId),
    );
    for (const { id, name, categoryId } of pets) {
      if (id <= lastId) (keys.has(id) ? keyed : keyless).add(lookOf(name, categoryId), true);
    }
    after = pets.at(-1)?.id;
    if (pets.length < PAGE || (after ?? 0) >= lastId) break;
    await pause();
  }
  return {
    has: ({ name, category, profile }) => {
      if (typeof category === "string") return false;
      const look = lookOf(name, category);
      return keyless.has(look) || (profile.externalId === undefined && keyed.has(look));
    },
  };
}

/** Returns a number of 53 bits that is equal for equal looks. */
function lookOf(name: string, categoryId: number): number {
  const text = `${categoryId} ${foldCategoryName(name)}`;
  let [high, low] = [0x9e37_79b9, 0x85eb_ca6b];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x9e37_79b1);
    low = Math.imul(low ^ unit, 0x5f35_6495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85eb_ca77) ^ low;
  low = Math.imul(low ^ (low >>> 15), 0xc2b2_ae3d) ^ high;
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
