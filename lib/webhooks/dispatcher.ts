import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { foundEvent } from "../management/event-pages.ts";
import type { Environment } from "../model/account.ts";
import { system } from "../model/actor.ts";
import type { DomainEvent } from "../model/event.ts";
import type { StoreReads } from "../storage/store.ts";
import { messageBody } from "./message.ts";
import { hostOf, type Webhook, type WebhookDelivery } from "./model.ts";
import { decide, unsendable, type Decision, type DeliveryObservation } from "./outcome.ts";
import { pauseAfter } from "./schedule.ts";
import type { OutgoingWebhook, WebhookSender } from "./sender.ts";
import type { Sign } from "./sign.ts";
import type { WebhookStore } from "./webhook-store.ts";

/** The dependencies of delivering. */
export interface DispatcherParts {
  readonly store: Pick<StoreReads, "events" | "accounts">;
  readonly webhookStore: WebhookStore;
  readonly environmentOf: (catalogueId: number) => Promise<Environment | undefined>;
  readonly sender: WebhookSender;
  readonly sign: Sign;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a random number of at least 0 and below 1. */
  readonly chance: () => number;
  readonly observe: (observation: DeliveryObservation) => void;
}

/** Delivers what is due: several webhooks at a time, in turns, and each with a few requests at a time. */
export interface Dispatcher {
  /**
   * Looks for due deliveries, if it is time to, and begins as many as allowed. Those that end make room for more. `signal` ends
   * attempts; nothing more begins once `leaving` returns true.
   */
  round(signal: AbortSignal, leaving: () => boolean): Promise<void>;
  /** Looks in the next round: deliveries were queued. */
  wake(): void;
  /** Resolves when no attempt runs. */
  idle(): Promise<void>;
}

/** Attempts of a process at a time. */
const MOST_AT_ONCE = 48;
/** Attempts to one webhook at a time; one after a failure. */
const MOST_OF_WEBHOOK = 4;
/** How long an attempt has. Longer than any sender takes: a process that was killed leaves the delivery to others after it. */
export const CLAIM_MS: number = MINUTE_MS;
/** How often to look for deliveries that other processes queued, or left. */
const LOOK_EVERY_MS = SECOND_MS;
/** Webhooks of a look; the next one begins after them. */
const WEBHOOKS_AT_ONCE = 500;
const DROPPED_AT_ONCE = 500;

/** What this process knows about a webhook. */
interface Lane {
  running: number;
  /** How many attempts failed since the last one that did not. */
  failures: number;
  pausedUntil: number;
}

/** Creates the dispatcher of one process. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, webhookStore, environmentOf, sender, sign, clock, log, chance, observe } = parts;
  const lanes = new Map<string, Lane>();
  /** Webhooks with due deliveries, in the order of their turns. */
  const turns = new Set<string>();
  const running = new Set<Promise<void>>();
  let lookAt = -Infinity;
  let after = "";
  let filling: Promise<void> | undefined;
  /** Whether there may be room since the filling began. */
  let wanted = false;

  const laneOf = (id: string): Lane => {
    const known = lanes.get(id);
    if (known !== undefined) return known;
    const lane = { running: 0, failures: 0, pausedUntil: -Infinity };
    lanes.set(id, lane);
    return lane;
  };
  const isPaused = ({ pausedUntil }: Lane): boolean => {
    const left = pausedUntil - clock.now();
    // If the clock was set back, the age of the failure is unknown.
    return left > 0 && left <= DAY_MS;
  };
  const roomOf = (id: string): number => {
    const lane = lanes.get(id);
    if (lane === undefined) return MOST_OF_WEBHOOK;
    if (isPaused(lane)) return 0;
    return (lane.failures > 0 ? 1 : MOST_OF_WEBHOOK) - lane.running;
  };

  const look = async (): Promise<void> => {
    const now = clock.now();
    const found = await webhookStore.busy(now, after, WEBHOOKS_AT_ONCE);
    after = found.length < WEBHOOKS_AT_ONCE ? "" : (found.at(-1)?.id ?? "");
    for (const { id, disabled } of found) {
      if (disabled === undefined) turns.add(id);
      else {
        const drop = { webhookId: id, fault: "disabled", at: now, limit: DROPPED_AT_ONCE } as const;
        await webhookStore.commit([{ kind: "delivery.drop", ...drop }], system);
      }
    }
    for (const [id, { running: count, failures, pausedUntil }] of lanes) {
      const isOver = failures === 0 || Math.abs(now - pausedUntil) > HOUR_MS;
      if (count === 0 && isOver) lanes.delete(id);
    }
  };

  /** Returns a webhook that may be sent to: a suspended account's webhooks wait. */
  const sendable = async (id: string): Promise<Webhook | undefined> => {
    const webhook = await webhookStore.byId(id);
    if (webhook === undefined || webhook.disabled !== undefined) return undefined;
    const { accountId } = webhook;
    if (accountId === undefined) return webhook;
    const account = await store.accounts.byId(accountId);
    return account === undefined || account.suspendedAt !== undefined ? undefined : webhook;
  };

  /** Begins attempts, and returns those that no other process has begun. */
  const claim = async (due: readonly WebhookDelivery[]): Promise<readonly WebhookDelivery[]> => {
    const until = clock.now() + CLAIM_MS;
    const claims = due.map(({ webhookId, seq, attempts }) => {
      return { kind: "delivery.claim", webhookId, seq, attempts, until } as const;
    });
    const begun = due.map((one) => ({ ...one, attempts: one.attempts + 1, nextAt: until }));
    if ((await webhookStore.commit(claims, system)).ok) return begun;
    if (due.length === 1) return [];
    const each = await Promise.all(due.map((one) => claim([one])));
    return each.flat();
  };

  /** Gives webhooks their turns while there is room. */
  const fill = async (signal: AbortSignal, leaving: () => boolean): Promise<void> => {
    for (const id of turns) {
      if (leaving() || signal.aborted) return;
      const room = Math.min(roomOf(id), MOST_AT_ONCE - running.size);
      if (running.size >= MOST_AT_ONCE) return;
      turns.delete(id);
      if (room <= 0) continue;
      const webhook = await sendable(id);
      if (webhook === undefined) continue;
      const due = await webhookStore.due(id, clock.now(), room);
      if (due.length === 0) continue;
      const begun = await claim(due);
      // Behind the others: it may have more.
      if (due.length === room) turns.add(id);
      for (const delivery of begun) begin(webhook, delivery, signal, leaving);
    }
  };

  const refill = (signal: AbortSignal, leaving: () => boolean): Promise<void> => {
    wanted = true;
    filling ??= (async () => {
      try {
        while (wanted) {
          wanted = false;
          await fill(signal, leaving);
        }
      } finally {
        filling = undefined;
      }
    })();
    return filling;
  };

  const begin = (
    webhook: Webhook,
    delivery: WebhookDelivery,
    signal: AbortSignal,
    leaving: () => boolean,
  ): void => {
    const lane = laneOf(webhook.id);
    lane.running++;
    const attempt = deliver(webhook, delivery, signal)
      .catch((error: unknown) => {
        // It is tried again when the claim has ended.
        log.error("a webhook's delivery was not recorded", error, { webhookId: webhook.id });
      })
      .finally(() => {
        lane.running--;
        running.delete(attempt);
      })
      .then(() => {
        // The next of the same subject has become due.
        turns.add(webhook.id);
        return refill(signal, leaving);
      })
      .catch((error: unknown) => {
        log.error("looking for due webhooks failed", error);
      });
    running.add(attempt);
  };

  const deliver = async (
    webhook: Webhook,
    delivery: WebhookDelivery,
    signal: AbortSignal,
  ): Promise<void> => {
    const { id } = webhook;
    const event = await eventOf(delivery);
    const request = event && (await signed(webhook, delivery, event));
    if (request === undefined) {
      const fault = event === undefined ? "event_gone" : "secret";
      await webhookStore.commit([unsendable(delivery, fault, clock.now())], system);
      observe({ outcome: "failed" });
      log.warn("a webhook's delivery was given up", { webhookId: id, seq: delivery.seq, fault });
      return;
    }
    const startedAt = clock.now();
    const answer = await sender.send(request, signal);
    // This process stops. Others try again when the claim has ended.
    if (signal.aborted && "fault" in answer) return;
    const now = clock.now();
    const decision = decide({ webhook, delivery, answer, startedAt, now, chance: chance() });
    const committed = await webhookStore.commit(decision.changes, system);
    note(webhook, delivery, decision);
    // Another process has taken it over, and reports it.
    if (committed.ok) observe({ outcome: decision.outcome });
  };

  const eventOf = async ({ seq }: WebhookDelivery): Promise<DomainEvent | undefined> => {
    const [event] = await store.events.after(seq - 1, 1);
    return event?.seq === seq ? event : undefined;
  };

  const signed = async (
    webhook: Webhook,
    { messageId: id }: WebhookDelivery,
    event: DomainEvent,
  ): Promise<OutgoingWebhook | undefined> => {
    const { catalogueId } = event;
    const environment = catalogueId === undefined ? undefined : await environmentOf(catalogueId);
    const body = messageBody(foundEvent(event, environment), webhook);
    try {
      return await sign(webhook, { id, body });
    } catch (error) {
      log.error("the secret of a webhook cannot be opened", error, { webhookId: webhook.id });
      return undefined;
    }
  };

  const note = (webhook: Webhook, delivery: WebhookDelivery, decision: Decision): void => {
    const { id, url } = webhook;
    const { outcome, last, retryAfterMs } = decision;
    const lane = laneOf(id);
    const { attempts, seq } = delivery;
    const { fault, status } = last;
    const facts = { webhookId: id, host: hostOf(url), seq, attempts, ...(fault && { fault }) };
    const fields = status === undefined ? facts : { ...facts, status };
    if (outcome === "delivered") {
      if (lane.failures > 0) log.info("a webhook works again", fields);
      lane.failures = 0;
      lane.pausedUntil = -Infinity;
      return;
    }
    lane.failures++;
    lane.pausedUntil = clock.now() + Math.max(pauseAfter(lane.failures), retryAfterMs);
    if (decision.changes.some(({ kind }) => kind === "webhook.disable")) {
      log.warn("a webhook was disabled", fields);
    } else if (outcome === "failed") log.warn("a webhook's delivery was given up", fields);
    // Once per outage: receivers decide how often it happens.
    else if (lane.failures === 1) log.info("a webhook's delivery failed and is retried", fields);
  };

  return {
    round: async (signal, leaving) => {
      const now = clock.now();
      if (now >= lookAt || lookAt - now > LOOK_EVERY_MS) {
        lookAt = now + LOOK_EVERY_MS;
        await look();
      }
      await refill(signal, leaving);
    },
    wake: () => {
      lookAt = -Infinity;
    },
    idle: async () => {
      // An attempt that ends may begin others.
      for (;;) {
        // Whoever began it reports a failure.
        await filling?.catch(() => undefined);
        if (running.size === 0) return;
        await Promise.all(running);
      }
    },
  };
}
