import { afterEach, beforeEach, expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, isoTime, SECOND_MS } from "../../../lib/base/clock.ts";
import { verifyWebhook } from "../../../lib/client/index.ts";
import type { DeliveryView, WebhookView } from "../../../lib/webhooks/index.ts";
import type { Api } from "../../helpers/api.ts";
import { openOffice, type Office } from "../../helpers/management.ts";
import { messagesIn } from "../../helpers/webhooks.ts";

type Issued = WebhookView & { readonly secret: string };

let office: Office;
let owner: Api;
let path: string;

beforeEach(async () => {
  office = await openOffice();
  owner = office.as("owner");
  path = `/manage/v1/accounts/${office.accountId}/webhooks`;
});

afterEach(() => office.sql.close());

/** Lets the jobs run for some seconds. */
async function run(ms = SECOND_MS): Promise<void> {
  for (let round = 0; round < 3; round++) {
    office.clock.advance(ms);
    await office.webhooks.jobs.tick();
  }
}

async function create(body: object = {}): Promise<Issued> {
  const reply = await owner.post<Issued>(path, {
    url: "https://hooks.example/petstore?key=hidden",
    types: ["pet.created"],
    ...body,
  });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body;
}

const addPet = (name: string) =>
  owner.post(`/manage/v1/accounts/${office.accountId}/production/pets`, { name, categoryId: 1 });

const deliveries = async (id: string, query = "") =>
  (await owner.get<readonly DeliveryView[]>(`${path}/${id}/deliveries${query}`)).body;

test("the secret is shown once, and is in no list, event or stored row", async () => {
  const reply = await owner.post<Issued>(path, { url: "https://hooks.example/?key=hidden" });
  expect([reply.status, reply.headers.get("cache-control")]).toEqual([201, "no-store"]);
  expect(reply.headers.get("location")).toEndWith(`${path}/${reply.body.id}`);
  const { secret, id } = reply.body;
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  const rotated = await owner.post<Issued>(`${path}/${id}/rotate`, {});
  await run();
  const shown = await Promise.all(
    [path, `${path}/${id}`, `${path}/${id}/deliveries`].map((one) => owner.get(one)),
  );
  const events = await office.store.events.after(0, 100);
  const rows = await office.sql.query({ text: "SELECT * FROM webhooks", values: [] });
  const all = JSON.stringify([shown.map(({ text }) => text), events, rows]);
  for (const one of [secret, rotated.body.secret]) expect(all).not.toContain(one.slice(6));
  // The URL may contain a secret of the receiver: events name the host only.
  expect(JSON.stringify(events)).not.toContain("hidden");
  expect(JSON.stringify(events)).toContain("hooks.example");
});

test("messages are signed with the secret, and with both during the overlap", async () => {
  const { id, secret } = await create();
  const clock = office.clock;
  const verified = async (of: string) => {
    const [request] = office.receiver.sent.splice(0);
    if (request === undefined) throw new Error("Nothing was sent.");
    const { headers, body } = request;
    return (await verifyWebhook({ headers, body }, { secret: of, clock })).message.type;
  };
  await addPet("Rex");
  await run();
  expect(await verified(secret)).toBe("pet.created");
  const rotated = await owner.post<Issued>(`${path}/${id}/rotate`, { overlapMs: HOUR_MS });
  expect(rotated.body.previousSecretUntil).toBeDefined();
  for (const of of [secret, rotated.body.secret]) {
    await addPet("Rex");
    await run();
    expect(await verified(of)).toBe("pet.created");
  }
  await office.clock.advance(HOUR_MS);
  await addPet("Rex");
  await run();
  const [request] = office.receiver.sent;
  expect(request?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  expect(await verified(rotated.body.secret)).toBe("pet.created");
});

test("URLs that cannot be sent to, and wrong members, are refused with their reasons", async () => {
  const refusalOf = async (body: object) => (await owner.post(path, body)).text;
  for (const [url, reason] of [
    ["hooks.example", "must be an address"],
    ["ftp://hooks.example/", "must begin with https://"],
    ["https://user:password@hooks.example/", "must have no user and no password"],
    ["https://hooks.example/#part", "must have no fragment"],
    [`https://hooks.example/${"a".repeat(2_000)}`, "1 to 2000 characters"],
  ] as const) {
    expect(await refusalOf({ url })).toContain(reason);
  }
  const url = "https://hooks.example/";
  expect(await refusalOf({ url, types: [] })).toContain("must not have fewer");
  expect(await refusalOf({ url, types: ["pet.eaten"] })).toContain("must be one of");
  expect(await refusalOf({ url, secret: "whsec_x" })).toContain("unknown_field");
});

test("an account has at most 20 webhooks", async () => {
  for (let count = 0; count < 20; count++) await create();
  const reply = await owner.post<{ code: string }>(path, { url: "https://hooks.example/" });
  expect([reply.status, reply.body.code]).toEqual([409, "limit_reached"]);
});

test("a webhook is changed, its filters are removed with null, and a change of nothing writes nothing", async () => {
  const { id } = await create({ description: "News", environment: "production" });
  const patch = async (body: object) =>
    (await owner.patch<WebhookView>(`${path}/${id}`, body)).body;
  const before = await office.store.events.last();
  expect(await patch({ description: "News" })).toMatchObject({ description: "News" });
  expect(await office.store.events.last()).toBe(before);
  const changed = await patch({
    url: "https://other.example/",
    types: null,
    environment: null,
    description: "",
  });
  expect(changed).toMatchObject({ url: "https://other.example/", status: "enabled" });
  for (const member of ["types", "environment", "description"])
    expect(changed).not.toHaveProperty(member);
});

test("a webhook that gets another URL is not disabled for failures of the one before", async () => {
  const { id } = await create();
  office.receiver.answer = () => ({ status: 500, text: "" });
  await addPet("Ada");
  await run();
  const shown = async () => (await owner.get<WebhookView>(`${path}/${id}`)).body;
  expect(await shown()).toHaveProperty("firstFailureAt");
  await owner.patch(`${path}/${id}`, { description: "News" });
  expect(await shown()).toHaveProperty("firstFailureAt");
  await owner.patch(`${path}/${id}`, { url: "https://other.example/" });
  expect(await shown()).not.toHaveProperty("firstFailureAt");
});

test("a disabled webhook gets nothing; enabled again, it gets what happens from then on", async () => {
  const { id } = await create();
  office.receiver.answer = () => ({ status: 500, text: "" });
  await addPet("Ada");
  await run();
  const disabled = await owner.patch<WebhookView>(`${path}/${id}`, { disabled: true });
  expect(disabled.body).toMatchObject({ status: "disabled", disabledReason: "manual" });
  await run();
  expect(await deliveries(id)).toMatchObject([{ state: "failed", last: { fault: "disabled" } }]);
  await addPet("Bea");
  await run();
  office.receiver.answer = () => ({ status: 200, text: "" });
  office.receiver.sent.length = 0;
  const enabled = await owner.patch<WebhookView>(`${path}/${id}`, { disabled: false });
  expect(enabled.body).toMatchObject({ status: "enabled" });
  expect(enabled.body).not.toHaveProperty("firstFailureAt");
  await addPet("Cid");
  await run(HOUR_MS);
  expect(messagesIn(office.receiver.sent).map(({ data }) => data)).toMatchObject([
    { pet: { name: "Cid" } },
  ]);
});

test("a test sends a signed message now and shows the answer", async () => {
  const { id, secret } = await create();
  office.receiver.answer = () => ({ status: 500, text: "Broken" });
  const failed = await owner.post<object>(`${path}/${id}/test`);
  expect(failed.body).toMatchObject({
    delivered: false,
    last: { status: 500, fault: "status", answer: "Broken" },
  });
  office.receiver.answer = () => ({ status: 204, text: "" });
  const good = await owner.post<{ body: string }>(`${path}/${id}/test`);
  expect(good.body).toMatchObject({ delivered: true, last: { status: 204 } });
  const [, request] = office.receiver.sent;
  const { headers = {}, body = "" } = request ?? {};
  expect(good.body.body).toBe(body);
  const verified = await verifyWebhook({ headers, body }, { secret, clock: office.clock });
  expect(verified.message).toMatchObject({ type: "webhook.test", data: { webhookId: id } });
  expect(await deliveries(id)).toEqual([]);
});

test("deliveries are listed with their answers, by state and in pages, and one with its message", async () => {
  const { id } = await create();
  await addPet("Ada");
  await run();
  office.receiver.answer = () => ({ status: 503, text: "Down" });
  await addPet("Bea");
  await run();
  const [bea, ada] = await deliveries(id);
  expect([bea?.state, ada?.state]).toEqual(["waiting", "delivered"]);
  expect(bea?.last).toMatchObject({ status: 503, answer: "Down" });
  expect(await deliveries(id, "?state=delivered")).toEqual(ada === undefined ? [] : [ada]);
  const page = await owner.get(`${path}/${id}/deliveries?limit=1`);
  expect(page.headers.get("link")).toContain(`before=${bea?.event}`);
  const one = await owner.get<DeliveryView>(`${path}/${id}/deliveries/${ada?.event}`);
  expect(JSON.parse(one.body.body ?? "")).toMatchObject({
    type: "pet.created",
    seq: ada?.event,
    data: { pet: { name: "Ada" } },
  });
  expect((await owner.get(`${path}/${id}/deliveries/1`)).status).toBe(404);
  expect((await owner.get(`${path}/${id}/deliveries/x`)).status).toBe(404);
});

test("a replay by event or time sends the same messages again", async () => {
  const { id } = await create();
  const from = isoTime(office.clock.now());
  for (const name of ["Ada", "Bea"]) await addPet(name);
  await run();
  await office.clock.advance(DAY_MS);
  await addPet("Cid");
  await run();
  // Messages about different animals can overtake each other.
  const taken = (): readonly string[] =>
    messagesIn(office.receiver.sent.splice(0))
      .map(({ id: name, seq, data }) => JSON.stringify([seq, name, data]))
      .toSorted();
  const first = taken();
  expect(first).toHaveLength(3);
  const replay = (body: object) => owner.post<{ queued: number }>(`${path}/${id}/replay`, body);
  const [, bea] = (await deliveries(id)).map(({ event }) => event);
  expect((await replay({ event: bea })).body).toEqual({ queued: 1 });
  await run();
  expect(taken()).toEqual(first.filter((one) => one.startsWith(`[${bea},`)));
  const to = isoTime(office.clock.now() - HOUR_MS);
  expect((await replay({ from, to })).body).toEqual({ queued: 2 });
  await run();
  expect(taken()).toEqual(first.slice(0, 2));
});

test("a replay is bounded, and continues where it ended", async () => {
  const { id } = await create({ types: ["pet.created"] });
  const from = isoTime(office.clock.now());
  const rows = Array.from({ length: 1_000 }, (_, at) => ({ name: `Pet ${at}`, categoryId: 1 }));
  const imported = `/manage/v1/accounts/${office.accountId}/production/pets/import`;
  await owner.post(imported, { rows });
  await owner.post(imported, { rows: rows.slice(0, 50) });
  await run();
  await run();
  const replay = (body: object) =>
    owner.post<{ queued: number; next?: number }>(`${path}/${id}/replay`, { from, ...body });
  const first = await replay({});
  expect(first.body).toEqual({ queued: 1_000, next: expect.any(Number) });
  expect((await replay({ after: first.body.next })).body).toEqual({ queued: 50 });
});

test("a replay of nothing that exists, of two ranges, or to a disabled webhook is refused", async () => {
  const { id } = await create();
  const codeOf = async (body: object) =>
    (await owner.post<{ code: string }>(`${path}/${id}/replay`, body)).body.code;
  expect(await codeOf({ event: 999_999 })).toBe("not_found");
  expect(await codeOf({})).toBe("invalid_value");
  expect(await codeOf({ event: 1, from: "2026-01-01T00:00:00Z" })).toBe("invalid_value");
  expect(await codeOf({ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" })).toBe(
    "invalid_value",
  );
  await owner.patch(`${path}/${id}`, { disabled: true });
  expect(await codeOf({ event: 1 })).toBe("webhook_disabled");
});

test("an account's webhooks name no operator, and get no event of others", async () => {
  const { id } = await create({ types: undefined });
  const operator = await office.signIn("operator");
  await operator.api.patch(`/manage/v1/accounts/${office.accountId}`, { name: "Otters & Co" });
  await office.as("operator").post("/manage/v1/accounts", { name: "Foxes" });
  await run();
  const messages = office.receiver.sent.map(({ body }) => JSON.parse(body));
  const update = messages.find(({ type }) => type === "account.updated");
  expect(update.actor).toEqual({ kind: "operator" });
  expect(JSON.stringify(messages)).not.toContain(operator.memberId);
  expect(messages.every(({ accountId }) => accountId === office.accountId)).toBe(true);
  expect(await deliveries(id)).not.toEqual([]);
});
