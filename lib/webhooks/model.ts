import { DAY_MS, HOUR_MS } from "../base/clock.ts";
import type { Environment } from "../model/account.ts";
import type { Actor } from "../model/actor.ts";
import { isChosen, type EventChoice } from "../model/event-groups.ts";
import type { EventType } from "../model/event-types.ts";

/**
 * Why a webhook is disabled. `manual`: a person did it. `gone`: the receiver answered 410. `failing`: no delivery has arrived for
 * `FAILING_FOR_MS`.
 */
export const disableReasons = ["manual", "gone", "failing"] as const;
/** The reason why a webhook is disabled. */
export type DisableReason = (typeof disableReasons)[number];

/** Where events are sent. Instants are in milliseconds since the Unix epoch. */
export interface Webhook {
  /** `wh_` and 12 characters. */
  readonly id: string;
  /** Absent: it gets the events of all accounts and of the operators. */
  readonly accountId?: string;
  /** Has no user and no password. Its path and query may be a secret of the receiver: no event and no log contains them. */
  readonly url: string;
  readonly description?: string;
  /** Default: all types, also those of later versions. */
  readonly types?: readonly EventChoice[];
  /** Default: both. Events of the whole account are sent in any case. */
  readonly environment?: Environment;
  readonly disabled?: { readonly at: number; readonly reason: DisableReason };
  /** The secret that signs, sealed. */
  readonly sealed: string;
  /** The secret before the last rotation, sealed, which also signs until `until`. */
  readonly previous?: { readonly sealed: string; readonly until: number };
  /** Increases with each change by a person. */
  readonly version: number;
  readonly createdAt: number;
  /** Absent: only a later version knows that kind of actor. */
  readonly createdBy?: Actor;
  /** The time of the first failed attempt since the last successful one; absent after a success. */
  readonly failingSince?: number;
  /** Events up to this one are queued, or are not to be sent. */
  readonly afterSeq: number;
}

/**
 * The states of a delivery. `waiting`: an attempt is due at some time, or runs, or an earlier event of the same subject has to be
 * delivered first. `failed`: no further attempt is made.
 */
export const deliveryStates = ["waiting", "delivered", "failed"] as const;
/** The state of a delivery. */
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * Why an attempt failed, or why none was made.
 *
 * - `status`: the answer has another status than 2xx. Redirects are not followed.
 * - `address`: the name has no address that may be contacted.
 * - `unreachable`: nothing accepts connections there.
 * - `tls`: the certificate is not trusted, or the server speaks no TLS.
 * - `timeout`: the answer took too long.
 * - `cut`: the connection ended before an answer, or this process stopped.
 * - `disabled`: the webhook was disabled while the delivery waited.
 * - `event_gone`: the event is no longer kept.
 * - `secret`: the signing secret cannot be opened, because the encryption key is another one.
 */
export const deliveryFaults = [
  "status",
  "address",
  "unreachable",
  "tls",
  "timeout",
  "cut",
  "disabled",
  "event_gone",
  "secret",
] as const;
/** The reason for a failure. */
export type DeliveryFault = (typeof deliveryFaults)[number];

/** Returns whether a failure says something about the receiver. */
export function isOfReceiver(fault: DeliveryFault | undefined): boolean {
  return fault !== "disabled" && fault !== "event_gone" && fault !== "secret";
}

/** The outcome of the last attempt. Instants are in milliseconds since the Unix epoch. */
export interface Attempt {
  readonly at: number;
  readonly durationMs: number;
  /** HTTP status of the answer; absent without one. */
  readonly status?: number;
  /** Absent after a success. */
  readonly fault?: DeliveryFault;
  /** The beginning of the answer's body, or what the system said: at most `MAX_ANSWER` printable characters. */
  readonly answer?: string;
}

/** An event on its way to a webhook. Instants are in milliseconds since the Unix epoch. */
export interface NewDelivery {
  readonly webhookId: string;
  /** Number of the event. */
  readonly seq: number;
  /** `msg_…`: the same at all attempts and replays, so that a receiver can recognize a second one. */
  readonly messageId: string;
  readonly type: EventType;
  /** What the event is about. Events of one subject are delivered one after the other. */
  readonly subject: string;
  readonly environment?: Environment;
  readonly eventAt: number;
  /** When it was queued. It is tried until `DELIVER_FOR_MS` later. */
  readonly queuedAt: number;
}

/** A delivery as it is kept. Instants are in milliseconds since the Unix epoch. */
export interface WebhookDelivery extends NewDelivery {
  readonly state: DeliveryState;
  /** The attempts that have begun. */
  readonly attempts: number;
  /** When the next attempt is due; while one runs, when it counts as failed. Absent: an earlier event has to be delivered first, or it has ended. */
  readonly nextAt?: number;
  readonly endedAt?: number;
  readonly last?: Attempt;
}

/** How many webhooks an account has, and the installation. */
export const MAX_WEBHOOKS = 20;
/** Deliveries of a webhook that wait. Further events stay in the outbox until there is room. */
export const MAX_WAITING = 100_000;
/** Longest URL, in characters. */
export const MAX_URL = 2_000;
/** Longest description, in code points. */
export const MAX_DESCRIPTION = 200;
/** How much of an answer is kept, in characters. */
export const MAX_ANSWER = 4_096;
/** How long a delivery is tried. */
export const DELIVER_FOR_MS: number = 3 * DAY_MS;
/** A webhook to which nothing was delivered for so long is disabled when the next delivery is given up. */
export const FAILING_FOR_MS: number = 5 * DAY_MS;
/** How long ended deliveries are kept, and how many of a webhook. */
export const DELIVERIES_KEEP_MS: number = 7 * DAY_MS;
export const MAX_ENDED = 1_000;
/** How long the previous secret signs after a rotation, unless the caller says otherwise. */
export const OVERLAP_MS: number = 24 * HOUR_MS;
export const MAX_OVERLAP_MS: number = 7 * DAY_MS;

/** Returns whether events of this type and environment go to a webhook. */
export function wants(
  { types, environment }: Pick<Webhook, "types" | "environment">,
  event: { readonly type: EventType; readonly environment?: Environment | undefined },
): boolean {
  return (
    (types === undefined || isChosen(event.type, types)) &&
    (environment === undefined ||
      event.environment === undefined ||
      event.environment === environment)
  );
}

/** Returns the host of a URL, which events and logs may name. */
export function hostOf(url: string): string {
  return new URL(url).host;
}
