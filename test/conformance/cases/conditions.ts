import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addPet, expectProblem } from "../expect.ts";

const STRONG = /^"[^"]+"$/;

export const conditions: readonly Case[] = [
  {
    id: "etags.one-animal",
    source: "contract: etags",
    sentence:
      "POST, PATCH, restore and a list of a single id return the same strong ETag for an animal",
    run: inAccount(async ({ api }) => {
      const post = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const created = post.headers.get("etag");
      expect(created).toMatch(STRONG);
      expect((await api.get("/v1/pets?id=1")).headers.get("etag")).toBe(created);
      expect((await api.get("/v1/pets/1")).headers.get("etag")).toBe(created);
      const patch = await api.patch("/v1/pets/1", { name: "Bello" });
      const patched = patch.headers.get("etag");
      expect(patched).toMatch(STRONG);
      expect(patched).not.toBe(created);
      expect((await api.get("/v1/pets?id=1")).headers.get("etag")).toBe(patched);
      await api.delete("/v1/pets/1");
      const restored = (await api.post("/v1/pets/1/restore")).headers.get("etag");
      expect(restored).toMatch(STRONG);
      expect((await api.get("/v1/pets?id=1")).headers.get("etag")).toBe(restored);
    }),
  },
  {
    id: "etags.change",
    source: "contract: etags",
    sentence: "every change of an animal gives it a new ETag",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const seen = new Set<string | null>();
      const look = async (): Promise<void> => {
        const etag = (await api.get("/v1/pets?id=1")).headers.get("etag");
        expect(seen.has(etag)).toBe(false);
        seen.add(etag);
      };
      await look();
      for (const name of ["Bello", "Rex", "Bello"]) {
        await api.patch("/v1/pets/1", { name });
        await look();
      }
      await api.delete("/v1/pets/1");
      await api.post("/v1/pets/1/restore");
      await look();
    }),
  },
  {
    id: "etags.if-match",
    source: "contract: etags",
    sentence:
      "PATCH and DELETE succeed with the current ETag in If-Match and are 412 with a stale one",
    both: true,
    run: inAccount(async ({ api }) => {
      const post = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const stale = { headers: { "if-match": post.headers.get("etag") ?? "" } };
      const patch = await api.patch("/v1/pets/1", { name: "Bello" }, stale);
      expect(patch.status).toBe(200);
      expectProblem(await api.patch("/v1/pets/1", { name: "x" }, stale), "precondition_failed");
      expectProblem(await api.delete("/v1/pets/1", stale), "precondition_failed");
      expect((await api.get("/v1/pets/1")).body).toEqual(patch.body);
      const current = { headers: { "if-match": patch.headers.get("etag") ?? "" } };
      expect((await api.delete("/v1/pets/1", current)).status).toBe(204);
    }),
  },
  {
    id: "etags.if-match-categories",
    source: "contract: etags",
    sentence: "PATCH and DELETE of a category support If-Match in the same way",
    both: true,
    run: inAccount(async ({ api }) => {
      const same = await api.patch("/v1/categories/3", { name: "Other" });
      const stale = { headers: { "if-match": same.headers.get("etag") ?? "" } };
      const patch = await api.patch("/v1/categories/3", { name: "Others" }, stale);
      expect(patch.status).toBe(200);
      const again = await api.patch("/v1/categories/3", { name: "x" }, stale);
      expectProblem(again, "precondition_failed");
      expectProblem(await api.delete("/v1/categories/3", stale), "precondition_failed");
      const current = { headers: { "if-match": patch.headers.get("etag") ?? "" } };
      expect((await api.delete("/v1/categories/3", current)).status).toBe(204);
    }),
  },
  {
    id: "etags.if-match-forms",
    source: "contract: etags",
    sentence: "If-Match accepts a list and *, and compares strongly",
    both: true,
    run: inAccount(async ({ api }) => {
      const post = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const etag = post.headers.get("etag") ?? "";
      const patch = async (ifMatch: string): Promise<number> => {
        const extra = { headers: { "if-match": ifMatch } };
        return (await api.patch("/v1/pets/1", {}, extra)).status;
      };
      expect(await patch("*")).toBe(200);
      expect(await patch(`"other", ${etag}`)).toBe(200);
      expect(await patch(`W/${etag}`)).toBe(412);
      const weak = await api.patch("/v1/pets/1", {}, { headers: { "if-match": `W/${etag}` } });
      expect(JSON.stringify(weak.body)).toContain("A proxy that compresses responses");
      const old = await api.patch("/v1/pets/1", {}, { headers: { "if-match": 'W/"old"' } });
      expect(JSON.stringify(old.body)).toContain("has changed since");
      for (const malformed of ["nonsense", "1-1-x", '"1', `*, ${etag}`]) {
        expect([malformed, await patch(malformed)]).toEqual([malformed, 400]);
      }
      expect(await patch('"1"')).toBe(412);
    }),
  },
  {
    id: "etags.if-none-match-writes",
    source: "contract: etags",
    sentence: "a write whose If-None-Match matches is 412, by weak comparison, and changes nothing",
    run: inAccount(async ({ api }) => {
      const post = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const etag = post.headers.get("etag") ?? "";
      const given = (tag: string) => ({ headers: { "if-none-match": tag } });
      const list = (await api.get("/v1/pets")).headers.get("etag") ?? "";
      const category = (await api.get("/v1/categories/3")).headers.get("etag") ?? "";
      for (const tag of ["*", etag, `W/${etag}`, `"other", ${etag}`]) {
        expectProblem(
          await api.patch("/v1/pets/1", { name: "x" }, given(tag)),
          "precondition_failed",
        );
        expectProblem(await api.delete("/v1/pets/1", given(tag)), "precondition_failed");
      }
      for (const tag of ["*", list]) {
        const body = { name: "Bello", categoryId: 1 };
        expectProblem(await api.post("/v1/pets", body, given(tag)), "precondition_failed");
      }
      expectProblem(await api.delete("/v1/categories/3", given(category)), "precondition_failed");
      const named = { name: "Birds" };
      expectProblem(await api.post("/v1/categories", named, given("*")), "precondition_failed");
      expect((await api.get("/v1/pets")).headers.get("etag")).toBe(list);
      expect((await api.patch("/v1/pets/1", { name: "y" }, given('"other"'))).status).toBe(200);
      // The list has changed.
      const body = { name: "Bello", categoryId: 1 };
      expect((await api.post("/v1/pets", body, given(list))).status).toBe(201);
      expectProblem(await api.patch("/v1/pets/99", {}, given("*")), "not_found");
      expect((await api.delete("/v1/pets/1", given(etag))).status).toBe(204);
      expect((await api.post("/v1/pets/1/restore", undefined, given("*"))).status).toBe(200);
    }),
  },
  {
    id: "etags.if-match-missing",
    source: "contract: etags",
    sentence: "If-Match on an unknown resource is 404",
    both: true,
    run: inAccount(async ({ api }) => {
      const star = { headers: { "if-match": "*" } };
      expectProblem(await api.patch("/v1/pets/9", {}, star), "not_found");
      expectProblem(await api.delete("/v1/pets/9", star), "not_found");
    }),
  },
  {
    id: "etags.lists-move",
    source: "contract: every response",
    sentence: "a changed list is not 304 for a client with an old ETag",
    both: true,
    run: inAccount(async ({ api }) => {
      const steps: readonly (() => Promise<unknown>)[] = [
        () => addPet(api),
        () => api.patch("/v1/pets/1", { name: "Bello" }),
        () => api.delete("/v1/pets/1"),
        () => api.post("/v1/pets/1/restore"),
        () => api.patch("/v1/pets/1", { status: "sold" }),
      ];
      for (const step of steps) {
        const etag = (await api.get("/v1/pets")).headers.get("etag") ?? "";
        const extra = { headers: { "if-none-match": etag } };
        expect((await api.get("/v1/pets", extra)).status).toBe(304);
        await step();
        expect((await api.get("/v1/pets", extra)).status).toBe(200);
      }
    }),
  },
  {
    id: "etags.if-none-match-forms",
    source: "contract: every response",
    sentence: "If-None-Match accepts a list and *, and compares weakly",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const etag = (await api.get("/v1/pets?id=1")).headers.get("etag") ?? "";
      const get = async (ifNoneMatch: string): Promise<number> => {
        const extra = { headers: { "if-none-match": ifNoneMatch } };
        return (await api.get("/v1/pets?id=1", extra)).status;
      };
      expect(await get("*")).toBe(304);
      expect(await get(`"other", ${etag}`)).toBe(304);
      expect(await get(`W/${etag}`)).toBe(304);
      expect(await get('"other"')).toBe(200);
    }),
  },
  {
    id: "etags.error-no-304",
    source: "contract: every response",
    sentence: "a refusal is never 304",
    both: true,
    run: inAccount(async ({ api }) => {
      const extra = { headers: { "if-none-match": "*" } };
      expectProblem(await api.get("/v1/pets/9", extra), "not_found");
      expectProblem(await api.get("/v1/pets?limit=0", extra), "invalid_parameter");
    }),
  },
];
