import { describe, test } from "bun:test";
import type { ProjectStores } from "../../testing/project-store-contract.ts";
import { projectStoreContract } from "../../testing/project-store-contract.ts";

/** Runs the project store contract over the empty stores that `open` creates. */
export function describeProjectStore(adapter: string, open: () => Promise<ProjectStores>): void {
  describe(`${adapter} fulfils the contract of a project store:`, () => {
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
