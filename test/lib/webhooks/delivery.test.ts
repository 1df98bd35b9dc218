import { expect, test } from "bun:test";

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../lib/base/clock.ts";
import { done } from "../../../lib/base/result.ts";
import { memoryStore } from "../../../lib/storage/memory.ts";
import { memoryWebhookStore, type WebhookStore } from "../../../lib/webhooks/index.ts";
import { manualClock } from "../../helpers/clock.ts";
import { fakeSender, messagesIn, ok, openWebhooks, START } from "../../helpers/webhooks.ts";

const down = { status: 503, text: "Down" };

/** Opens webhooks with an account and one webhook of it. */
async function opened(more: Parameters<typeof openWebhooks>[0] = {}) {
  const made = await openWebhooks(more);
  await made.addAccount("acc_one");
  await made.add("one", { accountId: "acc_one", types: ["project.updated"] });
  return made;
}

test("an event is sent within seconds, with its time, number, account and actor", async () => {
  const { happen, run, sender, observed } = await opened();
  await happen("prj_one");
  await run();
  await run();
  const [request] = sender.sent;
  expect(request?.url).toBe("https://one.example.org/hook");
  expect(request?.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(request?.body ?? "")).toEqual({
    type: "project.updated",
    timestamp: "2026-01-01T00:00:00.000Z",
    seq: expect.any(Number),
    accountId: "acc_one",
    actor: { kind: "system" },
    data: { projectId: "prj_one", number: 1 },
  });
  expect(sender.sent).toHaveLength(1);
  expect(observed).toEqual(["delivered"]);
});

test("events before the webhook was made are not sent", async () => {
  const { happen, run, sender, add } = await opened();
  await happen("prj_one");
  await add("late", { accountId: "acc_one", types: ["project.updated", "webhook.created"] });
  await happen("prj_two");
  await run();
  await run();
  const late = messagesIn(sender.sent).filter(({ url }) => url.includes("late"));
  // Its own creation is an event, too. Messages about different subjects arrive in any order.
  const subjects = late.map(({ data }) => String(data["projectId"] ?? data["webhookId"]));
  expect(subjects.toSorted()).toEqual(["prj_two", "wh_late"]);
});

test("a webhook gets only what it wants: types, environment, account", async () => {
  const { happen, run, sender, add, addAccount, store, clock } = await openWebhooks();
  await addAccount("acc_one");
  await addAccount("acc_two");
  await add("types", { accountId: "acc_one", types: ["project.deleted"] });
  await add("live", { accountId: "acc_one", environment: "production", types: ["pet.created"] });
  await add("all", { types: ["project.updated"] });
  await add("group", { accountId: "acc_one", types: ["project.*"] });
  const staging = await store.catalogues.of("acc_one", "staging");
  const production = await store.catalogues.of("acc_one", "production");
  for (const catalogue of [staging, production]) {
    const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
    const at = clock.now();
    const change = { kind: "pet.create", catalogueId: catalogue?.id ?? 0, pet, at } as const;
    await store.commit([change], { kind: "key", id: "abc" });
  }
  await happen("prj_one");
  await happen("prj_two", { accountId: "acc_two" });
  await happen("prj_three", { type: "project.deleted" });
  await run();
  await run();
  const got = messagesIn(sender.sent).map(({ url, type, data, environment }) => [
    new URL(url).host.split(".")[0],
    type,
    environment ?? data["projectId"],
  ]);
  expect(got.map(String).toSorted()).toEqual([
    "all,project.updated,prj_one",
    "all,project.updated,prj_two",
    "group,project.deleted,prj_three",
    "group,project.updated,prj_one",
    "live,pet.created,production",
    "types,project.deleted,prj_three",
  ]);
});

test("a failed delivery is tried again with the same id and body, for three days", async () => {
  const { happen, run, sender, observed, webhookStore } = await opened();
  sender.answer = () => down;
  await happen("prj_one");
  for (let minutes = 0; minutes < 3 * 24 * 60 + 60; minutes += 30) await run(30 * MINUTE_MS);
  const times = sender.sent.map(({ headers }) => Number(headers["webhook-timestamp"]) * SECOND_MS);
  expect(sender.sent.length).toBeGreaterThan(7);
  expect(sender.sent.length).toBeLessThan(14);
  expect(new Set(sender.sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(sender.sent.map(({ body }) => body)).size).toBe(1);
  expect((times.at(-1) ?? 0) - START).toBeGreaterThanOrEqual(3 * DAY_MS);
  expect(observed.at(-1)).toBe("failed");
  expect(observed.slice(0, -1).every((outcome) => outcome === "retried")).toBe(true);
  const [delivery] = await webhookStore.deliveries("wh_one", {}, { limit: 1 });
  expect(delivery).toMatchObject({ state: "failed", last: { status: 503, answer: "Down" } });
});

test("the next event of a subject waits until the one before it is delivered; others do not", async () => {
  const { happen, run, sender } = await opened();
  sender.answer = ({ body }) => (body.includes('"number":1') ? down : ok);
  for (const subject of ["a", "a", "b", "a"]) await happen(subject);
  await run();
  await run();
  await run();
  const numbers = () => messagesIn(sender.sent).map(({ data }) => data["number"]);
  expect(numbers()).not.toContain(2);
  expect(numbers()).toContain(3);
  sender.answer = () => ok;
  await run(MINUTE_MS);
  await run(MINUTE_MS);
  const ofA = numbers().filter((number) => number !== 3);
  expect(ofA.slice(-3)).toEqual([1, 2, 4]);
});

test("the next event of a subject is sent after the one before it is given up", async () => {
  const { happen, run, sender } = await opened();
  sender.answer = ({ body }) => (body.includes('"number":1') ? down : ok);
  await happen("a");
  await happen("a");
  for (let hours = 0; hours < 76; hours++) await run(HOUR_MS);
  expect(messagesIn(sender.sent).at(-1)?.data["number"]).toBe(2);
});

test("Retry-After is obeyed, up to a day", async () => {
  const { happen, run, sender, clock } = await opened();
  sender.answer = () => ({ status: 429, retryAfterMs: 2 * HOUR_MS, text: "" });
  await happen("a");
  await run();
  await run(HOUR_MS);
  expect(sender.sent).toHaveLength(1);
  // Others wait, too: the receiver asked for no request.
  await happen("b");
  await run();
  expect(sender.sent).toHaveLength(1);
  await run(HOUR_MS);
  await run();
  expect(sender.sent.length).toBeGreaterThan(1);
  sender.answer = () => ({ status: 503, retryAfterMs: 90 * DAY_MS, text: "" });
  await run(3 * HOUR_MS);
  const before = sender.sent.length;
  clock.advance(DAY_MS + HOUR_MS);
  await run();
  expect(sender.sent.length).toBeGreaterThan(before);
});

test("410 disables at once, with an event, and nothing more is sent", async () => {
  const { happen, run, sender, webhookStore, store } = await opened();
  sender.answer = () => ({ status: 410, text: "" });
  await happen("a");
  await happen("b");
  await run();
  await run();
  expect((await webhookStore.byId("wh_one"))?.disabled?.reason).toBe("gone");
  const sent = sender.sent.length;
  await happen("c");
  await run(HOUR_MS);
  await run();
  expect(sender.sent).toHaveLength(sent);
  const disabled = (await store.events.after(0, 100)).filter(
    ({ type }) => type === "webhook.disabled",
  );
  expect(disabled.map(({ data }) => data)).toEqual([
    expect.objectContaining({ reason: "gone", host: "one.example.org", status: 410 }),
  ]);
  expect(await webhookStore.waiting("wh_one", 10)).toBe(0);
});

test("a webhook is disabled when a delivery is given up after five days without success", async () => {
  const { happen, run, sender, webhookStore } = await opened();
  sender.answer = () => down;
  const disabled = async () => (await webhookStore.byId("wh_one"))?.disabled;
  await happen("a");
  for (let hours = 0; hours < 74; hours++) await run(HOUR_MS);
  expect(await disabled()).toBeUndefined();
  await happen("b");
  for (let hours = 0; hours < 74; hours++) await run(HOUR_MS);
  expect((await disabled())?.reason).toBe("failing");
});

test("one success between failures keeps a webhook enabled", async () => {
  const { happen, run, sender, webhookStore } = await opened();
  sender.answer = ({ body }) => (body.includes('"projectId":"bad"') ? down : ok);
  for (let day = 0; day < 8; day++) {
    await happen("bad");
    await happen("good");
    for (let hours = 0; hours < 24; hours++) await run(HOUR_MS);
  }
  expect((await webhookStore.byId("wh_one"))?.disabled).toBeUndefined();
});

test("of a webhook few requests run at a time, and a slow one starves no other", async () => {
  const sender = fakeSender();
  const { happen, add, clock, webhooks } = await opened({ sender });
  await add("two", { accountId: "acc_one", types: ["project.updated"] });
  sender.answer = ({ url }, signal) =>
    url.includes("one.")
      ? new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ fault: "cut", said: "" }));
        })
      : ok;
  for (let number = 0; number < 100; number++) await happen(`prj_${number}`);
  clock.advance(SECOND_MS);
  webhooks.jobs.start();
  while (messagesIn(sender.sent).filter(({ url }) => url.includes("two.")).length < 100) {
    clock.advance(SECOND_MS);
    await Bun.sleep(0);
  }
  expect(messagesIn(sender.sent).filter(({ url }) => url.includes("one."))).toHaveLength(4);
  const closed = webhooks.close();
  while (clock.sleeping === 0) await Bun.sleep(0);
  clock.advance(10 * SECOND_MS);
  await closed;
});

test("many webhooks together have a bounded number of requests", async () => {
  const sender = fakeSender();
  const { happen, add, run, addAccount } = await openWebhooks({ sender });
  await addAccount("acc_one");
  for (let number = 0; number < 30; number++)
    await add(`hook${number}`, { types: ["project.updated"] });
  sender.answer = async () => {
    await Bun.sleep(0);
    return ok;
  };
  for (let number = 0; number < 10; number++) await happen(`prj_${number}`);
  await run();
  await run();
  expect(sender.sent).toHaveLength(300);
  expect(sender.most).toBeLessThanOrEqual(48);
  expect(sender.most).toBeGreaterThan(4);
});

test("webhooks of a suspended account wait until it is resumed", async () => {
  const { happen, run, sender, store, clock } = await opened();
  const suspend = (suspendedAt: number | undefined) =>
    store.commit(
      [{ kind: "account.suspend", accountId: "acc_one", at: clock.now(), suspendedAt }],
      { kind: "system" },
    );
  await suspend(clock.now());
  await happen("a");
  await run();
  await run();
  expect(sender.sent).toHaveLength(0);
  await suspend(undefined);
  await run();
  await run();
  expect(messagesIn(sender.sent).map(({ type }) => type)).toContain("project.updated");
});

test("a process that is killed between any two steps loses nothing; another one takes over with the same id", async () => {
  const clock = manualClock(START);
  const first = await opened({ clock });
  const { store, webhookStore, happen } = first;
  await happen("a");
  // The first process claims, sends and is gone before it records the outcome.
  let cut = (): void => undefined;
  first.sender.answer = () =>
    new Promise((resolve) => {
      cut = () => resolve({ fault: "cut", said: "" });
    });
  clock.advance(SECOND_MS);
  const ticking = first.webhooks.jobs.tick();
  while (first.sender.sent.length === 0) await Bun.sleep(0);
  const second = await openWebhooks({ clock, store, webhookStore });
  await second.run();
  expect(second.sender.sent).toHaveLength(0);
  await second.run(2 * MINUTE_MS);
  await second.run();
  expect(messagesIn(second.sender.sent)).toEqual(messagesIn(first.sender.sent));
  // The first one returns late, and changes nothing.
  cut();
  await ticking;
  const [delivery] = await webhookStore.deliveries("wh_one", {}, { limit: 1 });
  expect(delivery).toMatchObject({ state: "delivered", attempts: 2 });
});

test("events whose queueing fails once are queued in the next round, and wait for no other event", async () => {
  const clock = manualClock(START);
  const store = memoryStore();
  const stored = memoryWebhookStore({ store });
  let failures = 0;
  const webhookStore: WebhookStore = {
    ...stored,
    waiting: (id, atMost) => {
      if (failures-- > 0) throw new Error("The database does not answer.");
      return stored.waiting(id, atMost);
    },
  };
  const { happen, run, sender } = await opened({ clock, store, webhookStore });
  await run();
  failures = 1;
  await happen("a");
  for (let round = 0; round < 4; round++) await run();
  expect(sender.sent).toHaveLength(1);
});

test("a webhook without room is looked at every ten seconds, and gets its events once it has room", async () => {
  const clock = manualClock(START);
  const store = memoryStore();
  const stored = memoryWebhookStore({ store });
  let looks = 0;
  let isFull = true;
  const webhookStore: WebhookStore = {
    ...stored,
    waiting: (id, atMost) => {
      looks++;
      return isFull ? atMost : stored.waiting(id, atMost);
    },
  };
  const { happen, run, sender } = await opened({ clock, store, webhookStore });
  await happen("a");
  for (let round = 0; round < 100; round++) await run(SECOND_MS / 4);
  expect(looks).toBe(3);
  isFull = false;
  await run(10 * SECOND_MS);
  await run();
  expect(sender.sent).toHaveLength(1);
});

test("a purge goes on while there is more than one slice, so that the table does not grow", async () => {
  const store = memoryStore();
  const stored = memoryWebhookStore({ store });
  const left = [500, 812, 499, 500];
  const webhookStore: WebhookStore = {
    ...stored,
    commit: async (changes, actor) =>
      changes[0]?.kind === "purge" ? done(left.shift() ?? 0) : stored.commit(changes, actor),
  };
  const { run } = await opened({ store, webhookStore });
  await run(MINUTE_MS);
  expect(left).toEqual([500]);
});

test("a secret that cannot be opened ends the delivery and says why", async () => {
  const { add, happen, run, sender, webhookStore } = await opened();
  await add("other", { accountId: "acc_one", sealed: "v1.AAAA.BBBB", types: ["project.updated"] });
  await happen("a");
  await run();
  await run();
  const [delivery] = await webhookStore.deliveries("wh_other", {}, { limit: 1 });
  expect(delivery).toMatchObject({ state: "failed", last: { fault: "secret" } });
  expect(messagesIn(sender.sent).every(({ url }) => url.includes("one."))).toBe(true);
});
