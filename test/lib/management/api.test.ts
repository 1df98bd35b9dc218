import { StoreUnavailable } from "../../../lib/sql/sql.ts";
import { describe, expect, test } from "bun:test";

import { local } from "../../../lib/accounts/principal.ts";
import { api, type Api } from "../../helpers/api.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { BASE, openOffice, principal, type Office } from "../../helpers/management.ts";

interface Failure {
  readonly code: string;
}

/** Sends requests with tokens from one unknown address. */
function remote(office: Office, address = "192.0.2.1"): Api {
  return api({
    fetch: (request) => Promise.resolve(office.management.fetch(request, { address })),
    base: BASE,
  });
}

const codeOf = async (reply: Promise<{ readonly status: number; readonly body: unknown }>) => {
  const { status, body } = await reply;
  return [status, (body as Failure | undefined)?.code];
};

test("a request without TLS to an address with TLS is refused before the token is checked", async () => {
  const office = await openOffice();
  const request = new Request(`${BASE}/manage/v1/me`, { headers: { authorization: "Bearer x" } });
  const answer = await office.management.fetch(request, { httpsRequired: true });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ code: "https_required" });
});

describe("the order of checks:", () => {
  const long = `/manage/v1/${"x".repeat(8_200)}`;

  test("an overlong address is refused before it is matched", async () => {
    const api = remote(await openOffice());
    expect(await codeOf(api.get(long))).toEqual([414, "uri_too_long"]);
  });

  test("an unknown path is 404 for everyone, a wrong method 405 with Allow", async () => {
    const api = remote(await openOffice());
    for (const path of ["/manage/v1", "/manage/v1/", "/manage/v1/me/", "/manage/v2/me", "/v1/me"]) {
      expect(await codeOf(api.get(path))).toEqual([404, "route_not_found"]);
    }
    const wrong = await api.delete<Failure>("/manage/v1/accounts");
    expect([wrong.status, wrong.body.code]).toEqual([405, "method_not_allowed"]);
    expect(wrong.headers.get("allow")).toBe("GET, HEAD, POST, OPTIONS");
  });

  test("OPTIONS returns the methods, and nothing for pages of other origins", async () => {
    const office = await openOffice();
    const options = await remote(office).raw("OPTIONS", "/manage/v1/accounts/x");
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")).toBe("GET, HEAD, PATCH, DELETE, OPTIONS");
    expect([...options.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual(
      [],
    );
  });

  test("the token is checked before role, body and media type", async () => {
    const api = remote(await openOffice());
    const sent = { body: "{", headers: { "content-type": "text/plain", accept: "text/html" } };
    const reply = await api.raw<Failure>("POST", "/manage/v1/accounts", sent);
    expect([reply.status, reply.body.code]).toEqual([401, "missing_token"]);
    expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="petstore"');
  });

  test("a malformed Authorization says what is wrong", async () => {
    const office = await openOffice();
    const { token } = await office.issue("viewer");
    const ask = (authorization: string, path = "/manage/v1/me") =>
      remote(office).get<{ readonly code: string; readonly message: string }>(path, {
        headers: { authorization, accept: "" },
      });
    expect((await ask(`bearer   ${token}`)).status).toBe(200);
    expect((await ask(`Bearer ${token}`, "/m%61nage/v1/%6de")).status).toBe(200);
    expect((await ask(`Bearer ${token}`, "/manage%2Fv1/me")).status).toBe(404);
    for (const [authorization, words] of [
      [token, "lacks the word Bearer before the token"],
      [`Basic ${token}`, "must begin with Bearer"],
      [`Bearer bearer ${token}`, "contains the word Bearer twice"],
      ["Bearer undefined", 'contains "undefined" instead of a token'],
    ] as const) {
      const { body } = await ask(authorization);
      expect([body.code, body.message]).toEqual(["invalid_token", expect.stringContaining(words)]);
      expect(body.message).not.toContain(token);
    }
  });

  test("the role is checked before the media types, and those before the query and the body", async () => {
    const office = await openOffice();
    const create = (role: "operator" | "owner", init: RequestInit, query = "") =>
      codeOf(office.as(role).raw("POST", `/manage/v1/accounts${query}`, { body: "{", ...init }));
    const json = { "content-type": "application/json" };
    const html = { headers: { accept: "text/html", "content-type": "text/plain" } };
    expect(await create("owner", html)).toEqual([403, "insufficient_role"]);
    expect(await create("operator", html)).toEqual([406, "not_acceptable"]);
    const plain = { headers: { "content-type": "text/plain" } };
    expect(await create("operator", plain, "?x=1")).toEqual([415, "unsupported_media_type"]);
    expect(await create("operator", { headers: json }, "?x=1")).toEqual([400, "unknown_parameter"]);
    expect(await create("operator", { headers: json })).toEqual([400, "invalid_json"]);
  });

  test("resources of others are 404 before the role is checked", async () => {
    const office = await openOffice();
    const stranger = office.as("viewer", "acc_other");
    const path = `/manage/v1/accounts/${office.accountId}/suspend`;
    expect(await codeOf(stranger.post(path))).toEqual([404, "not_found"]);
    expect(await codeOf(office.as("viewer").post(path))).toEqual([403, "insufficient_role"]);
  });

  test("a path parameter is decoded strictly", async () => {
    const office = await openOffice();
    const operator = office.as("operator");
    const spelled = office.accountId.replace("acc_", "%61cc_");
    expect((await operator.get(`/manage/v1/accounts/${spelled}`)).status).toBe(200);
    for (const wrong of ["%zz", "%ff", "%C0%AF"]) {
      expect(await codeOf(operator.get(`/manage/v1/accounts/${wrong}`))).toEqual([
        404,
        "route_not_found",
      ]);
    }
    expect(await codeOf(operator.get("/manage/v1/accounts/a%2Fb"))).toEqual([404, "not_found"]);
  });
});

describe("bodies", () => {
  const json = { "content-type": "application/json" };

  test("over 64 KiB are refused, except imports up to 4 MiB", async () => {
    const office = await openOffice();
    const staff = office.as("staff");
    const big = JSON.stringify({ name: "x".repeat(70_000) });
    const create = office.as("operator").raw("POST", "/manage/v1/accounts", {
      body: big,
      headers: json,
    });
    expect(await codeOf(create)).toEqual([413, "payload_too_large"]);
    const path = `/manage/v1/accounts/${office.accountId}/production/pets/import`;
    const rows = [{ name: "x".repeat(70_000), categoryId: 1 }];
    const imported = await staff.post<{ added: number }>(path, { rows });
    expect([imported.status, imported.body.added]).toEqual([200, 0]);
    const huge = { rows: [{ name: "x".repeat(4 * 1_024 * 1_024) }] };
    expect(await codeOf(staff.post(path, huge))).toEqual([413, "payload_too_large"]);
  });

  test("may be omitted only if all their members are optional", async () => {
    const office = await openOffice();
    const made = await office.as("operator").post("/manage/v1/tokens");
    expect(made.status).toBe(201);
    expect(await codeOf(office.as("operator").post("/manage/v1/accounts"))).toEqual([
      415,
      "unsupported_media_type",
    ]);
    const untyped = new Request(`${BASE}/manage/v1/tokens`, {
      method: "POST",
      body: new TextEncoder().encode("{}"),
    });
    expect((await office.ask(untyped, local)).status).toBe(415);
  });
});

describe("limits:", () => {
  test("a token has 600 requests a minute, and every response has the remaining number", async () => {
    const office = await openOffice();
    const { token } = await office.issue("viewer");
    const caller = remote(office).as(token);
    for (let left = 599; left >= 0; left--) {
      const { status, headers } = await caller.get("/manage/v1/me");
      expect([status, headers.get("x-ratelimit-remaining")]).toEqual([200, String(left)]);
    }
    const refused = await caller.get<Failure>("/manage/v1/me");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    const other = await office.issue("viewer");
    expect((await remote(office).as(other.token).get("/manage/v1/me")).status).toBe(200);
    await office.clock.advance(60_000);
    expect((await caller.get("/manage/v1/me")).status).toBe(200);
  });

  test("all tokens of an account share 3,000, and the headers show the lower number", async () => {
    const office = await openOffice();
    const tokens = [];
    for (let count = 0; count < 7; count++) tokens.push((await office.issue("viewer")).token);
    const [last = "", ...others] = tokens;
    const left = async (token: string) => {
      const { status, headers } = await remote(office).as(token).get("/manage/v1/me");
      return [status, ...["limit", "remaining"].map((name) => headers.get(`x-ratelimit-${name}`))];
    };
    expect(await left(last)).toEqual([200, "600", "599"]);
    for (const token of others.slice(0, 4)) {
      for (let count = 0; count < 600; count++) await remote(office).as(token).get("/manage/v1/me");
    }
    const [, , , , fifth = "", sixth = ""] = others;
    for (let count = 0; count < 300; count++) await remote(office).as(fifth).get("/manage/v1/me");
    expect(await left(fifth)).toEqual([200, "3000", "298"]);
    for (let count = 0; count < 298; count++) await remote(office).as(sixth).get("/manage/v1/me");
    const refused = await remote(office).as(last).get<Failure>("/manage/v1/me");
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.headers.get("ratelimit")).toBe('"minute";r=599;t=60, "account";r=0;t=60');
    expect(refused.headers.get("ratelimit-policy")).toBe(
      '"minute";q=600;w=60, "account";q=3000;w=60',
    );
    const operator = await office.issue("operator");
    expect(await left(operator.token)).toEqual([200, "600", "599"]);
    await office.clock.advance(60_000);
    expect(await left(last)).toEqual([200, "600", "599"]);
  });

  test("failures are counted by address, and never affect a valid token", async () => {
    const office = await openOffice();
    const { token } = await office.issue("viewer");
    const stranger = remote(office);
    for (let count = 0; count < 60; count++) {
      expect((await stranger.as("pet_manage_x").get("/manage/v1/me")).status).toBe(401);
    }
    expect(await codeOf(stranger.get("/manage/v1/me"))).toEqual([429, "rate_limited"]);
    const claim = stranger.post("/manage/v1/setup", { token: "pet_setup_x" });
    expect(await codeOf(claim)).toEqual([429, "rate_limited"]);
    expect((await stranger.as(token).get("/manage/v1/me")).status).toBe(200);
    const elsewhere = remote(office, "192.0.2.2");
    expect((await elsewhere.get("/manage/v1/me")).status).toBe(401);
  });

  test("callers authenticated by the host are not counted and see full limits", async () => {
    const office = await openOffice();
    const request = () => new Request(`${BASE}/manage/v1/me`);
    for (let count = 0; count < 3; count++) {
      const { headers } = await office.ask(request(), principal("owner", office.accountId));
      expect(headers.get("x-ratelimit-limit")).toBe("600");
      expect(headers.get("x-ratelimit-remaining")).toBe("600");
    }
  });

  test("every response has the three headers and a request id", async () => {
    const office = await openOffice();
    const { token } = await office.issue("viewer");
    const caller = remote(office).as(token);
    const replies = await Promise.all([
      caller.get("/manage/v1/me"),
      caller.raw("HEAD", "/manage/v1/me"),
      caller.raw("OPTIONS", "/manage/v1/me"),
      caller.get("/manage/v1/nothing"),
      caller.post("/manage/v1/me"),
      caller.post("/manage/v1/accounts", {}),
      caller.get("/manage/v1/accounts/acc_x"),
      caller.get("/manage/v1/openapi.json"),
      caller.get(`/manage/v1/${"x".repeat(9_000)}`),
      caller.as("wrong").get("/manage/v1/me"),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([
      200, 200, 204, 404, 405, 403, 404, 200, 414, 401,
    ]);
    for (const { headers } of replies) {
      for (const name of ["limit", "remaining", "reset"]) {
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      }
      expect(headers.get("x-request-id")).toBeString();
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("responses", () => {
  test("with secrets and refusals are not stored, and others are revalidated", async () => {
    const office = await openOffice();
    const owner = office.as("owner");
    const cacheOf = async (reply: Promise<{ readonly headers: Headers }>) =>
      (await reply).headers.get("cache-control");
    const account = `/manage/v1/accounts/${office.accountId}`;
    expect(await cacheOf(owner.post(`${account}/keys`))).toBe("no-store");
    expect(await cacheOf(owner.post(`${account}/tokens`, { role: "viewer" }))).toBe("no-store");
    expect(await cacheOf(office.as("operator").post("/manage/v1/setup-links"))).toBe("no-store");
    expect(await cacheOf(owner.get("/manage/v1/nothing"))).toBe("no-store");
    expect(await cacheOf(owner.get(account))).toBe("private, no-cache");
  });

  test("reveal nothing about failures, and are 503 if the store is unavailable", async () => {
    const broken = async (error: Error) => {
      const office = await openOffice({
        store: (store) => ({
          ...store,
          keys: {
            ...store.keys,
            byId: () => {
              throw error;
            },
          },
        }),
      });
      const reply = await office.as("operator").get<Failure>("/manage/v1/keys/x");
      expect(reply.text).not.toContain("secret");
      return [reply.status, reply.body.code];
    };
    expect(await broken(new Error("secret"))).toEqual([500, "internal_error"]);
    expect(await broken(new StoreUnavailable("secret"))).toEqual([503, "unavailable"]);
  });

  test("are sent even if the host cannot determine the address, which is then unknown", async () => {
    const office = await openOffice();
    const address = (): never => {
      throw new Error("no address");
    };
    const request = new Request(`${BASE}/manage/v1/me`);
    expect((await office.management.fetch(request, { address })).status).toBe(401);
  });
});

test("members of a suspended account can read but not change; operators can do both", async () => {
  const office = await openOffice();
  const account = `/manage/v1/accounts/${office.accountId}`;
  await office.as("operator").post(`${account}/suspend`);
  const owner = office.as("owner");
  expect((await owner.get(account)).status).toBe(200);
  expect((await owner.get("/manage/v1/accounts")).status).toBe(200);
  expect(await codeOf(owner.patch(account, { name: "x" }))).toEqual([403, "account_suspended"]);
  expect((await office.as("operator").patch(account, { name: "x" })).status).toBe(200);
  await office.as("operator").post(`${account}/resume`);
  expect((await owner.patch(account, { name: "y" })).status).toBe(200);
});

test("every operation has a unique name and a unique method and path", () => {
  const names = everyEndpoint.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  const places = everyEndpoint.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ":")}`,
  );
  expect(new Set(places).size).toBe(places.length);
});
