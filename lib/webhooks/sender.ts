import type { DeliveryFault } from "./model.ts";

/** A request to a webhook. */
export interface OutgoingWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a receiver answered. */
export interface WebhookAnswer {
  readonly status: number;
  /** The wait that the receiver asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The beginning of the body, at most `MAX_ANSWER` printable characters. */
  readonly text: string;
}

/** Why there is no answer. */
export interface NoAnswer {
  readonly fault: Extract<DeliveryFault, "address" | "unreachable" | "tls" | "timeout" | "cut">;
  /** What the owners of the webhook read. It names no address that they did not name. */
  readonly said: string;
}

/**
 * Sends requests to webhooks. Every adapter must guarantee:
 *
 * - Each call ends within half a minute, and soon after `signal` is aborted. It never rejects.
 * - It contacts only addresses that strangers may name: the host is resolved once, and the checked address is contacted.
 * - It follows no redirect, and reads a bounded part of the answer.
 */
export interface WebhookSender {
  /** Returns why a URL is never contacted, as the end of a sentence that begins with it; undefined if it may be. Asks nobody. */
  faultOf(url: URL): string | undefined;
  send(request: OutgoingWebhook, signal: AbortSignal): Promise<WebhookAnswer | NoAnswer>;
}
