import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { expect } from "bun:test";

import { inAccount, type Case, type Source } from "../case.ts";
import { expectLimitHeaders, expectProblem } from "../expect.ts";
import { operations, send, type Operation } from "../operations.ts";

/** The specification names the three animal operations, the contract the others. */
const specified: Readonly<Record<string, Source>> = {
  listPets: "spec: listPets",
  createPet: "spec: createPet",
  getPet: "spec: getPet",
};

/** One case per operation for each promise that all operations share. */
export const everyOperation: readonly Case[] = operations.flatMap((operation) =>
  casesOf(operation),
);

function casesOf(operation: Operation): readonly Case[] {
  const { operationId: name, method, success, scope, prepare } = operation;
  const both = bothOf(operation);
  const cases: Case[] = [
    {
      id: `${name}.success`,
      source: specified[name] ?? "contract: operations",
      sentence: `${name} returns ${success} with JSON or no body, and the limit headers`,
      ...both,
      run: inAccount(async ({ api }) => {
        const reply = await send(api, operation, await prepare(api));
        expect(reply.status).toBe(success);
        expectLimitHeaders(reply);
        const type = success === 204 ? null : "application/json; charset=utf-8";
        expect(reply.headers.get("content-type")).toBe(type);
        expect(reply.body === undefined).toBe(success === 204);
      }),
    },
    {
      id: `${name}.no-key`,
      source: "spec: what the service does 2",
      sentence: `${name} returns 401 without a key, and has no effect`,
      run: inAccount(async ({ api }, env) => {
        const sample = await prepare(api);
        expectProblem(await send(env.anyone, operation, sample), "missing_api_key");
        expect((await send(api, operation, sample)).status).toBe(success);
      }),
    },
    {
      id: `${name}.invalid-key`,
      source: "spec: authentication 3",
      sentence: `${name} returns 401 for an invalid key`,
      run: inAccount(async ({ api }, env) => {
        const sample = await prepare(api);
        expectProblem(await send(env.anyone.as("letmein"), operation, sample), "invalid_api_key");
      }),
    },
    {
      id: `${name}.not-acceptable`,
      source: "contract: order of checks",
      sentence: `${name} returns 406 if the client does not accept JSON`,
      ...both,
      run: inAccount(async ({ api }) => {
        const reply = await send(api, operation, await prepare(api), { accept: "text/html" });
        expectProblem(reply, "not_acceptable");
      }),
    },
    {
      id: `${name}.unknown-parameter`,
      source: "contract: lists",
      sentence: `${name} refuses an unknown query parameter`,
      ...both,
      run: inAccount(async ({ api }) => {
        const sample = await prepare(api);
        const path = `${sample.path}?colour=brown`;
        expectProblem(await send(api, operation, { ...sample, path }), "unknown_parameter");
      }),
    },
    {
      id: `${name}.long-address`,
      source: "contract: order of checks",
      sentence: `${name} returns 414 for an address over 8 KiB`,
      ...both,
      run: inAccount(async ({ api }) => {
        const sample = await prepare(api);
        const path = `${sample.path}?limit=${"1".repeat(8_200)}`;
        expectProblem(await send(api, operation, { ...sample, path }), "uri_too_long");
      }),
    },
    {
      id: `${name}.suspended`,
      source: "contract: error body",
      sentence: `${name} returns 403 account_suspended while the account is suspended`,
      run: inAccount(async (shelter) => {
        const sample = await prepare(shelter.api);
        await shelter.suspend();
        expectProblem(await send(shelter.api, operation, sample), "account_suspended");
        await shelter.resume();
        expect((await send(shelter.api, operation, sample)).status).toBe(success);
      }),
    },
    {
      id: `${name}.breaks`,
      source: "contract: error body",
      sentence: `${name} returns 500 internal_error without details if the store fails`,
      needs: "faults",
      run: inAccount(async (shelter, env) => {
        const sample = await prepare(shelter.api);
        const { api } = await shelter.key();
        env.inside.fail(new Error("disk I/O error at /var/lib/petstore, SELECT secret"));
        const reply = await send(api, operation, sample);
        expectProblem(reply, "internal_error");
        expect(reply.text).not.toMatch(/disk|\/var|SELECT|at /i);
      }),
    },
    {
      id: `${name}.unavailable`,
      source: "contract: error body",
      sentence: `${name} returns 503 with Retry-After if the store is unavailable`,
      needs: "faults",
      run: inAccount(async (shelter, env) => {
        const sample = await prepare(shelter.api);
        const { api } = await shelter.key();
        env.inside.fail(new StoreUnavailable("database is locked"));
        const reply = await send(api, operation, sample);
        expectProblem(reply, "unavailable");
        expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
        env.inside.mend();
        expect((await send(api, operation, sample)).status).toBe(success);
      }),
    },
    {
      id: `${name}.options`,
      source: "contract: operations",
      sentence: `OPTIONS on the path of ${name} returns 204 and allows ${method}`,
      run: inAccount(async ({ api }, env) => {
        const { path } = await prepare(api);
        const reply = await env.anyone.raw("OPTIONS", path);
        expect(reply.status).toBe(204);
        expect(reply.text).toBe("");
        expect(reply.headers.get("allow")?.split(", ")).toContain(method);
        expect(reply.headers.get("allow")?.split(", ")).toContain("OPTIONS");
        expectLimitHeaders(reply);
      }),
    },
    {
      id: `${name}.other-method`,
      source: "contract: operations",
      sentence: `another method on the path of ${name} returns 405 with Allow`,
      ...both,
      run: inAccount(async ({ api }) => {
        const { path } = await prepare(api);
        const reply = await api.raw(path.endsWith("/profile") ? "POST" : "PUT", path);
        expectProblem(reply, "method_not_allowed");
        expect(reply.headers.get("allow")?.split(", ")).toContain(method);
      }),
    },
    {
      id: `${name}.trailing-slash`,
      source: "contract: operations",
      sentence: `the path of ${name} with a trailing slash is another path: 404`,
      ...both,
      run: inAccount(async ({ api }) => {
        const sample = await prepare(api);
        const path = `${sample.path}/`;
        expectProblem(await send(api, operation, { ...sample, path }), "route_not_found");
      }),
    },
    {
      id: `${name}.double-slash`,
      source: "contract: operations",
      sentence: `the path of ${name} with a doubled slash is another path: 404`,
      ...both,
      run: inAccount(async ({ api }) => {
        const sample = await prepare(api);
        const path = sample.path.replace("/v1/", "/v1//");
        expectProblem(await send(api, operation, { ...sample, path }), "route_not_found");
      }),
    },
  ];
  // GET /rate-limit has its own limit: see limits.ts.
  if (name !== "getRateLimit") cases.push(limited(operation));
  if (scope !== undefined) {
    cases.push({
      id: `${name}.scope`,
      source: "contract: scopes",
      sentence: `${name} returns 403 insufficient_scope for a key without ${scope}`,
      run: inAccount(async (shelter) => {
        const sample = await prepare(shelter.api);
        const other = scope === "orders:read" ? "pets:read" : "orders:read";
        const lacking = await shelter.key({ scopes: [other] });
        const reply = await send(lacking.api, operation, sample);
        expect(expectProblem(reply, "insufficient_scope").message).toContain(scope);
        const sufficient = await shelter.key({ scopes: [scope] });
        expect((await send(sufficient.api, operation, sample)).status).toBe(success);
      }),
    });
  }
  if (method === "GET") cases.push(...casesOfReading(operation));
  return cases;
}

/** The mark of cases that hold in both APIs, if both have the operation. */
function bothOf({ both }: Operation): Pick<Case, "both"> {
  return both === undefined ? {} : { both };
}

function limited(operation: Operation): Case {
  const { operationId: name, prepare } = operation;
  return {
    id: `${name}.limited`,
    source: "spec: errors",
    sentence: `${name} returns 429 with Retry-After when the limit is exceeded`,
    run: async (env) => {
      const shelter = await env.account({ limits: { perMinute: 1_000, perDay: 1_000 } });
      const sample = await prepare(shelter.api);
      await shelter.changePlan("enterprise", { perMinute: 1, perDay: 1_000 });
      // The number of requests until the limit depends on the preparations.
      await shelter.api.get("/v1/pets");
      const reply = await send(shelter.api, operation, sample);
      expectProblem(reply, "rate_limited");
      expect(Number(reply.headers.get("retry-after"))).toBeWithin(1, 61);
    },
  };
}

function casesOfReading(operation: Operation): readonly Case[] {
  const { operationId: name, prepare } = operation;
  const both = bothOf(operation);
  return [
    {
      id: `${name}.head`,
      source: "contract: operations",
      sentence: `HEAD responds like ${name}, without a body`,
      ...both,
      run: inAccount(async ({ api }) => {
        const { path } = await prepare(api);
        const get = await api.get(path);
        const head = await api.raw("HEAD", path);
        expect(head.status).toBe(200);
        expect(head.text).toBe("");
        expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
        const [expected, etag] = [get, head].map(({ headers }) => headers.get("etag"));
        // The limits differ once the clock reaches another second.
        if (name === "getRateLimit") expect(etag).toMatch(/^W\/"[^"]+"$/);
        else expect(etag).toBe(expected as never);
        expectLimitHeaders(head);
      }),
    },
    {
      id: `${name}.not-modified`,
      source: "contract: every response",
      sentence: `${name} returns an ETag, and 304 without a body for that ETag`,
      ...both,
      run: inAccount(async ({ api }) => {
        const { path } = await prepare(api);
        const first = await api.get(path);
        const etag = first.headers.get("etag") ?? "";
        expect(etag).toMatch(/^(W\/)?"[^"]+"$/);
        // The limits differ once the clock reaches another second.
        const fresh = (reply: { readonly status: number }): boolean => reply.status === 304;
        let reply = await api.get(path, { headers: { "if-none-match": etag } });
        if (name === "getRateLimit" && !fresh(reply)) {
          const again = reply.headers.get("etag") ?? "";
          reply = await api.get(path, { headers: { "if-none-match": again } });
        }
        expect(reply.status).toBe(304);
        expect(reply.text).toBe("");
        expect(reply.headers.get("etag")).toMatch(/^(W\/)?"[^"]+"$/);
        expect(reply.headers.get("cache-control")).toBe("private, no-cache");
        expectLimitHeaders(reply);
      }),
    },
  ];
}
