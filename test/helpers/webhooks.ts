import { SECOND_MS } from "../../lib/base/clock.ts";
import { createSeal } from "../../lib/base/seal.ts";
import { webhookSecret } from "../../lib/base/webhook-signature.ts";
import { deriveKey, webDigest } from "../../lib/base/digest.ts";
import { systemRandom } from "../../lib/base/id.ts";
import { system } from "../../lib/model/actor.ts";
import type { Account } from "../../lib/model/account.ts";
import type { EventType } from "../../lib/model/event-types.ts";
import type { Store } from "../../lib/storage/store.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import {
  createWebhooks,
  memoryWebhookStore,
  type DeliveryObservation,
  type OutgoingWebhook,
  type Webhook,
  type WebhookSender,
  type WebhookStore,
} from "../../lib/webhooks/index.ts";
import type { NoAnswer, WebhookAnswer } from "../../lib/webhooks/index.ts";
import type { Log } from "../../lib/base/log.ts";
import { manualClock, type ManualClock } from "./clock.ts";

export const START: number = Date.UTC(2026, 0, 1);
export const ROOT_KEY: Uint8Array = new Uint8Array(32).fill(9);

type Answer = WebhookAnswer | NoAnswer;

/** A sender that records what is sent. */
export interface FakeSender extends WebhookSender {
  readonly sent: OutgoingWebhook[];
  /** Answers the requests from now on. Default: 200. */
  answer: (request: OutgoingWebhook, signal: AbortSignal) => Answer | Promise<Answer>;
  /** The most requests at a time. */
  most: number;
}

export const ok: WebhookAnswer = { status: 200, text: "ok" };

export function fakeSender(): FakeSender {
  let running = 0;
  const sender: FakeSender = {
    sent: [],
    answer: () => ok,
    most: 0,
    faultOf: () => undefined,
    send: async (request, signal) => {
      sender.sent.push(request);
      sender.most = Math.max(sender.most, ++running);
      try {
        return await sender.answer(request, signal);
      } finally {
        running--;
      }
    },
  };
  return sender;
}

interface Message {
  readonly type: string;
  readonly seq: number;
  readonly environment?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the messages of requests. */
export function messagesIn(requests: readonly OutgoingWebhook[]) {
  return requests.map(({ url, headers, body }) => {
    const message: Message = JSON.parse(body);
    return { url, id: headers["webhook-id"], ...message };
  });
}

/** Webhooks over a store, with a clock that is moved by hand. */
export async function openWebhooks({
  clock = manualClock(START),
  store = memoryStore(),
  webhookStore = memoryWebhookStore({ store }),
  sender = fakeSender(),
  log,
}: {
  readonly clock?: ManualClock;
  readonly store?: Store;
  readonly webhookStore?: WebhookStore;
  readonly sender?: FakeSender;
  readonly log?: Log;
} = {}) {
  const observed: DeliveryObservation["outcome"][] = [];
  const webhooks = createWebhooks({
    store,
    webhookStore,
    sender,
    clock,
    encryptionKey: ROOT_KEY,
    observe: ({ outcome }) => observed.push(outcome),
    ...(log === undefined ? {} : { log }),
  });
  const seal = createSeal(
    () => deriveKey(webDigest, ROOT_KEY, "petstore webhook secrets"),
    systemRandom,
  );
  let at = 0;
  return {
    clock,
    store,
    webhookStore,
    sender,
    observed,
    webhooks,
    secretOf: (id: string) => webhookSecret(new Uint8Array(32).fill(id.length)),
    /** Adds an account with an animal-free catalogue. */
    addAccount: async (id: string) => {
      const limits = { perMinute: 60, perDay: 1_000 };
      const account: Account = { id, name: id, plan: "free", limits, createdAt: START };
      await store.commit([{ kind: "account.create", account }], system);
    },
    add: async (id: string, more: Partial<Webhook> = {}): Promise<Webhook> => {
      const webhook: Webhook = {
        id: `wh_${id}`,
        url: `https://${id}.example.org/hook`,
        sealed: await seal.close(webhookSecret(new Uint8Array(32).fill(id.length)), `wh_${id}`),
        version: 1,
        createdAt: clock.now(),
        afterSeq: await store.events.last(),
        ...more,
      };
      const added = await webhookStore.commit(
        [{ kind: "webhook.add", webhook, max: 1_000 }],
        system,
      );
      if (!added.ok) throw new Error(added.failure);
      return webhook;
    },
    /** Writes an event about a project, which is its subject. */
    happen: async (
      subject: string,
      {
        type = "project.updated",
        accountId = "acc_one",
      }: { type?: EventType; accountId?: string } = {},
    ): Promise<void> => {
      const data = { projectId: subject, number: ++at };
      await store.commit([{ kind: "event.write", type, accountId, at: clock.now(), data }], system);
    },
    /** Lets the jobs run, `ms` later. */
    run: async (ms: number = SECOND_MS): Promise<void> => {
      clock.advance(ms);
      await webhooks.jobs.tick();
    },
  };
}
