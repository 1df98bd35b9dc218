import { expect } from "bun:test";

import type { Pet, PetStatus } from "../../../lib/catalogue/model.ts";
import type { Api } from "../../helpers/api.ts";
import { inAccount, type Case } from "../case.ts";
import { addPet, become, expectProblem, ids } from "../expect.ts";

const HOUR_MS = 3_600_000;

interface Order {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
  readonly createdAt: string;
}

async function orders(api: Api, query = ""): Promise<readonly Order[]> {
  const reply = await api.get<readonly Order[]>(`/v1/store/orders${query}`);
  expect(reply.status).toBe(200);
  return reply.body;
}

export const lifecycle: readonly Case[] = [
  {
    id: "transitions.allowed",
    source: "contract: transitions",
    sentence: "available can become pending or sold, and pending can become available or sold",
    both: true,
    run: async (env) => {
      const { api } = await env.account({ scopes: ["pets:read", "pets:write"] });
      const steps: readonly (readonly [PetStatus, PetStatus])[] = [
        ["available", "pending"],
        ["available", "sold"],
        ["pending", "available"],
        ["pending", "sold"],
      ];
      for (const [from, to] of steps) {
        const { id } = await addPet(api, { status: from });
        const reply = await api.patch<Pet>(`/v1/pets/${id}`, { status: to });
        expect(reply.body).toMatchObject({ id, status: to });
      }
    },
  },
  {
    id: "transitions.return",
    source: "contract: transitions",
    sentence: "sold can become available with the scope pets:admin, and is 403 without it",
    run: inAccount(async (shelter) => {
      const { api } = await shelter.key({ scopes: ["pets:read", "pets:write"] });
      const { id } = await addPet(api, { status: "sold" });
      const refused = await api.patch(`/v1/pets/${id}`, { status: "available" });
      expect(expectProblem(refused, "insufficient_scope").message).toContain("pets:admin");
      await become(shelter.api, id, "available");
    }),
  },
  {
    id: "transitions.refused",
    source: "contract: transitions",
    sentence: "any other transition is 409 invalid_transition and names the allowed ones",
    both: true,
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api, { status: "sold" });
      const reply = await api.patch(`/v1/pets/${id}`, { status: "pending" });
      const { message } = expectProblem(reply, "invalid_transition");
      expect(message).toContain('"available"');
      expect((await api.get<Pet>(`/v1/pets/${id}`)).body.status).toBe("sold");
    }),
  },
  {
    id: "transitions.same",
    source: "contract: transitions",
    sentence: "setting the current status is not a transition, also for sold",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const status of ["available", "pending", "sold"] as const) {
        const { id } = await addPet(api, { status });
        await become(api, id, status);
      }
      expect(await orders(api)).toHaveLength(1);
    }),
  },
  {
    id: "orders.shape",
    source: "contract: orders",
    sentence: "becoming sold writes an order: id, petId, status placed, createdAt",
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api);
      expect(await orders(api)).toEqual([]);
      await become(api, id, "sold");
      const [order] = await orders(api);
      expect(order).toEqual({ id: 1, petId: id, status: "placed", createdAt: expect.any(String) });
      expect(order?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }),
  },
  {
    id: "orders.created-sold",
    source: "contract: orders",
    sentence: "an animal created as sold writes an order, and others do not",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api, { status: "available" });
      await addPet(api, { status: "pending" });
      const sold = await addPet(api, { status: "sold" });
      expect((await orders(api)).map(({ petId }) => petId)).toEqual([sold.id]);
    }),
  },
  {
    id: "orders.returns",
    source: "contract: orders",
    sentence: "a return keeps the order, and every sale writes a new one",
    both: true,
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api, { status: "sold" });
      await become(api, id, "available");
      expect(await orders(api)).toHaveLength(1);
      await become(api, id, "sold");
      expect(ids(await orders(api))).toEqual([2, 1]);
      expect((await orders(api)).map(({ petId }) => petId)).toEqual([id, id]);
    }),
  },
  {
    id: "orders.filters",
    source: "contract: orders",
    sentence: "orders are listed like animals, filtered by petId and status",
    run: inAccount(async ({ api }) => {
      for (let count = 0; count < 3; count++) await addPet(api, { status: "sold" });
      expect(ids(await orders(api))).toEqual([3, 2, 1]);
      expect(ids(await orders(api, "?sort=id&limit=2"))).toEqual([1, 2]);
      expect(ids(await orders(api, "?petId=2"))).toEqual([2]);
      expect(ids(await orders(api, "?status=placed"))).toEqual([3, 2, 1]);
      expect(ids(await orders(api, "?status=delivered"))).toEqual([]);
      expectProblem(await api.get("/v1/store/orders?status=sold"), "invalid_parameter");
      expectProblem(await api.get("/v1/store/orders?petId=x"), "invalid_parameter");
    }),
  },
  {
    id: "orders.read-only",
    source: "contract: orders",
    sentence: "orders are read-only: POST is 405",
    both: true,
    run: inAccount(async ({ api }) => {
      expectProblem(await api.post("/v1/store/orders", { petId: 1 }), "method_not_allowed");
    }),
  },
  {
    id: "deletion.hides",
    source: "contract: deletion",
    sentence: "DELETE returns 204, and the animal no longer appears in any response",
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api);
      const reply = await api.delete(`/v1/pets/${id}`);
      expect(reply.status).toBe(204);
      expect(reply.text).toBe("");
      expectProblem(await api.get(`/v1/pets/${id}`), "not_found");
      expectProblem(await api.patch(`/v1/pets/${id}`, { name: "x" }), "not_found");
      expectProblem(await api.delete(`/v1/pets/${id}`), "not_found");
      expect((await api.get("/v1/pets")).body).toEqual([]);
      expect((await api.get(`/v1/pets?id=${id}`)).body).toEqual([]);
      const counted = await api.get("/v1/pets?count=true");
      expect(counted.headers.get("x-total-count")).toBe("0");
    }),
  },
  {
    id: "deletion.restore",
    source: "contract: deletion",
    sentence: "restore returns 200 with the animal unchanged",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await addPet(api, { status: "pending", categoryId: 2 });
      await api.delete(`/v1/pets/${pet.id}`);
      const reply = await api.post(`/v1/pets/${pet.id}/restore`);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(pet);
      expect((await api.get("/v1/pets")).body).toEqual([pet]);
    }),
  },
  {
    id: "deletion.restore-48h",
    source: "contract: deletion",
    sentence: "an animal can be restored for 48 hours",
    needs: "clock",
    both: true,
    run: inAccount(async ({ api }, env) => {
      await addPet(api);
      await addPet(api);
      await api.delete("/v1/pets/1");
      await api.delete("/v1/pets/2");
      for (let hour = 0; hour < 47; hour++) await env.inside.pass(HOUR_MS);
      await env.inside.pass(HOUR_MS - 1);
      expect((await api.post("/v1/pets/1/restore")).status).toBe(200);
      await env.inside.pass(1);
      expectProblem(await api.post("/v1/pets/2/restore"), "not_found");
      for (let hour = 0; hour < 3; hour++) await env.inside.pass(HOUR_MS);
      expectProblem(await api.post("/v1/pets/2/restore"), "not_found");
    }),
  },
  {
    id: "deletion.restore-alive",
    source: "contract: deletion",
    sentence: "restoring an animal that is not deleted returns 200; restoring an unknown one, 404",
    both: true,
    run: inAccount(async ({ api }) => {
      const pet = await addPet(api);
      const reply = await api.post(`/v1/pets/${pet.id}/restore`);
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual(pet);
      expectProblem(await api.post("/v1/pets/99/restore"), "not_found");
    }),
  },
  {
    id: "deletion.restored-sold",
    source: "contract: orders",
    sentence: "a sold animal is restored as sold, without a new order",
    both: true,
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api, { status: "sold" });
      await api.delete(`/v1/pets/${id}`);
      await api.post(`/v1/pets/${id}/restore`);
      expect((await api.get<Pet>(`/v1/pets/${id}`)).body.status).toBe("sold");
      expect(await orders(api)).toHaveLength(1);
    }),
  },
];
