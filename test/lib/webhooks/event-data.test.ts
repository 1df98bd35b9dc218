import { beforeAll, expect, test } from "bun:test";

import Ajv2020 from "ajv/dist/2020";

import { domainEvent, hostEvent } from "../../../domains/model/timeline.ts";
import { describedWebhooks } from "../../../lib/management/describe-events.ts";
import { eventData } from "../../../lib/events/event-data.ts";
import { foundEvent } from "../../../lib/management/event-pages.ts";
import { eventTypes, type EventType } from "../../../lib/model/event-types.ts";
import { messageBody } from "../../../lib/webhooks/message.ts";
import { disabledEvent } from "../../../lib/webhooks/event.ts";
import { everyEndpoint } from "../../helpers/every-endpoint.ts";
import { pngOf } from "../../helpers/pictures.ts";
import { requestTo, samples } from "../management/samples.ts";
import { openTenants } from "../management/tenants.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const format of ["int64", "uri", "date"]) ajv.addFormat(format, true);
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);

/** The data of messages, by type. */
const sent = new Map<string, Record<string, unknown>[]>();
let bodies = "";

/** Notes the data of a message as a webhook of the installation gets it. */
function note(type: EventType, data: Readonly<Record<string, unknown>>): void {
  const event = foundEvent({ seq: 1, type, accountId: "acc_1", at: 1, data }, undefined);
  const body = messageBody(event, {});
  bodies += body;
  sent.set(type, [...(sent.get(type) ?? []), JSON.parse(body).data]);
}

beforeAll(async () => {
  const { office, publishing, ours } = await openTenants();
  const operator = office.as("operator");
  const { things } = ours;
  // What one operation removes, the next ones cannot change: these come last.
  const last = /^(?:delete|remove|revoke|end|cancel|undo|close)/;
  const ordered = [...everyEndpoint].toSorted(
    (a, b) => Number(last.test(a.operationId)) - Number(last.test(b.operationId)),
  );
  const own = `/manage/v1/accounts/${office.accountId}/production/pets/${things["pet"]}`;
  await operator.delete(own);
  await operator.post(`${own}/restore`);
  const added = { body: Uint8Array.from(await pngOf({ width: 9, height: 1 })) };
  const headers = { "content-type": "image/png" };
  const photo = await operator.raw<{ readonly id: number }>("POST", `${own}/photos`, {
    ...added,
    headers,
  });
  await operator.delete(`${own}/photos/${photo.body.id}`);
  const { deploys } = publishing.projects;
  const project = things["project"] ?? "";
  const broken = { archive: new Blob(["no archive"]), author: "Ada" };
  await deploys.create(project, broken as never);
  const listed = await operator.get<readonly { readonly id: string; readonly state: string }[]>(
    `/manage/v1/projects/${project}/deploys`,
  );
  const old = listed.body.find(({ state }) => state === "superseded");
  await operator.delete(`/manage/v1/projects/${project}/deploys/${old?.id}`);
  const bannedAt = office.clock.now();
  const ban = { until: bannedAt + 60_000, level: 1, bannedAt };
  const keyId = things["key"] ?? "";
  const change = { kind: "key.ban", keyId, ban, from: undefined, at: bannedAt } as const;
  await office.store.commit([change], { kind: "system" });
  await operator.post(`/manage/v1/accounts/${office.accountId}/keys/${keyId}/unban`);
  note("quota.threshold_reached", {
    ...{ percent: 80, limit: 1_000, resetsAt: office.clock.now(), environment: "production" },
  });
  const orders = `/manage/v1/accounts/${office.accountId}/production/orders`;
  const adopter = { name: "Kim Secretive", contact: "kim@secretive.example" };
  await operator.patch(`${orders}/1`, { status: "delivered", adopter });
  for (const { operationId, method, path } of ordered) {
    if (method === "GET" || operationId === "deleteAccount") continue;
    if (samples[operationId]?.by !== undefined) continue;
    const named = path.replaceAll(/:(\w+)/g, "{$1}");
    const request = requestTo({ operationId, method, path: named }, things);
    await operator.raw(request.method, request.path, request.init);
    await office.imports.idle();
  }
  const pets = `/manage/v1/accounts/${office.accountId}/production/pets`;
  const { body } = await operator.post<{ readonly id: number }>(pets, {
    name: "Zoe",
    categoryId: 1,
  });
  for (const status of ["pending", "sold"]) {
    await operator.patch(`${pets}/${body.id}`, { status });
  }
  await operator.delete(`/manage/v1/accounts/${office.accountId}`);
  for (let after = 0, more = true; more;) {
    const events = await office.store.events.after(after, 500);
    for (const { type, data } of events) note(type, data);
    after = events.at(-1)?.seq ?? after;
    more = events.length === 500;
  }
  // These happen to the outside world, to clocks and after days. Their data have one maker each.
  const certificate = { authority: "https://ca.example/", notAfter: 1_795_000_000_000, warned: 2 };
  const domain = { id: "dom_1", name: "a.example", projectId: "prj_1", certificate };
  for (const type of eventTypes.filter((one) => one.startsWith("domain."))) {
    const kind = type === "domain.expiring" ? "expiring" : "failed";
    note(type, domainEvent(domain as never, { kind, code: "caa_forbids", message: "No." }));
  }
  note("host.expiring", hostEvent(domain as never, { kind: "expiring" }));
  note("backup.failed", { reason: "The target is full.", lastGoodAt: 1_795_000_000_000 });
  note("clock.skewed", { code: "clock_skew", aheadSeconds: -84 });
  const webhook = {
    ...{ id: "wh_1", url: "https://a.example/x?key=hidden", sealed: "", version: 1 },
    ...{ createdAt: 1, afterSeq: 0, failingSince: 1_795_000_000_000 },
  };
  note("webhook.disabled", disabledEvent(webhook, "failing", 503));
});

test.each(eventTypes)("the data of %s fits its schema, and so does the example", (type) => {
  const { data, example } = eventData[type];
  const fits = ajv.compile({ ...data.json });
  const found = sent.get(type) ?? [];
  expect([type, found.length > 0]).toEqual([type, true]);
  for (const one of [...found, example]) {
    fits(one);
    expect([type, one, fits.errors]).toEqual([type, one, null]);
  }
});

test("no message has anything of adopters, of enquirers, of staff notes, or a secret URL", () => {
  expect(bodies.length).toBeGreaterThan(10_000);
  for (const secret of ["Secretive", "kim@", "staffNotes", "microchip", "hidden", "whsec_"]) {
    expect([secret, bodies.includes(secret)]).toEqual([secret, false]);
  }
});

test("the OpenAPI document describes a message for each type, and the test", async () => {
  expect(Object.keys(describedWebhooks)).toEqual([...eventTypes, "webhook.test"]);
  const { office } = await openTenants();
  const { body } = await office
    .as("viewer")
    .get<{ readonly webhooks: object; readonly components: { readonly schemas: object } }>(
      "/manage/v1/openapi.json",
    );
  expect(Object.keys(body.webhooks)).toEqual(Object.keys(describedWebhooks));
  const text = JSON.stringify(body.webhooks);
  const refs = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  for (const name of refs) expect(body.components.schemas).toHaveProperty([name]);
});
