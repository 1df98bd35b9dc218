import type { Store } from "../../lib/storage/store.ts";
import { storeContract } from "../../testing/store-contract.ts";
import { describeOpening } from "./run.ts";

/** Runs the store contract over the empty stores that `open` creates. */
export function describeStore(adapter: string, open: () => Promise<Store>): void {
  describeOpening(`${adapter} as a store`, storeContract, open, (store) => store.close());
}
