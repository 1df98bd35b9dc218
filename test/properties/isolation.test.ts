import { describe, expect, test } from "bun:test";

import { bunSqliteStore } from "../../adapters/sqlite/bun.ts";
import { scopes } from "../../lib/model/scope.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import type { Store } from "../../lib/storage/store.ts";
import { links } from "../conformance/expect.ts";
import { inProcess } from "../conformance/in-process.ts";
import type { Api, Reply } from "../helpers/api.ts";
import { chance, runSeed, torture, type Chance } from "../helpers/chance.ts";
import { CatalogueModel, type Expected } from "./catalogue-model.ts";
import { newPet } from "../../testing/shelter.ts";

const stores: readonly (readonly [name: string, make: () => Store | Promise<Store>])[] = [
  ["in memory", memoryStore],
  ["on SQLite", () => bunSqliteStore({ path: ":memory:" })],
];

/** One of several isolated callers. */
interface Party {
  /** Part of every text that the party stores. */
  readonly mark: string;
  readonly api: Api;
  readonly model: CatalogueModel;
  /** First responses by idempotency key. */
  readonly answered: Map<string, { readonly request: string; readonly text: string }>;
  /** Cursors issued to the party, with their query. */
  readonly cursors: string[];
}

const steps = torture ? 20_000 : 1_500;
const statuses = ["available", "pending", "sold"] as const;

for (const [name, make] of stores) {
  describe(`of several catalogues, ${name},`, () => {
    test("each behaves as if it were alone, whatever the others do", async () => {
      const random = chance(runSeed);
      const { env, close } = inProcess(await make());
      const [one, other] = [await env.account(), await env.account()];
      // All scopes, as the first keys of the accounts have them.
      const staging = await one.key({ environment: "staging", scopes });
      const party = (mark: string, api: Api): Party => ({
        mark,
        api,
        model: new CatalogueModel(),
        answered: new Map(),
        cursors: [],
      });
      const parties: readonly [Party, ...Party[]] = [
        party("alpha", one.api),
        party("beta", other.api),
        party("gamma", staging.api),
      ];
      for (let count = 0; count < steps; count++) {
        const acting = random.pick(parties);
        const reply = await step(random, acting, parties);
        for (const { mark } of parties) {
          if (mark !== acting.mark) expect(reply.text).not.toContain(mark);
        }
      }
      await close();
    });
  });
}

/** Performs a random action and compares the response with the model. */
async function step(
  random: Chance,
  party: Party,
  parties: readonly Party[],
): Promise<Reply<unknown>> {
  const { api, model, mark, cursors } = party;
  const id = random.between(1, 12);
  const path = `/v1/pets/${id}`;
  const fields = newPet({
    name: `${mark} ${random.between(1, 5)}`,
    categoryId: random.between(1, 5),
    status: random.pick(statuses),
  });
  switch (random.between(0, 12)) {
    case 0:
      return same(await api.post("/v1/pets", fields), model.createPet(fields));
    case 1:
      return same(await api.get(path), model.getPet(id));
    case 2:
    case 3: {
      const { status, ...others } = fields;
      const patch = random.true(0.5) ? { status } : others;
      return same(await api.patch(path, patch), model.updatePet(id, patch));
    }
    case 4:
      return same(await api.delete(path), model.deletePet(id));
    case 5:
      return same(await api.post(`${path}/restore`), model.restorePet(id));
    case 6: {
      const { status } = fields;
      const reply = await api.get(`/v1/pets?status=${status}&limit=5`);
      return same(reply, model.listPets(5, status));
    }
    case 7: {
      const reply = await api.get("/v1/pets?limit=2&count=true");
      expect(reply.headers.get("x-total-count")).toBe(String(model.countPets()));
      const { next } = links(reply);
      const cursor = new URL(next ?? "http://none").searchParams.get("cursor");
      if (cursor !== null) cursors.push(cursor);
      return same(reply, model.listPets(2));
    }
    case 8: {
      const category = `${mark} ${random.between(1, 9)}`;
      const reply = await api.post("/v1/categories", { name: category });
      return same(reply, model.createCategory(category));
    }
    case 9: {
      const category = random.between(1, 14);
      const reply = await api.delete(`/v1/categories/${category}`);
      return same(reply, model.deleteCategory(category));
    }
    case 10:
      return random.true(0.5)
        ? same(await api.get("/v1/categories?limit=100"), model.listCategories())
        : sameOrders(await api.get("/v1/store/orders?limit=100"), model);
    case 11: {
      const owner = parties[random.between(0, parties.length - 1)] ?? party;
      const cursor = owner.cursors.at(-1);
      const reply = await api.get(`/v1/pets?limit=2&cursor=${cursor ?? "none"}`);
      expect(reply.status).toBe(owner === party && cursor !== undefined ? 200 : 400);
      return reply;
    }
    default:
      return retry(random, party, fields);
  }
}

/** Sends a request under one of a few idempotency keys that all parties use. */
async function retry(
  random: Chance,
  { api, model, answered }: Party,
  fields: Parameters<CatalogueModel["createPet"]>[0],
): Promise<Reply<unknown>> {
  const key = `key ${random.between(1, 6)}`.replace(" ", "-");
  const request = JSON.stringify(fields);
  const reply = await api.post("/v1/pets", fields, { headers: { "idempotency-key": key } });
  const first = answered.get(key);
  const replayed = reply.headers.get("idempotent-replayed");
  if (first === undefined) {
    expect(replayed).toBeNull();
    answered.set(key, { request, text: reply.text });
    return same(reply, model.createPet(fields));
  }
  if (first.request === request) {
    expect(replayed).toBe("true");
    expect(reply.text).toBe(first.text);
  } else {
    expect(reply.status).toBe(422);
  }
  return reply;
}

function same(reply: Reply<unknown>, expected: Expected): Reply<unknown> {
  const body = reply.status < 300 ? reply.body : undefined;
  expect({ status: reply.status, body }).toEqual({ body: undefined, ...expected });
  return reply;
}

function sameOrders(reply: Reply<unknown>, model: CatalogueModel): Reply<unknown> {
  const found = (reply.body as readonly { readonly id: number; readonly petId: number }[]).map(
    ({ id, petId }) => ({ id, petId }),
  );
  expect(found).toEqual([...model.orders()].slice(0, 100));
  return reply;
}
