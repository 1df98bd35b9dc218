import { expect } from "bun:test";

import type { Extra, Reply } from "../../helpers/api.ts";
import type { Pet } from "../../../lib/catalogue/model.ts";
import { inAccount, type Case } from "../case.ts";
import { addPet, expectLimitHeaders, expectProblem } from "../expect.ts";

const HOUR_MS = 3_600_000;
const JSON_TYPE = { "content-type": "application/json" };
const REX = { name: "Rex", categoryId: 1 };

function under(key: string, headers: Readonly<Record<string, string>> = {}): Extra {
  return { headers: { "idempotency-key": key, ...headers } };
}

export const retries: readonly Case[] = [
  {
    id: "retries.once",
    source: "contract: retries",
    sentence:
      "a POST repeated with its Idempotency-Key has one effect and returns the first response",
    run: inAccount(async ({ api }) => {
      const first = await api.post("/v1/pets", REX, under("retry-1"));
      expect(first.status).toBe(201);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const again = await api.post("/v1/pets", REX, under("retry-1"));
      expect(again.status).toBe(201);
      expect(again.text).toBe(first.text);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(again.headers.get("location")).toBe(first.headers.get("location"));
      expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(1);
    }),
  },
  {
    id: "retries.all-operations",
    source: "contract: retries",
    sentence: "PATCH, restore and writes of categories support Idempotency-Key too",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      await addPet(api);
      await api.delete("/v1/pets/2");
      for (const send of [
        () => api.patch("/v1/pets/1", { name: "Bello" }, under("a")),
        () => api.patch("/v1/pets/1", { status: "sold" }, under("b")),
        () => api.post("/v1/pets/2/restore", undefined, under("c")),
        () => api.post("/v1/categories", { name: "Rabbits" }, under("d")),
        () => api.patch("/v1/categories/1", { name: "Hounds" }, under("e")),
      ]) {
        const first = await send();
        expect(first.status).toBeWithin(200, 202);
        const again = await send();
        expect(again.headers.get("idempotent-replayed")).toBe("true");
        expect([again.status, again.text]).toEqual([first.status, first.text]);
      }
      expect((await api.get<unknown[]>("/v1/store/orders")).body).toHaveLength(1);
    }),
  },
  {
    id: "retries.first-answer",
    source: "contract: retries",
    sentence: "the replayed response is the first one, whatever happened since",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      const first = await api.patch("/v1/pets/1", { name: "Bello" }, under("k"));
      await api.patch("/v1/pets/1", { name: "Max" });
      const again = await api.patch("/v1/pets/1", { name: "Bello" }, under("k"));
      expect(again.text).toBe(first.text);
      expect((await api.get<Pet>("/v1/pets/1")).body.name).toBe("Max");
    }),
  },
  {
    id: "retries.other-body",
    source: "contract: retries",
    sentence: "an idempotency key reused with another body is 422 idempotency_key_reused",
    run: inAccount(async ({ api }) => {
      await api.post("/v1/pets", REX, under("k"));
      const other = await api.post("/v1/pets", { ...REX, name: "Bello" }, under("k"));
      expectProblem(other, "idempotency_key_reused");
      await api.patch("/v1/pets/1", { name: "A" }, under("k"));
      const patch = await api.patch("/v1/pets/1", { name: "B" }, under("k"));
      expectProblem(patch, "idempotency_key_reused");
      await api.post("/v1/categories", { name: "A" }, under("k"));
      const category = await api.post("/v1/categories", { name: "B" }, under("k"));
      expectProblem(category, "idempotency_key_reused");
      await api.patch("/v1/categories/1", { name: "C" }, under("k"));
      const renamed = await api.patch("/v1/categories/1", { name: "D" }, under("k"));
      expectProblem(renamed, "idempotency_key_reused");
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(1);
    }),
  },
  {
    id: "retries.restore-other-body",
    source: "contract: retries",
    sentence: "restore ignores its body, so bodies of two requests cannot differ",
    run: inAccount(async ({ api }) => {
      await addPet(api);
      await api.post("/v1/pets/1/restore", undefined, under("k"));
      const again = await api.post("/v1/pets/1/restore", {}, under("k"));
      expect(again.status).toBe(200);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }),
  },
  {
    id: "retries.other-address",
    source: "contract: retries",
    sentence: "an idempotency key belongs to one method and path of one catalogue",
    run: async (env) => {
      const [one, other] = [await env.account(), await env.account()];
      await one.api.post("/v1/pets", REX, under("k"));
      const elsewhere = await other.api.post("/v1/pets", REX, under("k"));
      expect(elsewhere.headers.get("idempotent-replayed")).toBeNull();
      expect(elsewhere.status).toBe(201);
      const category = await one.api.post("/v1/categories", { name: "Rabbits" }, under("k"));
      expect(category.status).toBe(201);
      expect(category.headers.get("idempotent-replayed")).toBeNull();
    },
  },
  {
    id: "retries.refusals",
    source: "contract: retries",
    sentence: "refusals of the action are recorded too: 400, 403, 404, 409, 412",
    run: inAccount(async (shelter) => {
      const { api } = shelter;
      const { api: lesser } = await shelter.key({ scopes: ["pets:write"] });
      await addPet(api, { status: "sold" });
      const stale = under("stale", { "if-match": '"x"' });
      for (const send of [
        () => api.post("/v1/pets", { name: "Rex", categoryId: 4 }, under("category")),
        () => api.patch("/v1/pets/9", { name: "x" }, under("missing")),
        () => api.patch("/v1/pets/1", { status: "pending" }, under("transition")),
        () => lesser.patch("/v1/pets/1", { status: "available" }, under("return")),
        () => api.post("/v1/categories", { name: "Dogs" }, under("exists")),
        () => api.patch("/v1/pets/1", { name: "x" }, stale),
      ]) {
        const first = await send();
        expect(first.status).toBeWithin(400, 413);
        const again = await send();
        expect([again.status, again.text]).toEqual([first.status, first.text]);
        expect(again.headers.get("idempotent-replayed")).toBe("true");
        expectLimitHeaders(again);
      }
      await api.post("/v1/categories", { name: "Rabbits" });
      const now = await api.post("/v1/pets", { name: "Rex", categoryId: 4 }, under("category"));
      expectProblem(now, "unknown_category");
    }),
  },
  {
    id: "retries.not-remembered-429",
    source: "contract: retries",
    sentence: "429 is not recorded: the retry runs",
    needs: "clock",
    run: async (env) => {
      const { api } = await env.account({ limits: { perMinute: 1, perDay: 100 } });
      await api.get("/v1/pets");
      expectProblem(await api.post("/v1/pets", REX, under("k")), "rate_limited");
      env.inside.clock.advance(60_000);
      const retry = await api.post("/v1/pets", REX, under("k"));
      expect(retry.status).toBe(201);
      expect(retry.headers.get("idempotent-replayed")).toBeNull();
    },
  },
  {
    id: "retries.not-remembered-401",
    source: "contract: retries",
    sentence: "401 is not recorded: the retry with the right key runs",
    run: inAccount(async ({ token }, env) => {
      expectProblem(await env.anyone.post("/v1/pets", REX, under("k")), "missing_api_key");
      expect((await env.anyone.as(token).post("/v1/pets", REX, under("k"))).status).toBe(201);
    }),
  },
  {
    id: "retries.not-remembered-5xx",
    source: "contract: retries",
    sentence: "5xx are not recorded: the retry runs",
    needs: "faults",
    run: inAccount(async ({ api }, env) => {
      env.inside.fail(new Error("broken"), (method) => method === "commit");
      expectProblem(await api.post("/v1/pets", REX, under("k")), "internal_error");
      env.inside.mend();
      const retry = await api.post("/v1/pets", REX, under("k"));
      expect(retry.status).toBe(201);
      expect(retry.headers.get("idempotent-replayed")).toBeNull();
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(1);
    }),
  },
  {
    id: "retries.24h",
    source: "contract: retries",
    sentence: "a response is kept for 24 hours",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      await api.post("/v1/pets", REX, under("k"));
      for (let hour = 0; hour < 23; hour++) await env.inside.pass(HOUR_MS);
      await env.inside.pass(HOUR_MS - 1);
      const within = await api.post("/v1/pets", REX, under("k"));
      expect(within.headers.get("idempotent-replayed")).toBe("true");
      await env.inside.pass(1);
      const after = await api.post<Pet>("/v1/pets", REX, under("k"));
      expect(after.headers.get("idempotent-replayed")).toBeNull();
      expect(after.body.id).toBe(2);
    }),
  },
  {
    id: "retries.restart",
    source: "contract: retries",
    sentence: "a response is replayed after a restart",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      const first = await api.post("/v1/pets", REX, under("k"));
      await env.inside.restart();
      const again = await api.post("/v1/pets", REX, under("k"));
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get("idempotent-replayed")).toBe("true");
    }),
  },
  {
    id: "retries.at-once",
    source: "contract: retries",
    sentence:
      "of simultaneous requests with one idempotency key one takes effect; the others get its response or 409",
    run: inAccount(async ({ api }) => {
      const send = (): ReturnType<typeof api.post> => api.post("/v1/pets", REX, under("k"));
      const replies = await Promise.all(Array.from({ length: 10 }, send));
      for (const reply of replies) {
        if (reply.status === 201) continue;
        expectProblem(reply, "idempotency_in_progress");
        expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
      }
      expect(replies.some(({ status }) => status === 201)).toBe(true);
      expect((await api.get<Pet[]>("/v1/pets")).body).toHaveLength(1);
    }),
  },
  ...(
    [
      ["createPet", "POST", "/v1/pets", REX],
      ["updatePet", "PATCH", "/v1/pets/1", { name: "Bello" }],
      ["restorePet", "POST", "/v1/pets/1/restore", undefined],
      ["replacePetProfile", "PUT", "/v1/pets/1/profile", { sex: "male" }],
      ["updatePetProfile", "PATCH", "/v1/pets/1/profile", { sex: "male" }],
      ["createCategory", "POST", "/v1/categories", { name: "Rabbits" }],
      ["updateCategory", "PATCH", "/v1/categories/1", { name: "Hounds" }],
    ] as const
  ).map(([name, method, path, body]): Case => ({
    id: `retries.in-progress-${name}`,
    source: "contract: retries",
    sentence: `while a ${name} is in progress, another with its idempotency key is 409 idempotency_in_progress`,
    needs: "faults",
    run: inAccount(async ({ api }, env) => {
      await addPet(api);
      const release = env.inside.hold("commit");
      const headers = { ...JSON_TYPE, ...under("k").headers };
      const send = (): Promise<Reply<unknown>> =>
        api.raw(method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
      const both = [send(), send()];
      // Restoring an animal that is not deleted still commits the record of the response.
      const early = await Promise.race(both);
      release();
      expectProblem(early, "idempotency_in_progress");
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(Math.min(...statuses)).toBeWithin(200, 202);
      expect((await send()).headers.get("idempotent-replayed")).toBe("true");
    }),
  })),
  {
    id: "retries.key-form",
    source: "contract: retries",
    sentence:
      "an idempotency key has 1 to 255 visible characters, bare or quoted; anything else is 400",
    run: inAccount(async ({ api }) => {
      for (const key of [
        "x",
        "x".repeat(255),
        '"quoted"',
        "8e03978e-40d5-43dd-bc93-6894a57f9324",
      ]) {
        expect((await api.post("/v1/pets", REX, under(key))).status).toBe(201);
      }
      const bare = await api.post("/v1/pets", REX, under("quoted"));
      expect(bare.headers.get("idempotent-replayed")).toBe("true");
      for (const key of ["", "x".repeat(256), "two words", '""', "ümlaut"]) {
        expectProblem(await api.post("/v1/pets", REX, under(key)), "invalid_parameter");
      }
    }),
  },
  {
    id: "retries.bad-body-keeps-key",
    source: "contract: order of checks",
    sentence:
      "an invalid body is refused before the idempotency key is checked, and does not use it up",
    run: inAccount(async ({ api }) => {
      expectProblem(await api.post("/v1/pets", { name: "Rex" }, under("k")), "missing_field");
      expect((await api.post("/v1/pets", REX, under("k"))).status).toBe(201);
    }),
  },
  {
    id: "retries.with-if-match",
    source: "contract: retries",
    sentence: "a retried conditional PATCH returns its first response instead of 412",
    run: inAccount(async ({ api }) => {
      const post = await api.post("/v1/pets", REX);
      const extra = under("k", { "if-match": post.headers.get("etag") ?? "" });
      const first = await api.patch("/v1/pets/1", { name: "Bello" }, extra);
      expect(first.status).toBe(200);
      const again = await api.patch("/v1/pets/1", { name: "Bello" }, extra);
      expect([again.status, again.text]).toEqual([200, first.text]);
    }),
  },
];
