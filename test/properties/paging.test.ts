import { describe, expect, test } from "bun:test";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import type { Pet, PetStatus } from "../../lib/catalogue/model.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { ids, links, pathOf } from "../conformance/expect.ts";
import { inProcess } from "../conformance/in-process.ts";
import type { Api, Reply } from "../helpers/api.ts";
import { chance, runSeed, torture, type Chance } from "../helpers/chance.ts";

const stores: readonly (readonly [name: string, make: () => Store | Promise<Store>])[] = [
  ["in memory", memoryStore],
  ["on SQLite", () => bunSqliteStore({ path: ":memory:" })],
];

/** A filter of a list, as a query and as a predicate. */
interface Filter {
  readonly query: string;
  holds(pet: Pet): boolean;
}

const statuses = ["available", "pending", "sold"] as const;

const filters: readonly Filter[] = [
  { query: "", holds: () => true },
  { query: "status=available", holds: ({ status }) => status === "available" },
  { query: "status=sold", holds: ({ status }) => status === "sold" },
  { query: "categoryId=2", holds: ({ categoryId }) => categoryId === 2 },
  {
    query: "status=pending&categoryId=1",
    holds: ({ status, categoryId }) => status === "pending" && categoryId === 1,
  },
  {
    query: "id=2,3,5,7,11,13,17,19,23,29,31,37",
    holds: ({ id }) => [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].includes(id),
  },
];

/** The known rows, according to the responses to writes. */
type Known = Map<number, Pet>;

async function write(api: Api, random: Chance, known: Known, gone: Set<number>): Promise<void> {
  const some = [...known.keys()];
  const id = some[random.between(0, Math.max(0, some.length - 1))] ?? 1;
  const fields = { categoryId: random.between(1, 3), name: `Pet ${random.between(1, 9)}` };
  switch (random.between(0, 5)) {
    case 0:
    case 1: {
      const status: PetStatus = random.pick(statuses);
      const { body } = await api.post<Pet>("/v1/pets", { ...fields, status });
      known.set(body.id, body);
      return;
    }
    case 2: {
      if ((await api.delete(`/v1/pets/${id}`)).status !== 204) return;
      known.delete(id);
      gone.add(id);
      return;
    }
    case 3: {
      const [deleted] = gone;
      if (deleted === undefined) return;
      const { body } = await api.post<Pet>(`/v1/pets/${deleted}/restore`);
      known.set(deleted, body);
      gone.delete(deleted);
      return;
    }
    default: {
      const patch = random.true(0.5) ? { status: random.pick(statuses) } : fields;
      const { status, body } = await api.patch<Pet>(`/v1/pets/${id}`, patch);
      if (status === 200) known.set(id, body);
    }
  }
}

/** Each round uses a new catalogue, because a growing one would slow the walks down. */
const rounds = torture ? 20 : 1;
const walks = 12;

for (const [name, make] of stores) {
  describe(`paging, ${name},`, () => {
    for (const filter of filters) {
      test(`returns every row that exists throughout exactly once (${filter.query || "no filter"})`, async () => {
        for (let round = 0; round < rounds; round++) {
          const random = chance(runSeed + round);
          const { env, close } = inProcess(await make());
          const { api } = await env.account();
          const known: Known = new Map();
          const gone = new Set<number>();
          while (known.size < 25) await write(api, random, known, gone);
          for (let walk = 0; walk < walks; walk++) {
            const sort = random.pick(["id", "-id"]);
            const matching = new Set([...known.values()].filter(filter.holds).map(({ id }) => id));
            const seen: number[] = [];
            const limit = random.between(1, 7);
            let at: string | undefined = `/v1/pets?${filter.query}&sort=${sort}&limit=${limit}`;
            while (at !== undefined) {
              const reply: Reply<Pet[]> = await api.get<Pet[]>(at);
              expect(reply.status).toBe(200);
              // Every returned row matches the filter and its last known state.
              for (const pet of reply.body) expect(pet).toEqual(known.get(pet.id) as Pet);
              expect(reply.body.every(filter.holds)).toBe(true);
              seen.push(...ids(reply.body));
              // Simultaneous writes end in an unknown order, which does not matter for different animals.
              for (let writes = random.between(0, 3); writes > 0; writes--) {
                await write(api, random, known, gone);
              }
              for (const id of matching) {
                const pet = known.get(id);
                if (pet === undefined || !filter.holds(pet)) matching.delete(id);
              }
              const { next } = links(reply);
              at = next === undefined ? undefined : pathOf(next);
            }
            const ordered = seen.toSorted((a, b) => (sort === "id" ? a - b : b - a));
            expect(seen).toEqual(ordered);
            expect(new Set(seen).size).toBe(seen.length);
            expect([...matching].filter((id) => !seen.includes(id))).toEqual([]);
          }
          await close();
        }
      });
    }

    test("during concurrent writes returns every unchanged row exactly once", async () => {
      const random = chance(runSeed);
      const { env, close } = inProcess(await make());
      const { api } = await env.account();
      for (let count = 0; count < 40; count++) {
        await api.post("/v1/pets", { name: "Stays", categoryId: 1 });
      }
      for (const sort of ["id", "-id"]) {
        let walking = true;
        const disturb = async (): Promise<void> => {
          while (walking) {
            // In memory all writes finish before the walk's turn.
            await Bun.sleep(0);
            const { body } = await api.post<Pet>("/v1/pets", { name: "Comes", categoryId: 2 });
            await api.patch(`/v1/pets/${random.between(1, 40)}`, { name: "Renamed" });
            await api.delete(`/v1/pets/${body.id}`);
            if (random.true(0.5)) await api.post(`/v1/pets/${body.id}/restore`);
          }
        };
        const disturbers = [disturb(), disturb(), disturb()];
        const seen: number[] = [];
        let at: string | undefined = `/v1/pets?sort=${sort}&limit=3`;
        for (let pages = 0; at !== undefined && pages < 400; pages++) {
          const reply: Reply<Pet[]> = await api.get<Pet[]>(at);
          seen.push(...ids(reply.body));
          const { next } = links(reply);
          // Oldest first, the walk would follow the writers forever.
          at =
            next === undefined || (sort === "id" && seen.includes(41)) ? undefined : pathOf(next);
        }
        walking = false;
        await Promise.all(disturbers);
        const stayed = seen.filter((id) => id <= 40).toSorted((a, b) => a - b);
        expect(stayed).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
        for (const row of await listAll(api)) if (row > 40) await api.delete(`/v1/pets/${row}`);
      }
      await close();
    });

    test("backwards returns the same rows in reverse", async () => {
      const random = chance(runSeed);
      const { env, close } = inProcess(await make());
      const { api } = await env.account();
      const known: Known = new Map();
      while (known.size < 30) await write(api, random, known, new Set());
      for (const filter of filters) {
        for (const sort of ["id", "-id"]) {
          const limit = random.between(1, 6);
          const there: string[] = [];
          let reply = await api.get(`/v1/pets?${filter.query}&sort=${sort}&limit=${limit}`);
          for (;;) {
            there.push(reply.text);
            const { next } = links(reply);
            if (next === undefined) break;
            reply = await api.get(pathOf(next));
          }
          const back = [there.at(-1)];
          for (let { prev } = links(reply); prev !== undefined; { prev } = links(reply)) {
            reply = await api.get(pathOf(prev));
            back.push(reply.text);
          }
          expect(back).toEqual(there.toReversed());
        }
      }
      await close();
    });
  });
}

async function listAll(api: Api): Promise<readonly number[]> {
  const found: number[] = [];
  let at: string | undefined = "/v1/pets?limit=100";
  while (at !== undefined) {
    const reply: Reply<Pet[]> = await api.get<Pet[]>(at);
    found.push(...ids(reply.body));
    const { next } = links(reply);
    at = next === undefined ? undefined : pathOf(next);
  }
  return found;
}
