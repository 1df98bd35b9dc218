import type { Eventual } from "../base/eventual.ts";
import type { Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type {
  Attempt,
  DeliveryFault,
  DeliveryState,
  DisableReason,
  NewDelivery,
  Webhook,
  WebhookDelivery,
} from "./model.ts";

/** An attempt that has begun, by its number. */
interface OfAttempt {
  readonly webhookId: string;
  readonly seq: number;
  readonly attempts: number;
}

/** A write, as data. `at` is when it was decided. Instants are in milliseconds since the Unix epoch. */
export type WebhookChange =
  /**
   * Stores a webhook. Event `webhook.created`. Refused `exists` if its id is taken, `missing` without its account, `limit` if the
   * account, or the installation, has `max`.
   */
  | { readonly kind: "webhook.add"; readonly webhook: Webhook; readonly max: number }
  /**
   * Replaces what a person can change. `from` is the version on which the change was decided. Writes an event of the type
   * `event`. Refused `stale`.
   */
  | {
      readonly kind: "webhook.update";
      readonly from: Webhook;
      readonly to: Webhook;
      readonly event: "webhook.updated" | "webhook.rotated";
      readonly at: number;
    }
  /** Removes a webhook; a purge removes its deliveries. Event `webhook.removed`. Refused `stale`. */
  | { readonly kind: "webhook.remove"; readonly from: Webhook; readonly at: number }
  /**
   * Disables a webhook, unless it is already. Event `webhook.disabled`, with the status of the last answer. Never refused.
   */
  | {
      readonly kind: "webhook.disable";
      readonly webhookId: string;
      readonly reason: Exclude<DisableReason, "manual">;
      readonly status?: number | undefined;
      readonly at: number;
    }
  /**
   * Queues the events after `from` and up to `to` that a webhook wants, in their order. Refused `stale` if another process has
   * queued some of them, or if the webhook is disabled.
   */
  | {
      readonly kind: "delivery.queue";
      readonly webhookId: string;
      readonly from: number;
      readonly to: number;
      readonly deliveries: readonly NewDelivery[];
    }
  /** Queues events again, from the beginning; those that wait stay as they are. Refused `stale` if the webhook is disabled. */
  | {
      readonly kind: "delivery.replay";
      readonly webhookId: string;
      readonly deliveries: readonly NewDelivery[];
    }
  /**
   * Begins the attempt after `attempts` others, which no other process begins before `until`. Refused `gone` if the delivery has
   * ended, or if another attempt has begun.
   */
  | ({ readonly kind: "delivery.claim"; readonly until: number } & OfAttempt)
  /** Ends the attempt with this number and plans another one. Refused `gone` if a later one has begun. */
  | ({
      readonly kind: "delivery.retry";
      readonly nextAt: number;
      readonly last: Attempt;
    } & OfAttempt)
  /**
   * Ends a delivery after the attempt with this number; the next one of its subject becomes due. A delivered one also ends the
   * time since which the webhook fails. Refused `gone` if a later attempt has begun.
   */
  | ({
      readonly kind: "delivery.end";
      readonly state: Exclude<DeliveryState, "waiting">;
      readonly last: Attempt;
    } & OfAttempt)
  /** Ends at most `limit` deliveries of a webhook that wait, as `failed`. Never refused. */
  | {
      readonly kind: "delivery.drop";
      readonly webhookId: string;
      readonly fault: DeliveryFault;
      readonly at: number;
      readonly limit: number;
    }
  /**
   * Removes at most `limit` rows of each kind: webhooks of deleted accounts; deliveries of removed webhooks; deliveries that
   * ended before `endedBefore`, and those that ended before the newest `maxEnded` of their webhook.
   */
  | {
      readonly kind: "purge";
      readonly endedBefore: number;
      readonly maxEnded: number;
      readonly limit: number;
    };

/** Why a change was refused. */
export type WebhookRefusal = "exists" | "missing" | "limit" | "stale" | "gone";

/**
 * The state of the queue, without the deliveries of disabled webhooks. Instants are in milliseconds since the Unix
 * epoch.
 */
export interface WebhookQueueState {
  readonly waiting: number;
  /** When the delivery that waits longest was queued; absent if none waits. */
  readonly oldestAt?: number;
}

/** Which deliveries a list contains. Default: all. */
export interface DeliveryFilter {
  readonly state?: DeliveryState | undefined;
}

/**
 * Stores webhooks and the deliveries to them, in the same database as the store. Every adapter must guarantee
 * (`webhookStoreContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable: with the number of rows
 *   that a purge removed, or else with 0; or with the first refusal.
 * - A read sees every commit of this process that had resolved when the read was called.
 * - Of several processes that claim the same attempt, one succeeds.
 * - Of the deliveries of one webhook and subject, at most one is due or runs at a time.
 */
export interface WebhookStore {
  byId(id: string): Eventual<Webhook | undefined>;
  /** Those of an account, or of the installation, oldest first. */
  list(accountId: string | undefined): Eventual<readonly Webhook[]>;
  /** Webhooks that are not disabled, ordered by id, after one of them, at most `limit`. */
  enabled(after: string, limit: number): Eventual<readonly Webhook[]>;
  /** The ids of webhooks that are not disabled: those of these accounts, and those of the installation. */
  enabledOf(accountIds: readonly string[]): Eventual<readonly string[]>;
  /**
   * Webhooks with a delivery that is due at `at`, and disabled ones with a delivery that waits, ordered by id, after one of them,
   * at most `limit`.
   */
  busy(at: number, after: string, limit: number): Eventual<readonly Webhook[]>;
  /** Deliveries of a webhook that are due, the longest due first. */
  due(webhookId: string, at: number, limit: number): Eventual<readonly WebhookDelivery[]>;
  /** How many deliveries of a webhook wait, counted up to `atMost`. */
  waiting(webhookId: string, atMost: number): Eventual<number>;
  /** The delivery of an event, if it is kept. */
  delivery(webhookId: string, seq: number): Eventual<WebhookDelivery | undefined>;
  /** Deliveries of a webhook before the event `before`, newest event first. */
  deliveries(
    webhookId: string,
    filter: DeliveryFilter,
    page: { readonly before?: number | undefined; readonly limit: number },
  ): Eventual<readonly WebhookDelivery[]>;
  state(): Eventual<WebhookQueueState>;
  commit(changes: readonly WebhookChange[], actor: Actor): Promise<Result<number, WebhookRefusal>>;
}
