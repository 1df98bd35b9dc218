import { describe, test } from "bun:test";
import type { Store } from "../../lib/storage/store.ts";
import { storeContract } from "../../testing/store-contract.ts";

/** Runs the store contract over the empty stores that `open` creates. */
export function describeStore(adapter: string, open: () => Promise<Store>): void {
  describe(`${adapter} fulfils the contract of a store:`, () => {
    for (const { name, run } of storeContract) {
      test(name, async () => {
        const opened: Store[] = [];
        try {
          await run(async () => {
            const store = await open();
            opened.push(store);
            return store;
          });
        } finally {
          for (const store of opened) await store.close();
        }
      });
    }
  });
}
