import { describe, test } from "bun:test";
import type { ProjectStores } from "../../lib/testing/project-store-contract.ts";
import { projectStoreContract } from "../../lib/testing/project-store-contract.ts";

/** Runs what every store of projects promises over the stores that `open` makes, each empty. */
export function describeProjectStore(adapter: string, open: () => Promise<ProjectStores>): void {
  describe(`${adapter} keeps the promises of a store of projects:`, () => {
    for (const { name, run } of projectStoreContract) {
      test(name, async () => {
        const opened: ProjectStores[] = [];
        try {
          await run(async () => {
            const stores = await open();
            opened.push(stores);
            return stores;
          });
        } finally {
          for (const { store } of opened) await store.close();
        }
      });
    }
  });
}
