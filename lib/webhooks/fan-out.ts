import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Digest } from "../base/digest.ts";
import { nextTurn } from "../base/steps.ts";
import { system } from "../model/actor.ts";
import type { Environment } from "../model/account.ts";
import type { Store } from "../storage/store.ts";
import { wantedDeliveries } from "./message.ts";
import { MAX_WAITING, type Webhook } from "./model.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** The dependencies of queueing. */
export interface FanOutParts {
  readonly store: Pick<Store, "events" | "traffic">;
  readonly webhookStore: WebhookStore;
  readonly environmentOf: (catalogueId: number) => Promise<Environment | undefined>;
  readonly digest: Digest;
  readonly clock: Clock;
}

/** Queues events for the webhooks that want them. Each webhook has a place in the outbox, which is stored with what it queued. */
export interface FanOut {
  /** Looks for new events, if it is time to, and queues some. Returns whether it queued any. */
  round(leaving: () => boolean): Promise<boolean>;
}

/** How often to look for new events. */
const LOOK_EVERY_MS = SECOND_MS;
/** Events of a read. */
const READ_AT_ONCE = 500;
/** Reads, and commits of a webhook, in a round. */
const MOST_BATCHES = 20;
/** Most events of one commit, if the store does not say how many. */
const QUEUED_AT_ONCE = 100;
/** How long a webhook rests for which so many deliveries wait that there is no room: counting them takes milliseconds. */
const FULL_FOR_MS: number = 10 * SECOND_MS;
/** A webhook that wants none of so many events gets their place stored, so that they are not read again after a restart. */
const SKIPPED_AT_MOST = 1_000;

/** Creates the queueing of one process. */
export function createFanOut(parts: FanOutParts): FanOut {
  const { store, webhookStore, clock } = parts;
  let lookAt = -Infinity;
  /** The last event whose account was looked at; undefined: webhooks may be behind for events before. */
  let place: number | undefined;
  /** Webhooks that may have events to queue, in the order of their turns. */
  const behind = new Set<string>();
  /** When webhooks that are behind had no room. */
  const full = new Map<string, number>();
  /** How far events that a webhook does not want were read, by its stored place. */
  const skipped = new Map<string, { readonly from: number; readonly to: number }>();

  /** Finds all webhooks: any may be behind. */
  const begin = async (last: number): Promise<void> => {
    place = last;
    for (let after = ""; ;) {
      const some = await webhookStore.enabled(after, READ_AT_ONCE);
      for (const { id } of some) behind.add(id);
      const end = some.at(-1);
      if (end === undefined || some.length < READ_AT_ONCE) return;
      after = end.id;
    }
  };

  const look = async (): Promise<void> => {
    const [one] = await webhookStore.enabled("", 1);
    if (one === undefined) {
      place = undefined;
      behind.clear();
      full.clear();
      skipped.clear();
      return;
    }
    const last = await store.events.last();
    // After a failover, numbers may be used again.
    if (place === undefined || last < place) {
      await begin(last);
      return;
    }
    for (let batch = 0; batch < MOST_BATCHES && place < last; batch++) {
      const events = await store.events.after(place, READ_AT_ONCE);
      const end = events.at(-1);
      if (end === undefined) return;
      const accounts = new Set(events.map(({ accountId }) => accountId));
      for (const id of await webhookStore.enabledOf([...accounts])) behind.add(id);
      place = end.seq;
    }
  };

  /** Queues some events of a webhook. Returns how many, and whether it may have more. */
  const queue = async (
    webhook: Webhook,
    room: number,
  ): Promise<{ readonly queued: number; readonly more: boolean }> => {
    const { id, accountId, afterSeq: from } = webhook;
    const known = skipped.get(id);
    const after = known?.from === from ? known.to : from;
    const limit = Math.min(room, store.traffic?.rowsAtOnce(clock.now()) ?? QUEUED_AT_ONCE);
    const events = await store.events.after(after, limit, accountId);
    const to = events.at(-1)?.seq;
    if (to === undefined) return { queued: 0, more: false };
    const deliveries = await wantedDeliveries(parts, webhook, events);
    const more = events.length === limit;
    if (deliveries.length === 0 && to - from < SKIPPED_AT_MOST) {
      skipped.set(id, { from, to });
      return { queued: 0, more };
    }
    const change = { kind: "delivery.queue", webhookId: id, from, to, deliveries } as const;
    const committed = await webhookStore.commit([change], system);
    skipped.delete(id);
    // Another process was faster: what is left is seen with the next look at the webhook.
    return { queued: committed.ok ? deliveries.length : 0, more: more || !committed.ok };
  };

  /** Queues events of a webhook until it has no more, or until others have to get their turns. */
  const serve = async (id: string, leaving: () => boolean): Promise<number> => {
    behind.delete(id);
    full.delete(id);
    const room = MAX_WAITING - (await webhookStore.waiting(id, MAX_WAITING));
    if (room <= 0) full.set(id, clock.now());
    let all = 0;
    let more = true;
    for (let batch = 0; more && batch < MOST_BATCHES && all < room && !leaving(); batch++) {
      const webhook = await webhookStore.byId(id);
      if (webhook === undefined || webhook.disabled !== undefined) {
        skipped.delete(id);
        return all;
      }
      const done = await queue(webhook, room - all);
      all += done.queued;
      ({ more } = done);
      await nextTurn();
    }
    if (more) behind.add(id);
    return all;
  };

  return {
    round: async (leaving) => {
      const now = clock.now();
      // If the clock was set back by more than the interval, a look is due now.
      if (Math.abs(now - lookAt) >= LOOK_EVERY_MS) {
        lookAt = now;
        await look();
      }
      let queued = 0;
      const ready = [...behind].filter(
        (id) => Math.abs(now - (full.get(id) ?? -Infinity)) >= FULL_FOR_MS,
      );
      for (const id of ready.slice(0, READ_AT_ONCE)) {
        if (leaving()) break;
        try {
          queued += await serve(id, leaving);
        } catch (error) {
          // The look at its events has passed: without this, they would wait for the next event of the account.
          behind.add(id);
          throw error;
        }
      }
      return queued > 0;
    },
  };
}
