import type { Environment } from "../model/account.ts";
import type { StoreReads } from "./store.ts";

const MOST_KNOWN = 10_000;

/** Returns a function that finds the environment of a catalogue, and looks up each one once. Undefined: it is gone. */
export function environmentFinder({
  catalogues,
}: Pick<StoreReads, "catalogues">): (catalogueId: number) => Promise<Environment | undefined> {
  const known = new Map<number, Environment | undefined>();
  return async (catalogueId) => {
    if (!known.has(catalogueId)) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(catalogueId, (await catalogues.byId(catalogueId))?.environment);
    }
    return known.get(catalogueId);
  };
}
