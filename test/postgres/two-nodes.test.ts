import { afterAll, beforeAll, expect, test } from "bun:test";

import { system } from "../../lib/model/actor.ts";
import { postgresStore } from "../../adapters/postgres/sql.ts";
import { petOf } from "../../lib/storage/change.ts";
import type { Store } from "../../lib/storage/store.ts";
import { drivers, startPostgres, type TestPostgres } from "../helpers/postgres.ts";

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const CREATES = 60;

for (const [driver, connect] of Object.entries(drivers)) {
  test(`two nodes over ${driver} write together: no write or event is lost or doubled`, async () => {
    const url = await server.createDatabase();
    const nodes = [await postgresStore({ url, connect }), await postgresStore({ url, connect })];
    const [here] = nodes;
    if (here === undefined) throw new Error("unreachable");
    const catalogues: number[] = [];
    for (const id of ["acc_1", "acc_2", "acc_3"]) {
      const limits = { perMinute: 1, perDay: 1 };
      const account = { id, name: id, plan: "pro", limits, createdAt: 0 } as const;
      await here.commit([{ kind: "account.create", account }], system);
      catalogues.push((await here.catalogues.of(id, "production"))?.id ?? 0);
    }

    let writing = true;
    /** Follows the events as a reader with a cursor, and reads whatever is final. */
    const follow = async (store: Store): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (;;) {
        const last = !writing;
        const events = await store.events.after(seen.at(-1) ?? 0, 50);
        seen.push(...events.map(({ seq }) => seq));
        if (last && events.length === 0) return seen;
      }
    };
    const following = nodes.map(follow);

    const created = new Map<number, number[]>(catalogues.map((id) => [id, []]));
    const write = async (store: Store, catalogueId: number): Promise<void> => {
      const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
      const outcome = await store.commit([{ kind: "pet.create", catalogueId, pet, at: 1 }], system);
      if (!outcome.ok) throw new Error(outcome.failure.refusal);
      const made = petOf(outcome.value[0]);
      created.get(catalogueId)?.push(made.id);
      // Both nodes change the newest animals; one of them is late.
      const to = { ...pet, status: "sold" } as const;
      await Promise.all(
        nodes.map((node) =>
          node.commit([{ kind: "pet.update", catalogueId, from: made, to, at: 2 }], system),
        ),
      );
    };
    await Promise.all(
      Array.from({ length: CREATES }, (_, index) =>
        Promise.all(nodes.map((node) => write(node, catalogues[index % catalogues.length] ?? 0))),
      ),
    );
    writing = false;
    const followed = await Promise.all(following);

    const all = Array.from({ length: (2 * CREATES) / catalogues.length }, (_, index) => index + 1);
    for (const catalogueId of catalogues) {
      expect(created.get(catalogueId)?.toSorted((a, b) => a - b)).toEqual(all);
      expect(await here.pets.count(catalogueId, { status: "sold" })).toBe(all.length);
      expect(await here.orders.count(catalogueId, {})).toBe(all.length);
      const revisions = await Promise.all(
        nodes.map((node) => node.catalogues.revision(catalogueId)),
      );
      expect(new Set(revisions).size).toBe(1);
    }
    const events = await here.events.before(Number.MAX_SAFE_INTEGER, 10_000);
    // Each animal: created, status changed, order placed.
    expect(events).toHaveLength(catalogues.length + 3 * 2 * CREATES);
    const numbers = events.map(({ seq }) => seq).toReversed();
    for (const seen of followed) expect(seen).toEqual(numbers);
    for (const node of nodes) await node.close();
  });
}
