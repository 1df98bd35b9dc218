import { describe, expect, test } from "bun:test";

import type { Principal } from "../../../lib/accounts/principal.ts";
import type { Actor, Channel } from "../../../lib/model/actor.ts";
import { scopes } from "../../../lib/model/scope.ts";
import { operations } from "../../conformance/operations.ts";
import { api, type Api } from "../../helpers/api.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { readEvents } from "../../helpers/event-reader.ts";
import type { TestBrowser } from "../../helpers/browser-session.ts";
import { BASE, openOffice, principal, type Office } from "../../helpers/management.ts";
import { recorderOf, type RecordedCommit } from "../../helpers/recorded.ts";
import { belongings } from "./belongings.ts";
import { requestTo, samples } from "./samples.ts";
import { openTenants, type Things } from "./tenants.ts";

/** A caller with all rights, and the actor that its changes must have. */
interface Sender {
  readonly api: Api;
  readonly actor: Actor;
  readonly channel: Channel;
  readonly things?: Things;
}

/** The kinds of callers of the management API. */
const senders: Readonly<Record<string, (office: Office) => Promise<Sender>>> = {
  "a token": async (office) => {
    const { id, token } = await office.issue("operator");
    return {
      api: api({ fetch: (request) => office.ask(request), base: BASE, key: token }),
      actor: { kind: "token", id, of: "operators" },
      channel: "api",
    };
  },
  "a member": async (office) => {
    const browser = await office.signIn("operator");
    const actor = { kind: "member", id: browser.memberId, of: "operators" } as const;
    return { api: browser.api, actor, channel: "dashboard" };
  },
  "a command": async (office) => ({
    api: office.as("operator"),
    actor: { kind: "command" },
    channel: "command",
  }),
  "the host": async (office) => {
    const who: Principal = { role: "operator", accountId: undefined, name: "us", counter: "us" };
    const fetch = (request: Request) => office.ask(request, who);
    return { api: api({ fetch, base: BASE }), actor: { kind: "host" }, channel: "api" };
  },
};

/** The callers of operations that not all of them may call. */
const only: Readonly<Record<"browser" | "member", typeof senders>> = {
  browser: {
    "a visitor": async (office) => ({
      api: office.browser().api,
      actor: { kind: "visitor" },
      channel: "dashboard",
    }),
  },
  member: {
    "a member": async (office) => {
      const browser = await office.signIn("operator");
      return {
        api: browser.api,
        actor: { kind: "member", id: browser.memberId, of: "operators" },
        channel: "dashboard",
        things: await belongings(office, browser),
      };
    },
  },
};

const anonymous = everyEndpoint.filter(({ access }) => access.kind === "anyone");
const forVisitors = new Set(anonymous.map(({ operationId }) => operationId));

/** Operations that only check, or begin something that the client keeps. */
const withoutCommit = new Set([
  "checkSetupLink",
  "checkResetLink",
  "beginPasskeySignIn",
  "beginPasskey",
  "beginPasskeyProof",
  "prove",
  "explainDomain",
  "readSharedDomain",
  // Nothing of a rehearsal is kept but its challenge, which is gone afterwards.
  "rehearseHostRenewal",
  "testWebhook",
  "testSystemWebhook",
  // No member has the address of the sample.
  "requestPasswordReset",
  // An import is changed as a row; what it does comes later.
  "addImportPhotos",
  "mapImport",
  // Changes nothing here, because the system of these tests makes none.
  "createSampleShelter",
  // The deploys of these tests have no files of animals. adopt.test.ts has some.
  "adoptSiteFiles",
  "removeAdoptedFiles",
]);

/** Makes resources differ from what the samples of these operations ask for. */
const before: Readonly<Record<string, (office: Office, things: Things) => Promise<unknown>>> = {
  restoreAnimal: (office, { account, pet }) =>
    office.as("operator").delete(`/manage/v1/accounts/${account}/production/pets/${pet}`),
  putDomainsConfig: async (office, { project }) => {
    const domain = "cats.shelter.org";
    const path = `/manage/v1/projects/${project}`;
    await office.as("operator").post(`${path}/domains`, { domain });
    const body = JSON.stringify({ primary: domain, redirects: [] });
    const headers = { "content-type": "application/json" };
    return office.as("operator").raw("PUT", `${path}/domains-config`, { body, headers });
  },
};

describe("every change has the actor of its caller:", () => {
  for (const { operationId, method, path, success } of everyEndpoint) {
    if (method === "GET") continue;
    const by = samples[operationId]?.by ?? (forVisitors.has(operationId) ? "browser" : undefined);
    for (const [name, open] of Object.entries(by === undefined ? senders : only[by])) {
      test(`${operationId} by ${name}`, async () => {
        const commits: RecordedCommit[] = [];
        const { office, ours } = await openTenants({ record: recorderOf(commits) });
        const sender = await open(office);
        await before[operationId]?.(office, ours.things);
        const seq = await office.store.events.last();
        commits.length = 0;
        const named = path.replaceAll(/:(\w+)/g, "{$1}");
        const things = { ...ours.things, ...sender.things };
        const request = requestTo({ operationId, method, path: named }, things);
        const reply = await sender.api.raw(request.method, request.path, request.init);
        expect([reply.status, reply.text]).toEqual([success.status, reply.text]);
        await office.imports.idle();
        expect(commits.length > 0).toBe(!withoutCommit.has(operationId));
        for (const { kinds, actor } of commits) {
          const { from, ...who } = actor;
          expect([kinds, who, from?.channel]).toEqual([kinds, sender.actor, sender.channel]);
        }
        for (const { type, actor } of await office.store.events.after(seq, 100)) {
          expect([type, actor]).toEqual([type, sender.actor]);
        }
      });
    }
  }

  const writing = operations.filter(({ method }) => method !== "GET");

  for (const { operationId, method, success, prepare } of writing) {
    for (const headers of [{}, { "idempotency-key": `once-${operationId}` }]) {
      const once = "idempotency-key" in headers ? " once" : "";
      test(`${operationId} by a key${once}`, async () => {
        const commits: RecordedCommit[] = [];
        const office = await openOffice({ record: recorderOf(commits) });
        const { view, at } = await keyOf(office);
        const { path, body } = await prepare(at);
        const seq = await office.store.events.last();
        commits.length = 0;
        const reply = await at.raw(method, path, {
          headers: { ...headers, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        expect([reply.status, reply.text]).toEqual([success, reply.text]);
        const actor = { kind: "key", id: view.id } as const;
        expect(commits.length).toBeGreaterThan(0);
        for (const commit of commits) {
          expect(commit.actor).toEqual({ ...actor, from: { channel: "api" } });
        }
        for (const event of await office.store.events.after(seq, 100)) {
          expect([event.type, event.actor]).toEqual([event.type, actor]);
        }
      });
    }
  }
});

/** Creates a key with all scopes. */
async function keyOf({ petstore, accountId }: Office, name = "Website") {
  const issued = await petstore.client.keys.create({ accountId, name, scopes });
  if (!issued.ok) throw new Error(issued.failure.message);
  const { token, view } = issued.value;
  return { view, at: api({ fetch: petstore.fetch, key: token }) };
}

test("the host's own calls have the host as their actor, and those for others the others", async () => {
  const { petstore, store, accountId } = await openOffice();
  const seq = await store.events.last();
  const actor = { kind: "member", id: "mem_one" } as const;
  await petstore.client.pets.create({ accountId, name: "Rex", categoryId: 1 });
  await petstore.client.as(actor).pets.create({ accountId, name: "Rex", categoryId: 1 });
  const events = await store.events.after(seq, 10);
  expect(events.map((event) => event.actor)).toEqual([{ kind: "host" }, actor]);
});

test("bans and the use of a limit are caused by the service itself", async () => {
  const office = await openOffice();
  const { petstore, store, accountId } = office;
  const limits = { perMinute: 2, perDay: 10 };
  await petstore.client.accounts.changePlan({ accountId, plan: "enterprise", limits });
  const { at } = await keyOf(office);
  for (let count = 0; count < 100; count++) {
    if (count % 2 === 0) office.clock.advance(60_000);
    await at.get("/v1/pets");
  }
  await petstore.jobs.tick();
  const causes = new Map(
    (await store.events.after(0, 1_000)).map(({ type, actor }) => [type, actor]),
  );
  expect(causes.get("quota.threshold_reached")).toEqual({ kind: "system" });
});

interface Shown {
  readonly type: string;
  readonly actor?: unknown;
}

/** Returns what the reader sees of the newest event of the account. */
async function newestFor(office: Office, reader: Api): Promise<unknown> {
  const path = `/manage/v1/accounts/${office.accountId}/events?order=newest&limit=1`;
  return (await reader.get<readonly Shown[]>(path)).body[0]?.actor;
}

const addPet = (office: Office, by: Api) =>
  by.post(`/manage/v1/accounts/${office.accountId}/production/pets`, {
    name: "Rex",
    categoryId: 1,
  });

describe("an event shows who caused it", () => {
  test("to staff and above, by the present name", async () => {
    const office = await openOffice();
    const staff = await office.signIn("staff");
    await staff.api.patch("/manage/v1/me", { name: "Grace" });
    await addPet(office, staff.api);
    const shown = { kind: "member", id: staff.memberId, name: "Grace" };
    for (const role of ["staff", "owner", "operator"] as const) {
      expect(await newestFor(office, office.as(role))).toEqual(shown);
    }
    await staff.api.patch("/manage/v1/me", { name: "" });
    await addPet(office, staff.api);
    expect(await newestFor(office, staff.api)).toEqual({ ...shown, name: staff.email });
  });

  test("not to viewers", async () => {
    const office = await openOffice();
    await addPet(office, (await office.signIn("staff")).api);
    expect(await newestFor(office, office.as("viewer"))).toBeUndefined();
  });

  test("without a name once the member is removed", async () => {
    const office = await openOffice();
    const { memberId: id, api: staff } = await office.signIn("staff");
    await addPet(office, staff);
    await office.as("owner").delete(`/manage/v1/accounts/${office.accountId}/members/${id}`);
    const path = `/manage/v1/accounts/${office.accountId}/events?types=pet.created`;
    const { body, text } = await office.as("owner").get<readonly Shown[]>(path);
    expect(body[0]?.actor).toEqual({ kind: "member", id });
    expect(text).not.toContain("example.org");
  });

  test("for a token and a key, with their names", async () => {
    const office = await openOffice();
    const path = `/manage/v1/accounts/${office.accountId}/tokens`;
    const { body } = await office
      .as("owner")
      .post<{ id: string; token: string }>(path, { role: "staff", name: "Importer" });
    const token = api({ fetch: (request) => office.ask(request), base: BASE, key: body.token });
    await addPet(office, token);
    const owner = office.as("owner");
    expect(await newestFor(office, owner)).toEqual({
      kind: "token",
      id: body.id,
      name: "Importer",
    });
    const { view, at } = await keyOf(office);
    await at.post("/v1/pets", { name: "Rex", categoryId: 1 });
    expect(await newestFor(office, owner)).toEqual({ kind: "key", id: view.id, name: "Website" });
  });

  test("operators are not named to an account, but to each other", async () => {
    const office = await openOffice();
    const operator = await office.signIn("operator");
    const { memberId: id, email } = operator;
    await addPet(office, operator.api);
    expect(await newestFor(office, office.as("owner"))).toEqual({ kind: "operator" });
    expect(await newestFor(office, office.as("operator"))).toEqual({
      kind: "member",
      id,
      name: email,
    });
  });

  test("operators stay operators to an account once they are removed", async () => {
    const office = await openOffice();
    const { memberId: id, api: operator } = await office.signIn("operator");
    // The last operator cannot be removed.
    await office.signIn("operator");
    const issued = await office.issue("operator");
    const fetch = (request: Request) => office.ask(request);
    const token = api({ fetch, base: BASE, key: issued.token });
    await addPet(office, operator);
    await addPet(office, token);
    await office.as("operator").delete(`/manage/v1/members/${id}`);
    await office.as("operator").delete(`/manage/v1/tokens/${issued.id}`);
    const purge = { text: "DELETE FROM management_tokens WHERE id = ?", values: [issued.id] };
    await office.sql.batch([purge], () => true);
    const path = `/manage/v1/accounts/${office.accountId}/events?types=pet.created`;
    const actorsFor = async (reader: Api) =>
      (await reader.get<readonly Shown[]>(path)).body.map(({ actor }) => actor);
    const unnamed = { kind: "operator" };
    expect(await actorsFor(office.as("owner"))).toEqual([unnamed, unnamed]);
    expect(await actorsFor(office.as("operator"))).toEqual([
      { kind: "member", id },
      { kind: "token", id: issued.id },
    ]);
  });

  test("in streams as in lists", async () => {
    const office = await openOffice();
    const staff = await office.signIn("staff");
    const read = async (role: "viewer" | "staff") => {
      const path = `/manage/v1/accounts/${office.accountId}/events?types=pet.created`;
      const request = new Request(BASE + path, { headers: { accept: "text/event-stream" } });
      const response = await office.ask(request, principal(role, office.accountId));
      const reader = readEvents(response, office.clock);
      await reader.next();
      return reader;
    };
    const readers = [await read("viewer"), await read("staff")];
    await addPet(office, staff.api);
    const heard: unknown[] = [];
    for (const reader of readers) {
      await reader.silent();
      office.clock.advance(250);
      heard.push((await reader.next())?.data);
    }
    expect(heard).toMatchObject([
      { type: "pet.created" },
      { actor: { kind: "member", id: staff.memberId, name: staff.email } },
    ]);
    expect(heard[0]).not.toHaveProperty("actor");
  });
});

/** Opens the stream of new events of the account in a member's browser. */
async function followIn(office: Office, browser: TestBrowser) {
  const request = new Request(`${BASE}/manage/v1/accounts/${office.accountId}/events`, {
    headers: {
      accept: "text/event-stream",
      cookie: `__Host-petstore=${browser.cookie()}`,
    },
  });
  const response = await office.management.fetch(request, { signIn: "allowed" });
  const reader = readEvents(response, office.clock);
  await reader.next();
  return {
    /** Returns the next event; undefined at the end of the stream. */
    next: async (): Promise<Shown | undefined> => {
      await reader.silent();
      office.clock.advance(500);
      return (await reader.next())?.data as Shown | undefined;
    },
  };
}

test("an open stream shows no more actors once its reader is a viewer", async () => {
  const office = await openOffice();
  const reader = await office.signIn("staff");
  const { api: staff, memberId } = await office.signIn("staff");
  const stream = await followIn(office, reader);
  await addPet(office, staff);
  expect((await stream.next())?.actor).toMatchObject({ kind: "member", id: memberId });
  const path = `/manage/v1/accounts/${office.accountId}/members/${reader.memberId}`;
  const reply = await office.as("owner").patch(path, { role: "viewer" });
  expect(reply.status).toBe(200);
  expect((await stream.next())?.type).toBe("member.updated");
  await addPet(office, staff);
  const event = await stream.next();
  expect(event?.type).toBe("pet.created");
  expect(event).not.toHaveProperty("actor");
});

test("a stream that missed an event does not name a member who was removed since", async () => {
  const office = await openOffice();
  const { memberId: id, api: staff } = await office.signIn("staff");
  const path = `${BASE}/manage/v1/accounts/${office.accountId}/events?types=pet.created`;
  const follow = async (after: number) => {
    const headers = { accept: "text/event-stream", "last-event-id": `${after}` };
    const who = principal("staff", office.accountId);
    const response = await office.ask(new Request(path, { headers }), who);
    const stream = readEvents(response, office.clock);
    await stream.next();
    return stream;
  };
  const seq = await office.store.events.last();
  const first = await follow(seq);
  await first.silent();
  await addPet(office, staff);
  office.clock.advance(250);
  expect((await first.next())?.data).toHaveProperty("actor.name");
  await office.as("owner").delete(`/manage/v1/accounts/${office.accountId}/members/${id}`);
  const second = await follow(seq);
  expect((await second.next())?.data).toHaveProperty("actor", { kind: "member", id });
});

test("no public response and no event for viewers says who made a change", async () => {
  const { office, ours, publishing } = await openTenants();
  const account = `/manage/v1/accounts/${ours.accountId}`;
  const staff = await office.signIn("staff", { email: "canary@example.net" });
  await staff.api.patch("/manage/v1/me", { name: "Canary Member" });
  const issued = await office.as("owner").post<{ id: string; token: string }>(`${account}/tokens`, {
    role: "staff",
    name: "Canary Token",
  });
  const { view, at: canaryKey } = await keyOf(office, "Canary Key");
  const token = api({
    fetch: (request) => office.ask(request),
    base: BASE,
    key: issued.body.token,
  });
  for (const [index, by] of [staff.api, token].entries()) {
    await by.post(`${account}/production/pets`, { name: "Rex", categoryId: 1, status: "sold" });
    await by.post(`${account}/production/categories`, { name: `Rabbits ${index}` });
    const site = `/manage/v1/projects/${ours.things["project"]}`;
    await by.post(`${site}/deploys`, { source: "starter" });
  }
  await canaryKey.post("/v1/pets", { name: "Rex", categoryId: 1, status: "pending" });
  const canaries = ["Canary", "canary", staff.memberId, issued.body.id, view.id, "actor"];
  const staffSee = await office.as("staff").get(`${account}/events?order=newest&limit=20`);
  for (const canary of canaries) expect(staffSee.text.includes(canary)).toBe(canary !== "canary");

  const seen = new Map<string, string>();
  const { at } = await keyOf(office);
  for (const { method, operationId, prepare } of operations) {
    if (method !== "GET") continue;
    const reply = await at.get((await prepare(at)).path);
    seen.set(operationId, reply.text + JSON.stringify([...reply.headers]));
  }
  const origin = "https://otters-site.example.org";
  for (const path of [
    "/",
    "/animals/2",
    "/embed",
    "/feed.json",
    "/feed.xml",
    "/rss.xml",
    "/rescuegroups.csv",
    "/adoptapet.csv",
    "/sitemap.xml",
    "/robots.txt",
    "/icon.svg",
  ]) {
    const page = await publishing.visit(new Request(origin + path), {
      slug: "otters-site",
      origin,
      addressOf: () => origin,
    });
    expect([path, page.status]).toEqual([path, 200]);
    seen.set(path, (await page.text()) + JSON.stringify([...page.headers]));
  }
  const viewer = office.as("viewer");
  seen.set("events for viewers", (await viewer.get(`${account}/events?limit=500`)).text);
  const request = new Request(`${BASE}${account}/events?after=0`, {
    headers: { accept: "text/event-stream" },
  });
  const stream = readEvents(
    await office.ask(request, principal("viewer", ours.accountId)),
    office.clock,
  );
  await stream.next();
  for (let count = 0; count < 20; count++) {
    seen.set(`streamed event ${count}`, JSON.stringify(await stream.next()));
  }
  for (const [where, text] of seen) {
    for (const canary of canaries) {
      // The data of an event about the member, the token or the key itself names it.
      if (where.includes("event") && canary !== "actor") continue;
      expect([where, canary, text.includes(canary)]).toEqual([where, canary, false]);
    }
  }
});
