import {
  FAILING_FOR_MS,
  type Attempt,
  type DeliveryFault,
  type Webhook,
  type WebhookDelivery,
} from "./model.ts";
import { nextAttemptAt, LONGEST_RETRY_AFTER_MS } from "./schedule.ts";
import type { NoAnswer, WebhookAnswer } from "./sender.ts";
import type { WebhookChange } from "./webhook-store.ts";

/** The result of an attempt. */
export interface DeliveryObservation {
  readonly outcome: "delivered" | "retried" | "failed";
}

/** What follows from an attempt. */
export interface Decision extends DeliveryObservation {
  readonly changes: readonly WebhookChange[];
  readonly last: Attempt;
  /** How long the receiver asks for no request. */
  readonly retryAfterMs: number;
}

/** Decides what follows from the attempt with the number `attempts`. `chance` is at least 0 and below 1. */
export function decide({
  webhook: { id: webhookId, failingSince },
  delivery: { seq, attempts, queuedAt },
  answer,
  startedAt,
  now,
  chance,
}: {
  readonly webhook: Pick<Webhook, "id" | "failingSince">;
  readonly delivery: Pick<WebhookDelivery, "seq" | "attempts" | "queuedAt">;
  readonly answer: WebhookAnswer | NoAnswer;
  readonly startedAt: number;
  readonly now: number;
  readonly chance: number;
}): Decision {
  const last = attemptOf(answer, startedAt, now);
  const of = { webhookId, seq, attempts, last } as const;
  const isFinal = last.status === 410;
  const retryAfterMs = waitOf(answer);
  if (last.fault === undefined) {
    const changes = [{ kind: "delivery.end", state: "delivered", ...of }] as const;
    return { outcome: "delivered", changes, last, retryAfterMs: 0 };
  }
  const nextAt = isFinal
    ? undefined
    : nextAttemptAt({ attempts, queuedAt, now, retryAfterMs, chance });
  if (nextAt !== undefined) {
    const changes = [{ kind: "delivery.retry", nextAt, ...of }] as const;
    return { outcome: "retried", changes, last, retryAfterMs };
  }
  const isLong = now - (failingSince ?? now) >= FAILING_FOR_MS;
  const reason = isFinal ? "gone" : isLong ? "failing" : undefined;
  const { status } = last;
  return {
    outcome: "failed",
    changes: [
      { kind: "delivery.end", state: "failed", ...of },
      ...(reason === undefined
        ? []
        : [{ kind: "webhook.disable", webhookId, reason, status, at: now } as const]),
    ],
    last,
    retryAfterMs,
  };
}

/** Returns the change that ends a delivery of which no attempt can be made. */
export function unsendable(
  { webhookId, seq, attempts }: WebhookDelivery,
  fault: DeliveryFault,
  now: number,
): WebhookChange {
  const last = { at: now, durationMs: 0, fault };
  return { kind: "delivery.end", state: "failed", webhookId, seq, attempts, last };
}

/** Returns how an attempt ended. */
export function attemptOf(
  answer: WebhookAnswer | NoAnswer,
  startedAt: number,
  now: number,
): Attempt {
  // A clock that was set back meanwhile makes no negative time.
  const times = { at: startedAt, durationMs: Math.max(0, now - startedAt) };
  if ("fault" in answer) return { ...times, fault: answer.fault, answer: answer.said };
  const { status, text } = answer;
  const isGood = status >= 200 && status < 300;
  const said = text === "" ? {} : { answer: text };
  return { ...times, status, ...said, ...(isGood ? {} : { fault: "status" }) };
}

function waitOf(answer: WebhookAnswer | NoAnswer): number {
  const asked = "fault" in answer ? 0 : (answer.retryAfterMs ?? 0);
  return Math.min(asked, LONGEST_RETRY_AFTER_MS);
}
