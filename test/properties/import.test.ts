import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { nodeSqliteStore } from "../../adapters/sqlite/node.ts";
import { createPetstore, type ImportRow } from "../../lib/index.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { manualClock } from "../../testing/clock.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { scratch } from "../helpers/sqlite.ts";

const file = scratch();

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => memoryStore(),
  "bun:sqlite": () => bunSqliteStore({ path: file() }),
  "node:sqlite": () => nodeSqliteStore({ path: file() }),
};

const fields = {
  name: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom("Rex", "Zoë", " Ana\u0308 ") },
    fc.string(),
  ),
  categoryId: fc.oneof(
    { weight: 19, arbitrary: fc.integer({ min: 1, max: 3 }) },
    fc.constantFrom(0, 9, "1"),
  ),
  status: fc.constantFrom("available", "pending", "sold", undefined),
};
const row = fc.oneof(
  { weight: 19, arbitrary: fc.record(fields) },
  fc.record({ ...fields, name: fc.constantFrom("", undefined, 7), breed: fc.constant("Poodle") }),
);
// Around the number of rows that one statement inserts.
const rows = fc.oneof(
  fc.array(row, { maxLength: 25 }),
  fc.array(row, { minLength: 95, maxLength: 240 }),
);

describe.each(Object.keys(stores))("on the store %s", (name) => {
  test("an import adds and refuses what the same creations would", async () => {
    const store = await (stores[name] ?? stores["memory"]!)();
    const { client } = createPetstore({ store, clock: manualClock(1_794_960_000_000) });

    const newCatalogue = async () => {
      const { id: accountId } = valueOf(await client.accounts.create({ name: "A" }));
      const where = { accountId, environment: "production" } as const;
      const catalogue = await store.catalogues.of(accountId, where.environment);
      return { where, id: catalogue?.id ?? 0 };
    };

    const contents = async (catalogueId: number, since: number) => {
      const page = { limit: 1_000, order: "asc", after: 0 } as const;
      const events = await store.events.after(since, 1_000);
      const about = events.filter((event) => event.catalogueId === catalogueId);
      return {
        pets: (await store.pets.list(catalogueId, {}, page)).map((pet) => ({ ...pet })),
        found: await store.pets.count(catalogueId, { name: "ana" }),
        orders: (await store.orders.list(catalogueId, {}, page)).map((order) => ({ ...order })),
        events: about.map(({ type, at, data }) => ({ type, at, data })),
      };
    };

    await fc.assert(
      fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 2 }), async (batches) => {
        const [one, other] = [await newCatalogue(), await newCatalogue()];
        const before = (await store.events.after(0, 1_000_000)).at(-1)?.seq ?? 0;
        for (const batch of batches) {
          const imported: readonly ImportRow[] = batch;
          const outcome = valueOf(await client.pets.import({ ...one.where, rows: imported }));
          let added = 0;
          const failures = new Map(outcome.failures.map(({ index, problem }) => [index, problem]));
          for (const [index, fields] of batch.entries()) {
            // An import also checks rows for unknown members, which the client's `create` ignores.
            const created =
              "breed" in fields
                ? undefined
                : // The types of `create` exclude the wrong values on purpose.
                  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
                  await client.pets.create({
                    ...other.where,
                    ...(fields as { name: string; categoryId: number }),
                  });
            if (created?.ok === true) added++;
            else {
              expect(failures.get(index)).toBeDefined();
              if (created !== undefined) expect(failures.get(index)).toEqual(created.failure);
            }
          }
          expect(outcome.added).toBe(added);
          expect(failures.size).toBe(batch.length - added);
        }
        expect(await contents(one.id, before)).toEqual(await contents(other.id, before));
      }),
      { seed: runSeed, numRuns: torture ? 200 : 10 },
    );
    await store.close();
  });
});

function valueOf<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false },
): Value {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result)}`);
  return result.value;
}
