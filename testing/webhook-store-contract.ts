import { isoTime } from "../lib/base/clock.ts";
import type { Eventual } from "../lib/base/eventual.ts";
import { system } from "../lib/model/actor.ts";
import type { Store } from "../lib/storage/store.ts";
import type { Attempt, NewDelivery, Webhook } from "../lib/webhooks/model.ts";
import type { WebhookChange, WebhookStore } from "../lib/webhooks/webhook-store.ts";
import { contractCase, expect, type ContractCase } from "./contract-case.ts";
import { anAccount, START } from "./shelter.ts";

/** An empty webhook store, and the store of its accounts. */
export interface WebhookStoreUnderTest {
  readonly store: Store;
  readonly webhooks: WebhookStore;
  /** Called after the case. */
  close?(): Eventual<void>;
}

const MINUTE = 60_000;

function aWebhook(id: string, more: Partial<Webhook> = {}): Webhook {
  return {
    id: `wh_${id}`,
    url: `https://${id}.example.org/hooks`,
    sealed: `v1.secret of ${id}`,
    version: 1,
    createdAt: START,
    createdBy: { kind: "member", id: "mem_one" },
    afterSeq: 0,
    ...more,
  };
}

function aDelivery(id: string, seq: number, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    webhookId: `wh_${id}`,
    seq,
    messageId: `msg_${id}_${seq}`,
    type: "pet.updated",
    subject: "pet 1 1",
    eventAt: START,
    queuedAt: START + seq,
    ...more,
  };
}

const good: Attempt = { at: START + 100, durationMs: 5, status: 200 };
const bad: Attempt = { at: START + 100, durationMs: 5, status: 500, fault: "status", answer: "no" };

/** Returns the contract of every webhook store. Each case runs with a store of its own. */
export function webhookStoreContract(
  open: () => Eventual<WebhookStoreUnderTest>,
): readonly ContractCase[] {
  const test = (name: string, body: (made: WebhookStoreUnderTest) => Promise<void>): ContractCase =>
    contractCase(name, open, body);
  const add = (webhook: Webhook, max = 20) => ({ kind: "webhook.add", webhook, max }) as const;
  const queue = (id: string, from: number, ...deliveries: readonly NewDelivery[]) => {
    const to = deliveries.at(-1)?.seq ?? from;
    return { kind: "delivery.queue", webhookId: `wh_${id}`, from, to, deliveries } as const;
  };
  const of = (id: string, seq: number, attempts: number) =>
    ({ webhookId: `wh_${id}`, seq, attempts }) as const;
  const claim = (id: string, seq: number, attempts = 0, until = START + MINUTE) =>
    ({ kind: "delivery.claim", until, ...of(id, seq, attempts) }) as const;
  const retry = (id: string, seq: number, attempts: number, nextAt: number, last = bad) =>
    ({ kind: "delivery.retry", nextAt, last, ...of(id, seq, attempts) }) as const;
  const end = (id: string, seq: number, attempts = 1, last = good) => {
    const state = last.fault === undefined ? "delivered" : "failed";
    return { kind: "delivery.end", state, last, ...of(id, seq, attempts) } as const;
  };
  const purge = (endedBefore: number, maxEnded = 100, limit = 100) =>
    ({ kind: "purge", endedBefore, maxEnded, limit }) as const;
  const write = async (
    { webhooks }: WebhookStoreUnderTest,
    ...changes: readonly WebhookChange[]
  ): Promise<string> => {
    const committed = await webhooks.commit(changes, system);
    return committed.ok ? "ok" : committed.failure;
  };
  const due = async ({ webhooks }: WebhookStoreUnderTest, id: string, at = START + 1_000) =>
    (await webhooks.due(`wh_${id}`, at, 100)).map(({ seq }) => seq);
  const busy = async ({ webhooks }: WebhookStoreUnderTest, at = START + 1_000, after = "") =>
    (await webhooks.busy(at, after, 100)).map(({ id }) => id);
  const events = async ({ store }: WebhookStoreUnderTest) =>
    (await store.events.after(0, 100))
      .filter(({ type }) => type.startsWith("webhook."))
      .map(({ type, accountId, data, at }) => ({ type, accountId, data, at }));

  return [
    test("a webhook is kept with all its fields, and its event has no URL and no secret", async (made) => {
      await made.store.commit([{ kind: "account.create", account: anAccount("acc_one") }], system);
      const whole = aWebhook("a", {
        accountId: "acc_one",
        description: "News",
        types: ["pet.created", "pet.deleted"],
        environment: "staging",
        disabled: { at: START + 1, reason: "manual" },
        previous: { sealed: "v1.old", until: START + 9 },
        failingSince: START + 2,
        afterSeq: 7,
      });
      expect(await write(made, add(whole))).toBe("ok");
      expect(await made.webhooks.byId("wh_a")).toEqual(whole);
      expect(await made.webhooks.byId("wh_b")).toBeUndefined();
      const [event] = await events(made);
      expect(event).toEqual({
        type: "webhook.created",
        accountId: "acc_one",
        at: START,
        data: {
          webhookId: "wh_a",
          host: "a.example.org",
          description: "News",
          types: ["pet.created", "pet.deleted"],
          environment: "staging",
          disabled: true,
        },
      });
    }),

    test("webhooks are listed by account, and bounded", async (made) => {
      await made.store.commit([{ kind: "account.create", account: anAccount("acc_one") }], system);
      const own = (id: string, createdAt: number) =>
        aWebhook(id, { accountId: "acc_one", createdAt });
      await write(made, add(own("b", START)), add(own("a", START + 1)), add(aWebhook("c")));
      const ids = async (accountId: string | undefined) =>
        (await made.webhooks.list(accountId)).map(({ id }) => id);
      expect(await ids("acc_one")).toEqual(["wh_b", "wh_a"]);
      expect(await ids(undefined)).toEqual(["wh_c"]);
      expect(await write(made, add(own("d", START), 2))).toBe("limit");
      expect(await write(made, add(aWebhook("e"), 1))).toBe("limit");
      expect(await write(made, add(aWebhook("c")))).toBe("exists");
      const lost = aWebhook("f", { accountId: "acc_none" });
      expect(await write(made, add(lost))).toBe("missing");
    }),

    test("of two changes of a version, one succeeds, and the place in the outbox stays", async (made) => {
      const from = aWebhook("a");
      await write(made, add(from), queue("a", 0, aDelivery("a", 5)));
      const to = { ...from, description: "Other" };
      const change = { kind: "webhook.update", from, to, event: "webhook.updated", at: 1 } as const;
      expect(await write(made, change)).toBe("ok");
      expect(await write(made, change)).toBe("stale");
      expect(await made.webhooks.byId("wh_a")).toMatchObject({
        description: "Other",
        version: 2,
        afterSeq: 5,
      });
      const later = await made.webhooks.byId("wh_a");
      if (later === undefined) return;
      const moved = { ...change, from: later, to: { ...later, afterSeq: 9 } };
      expect(await write(made, moved)).toBe("ok");
      expect((await made.webhooks.byId("wh_a"))?.afterSeq).toBe(9);
    }),

    test("enabled webhooks are those of some accounts and of the installation", async (made) => {
      await made.store.commit(
        ["acc_one", "acc_two"].map((id) => ({ kind: "account.create", account: anAccount(id) })),
        system,
      );
      const disabled = { at: START, reason: "gone" } as const;
      await write(
        made,
        add(aWebhook("a", { accountId: "acc_one" })),
        add(aWebhook("b", { accountId: "acc_two" })),
        add(aWebhook("c", { accountId: "acc_one", disabled })),
        add(aWebhook("d")),
      );
      const enabledOf = async (ids: readonly string[]) =>
        [...(await made.webhooks.enabledOf(ids))].toSorted();
      expect(await enabledOf(["acc_one"])).toEqual(["wh_a", "wh_d"]);
      expect(await enabledOf([])).toEqual(["wh_d"]);
      const enabled = async (after: string, limit: number) =>
        (await made.webhooks.enabled(after, limit)).map(({ id }) => id);
      expect(await enabled("", 2)).toEqual(["wh_a", "wh_b"]);
      expect(await enabled("wh_b", 2)).toEqual(["wh_d"]);
    }),

    test("events are queued once, from the place of the webhook", async (made) => {
      await write(made, add(aWebhook("a")));
      const whole = aDelivery("a", 3, { environment: "staging", subject: "pet 1 3" });
      expect(await write(made, queue("a", 0, whole))).toBe("ok");
      expect(await write(made, queue("a", 0, whole))).toBe("stale");
      expect((await made.webhooks.byId("wh_a"))?.afterSeq).toBe(3);
      expect(await made.webhooks.delivery("wh_a", 3)).toEqual({
        ...whole,
        state: "waiting",
        attempts: 0,
        nextAt: whole.queuedAt,
      });
      expect(await made.webhooks.state()).toEqual({ waiting: 1, oldestAt: whole.queuedAt });
      expect(await made.webhooks.waiting("wh_a", 10)).toBe(1);
    }),

    test("of one subject, one delivery is due at a time, in the order of the events", async (made) => {
      await write(made, add(aWebhook("a")));
      const other = aDelivery("a", 3, { subject: "pet 1 2" });
      await write(made, queue("a", 0, aDelivery("a", 1), aDelivery("a", 2), other));
      await write(made, queue("a", 3, aDelivery("a", 4)));
      expect(await due(made, "a")).toEqual([1, 3]);
      await write(made, claim("a", 1), retry("a", 1, 1, START + 500));
      expect(await due(made, "a", START + 499)).toEqual([3]);
      await write(made, claim("a", 1, 1), end("a", 1, 2));
      expect(await due(made, "a")).toEqual([3, 2]);
      await write(made, claim("a", 2), end("a", 2, 1, bad));
      expect(await due(made, "a")).toEqual([3, 4]);
      expect((await made.webhooks.state()).waiting).toBe(2);
    }),

    test("the same subjects of two webhooks do not wait for each other", async (made) => {
      await write(made, add(aWebhook("a")), add(aWebhook("b")));
      await write(made, queue("a", 0, aDelivery("a", 1)), queue("b", 0, aDelivery("b", 1)));
      expect(await due(made, "a")).toEqual([1]);
      expect(await due(made, "b")).toEqual([1]);
    }),

    test("of two claims of an attempt, one succeeds; it is due again when its time is over", async (made) => {
      await write(made, add(aWebhook("a")), queue("a", 0, aDelivery("a", 1)));
      expect(await write(made, claim("a", 1))).toBe("ok");
      expect(await write(made, claim("a", 1))).toBe("gone");
      expect(await due(made, "a")).toEqual([]);
      expect(await due(made, "a", START + MINUTE)).toEqual([1]);
      expect(await write(made, claim("a", 1, 1, START + 2 * MINUTE))).toBe("ok");
      expect(await write(made, end("a", 1, 1))).toBe("gone");
      expect(await write(made, retry("a", 1, 1, START))).toBe("gone");
      expect(await write(made, end("a", 1, 2))).toBe("ok");
      expect(await made.webhooks.delivery("wh_a", 1)).toEqual({
        ...aDelivery("a", 1),
        state: "delivered",
        attempts: 2,
        endedAt: good.at + good.durationMs,
        last: good,
      });
    }),

    test("a webhook knows since when nothing was delivered", async (made) => {
      await write(made, add(aWebhook("a")), queue("a", 0, aDelivery("a", 1)));
      const since = async () => (await made.webhooks.byId("wh_a"))?.failingSince;
      await write(made, claim("a", 1), retry("a", 1, 1, START + 500));
      await write(made, claim("a", 1, 1), retry("a", 1, 2, START, { ...bad, at: START + 900 }));
      expect(await since()).toBe(bad.at);
      await write(made, claim("a", 1, 2), end("a", 1, 3));
      expect(await since()).toBeUndefined();
      const gone: Attempt = { at: START + 950, durationMs: 0, fault: "event_gone" };
      await write(made, queue("a", 1, aDelivery("a", 2)), claim("a", 2), end("a", 2, 1, gone));
      expect(await since()).toBeUndefined();
    }),

    test("a webhook is disabled once, with an event", async (made) => {
      await write(made, add(aWebhook("a", { failingSince: START })));
      const disable = { webhookId: "wh_a", reason: "failing", status: 500, at: START + 9 } as const;
      await write(made, { kind: "webhook.disable", ...disable });
      await write(made, { kind: "webhook.disable", ...disable, reason: "gone" });
      expect(await made.webhooks.byId("wh_a")).toMatchObject({
        disabled: { at: START + 9, reason: "failing" },
        version: 2,
      });
      expect((await events(made)).slice(1)).toEqual([
        {
          type: "webhook.disabled",
          accountId: "",
          at: START + 9,
          data: {
            webhookId: "wh_a",
            host: "a.example.org",
            reason: "failing",
            status: 500,
            firstFailureAt: isoTime(START),
          },
        },
      ]);
      expect(await write(made, queue("a", 0, aDelivery("a", 1)))).toBe("stale");
    }),

    test("busy webhooks are those with a due delivery, and disabled ones with any", async (made) => {
      await write(made, add(aWebhook("a")), add(aWebhook("b")), add(aWebhook("c")));
      await write(
        made,
        queue("a", 0, aDelivery("a", 1)),
        queue("b", 0, aDelivery("b", 1, { queuedAt: START + 5_000 })),
      );
      expect(await busy(made)).toEqual(["wh_a"]);
      expect(await busy(made, START + 5_000)).toEqual(["wh_a", "wh_b"]);
      expect(await busy(made, START + 5_000, "wh_a")).toEqual(["wh_b"]);
      await write(made, { kind: "webhook.disable", webhookId: "wh_b", reason: "gone", at: START });
      expect(await busy(made)).toEqual(["wh_a", "wh_b"]);
      expect((await made.webhooks.state()).waiting).toBe(1);
      const drop = { webhookId: "wh_b", fault: "disabled", at: START, limit: 10 } as const;
      await write(made, { kind: "delivery.drop", ...drop });
      expect(await busy(made)).toEqual(["wh_a"]);
      expect(await made.webhooks.delivery("wh_b", 1)).toMatchObject({
        state: "failed",
        last: { fault: "disabled" },
      });
    }),

    test("a replay queues an event from the beginning, unless it waits", async (made) => {
      await write(made, add(aWebhook("a")));
      await write(made, queue("a", 0, aDelivery("a", 1), aDelivery("a", 2)));
      const replay = (...deliveries: readonly NewDelivery[]) =>
        ({ kind: "delivery.replay", webhookId: "wh_a", deliveries }) as const;
      const again = aDelivery("a", 1, { queuedAt: START + 800 });
      await write(made, claim("a", 1), replay(again));
      expect((await made.webhooks.delivery("wh_a", 1))?.attempts).toBe(1);
      await write(made, end("a", 1), replay(again));
      // The second event of the subject is on its way.
      expect(await due(made, "a")).toEqual([2]);
      expect(await made.webhooks.delivery("wh_a", 1)).toEqual({
        ...again,
        state: "waiting",
        attempts: 0,
      });
      await write(made, claim("a", 2), end("a", 2));
      expect(await due(made, "a")).toEqual([1]);
    }),

    test("deliveries are listed by state, newest event first", async (made) => {
      await write(made, add(aWebhook("a")));
      const some = [1, 2, 3, 4].map((seq) => aDelivery("a", seq, { subject: `pet 1 ${seq}` }));
      await write(made, queue("a", 0, ...some));
      await write(made, claim("a", 2), end("a", 2), claim("a", 3), end("a", 3, 1, bad));
      const listed = async (
        filter: Parameters<WebhookStore["deliveries"]>[1],
        page: Parameters<WebhookStore["deliveries"]>[2],
      ) => (await made.webhooks.deliveries("wh_a", filter, page)).map(({ seq }) => seq);
      expect(await listed({}, { limit: 3 })).toEqual([4, 3, 2]);
      expect(await listed({}, { limit: 3, before: 2 })).toEqual([1]);
      expect(await listed({ state: "waiting" }, { limit: 9 })).toEqual([4, 1]);
      expect(await listed({ state: "failed" }, { limit: 9 })).toEqual([3]);
      expect((await made.webhooks.delivery("wh_a", 3))?.last).toEqual(bad);
    }),

    test("a purge removes what ended long ago, or is more than is kept", async (made) => {
      await write(made, add(aWebhook("a")));
      const some = [1, 2, 3, 4].map((seq) => aDelivery("a", seq, { subject: `pet 1 ${seq}` }));
      await write(made, queue("a", 0, ...some));
      for (const seq of [1, 2, 3]) {
        await write(made, claim("a", seq), end("a", seq, 1, { ...good, at: START + seq * 100 }));
      }
      const kept = async () =>
        (await made.webhooks.deliveries("wh_a", {}, { limit: 9 })).map(({ seq }) => seq);
      await write(made, purge(START + 150));
      expect(await kept()).toEqual([4, 3, 2]);
      await write(made, purge(START, 1));
      expect(await kept()).toEqual([4, 3]);
    }),

    test("a purge says how many rows it removed, and the next ones continue", async (made) => {
      const { webhooks } = made;
      await write(made, add(aWebhook("a")), add(aWebhook("b")));
      for (const id of ["a", "b"]) {
        const seqs = [1, 2, 3, 4];
        await write(
          made,
          queue(id, 0, ...seqs.map((seq) => aDelivery(id, seq, { subject: `pet 1 ${seq}` }))),
        );
        const ended = id === "a" ? seqs : [1];
        for (const seq of ended) await write(made, claim(id, seq), end(id, seq, 1, good));
      }
      const counts: number[] = [];
      for (let round = 0; round < 3; round++) {
        const purged = await webhooks.commit([purge(START - 1, 1, 2)], system);
        counts.push(purged.ok ? purged.value : -1);
      }
      expect(counts).toEqual([2, 1, 0]);
      const kept = async (id: string) => (await webhooks.deliveries(id, {}, { limit: 9 })).length;
      expect([await kept("wh_a"), await kept("wh_b")]).toEqual([1, 4]);
    }),

    test("a purge removes webhooks of deleted accounts, and deliveries of removed webhooks", async (made) => {
      await made.store.commit([{ kind: "account.create", account: anAccount("acc_one") }], system);
      const own = aWebhook("a", { accountId: "acc_one" });
      const other = aWebhook("b");
      await write(made, add(own), add(other));
      await write(made, queue("a", 0, aDelivery("a", 1)), queue("b", 0, aDelivery("b", 1)));
      await made.store.commit([{ kind: "account.delete", accountId: "acc_one", at: 2 }], system);
      await write(made, { kind: "webhook.remove", from: other, at: START });
      expect(await made.webhooks.byId("wh_b")).toBeUndefined();
      await write(made, purge(START));
      await write(made, purge(START));
      expect(await made.webhooks.byId("wh_a")).toBeUndefined();
      expect(await made.webhooks.delivery("wh_a", 1)).toBeUndefined();
      expect(await made.webhooks.delivery("wh_b", 1)).toBeUndefined();
    }),

    test("a commit that is refused changes nothing", async (made) => {
      await write(made, add(aWebhook("a")), queue("a", 0, aDelivery("a", 1)));
      expect(await write(made, claim("a", 1), claim("a", 2))).toBe("gone");
      expect(await due(made, "a")).toEqual([1]);
      expect((await made.webhooks.delivery("wh_a", 1))?.attempts).toBe(0);
    }),
  ];
}
