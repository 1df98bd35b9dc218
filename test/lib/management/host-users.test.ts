import { describe, expect, test } from "bun:test";

import { HOUR_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { accountRoles, type Role } from "../../../lib/accounts/principal.ts";
import type { ManagementContext, ManagementPrincipal } from "../../../lib/management/index.ts";
import { api, type Api } from "../../helpers/api.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { readEvents } from "../../helpers/event-reader.ts";
import { BASE, openOffice, type Office } from "../../helpers/management.ts";
import { requestTo, samples } from "./samples.ts";
import { openTenants, type Things } from "./tenants.ts";

const ACTOR = { id: "user-1" };

interface Failure {
  readonly code: string;
}

function principalOf(role: Role, account: string): ManagementPrincipal {
  return role === "operator"
    ? { account: "all", role, actor: ACTOR }
    : { account, role, actor: ACTOR };
}

/** Calls the API as a user of the host. */
function userOf(office: Office, principal: unknown, more: ManagementContext = {}): Api {
  const fetch = (request: Request) =>
    office.ask(request, principal as ManagementContext["principal"], more);
  return api({ fetch, base: BASE });
}

const everyRole: readonly Role[] = ["viewer", "staff", "owner", "operator"];
/** Operations of callers with a credential, for which a sample has another sender only if it is about members. */
const called = everyEndpoint.filter(({ access }) => access.kind !== "anyone");
const own = (operationId: string): boolean => samples[operationId]?.by === "member";

function located(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

test("a user of the host may not do what a token with the same role may not", async () => {
  const { office, ours } = await openTenants();
  for (const { operationId, method, path, access } of called) {
    if (access.kind === "anyone") continue;
    for (const role of everyRole.slice(0, everyRole.indexOf(access.role))) {
      await office.clock.advance(1_000);
      const request = requestTo({ operationId, method, path: located(path) }, ours.things);
      const user = userOf(office, principalOf(role, ours.accountId));
      const reply = await user.raw<Failure>(request.method, request.path, request.init);
      expect([operationId, role, reply.status, reply.body.code]).toEqual([
        operationId,
        role,
        403,
        "insufficient_role",
      ]);
    }
  }
});

describe("a user of the host may do what a token with the same role may:", () => {
  for (const { operationId, method, path, access, success } of called) {
    if (access.kind === "anyone") continue;
    test(operationId, async () => {
      const { office, ours } = await openTenants();
      const request = requestTo({ operationId, method, path: located(path) }, ours.things);
      const user = userOf(office, principalOf(access.role, ours.accountId));
      const seq = await office.store.events.last();
      const reply = await user.raw<Failure>(request.method, request.path, request.init);
      if (!own(operationId)) {
        expect([reply.status, reply.text]).toEqual([success.status, reply.text]);
        await office.imports.idle();
        const of = access.role === "operator" ? { of: "operators" as const } : {};
        for (const { type, actor } of await office.store.events.after(seq, 100)) {
          expect([type, actor]).toEqual([type, { kind: "user", ...ACTOR, ...of }]);
        }
        return;
      }
      // Only members have passwords, passkeys and sessions.
      const { token } = await office.issue(access.role);
      const fetch = (sent: Request) => office.ask(sent);
      const byToken = await api({ fetch, base: BASE, key: token }).raw<Failure>(
        request.method,
        request.path,
        request.init,
      );
      expect([reply.status, reply.body?.code]).toEqual([byToken.status, byToken.body?.code]);
    });
  }
});

test("another account's resources look nonexistent to a user of the host", async () => {
  const { office, ours, theirs } = await openTenants();
  const seq = await office.store.events.last();
  for (const { operationId, method, path } of called) {
    const named = Array.from(path.matchAll(/:(account|project)/g), ([, name = ""]) => name);
    if (named.length === 0) continue;
    const others: Things = Object.fromEntries(
      named.map((name) => [name, theirs.things[name] ?? ""]),
    );
    for (const role of accountRoles) {
      await office.clock.advance(1_000);
      const { init, ...request } = requestTo(
        { operationId, method, path: located(path) },
        ours.things,
        others,
      );
      const user = userOf(office, principalOf(role, ours.accountId));
      const reply = await user.raw<Failure>(request.method, request.path, init);
      expect([operationId, role, reply.status]).toEqual([operationId, role, 404]);
      for (const mark of theirs.marks) expect(reply.text).not.toContain(mark);
    }
  }
  const events = await office.store.events.after(seq, 100);
  expect(events.filter(({ accountId }) => accountId === theirs.accountId)).toEqual([]);
});

describe("a wrong principal is a 500 and no access:", () => {
  const account = "acc_000000000000";
  const wrong: Readonly<Record<string, readonly [principal: unknown, fault: RegExp]>> = {
    "no role": [{ actor: ACTOR }, /role must be one of/],
    "an unknown role": [{ actor: ACTOR, role: "root" }, /role must be one of/],
    "an operator of one account": [
      { actor: ACTOR, role: "operator", account },
      /operator belongs to the account "all"/,
    ],
    "an owner of all accounts": [
      { actor: ACTOR, role: "owner", account: "all" },
      /operator belongs to the account "all"/,
    ],
    "an operator without an account": [
      { actor: ACTOR, role: "operator" },
      /operator belongs to the account "all"/,
    ],
    "an account that is undefined": [
      { actor: ACTOR, role: "owner", account: undefined },
      /account is undefined/,
    ],
    "an account that does not exist": [
      { actor: ACTOR, role: "owner", account },
      /the account acc_000000000000 does not exist/,
    ],
    scopes: [{ actor: ACTOR, role: "owner", scopes: ["pets:read"] }, /scopes does not exist/],
    "no actor": [{ role: "viewer" }, /actor must be the user/],
    "a promise that rejects": [() => Promise.reject(new Error("no session store")), /no session/],
    "a program of an unknown role": [
      { role: "root", name: "us", counter: "us", accountId: undefined },
      /role must be one of/,
    ],
    "an owner program without an account": [
      { role: "owner", name: "us", counter: "us", accountId: undefined },
      /every other role needs one/,
    ],
    "an operator program of an account": [
      { role: "operator", name: "us", counter: "us", accountId: account },
      /an operator has no accountId/,
    ],
  };
  for (const [name, [principal, fault]] of Object.entries(wrong)) {
    test(name, async () => {
      const failures: unknown[] = [];
      const reported: unknown[] = [];
      const log = {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: (_text: string, error: unknown) => void failures.push(error),
      };
      const office = await openOffice({ log });
      const onError = (error: unknown): void => void reported.push(error);
      const seq = await office.store.events.last();
      for (const path of ["/accounts", `/accounts/${office.accountId}`, "/me"]) {
        const reply = await userOf(office, principal, { onError }).get<Failure>(
          `/manage/v1${path}`,
        );
        expect([reply.status, reply.body.code]).toEqual([500, "internal_error"]);
      }
      expect(failures.length).toBe(3);
      for (const failure of failures) expect(String(failure)).toMatch(fault);
      if (!name.includes("program")) expect(reported).toEqual(failures);
      expect(await office.store.events.last()).toBe(seq);
    });
  }

  test("a function that does not answer in time", async () => {
    const office = await openOffice();
    const reply = userOf(office, () => new Promise(() => {})).get("/manage/v1/me");
    await office.clock.advance(10 * SECOND_MS);
    expect((await reply).status).toBe(500);
  });
});

test("without a signed-in user, tokens and sessions count", async () => {
  const office = await openOffice();
  const { token } = await office.issue("viewer");
  const headers = { authorization: `Bearer ${token}` };
  const nobody = userOf(office, () => null);
  expect((await nobody.get("/manage/v1/me", { headers })).body).toMatchObject({ role: "viewer" });
  const reply = await nobody.get<Failure>("/manage/v1/me");
  expect([reply.status, reply.body.code]).toEqual([401, "missing_token"]);
});

test("a principal takes precedence over a token", async () => {
  const office = await openOffice();
  const { token } = await office.issue("operator");
  const headers = { authorization: `Bearer ${token}` };
  const user = userOf(office, {
    account: office.accountId,
    role: "viewer",
    actor: { id: "7", name: "Grace" },
  });
  const { body } = await user.get("/manage/v1/me", { headers });
  expect(body).toEqual({ role: "viewer", accountId: office.accountId, name: "Grace" });
});

test("without an account, a user belongs to the default account", async () => {
  const office = await openOffice();
  const user = userOf(office, { role: "owner", actor: ACTOR });
  expect((await user.get("/manage/v1/me")).body).toEqual({
    role: "owner",
    accountId: "acc_default",
    name: "user-1",
  });
  expect((await user.get("/manage/v1/accounts/acc_default")).status).toBe(200);
  expect((await user.get(`/manage/v1/accounts/${office.accountId}`)).status).toBe(404);
});

test("users have limits of their own, or share those of a limit key, within those of the account", async () => {
  const office = await openOffice();
  const remaining = async (id: string, limitKey?: string): Promise<unknown> => {
    const more = limitKey === undefined ? {} : { limitKey };
    const principal = { account: office.accountId, role: "viewer", actor: { id }, ...more };
    const { headers } = await userOf(office, principal).get("/manage/v1/me");
    return headers.get("ratelimit");
  };
  expect(await remaining("ann")).toBe('"minute";r=599;t=60, "account";r=2999;t=60');
  expect(await remaining("ann")).toBe('"minute";r=598;t=60, "account";r=2998;t=60');
  expect(await remaining("ben")).toBe('"minute";r=599;t=60, "account";r=2997;t=60');
  expect(await remaining("eve", "desk")).toBe('"minute";r=599;t=60, "account";r=2996;t=60');
  expect(await remaining("joe", "desk")).toBe('"minute";r=598;t=60, "account";r=2995;t=60');
  for (let count = 0; count < 598; count++) await remaining("ann");
  const user = userOf(office, { account: office.accountId, role: "viewer", actor: { id: "ann" } });
  expect((await user.get<Failure>("/manage/v1/me")).body.code).toBe("rate_limited");
});

test("users of a suspended account read, but change nothing", async () => {
  const office = await openOffice();
  await office.petstore.client.accounts.suspend(office.accountId);
  const user = userOf(office, principalOf("owner", office.accountId));
  const path = `/manage/v1/accounts/${office.accountId}`;
  expect((await user.get(path)).status).toBe(200);
  expect((await user.patch<Failure>(path, { name: "New" })).body.code).toBe("account_suspended");
});

describe("pages of other origins", () => {
  test("cannot act for a user, unless they have a bearer token or are trusted", async () => {
    const app = "https://app.example.org";
    const office = await openOffice({ trustedOrigins: [app] });
    const user = userOf(office, principalOf("owner", office.accountId));
    const rename = async (headers: Readonly<Record<string, string>>) => {
      const path = `/manage/v1/accounts/${office.accountId}`;
      return (await user.patch(path, { name: "New" }, { headers })).status;
    };
    for (const site of ["cross-site", "same-site", "none"]) {
      expect([site, await rename({ "sec-fetch-site": site })]).toEqual([site, 403]);
    }
    expect(await rename({ origin: "https://evil.example" })).toBe(403);
    expect(await rename({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await rename({ "sec-fetch-site": "same-site", origin: app })).toBe(200);
    const bearer = { "sec-fetch-site": "cross-site", authorization: "Bearer x" };
    expect(await rename(bearer)).toBe(200);
    expect(await rename({ ...bearer, cookie: "session=1" })).toBe(403);
    expect(await rename({})).toBe(200);
  });
});

describe("who made a change", () => {
  interface Shown {
    readonly actor?: unknown;
  }
  const newest = async (office: Office, reader: Api, list: string): Promise<unknown> => {
    const order = list === "events" ? "?order=newest&limit=1" : "?limit=1";
    const path = `/manage/v1/accounts/${office.accountId}/${list}${order}`;
    return (await reader.get<readonly Shown[]>(path)).body[0]?.actor;
  };
  const addPet = (office: Office, by: Api) =>
    by.post(`/manage/v1/accounts/${office.accountId}/production/pets`, {
      name: "Rex",
      categoryId: 1,
    });

  test("is shown as the user with the present name, in events and the audit log", async () => {
    const names = new Map([["7", "Grace"]]);
    const office = await openOffice({ userName: (id) => names.get(id) });
    const user = userOf(office, { account: office.accountId, role: "owner", actor: { id: "7" } });
    await addPet(office, user);
    await office.clock.advance(SECOND_MS);
    await office.audit.jobs.tick();
    const shown = { kind: "user", id: "7" };
    for (const list of ["events", "audit"]) {
      expect(await newest(office, user, list)).toEqual({ ...shown, name: "Grace" });
    }
    names.clear();
    expect(await newest(office, user, "events")).toEqual(shown);
    const path = `/manage/v1/accounts/${office.accountId}/audit?actor=user:7`;
    expect((await user.get<readonly unknown[]>(path)).body.length).toBe(1);
  });

  test("is shown without a name if the host fails to find it", async () => {
    for (const userName of [
      () => Promise.reject(new Error("down")),
      () => {
        throw new Error("down");
      },
    ]) {
      const office = await openOffice({ userName });
      const user = userOf(office, { account: office.accountId, role: "owner", actor: { id: "7" } });
      await addPet(office, user);
      expect(await newest(office, user, "events")).toEqual({ kind: "user", id: "7" });
    }
  });

  test("is only the operator to an account, if the user runs the service", async () => {
    const office = await openOffice({ userName: () => "Ada" });
    await addPet(office, userOf(office, principalOf("operator", office.accountId)));
    expect(await newest(office, office.as("owner"), "events")).toEqual({ kind: "operator" });
    expect(await newest(office, office.as("operator"), "events")).toEqual({
      kind: "user",
      id: "user-1",
      name: "Ada",
    });
  });
});

test("a stream ends once the host names another user, none, or fails", async () => {
  for (const next of [
    () => undefined,
    () => ({ role: "viewer", actor: { id: "other" } }),
    () => {
      throw new Error("no session store");
    },
  ]) {
    const office = await openOffice();
    const first = { account: office.accountId, role: "viewer", actor: ACTOR } as const;
    let find: () => unknown = () => first;
    const request = new Request(`${BASE}/manage/v1/accounts/${office.accountId}/events`, {
      headers: { accept: "text/event-stream" },
    });
    const response = await office.ask(request, (() => find()) as () => undefined);
    const reader = readEvents(response, office.clock);
    await reader.next();
    await reader.silent();
    find = next;
    await office.clock.advance(HOUR_MS);
    expect(await reader.next()).toBeUndefined();
  }
});

test("it can be mounted under a prefix, and finds its requests", async () => {
  const office = await openOffice();
  const { management, accountId } = office;
  const at = (path: string) => ({ url: `http://localhost${path}` });
  expect(management.match(at("/manage/v1/me"))).toBe(true);
  expect(management.match(at("/manage/v1"))).toBe(true);
  expect(management.match(at("/manage/v10"))).toBe(false);
  expect(management.match(at("/v1/pets"))).toBe(false);
  expect(management.match(at("/shelter/manage/v1/me"), { prefix: "/shelter" })).toBe(true);
  const principal: ManagementPrincipal = { account: accountId, role: "viewer", actor: ACTOR };
  const get = async (path: string) =>
    management.fetch(new Request(`${BASE}${path}`), { principal, prefix: "/shelter" });
  expect((await get("/shelter/manage/v1/me")).status).toBe(200);
  expect((await get("/manage/v1/me")).status).toBe(404);
  const document: unknown = await (await get("/shelter/manage/v1/openapi.json")).json();
  expect(document).toMatchObject({ servers: [{ url: "/shelter/manage/v1" }] });
});
