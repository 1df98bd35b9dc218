import { expect } from "bun:test";

import { inAccount, type Case } from "../case.ts";
import { addPet, expectProblem } from "../expect.ts";
import { operation, operations, send } from "../operations.ts";

const SUNSET_MS = 1_922_659_200_000;

/** The headers that a browser may read: all documented ones. */
const documented = [
  "ETag",
  "Link",
  "Location",
  "Retry-After",
  "X-Total-Count",
  "X-Request-Id",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "RateLimit",
  "RateLimit-Policy",
  "Deprecation",
  "Sunset",
  "Idempotent-Replayed",
  "WWW-Authenticate",
];

export const responses: readonly Case[] = [
  {
    id: "errors.status-member",
    source: "spec: errors 1",
    sentence: "the status in an Error equals the HTTP status",
    run: inAccount(async ({ api }, env) => {
      const replies = [
        await env.anyone.get("/v1/pets"),
        await api.post("/v1/pets", {}),
        await api.get("/v1/pets/9"),
        await api.get("/v1/nothing"),
        await api.raw("PUT", "/v1/pets"),
      ];
      for (const { status, body } of replies) expect(body).toMatchObject({ status });
    }),
  },
  {
    id: "errors.members",
    source: "spec: Error",
    sentence: "an Error has code, message and status: two strings and an integer",
    run: async (env) => {
      const reply = await env.anyone.get("/v1/pets");
      expect(reply.body).toEqual({
        code: "missing_api_key",
        message: expect.any(String),
        status: 401,
      });
    },
  },
  {
    id: "errors.getpet-404",
    source: "spec: getPet",
    sentence: "getPet returns 404 for an unknown animal",
    run: inAccount(async ({ api }) => {
      expectProblem(await api.get("/v1/pets/1"), "not_found");
    }),
  },
  {
    id: "errors.no-echo",
    source: "contract: error body",
    sentence: "a refusal quotes the request without control characters, and never the key",
    run: inAccount(async ({ api, token }, env) => {
      const replies = [
        await api.get("/v1/pets?%00%1b[31m=1"),
        await api.post("/v1/pets", { ["\u0007evil"]: 1 }),
        await env.anyone.as(`${token}x`).get("/v1/pets"),
      ];
      for (const { text, body } of replies) {
        expect(text).not.toContain(token);
        expect((body as { message: string }).message).not.toMatch(/\p{Cc}/u);
      }
    }),
  },
  {
    id: "responses.request-id",
    source: "contract: every response",
    sentence: "every response has a unique X-Request-Id",
    run: inAccount(async ({ api }, env) => {
      const seen = new Set<string | null>();
      for (const reply of [
        await api.get("/v1/pets"),
        await api.get("/v1/pets"),
        await api.get("/v1/nothing"),
        await env.anyone.get("/v1/pets"),
        await api.raw("OPTIONS", "/v1/pets"),
        await env.anyone.get("/v1/openapi.json"),
      ]) {
        const id = reply.headers.get("x-request-id");
        expect(id).toMatch(/^[\w-]{8,64}$/);
        seen.add(id);
      }
      expect(seen.size).toBe(6);
    }),
  },
  {
    id: "responses.request-id-sent",
    source: "contract: every response",
    sentence: "a valid X-Request-Id of the caller is kept, an invalid one is replaced",
    run: inAccount(async ({ api }) => {
      const sent = async (id: string): Promise<string | null> => {
        const { headers } = await api.get("/v1/pets", { headers: { "x-request-id": id } });
        return headers.get("x-request-id");
      };
      expect(await sent("trace-0123456789")).toBe("trace-0123456789");
      for (const id of ["short", "x".repeat(65), "a b c d e f g", 'quote"quote"', "semi;colon;1"]) {
        expect(await sent(id)).not.toBe(id);
      }
    }),
  },
  {
    id: "responses.cache-control",
    source: "contract: every response",
    sentence: "successes are private, no-cache; errors are no-store",
    run: inAccount(async ({ api }, env) => {
      for (const operation of operations) {
        const reply = await send(api, operation, await operation.prepare(api));
        expect(reply.headers.get("cache-control")).toBe("private, no-cache");
      }
      expect((await api.get("/v1/pets/0")).headers.get("cache-control")).toBe("no-store");
      expect((await env.anyone.get("/v1/pets")).headers.get("cache-control")).toBe("no-store");
    }),
  },
  {
    id: "responses.vary",
    source: "contract: every response",
    sentence: "responses vary by the key and disable content sniffing",
    run: inAccount(async ({ api }, env) => {
      for (const reply of [await api.get("/v1/pets"), await env.anyone.get("/v1/pets")]) {
        expect(reply.headers.get("vary")).toContain("Authorization");
        expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
      }
    }),
  },
  {
    id: "cors.preflight",
    source: "contract: operations",
    sentence: "a CORS preflight needs no key and allows what the operations accept",
    run: async (env) => {
      const reply = await env.anyone.raw("OPTIONS", "/v1/pets", {
        headers: {
          origin: "https://shelter.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization, content-type, traceparent",
        },
      });
      expect(reply.status).toBe(204);
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      expect(reply.headers.get("access-control-allow-methods")).toContain("POST");
      const allowed = (reply.headers.get("access-control-allow-headers") ?? "").toLowerCase();
      const known = "authorization, content-type, accept, idempotency-key, if-match, if-none-match";
      const added = "x-requested-with, cache-control, pragma, traceparent, tracestate, baggage";
      for (const name of `${known}, ${added}, sentry-trace, x-request-id`.split(", ")) {
        expect(allowed.split(", ")).toContain(name);
      }
      expect(Number(reply.headers.get("access-control-max-age"))).toBeGreaterThan(0);
    },
  },
  {
    id: "cors.readable",
    source: "contract: operations",
    sentence: "a browser can read every documented header, also on refusals",
    run: inAccount(async ({ api }, env) => {
      for (const reply of [await api.get("/v1/pets"), await env.anyone.get("/v1/pets")]) {
        expect(reply.headers.get("access-control-allow-origin")).toBe("*");
        const exposed = (reply.headers.get("access-control-expose-headers") ?? "").split(", ");
        for (const name of documented) expect(exposed).toContain(name);
      }
    }),
  },
  {
    id: "http.allow",
    source: "contract: operations",
    sentence: "Allow names exactly the methods of a path",
    run: async (env) => {
      for (const [path, allow] of [
        ["/v1/pets", "GET, HEAD, POST, OPTIONS"],
        ["/v1/pets/1", "GET, HEAD, PATCH, DELETE, OPTIONS"],
        ["/v1/pets/1/restore", "POST, OPTIONS"],
        ["/v1/pets/1/profile", "GET, HEAD, PUT, PATCH, OPTIONS"],
        ["/v1/categories", "GET, HEAD, POST, OPTIONS"],
        ["/v1/categories/1", "GET, HEAD, PATCH, DELETE, OPTIONS"],
        ["/v1/store/orders", "GET, HEAD, OPTIONS"],
        ["/v1/rate-limit", "GET, HEAD, OPTIONS"],
        ["/v1/openapi.json", "GET, HEAD, OPTIONS"],
      ] as const) {
        expect((await env.anyone.raw("OPTIONS", path)).headers.get("allow")).toBe(allow);
        const wrong = await env.anyone.raw(allow.includes("PUT") ? "POST" : "PUT", path);
        expectProblem(wrong, "method_not_allowed");
        expect(wrong.headers.get("allow")).toBe(allow);
      }
    },
  },
  {
    id: "http.head-refused",
    source: "contract: operations",
    sentence: "HEAD is refused like GET, without a body",
    run: inAccount(async ({ api }, env) => {
      const reply = await api.raw("HEAD", "/v1/pets/9");
      expect([reply.status, reply.text]).toEqual([404, ""]);
      const stranger = await env.anyone.raw("HEAD", "/v1/pets");
      expect([stranger.status, stranger.text]).toEqual([401, ""]);
      const wrong = await api.raw("HEAD", "/v1/pets/1/restore");
      expect([wrong.status, wrong.text]).toEqual([405, ""]);
    }),
  },
  {
    id: "http.long-address-edge",
    source: "contract: order of checks",
    sentence: "an address of 8 KiB is accepted, and one more character is 414",
    run: inAccount(async ({ api }) => {
      // The URL as the service sees it, with scheme and host.
      const { headers } = await api.post("/v1/pets", { name: "Rex", categoryId: 1 });
      const { origin } = new URL(headers.get("location") ?? "");
      const path = "/v1/pets?limit=";
      const padded = path + "1".repeat(8_192 - origin.length - path.length);
      expectProblem(await api.get(padded), "invalid_parameter");
      expectProblem(await api.get(`${padded}1`), "uri_too_long");
    }),
  },
  {
    id: "deprecation.headers",
    source: "contract: deprecation",
    sentence: "getPet sends Deprecation, Sunset and a Link to its successor, also on refusals",
    run: inAccount(async ({ api }, env) => {
      await addPet(api);
      for (const reply of [
        await api.get("/v1/pets/1"),
        await api.get("/v1/pets/9"),
        await env.anyone.get("/v1/pets/1"),
      ]) {
        expect(reply.headers.get("deprecation")).toBe("@1795132800");
        expect(reply.headers.get("sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
        expect(reply.headers.get("link")).toMatch(/\/v1\/pets>; rel="successor-version"/);
      }
    }),
  },
  {
    id: "deprecation.only-getpet",
    source: "spec: versioning 3",
    sentence: "only getPet is deprecated",
    run: inAccount(async ({ api }) => {
      for (const operation of operations) {
        const reply = await send(api, operation, await operation.prepare(api));
        expect(reply.headers.has("deprecation")).toBe(operation.operationId === "getPet");
        expect(reply.headers.has("sunset")).toBe(operation.operationId === "getPet");
      }
    }),
  },
  {
    id: "deprecation.removal",
    source: "spec: versioning 3",
    sentence: "getPet works until 5 December 2030 and is then 410 operation_removed",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      await addPet(api);
      env.inside.clock.set(SUNSET_MS - 1);
      expect((await api.get("/v1/pets/1")).status).toBe(200);
      env.inside.clock.set(SUNSET_MS);
      expectProblem(await api.get("/v1/pets/1"), "operation_removed");
      expectProblem(await api.get("/v1/pets/9"), "operation_removed");
    }),
  },
  {
    id: "deprecation.others-go-on",
    source: "contract: deprecation",
    sentence: "after getPet is removed all other operations keep working, including its successor",
    needs: "clock",
    run: inAccount(async ({ api }, env) => {
      const pet = await addPet(api);
      env.inside.clock.set(SUNSET_MS);
      expect((await api.get("/v1/pets?id=1")).body).toEqual([pet]);
      expect((await api.patch("/v1/pets/1", { name: "Bello" })).status).toBe(200);
      expect((await api.delete("/v1/pets/1")).status).toBe(204);
      const list = operation("listPets");
      expect((await send(api, list, await list.prepare(api))).status).toBe(200);
    }),
  },
];
