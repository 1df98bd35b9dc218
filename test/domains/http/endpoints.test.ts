import { describe, expect, test } from "bun:test";

import { DomainPatchSchema } from "../../../domains/view/bodies.ts";
import { MAX_CHECKS_OF_CALLER } from "../../../domains/http/check-limit.ts";
import type { DomainView } from "../../../domains/view/shapes.ts";
import type { Role } from "../../../lib/accounts/principal.ts";
import { issued } from "../../helpers/domains/actions-fixture.ts";
import { openOffice, realProjects, START, type Office } from "../../helpers/management.ts";

const PETS = "pets.shelter.org";
const ROOT = "/manage/v1";

/** A server with a project of the account, and a domain of the project. */
async function open(): Promise<Office> {
  const office = await openOffice({ projects: realProjects });
  await settle(office, office.accountId, "cats");
  return office;
}

async function settle(office: Office, accountId: string, slug: string): Promise<void> {
  const owner = office.as("owner", accountId);
  await owner.post(`${ROOT}/accounts/${accountId}/projects`, { name: slug, slug: `${slug}-site` });
  const { status } = await owner.post(`${ROOT}/projects/${slug}-site/domains`, { domain: PETS });
  expect(status).toBe(201);
}

/** The same name with another account. */
async function settleStrangers(office: Office): Promise<string> {
  const { body } = await office.as("operator").post<{ id: string }>(`${ROOT}/accounts`, {
    name: "Foxes",
  });
  await settle(office, body.id, "foxes");
  return body.id;
}

describe("a domain over HTTP", () => {
  test("has its own resource, also under its Unicode name", async () => {
    const office = await open();
    const staff = office.as("staff");
    const domains = `${ROOT}/projects/cats-site/domains`;
    const added = await staff.post<DomainView>(domains, { domain: "Tierheim.köln" });
    const location = added.headers.get("location") ?? "";
    expect(location).toMatch(/\/manage\/v1\/projects\/prj_\w+\/domains\/tierheim\.xn--kln-sna$/);
    for (const name of ["tierheim.xn--kln-sna", "TIERHEIM.k%C3%B6ln", added.body.id]) {
      const { status, body } = await staff.get<DomainView>(`${domains}/${name}`);
      expect([status, body.unicode]).toEqual([200, "tierheim.köln"]);
    }
    expect((await staff.get(`${domains}/%00`)).status).toBe(404);
    expect((await staff.get(`${domains}/${"a".repeat(600)}`)).status).toBe(404);
  });

  test("has every member of its schema, null where unknown", async () => {
    const office = await open();
    const { body } = await office
      .as("viewer")
      .get<object>(`${ROOT}/projects/cats-site/domains/${PETS}`);
    expect(Object.keys(body)).toEqual([
      "id",
      "domain",
      "unicode",
      "project",
      "role",
      "redirectTo",
      "redirectStatus",
      "apex",
      "status",
      "headline",
      "nextAction",
      "headlineCode",
      "headlineData",
      "nextCheckAt",
      "dns",
      "certificate",
      "records",
      "timeline",
      "hstsSeconds",
      "twin",
      "lookAlike",
      "claimUntil",
      "addedAt",
    ]);
    expect(body).toMatchObject({
      redirectTo: null,
      dns: { state: "unchecked", findings: [], checkedAt: null, eta: null, provider: null },
      certificate: { state: "none", issuer: null, notAfter: null, renewAt: null, reason: null },
      addedAt: new Date(START).toISOString(),
    });
  });

  test("cannot become primary and a redirect at once, as the schema says", async () => {
    const office = await open();
    const path = `${ROOT}/projects/cats-site/domains/${PETS}`;
    for (const rest of [{ redirectTo: "cats.shelter.org" }, { redirectStatus: 301 }]) {
      const reply = await office.as("staff").patch<object>(path, { role: "primary", ...rest });
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: "/role" }] } });
    }
    expect(DomainPatchSchema.json["not"]).toEqual({
      anyOf: [{ required: ["role", "redirectTo"] }, { required: ["role", "redirectStatus"] }],
    });
  });

  test("has the instants of its certificate in RFC 3339", async () => {
    const office = await open();
    const path = `${ROOT}/projects/cats-site/domains/${PETS}`;
    const { body } = await office.as("staff").post<{ id: string }>(`${path}/verify`);
    await office.domainActions.happen(body.id, issued(START));
    const { body: shown } = await office.as("viewer").get<{ certificate: object }>(path);
    const day = 24 * 3_600_000;
    expect(shown.certificate).toMatchObject({
      state: "active",
      notAfter: new Date(START + 90 * day).toISOString(),
      renewAt: new Date(START + 60 * day).toISOString(),
    });
  });

  test.each([
    ["viewer", "post", "/verify"],
    ["staff", "delete", ""],
    ["owner", "post", "/renew"],
    ["owner", "post", "/certificate/export"],
  ] as const)("refuses a %s's %s request to the path '%s'", async (role: Role, method, rest) => {
    const office = await open();
    const path = `${ROOT}/projects/cats-site/domains/${PETS}${rest}`;
    const { status, body } = await office
      .as(role)
      .raw<{ code: string }>(method.toUpperCase(), path);
    expect([status, body.code]).toEqual([403, "insufficient_role"]);
  });

  test("records who exported the certificate's key, and the response is not cached", async () => {
    const office = await open();
    const path = `${ROOT}/projects/cats-site/domains/${PETS}`;
    const { body } = await office.as("staff").post<{ id: string }>(`${path}/verify`);
    await office.domainActions.happen(body.id, issued(START, "crt_pets"));
    const operator = office.as("operator");
    const { status, headers, text } = await operator.post(`${path}/certificate/export`);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(text).toContain("the key of crt_pets");
    const events = await operator.get(`${ROOT}/events`);
    const shown = await operator.get(path);
    for (const page of [events, shown]) expect(page.text).not.toContain("the key of");
  });
});

describe("the list of domains", () => {
  test("shows all accounts to an operator, and their own to members", async () => {
    const office = await open();
    const foxes = await settleStrangers(office);
    const listed = async (role: Role, query = "", accountId = office.accountId) => {
      const { body } = await office
        .as(role, accountId)
        .get<DomainView[]>(`${ROOT}/domains${query}`);
      return body.map(({ project }) => project);
    };
    expect(await listed("operator")).toEqual(["cats-site", "foxes-site"]);
    expect(await listed("operator", `?account=${foxes}`)).toEqual(["foxes-site"]);
    expect(await listed("viewer")).toEqual(["cats-site"]);
    expect(await listed("viewer", `?account=${foxes}`)).toEqual(["cats-site"]);
    expect(await listed("viewer", `?domain=${PETS}`)).toEqual(["cats-site"]);
    expect(await listed("operator", `?domain=${PETS}`)).toEqual(["foxes-site", "cats-site"]);
    expect(await listed("operator", "?domain=nobody.org")).toEqual([]);
    expect(await listed("operator", `?domain=${"%E2%88%9E".repeat(9)}..`)).toEqual([]);
  });

  test("has pages that link to the next", async () => {
    const office = await open();
    const staff = office.as("staff");
    for (const name of ["a.org", "b.org", "c.org"]) {
      await staff.post(`${ROOT}/projects/cats-site/domains`, { domain: name });
    }
    for (const role of ["operator", "viewer"] as const) {
      const seen: string[] = [];
      let next: string | undefined = `${ROOT}/domains?limit=2&account=${office.accountId}`;
      while (next !== undefined) {
        const page: { body: DomainView[]; headers: Headers } = await office
          .as(role)
          .get<DomainView[]>(next);
        seen.push(...page.body.map(({ domain }) => domain));
        const link = /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "");
        next = link?.[1];
      }
      expect(seen).toEqual([PETS, "a.org", "b.org", "c.org"]);
    }
  });
});

describe("the map of domains over HTTP", () => {
  test("redirects with 308 by default", async () => {
    const office = await open();
    const staff = office.as("staff");
    await staff.post(`${ROOT}/projects/cats-site/domains`, { domain: "www.shelter.org" });
    const path = `${ROOT}/projects/cats-site/domains-config`;
    const map = { primary: "www.shelter.org", redirects: [{ from: PETS, to: "www.shelter.org" }] };
    const put = await staff.raw<object>("PUT", path, {
      body: JSON.stringify(map),
      headers: { "content-type": "application/json" },
    });
    const whole = { ...map, redirects: [{ ...map.redirects[0], status: 308 }] };
    expect([put.status, put.body]).toEqual([200, whole]);
    expect((await office.as("viewer").get<object>(path)).body).toEqual(whole);
  });

  test("is refused with the invalid member", async () => {
    const office = await open();
    const put = (body: unknown) =>
      office
        .as("staff")
        .raw<{ code: string; errors: { pointer: string }[] }>(
          "PUT",
          `${ROOT}/projects/cats-site/domains-config`,
          { body: JSON.stringify(body), headers: { "content-type": "application/json" } },
        );
    const status = await put({ redirects: [{ from: PETS, to: PETS, status: 303 }] });
    expect([status.status, status.body.errors[0]?.pointer]).toEqual([400, "/redirects/0/status"]);
    const unknown = await put({ primary: "nobody.org", redirects: [] });
    expect([unknown.status, unknown.body.errors[0]?.pointer]).toEqual([400, "/primary"]);
    const many = Array.from({ length: 101 }, () => ({ from: PETS, to: PETS }));
    expect((await put({ redirects: many })).status).toBe(400);
  });
});

test("explain queries nothing for an invalid name, and ends with its request", async () => {
  const explored: string[] = [];
  const ending = new AbortController();
  const office = await openOffice({
    domains: {
      explore: async ({ hostname }, signal) => {
        explored.push(hostname);
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          ending.abort(new Error("gone"));
        });
      },
    },
  });
  const viewer = office.as("viewer");
  const invalid = await viewer.post(`${ROOT}/domains/explain`, { domain: "192.0.2.1" });
  expect([invalid.status, explored]).toEqual([400, []]);
  const cut = await viewer.raw("POST", `${ROOT}/domains/explain`, {
    body: JSON.stringify({ domain: PETS }),
    headers: { "content-type": "application/json" },
    signal: ending.signal,
  });
  expect([cut.status, explored]).toEqual([503, [PETS]]);
});

test("a caller has at most five concurrent DNS checks, leaving room for others", async () => {
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const office = await openOffice({
    domains: {
      explore: async (parsed) => {
        await finished;
        return {
          ...parsed,
          nameServers: [],
          headline: "",
          obstacles: [],
          changes: [],
          records: [],
        };
      },
    },
  });
  const ask = (role: Role) =>
    office.as(role).post<{ code?: string }>(`${ROOT}/domains/explain`, { domain: PETS });
  const five = Array.from({ length: MAX_CHECKS_OF_CALLER }, () => ask("viewer"));
  const sixth = await ask("viewer");
  expect([sixth.status, sixth.body.code, sixth.headers.get("retry-after")]).toEqual([
    503,
    "unavailable",
    "2",
  ]);
  const other = ask("staff");
  finish();
  for (const { status } of await Promise.all([...five, other])) expect(status).toBe(200);
  expect((await ask("viewer")).status).toBe(200);
});
