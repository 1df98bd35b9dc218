import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addCategory, addPet, become, expectProblem } from "../expect.ts";

export const environments: readonly Case[] = [
  {
    id: "environments.prefix",
    source: "spec: base address",
    sentence: "all paths are below /v1",
    run: inAccount(async ({ api }) => {
      expect((await api.get("/v1/pets")).status).toBe(200);
      for (const path of ["/pets", "/v2/pets", "/V1/pets", "/v1/v1/pets"]) {
        expect((await api.get(path)).status).toBe(404);
      }
    }),
  },
  {
    id: "environments.version-bare",
    source: "contract: operations",
    sentence: "anything else under /v1 is 404 route_not_found",
    run: inAccount(async ({ api }) => {
      for (const path of [
        "/v1/",
        "/v1/dogs",
        "/v1/Pets",
        "/v1/pets/1/restore/now",
        "/v1/store",
        "/v1/store/orders/1",
        "/v1/pets/1/sell",
        "/v1/pets%2F",
        "/v1/%2570ets",
        "/v1/p\u00e9ts",
        "/v1/openapi",
        "/v1/rate-limit/1",
      ]) {
        expectProblem(await api.get(path), "route_not_found");
      }
    }),
  },
  {
    id: "environments.percent-encoding",
    source: "contract: operations",
    sentence: "a percent-encoded letter, digit, -, ., _ or ~ of a path is that character",
    run: inAccount(async (shelter, env) => {
      const { api } = shelter;
      await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      for (const path of ["/v1/p%65ts", "/%761/pets", "/v%31/%70%65%74%73?limit=1"]) {
        expect((await api.get<readonly unknown[]>(path)).body).toHaveLength(1);
      }
      expect((await api.get<{ readonly id: number }>("/v1/pets/%31")).body.id).toBe(1);
      expect((await api.get("/v1/op%65napi%2Ejson")).status).toBe(200);
      // The checks see the same path.
      expectProblem(await env.anyone.get("/v1/p%65ts"), "missing_api_key");
      const { api: reader } = await shelter.key({ scopes: ["pets:read"] });
      expectProblem(await reader.delete("/v1/%70ets/%31"), "insufficient_scope");
      expectProblem(await api.raw("PUT", "/v1/p%65ts"), "method_not_allowed");
      // A retry with another spelling is a retry.
      const headers = { "idempotency-key": "the-same-request" };
      const body = { name: "Bello", categoryId: 1 };
      const first = await api.post("/v1/pets", body, { headers });
      const second = await api.post("/v1/p%65ts", body, { headers });
      expect(first.status).toBe(201);
      expect(second.body).toEqual(first.body);
      expect(second.headers.get("idempotent-replayed")).toBe("true");
    }),
  },
  {
    id: "environments.two",
    source: "spec: what the service does 1",
    sentence: "Production and Staging serve the same operations",
    run: inAccount(async (shelter, env) => {
      const staging = env.staging.as((await shelter.key({ environment: "staging" })).token);
      expect((await shelter.api.get("/v1/pets")).body).toEqual([]);
      expect((await staging.get("/v1/pets")).body).toEqual([]);
    }),
  },
  {
    id: "environments.catalogues",
    source: "contract: environments",
    sentence: "the environments of one account have separate animals, categories, orders and ids",
    run: inAccount(async (shelter, env) => {
      const staging = env.staging.as((await shelter.key({ environment: "staging" })).token);
      const pet = await addPet(staging, { name: "Only a rehearsal" });
      await become(staging, pet.id, "sold");
      await addCategory(staging, "Rehearsals");
      expect((await shelter.api.get("/v1/pets")).body).toEqual([]);
      expectProblem(await shelter.api.get(`/v1/pets/${pet.id}`), "not_found");
      expect((await shelter.api.get("/v1/store/orders")).body).toEqual([]);
      expect((await shelter.api.get("/v1/categories")).text).not.toContain("Rehearsals");
      expect((await addPet(shelter.api)).id).toBe(1);
    }),
  },
  {
    id: "environments.counters",
    source: "contract: environments",
    sentence: "the environments of one account have separate counters",
    run: async (env) => {
      const shelter = await env.account({ limits: { perMinute: 2, perDay: 100 } });
      const staging = env.staging.as((await shelter.key({ environment: "staging" })).token);
      for (let count = 0; count < 2; count++) await shelter.api.get("/v1/pets");
      expectProblem(await shelter.api.get("/v1/pets"), "rate_limited");
      expect((await staging.get("/v1/pets")).headers.get("x-ratelimit-remaining")).toBe("1");
    },
  },
  {
    id: "environments.accounts",
    source: "contract: environments",
    sentence: "no request sees another account's rows",
    run: async (env) => {
      const [one, other] = [await env.account(), await env.account()];
      const pet = await addPet(one.api, { name: "Not yours", status: "sold" });
      await addCategory(one.api, "Not yours either");
      expect((await other.api.get("/v1/pets?count=true")).headers.get("x-total-count")).toBe("0");
      expect((await other.api.get(`/v1/pets?id=${pet.id}`)).body).toEqual([]);
      expect((await other.api.get("/v1/store/orders")).body).toEqual([]);
      expect((await other.api.get("/v1/categories")).text).not.toContain("Not yours");
      const path = `/v1/pets/${pet.id}`;
      expectProblem(await other.api.get(path), "not_found");
      expectProblem(await other.api.patch(path, { name: "Mine" }), "not_found");
      expectProblem(await other.api.delete(path), "not_found");
      expectProblem(await other.api.post(`${path}/restore`), "not_found");
      expectProblem(await other.api.get("/v1/categories/4"), "not_found");
      expectProblem(
        await other.api.post("/v1/pets", { name: "x", categoryId: 4 }),
        "unknown_category",
      );
    },
  },
];
