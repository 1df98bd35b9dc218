import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addCategory, addPet, expectProblem } from "../expect.ts";

export const categories: readonly Case[] = [
  {
    id: "categories.seed",
    source: "contract: categories",
    sentence: "a new catalogue has Dogs, Cats and Other as 1, 2 and 3",
    run: inAccount(async ({ api }) => {
      expect((await api.get("/v1/categories?sort=id")).body).toEqual([
        { id: 1, name: "Dogs" },
        { id: 2, name: "Cats" },
        { id: 3, name: "Other" },
      ]);
    }),
  },
  {
    id: "categories.shape",
    source: "contract: categories",
    sentence: "a category has an id and a name, and a new one its Location",
    run: inAccount(async ({ api }) => {
      const reply = await api.post("/v1/categories", { name: "Rabbits" });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({ id: 4, name: "Rabbits" });
      const { pathname } = new URL(reply.headers.get("location") ?? "");
      expect(pathname).toBe("/v1/categories/4");
      expect((await api.get(pathname)).body).toEqual(reply.body);
    }),
  },
  {
    id: "categories.name",
    source: "contract: categories",
    sentence: "a category's name has 1 to 80 code points and is normalized like an animal's",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const name of ["", "  ", "x".repeat(81), "a\u0000b", null, 1]) {
        expectProblem(await api.post("/v1/categories", { name }), "invalid_value");
      }
      expectProblem(await api.post("/v1/categories", {}), "missing_field");
      expectProblem(await api.post("/v1/categories", { name: "a", id: 9 }), "unknown_field");
      expectProblem(await api.post("/v1/categories", ["a"]), "invalid_body");
      expect((await api.post("/v1/categories", { name: "🐇".repeat(80) })).status).toBe(201);
      const trimmed = await api.post("/v1/categories", { name: " Ga\u0308nse " });
      expect(trimmed.body).toMatchObject({ name: "G\u00e4nse" });
    }),
  },
  {
    id: "categories.unique",
    source: "contract: categories",
    sentence: "two categories whose names differ only in case are refused with 409 category_exists",
    both: true,
    run: inAccount(async ({ api }) => {
      for (const name of ["Dogs", "dogs", "DOGS", " Dogs ", "Ｄｏｇｓ"]) {
        expectProblem(await api.post("/v1/categories", { name }), "category_exists");
      }
      expectProblem(await api.patch("/v1/categories/2", { name: "dogs" }), "category_exists");
      expect((await api.patch("/v1/categories/1", { name: "DOGS" })).body).toEqual({
        id: 1,
        name: "DOGS",
      });
    }),
  },
  {
    id: "categories.freed-name",
    source: "contract: categories",
    sentence: "the name of a deleted or renamed category can be used again",
    both: true,
    run: inAccount(async ({ api }) => {
      expect((await api.delete("/v1/categories/3")).status).toBe(204);
      expect((await api.patch("/v1/categories/2", { name: "Felines" })).status).toBe(200);
      await addCategory(api, "Other");
      await addCategory(api, "Cats");
    }),
  },
  {
    id: "categories.per-catalogue",
    source: "contract: categories",
    sentence: "names are unique within a catalogue, not between catalogues",
    both: true,
    run: async (env) => {
      const [one, other] = [await env.account(), await env.account()];
      await addCategory(one.api, "Rabbits");
      await addCategory(other.api, "Rabbits");
    },
  },
  {
    id: "categories.in-use",
    source: "contract: categories",
    sentence: "a category used by animals cannot be deleted: 409 category_in_use",
    both: true,
    run: inAccount(async ({ api }) => {
      const { id } = await addPet(api, { categoryId: 1 });
      expectProblem(await api.delete("/v1/categories/1"), "category_in_use");
      expect((await api.patch("/v1/categories/1", { name: "Dogs" })).status).toBe(200);
      await api.patch(`/v1/pets/${id}`, { categoryId: 2 });
      expect((await api.delete("/v1/categories/1")).status).toBe(204);
      expectProblem(await api.patch("/v1/categories/1", { name: "Dogs" }), "not_found");
      expectProblem(await api.delete("/v1/categories/1"), "not_found");
    }),
  },
  {
    id: "categories.in-use-restorable",
    source: "contract: categories",
    sentence: "a deleted animal that can be restored still uses its category",
    needs: "clock",
    both: true,
    run: inAccount(async ({ api }, env) => {
      const { id } = await addPet(api, { categoryId: 1 });
      await api.delete(`/v1/pets/${id}`);
      expectProblem(await api.delete("/v1/categories/1"), "category_in_use");
      for (let hour = 0; hour < 50; hour++) await env.inside.pass(3_600_000);
      expect((await api.delete("/v1/categories/1")).status).toBe(204);
    }),
  },
  {
    id: "categories.missing",
    source: "contract: categories",
    sentence: "an unknown category is 404 for GET, PATCH and DELETE",
    run: inAccount(async ({ api }) => {
      expectProblem(await api.get("/v1/categories/99"), "not_found");
      expectProblem(await api.patch("/v1/categories/99", { name: "x" }), "not_found");
      expectProblem(await api.delete("/v1/categories/99"), "not_found");
      expect((await api.delete("/v1/categories/3")).status).toBe(204);
      expectProblem(await api.delete("/v1/categories/3"), "not_found");
    }),
  },
  {
    id: "categories.patch-nothing",
    source: "contract: categories",
    sentence: "a PATCH of a category that changes nothing returns 200 and keeps the ETag",
    run: inAccount(async ({ api }) => {
      const before = (await api.get("/v1/categories/1")).headers.get("etag");
      for (const body of [{}, { name: "Dogs" }]) {
        const reply = await api.patch("/v1/categories/1", body);
        expect(reply.status).toBe(200);
        expect(reply.headers.get("etag")).toBe(before);
      }
    }),
  },
];
