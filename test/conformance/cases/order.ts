import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addPet, expectProblem } from "../expect.ts";

const TOO_LONG = "x".repeat(8_200);
const TEXT = { "content-type": "text/plain" };
const JSON_TYPE = { "content-type": "application/json" };

/** Each case has two adjacent errors in the order of checks; the earlier one must be reported. */
export const order: readonly Case[] = [
  {
    id: "order.length-route",
    source: "contract: order of checks",
    sentence: "an overlong address is 414 before it is 404",
    run: async (env) => {
      expectProblem(await env.anyone.get(`/v1/nothing?${TOO_LONG}`), "uri_too_long");
    },
  },
  {
    id: "order.route-method",
    source: "contract: order of checks",
    sentence: "an unknown path is 404 for every method",
    run: async (env) => {
      for (const method of ["GET", "PUT", "DELETE", "PATCH", "POST", "OPTIONS"]) {
        expectProblem(await env.anyone.raw(method, "/v1/nothing"), "route_not_found");
      }
    },
  },
  {
    id: "order.method-key",
    source: "contract: order of checks",
    sentence: "an unsupported method is 405 before the key is checked",
    run: async (env) => {
      const reply = await env.anyone.as("letmein").raw("PUT", "/v1/pets");
      expectProblem(reply, "method_not_allowed");
      expect(reply.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
    },
  },
  {
    id: "order.key-rest",
    source: "contract: order of checks",
    sentence: "without a key, a request is 401 before anything else is checked",
    run: async (env) => {
      const reply = await env.anyone.raw("POST", "/v1/pets?x=1", {
        headers: { ...TEXT, accept: "text/html" },
        body: "x".repeat(70_000),
      });
      expectProblem(reply, "missing_api_key");
    },
  },
  {
    id: "order.ban-limits",
    source: "contract: order of checks",
    sentence: "a banned key gets the ban before exhausted limits",
    needs: "clock",
    run: async (env) => {
      const { api } = await env.account({ limits: { perMinute: 1, perDay: 1 } });
      for (let count = 0; count < 2; count++) await api.get("/v1/pets");
      env.inside.clock.advance(3_000);
      for (let count = 0; count < 21; count++) await api.get("/v1/pets");
      expectProblem(await api.get("/v1/pets"), "key_banned");
    },
  },
  {
    id: "order.limits-scope",
    source: "contract: order of checks",
    sentence: "exhausted limits are 429 before a missing scope is 403",
    run: async (env) => {
      const { api } = await env.account({
        limits: { perMinute: 1, perDay: 10 },
        scopes: ["pets:read"],
      });
      expectProblem(await api.get("/v1/categories"), "insufficient_scope");
      expectProblem(await api.get("/v1/categories"), "rate_limited");
    },
  },
  {
    id: "order.scope-accept",
    source: "contract: order of checks",
    sentence: "a missing scope is 403 before Accept, Content-Type and the body are checked",
    run: async (env) => {
      const { api } = await env.account({ scopes: ["pets:read"] });
      const reply = await api.raw("POST", "/v1/pets", {
        headers: { ...TEXT, accept: "application/problem+json, text/html" },
        body: "x".repeat(70_000),
      });
      expect(reply.status).toBe(403);
      const html = await api.raw("POST", "/v1/pets", {
        headers: { ...TEXT, accept: "text/html" },
        body: "x",
      });
      expectProblem(html, "insufficient_scope");
    },
  },
  {
    id: "order.accept-type",
    source: "contract: order of checks",
    sentence: "Accept is 406 before Content-Type is 415",
    both: true,
    run: inAccount(async ({ api }) => {
      const headers = { ...TEXT, accept: "text/html" };
      expectProblem(await api.raw("POST", "/v1/pets", { headers, body: "x" }), "not_acceptable");
    }),
  },
  {
    id: "order.type-body",
    source: "contract: order of checks",
    sentence: "Content-Type is 415 before the size of the body is 413",
    both: true,
    run: inAccount(async ({ api }) => {
      const body = "x".repeat(70_000);
      const reply = await api.raw("POST", "/v1/pets", { headers: TEXT, body });
      expectProblem(reply, "unsupported_media_type");
    }),
  },
  {
    id: "order.size-shape",
    source: "contract: order of checks",
    sentence: "a body's size is 413 before its contents are 400",
    both: true,
    run: inAccount(async ({ api }) => {
      const body = "x".repeat(70_000);
      const reply = await api.raw("POST", "/v1/pets", { headers: JSON_TYPE, body });
      expectProblem(reply, "payload_too_large");
    }),
  },
  {
    id: "order.body-idempotency",
    source: "contract: order of checks",
    sentence: "an invalid body is 400 before a reused idempotency key is 422",
    run: inAccount(async ({ api }) => {
      const extra = { headers: { "idempotency-key": "k" } };
      await api.post("/v1/pets", { name: "Rex", categoryId: 1 }, extra);
      expectProblem(await api.post("/v1/pets", { name: "Bello" }, extra), "missing_field");
    }),
  },
  {
    id: "order.idempotency-action",
    source: "contract: order of checks",
    sentence: "a reused idempotency key is 422 before the action is refused",
    run: inAccount(async ({ api }) => {
      const extra = { headers: { "idempotency-key": "k" } };
      await api.post("/v1/pets", { name: "Rex", categoryId: 1 }, extra);
      const reply = await api.post("/v1/pets", { name: "Rex", categoryId: 99 }, extra);
      expectProblem(reply, "idempotency_key_reused");
    }),
  },
  {
    id: "order.body-missing",
    source: "contract: order of checks",
    sentence: "an invalid body is 400 before a missing animal is 404",
    both: true,
    run: inAccount(async ({ api }) => {
      expectProblem(await api.patch("/v1/pets/99", { name: "" }), "invalid_value");
      expectProblem(await api.patch("/v1/pets/99", { name: "x" }), "not_found");
    }),
  },
  {
    id: "order.missing-precondition",
    source: "contract: order of checks",
    sentence: "a stale If-Match is 412 before the transition is 409",
    both: true,
    run: inAccount(async ({ api }) => {
      await addPet(api, { status: "sold" });
      const extra = { headers: { "if-match": '"stale"' } };
      const reply = await api.patch("/v1/pets/1", { status: "pending" }, extra);
      expectProblem(reply, "precondition_failed");
    }),
  },
];
