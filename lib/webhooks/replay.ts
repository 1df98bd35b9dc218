import { MINUTE_MS } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { nextTurn } from "../base/steps.ts";
import type { Actor } from "../model/actor.ts";
import { findWebhook, webhookDisabled, type WebhookContext, type WebhookPlace } from "./manage.ts";
import { wantedDeliveries } from "./message.ts";
import { MAX_WAITING, type NewDelivery, type Webhook } from "./model.ts";

/** Which events are sent again. */
export type ReplayRange =
  | { readonly event: number }
  | {
      readonly from: number;
      readonly to: number;
      /** Only events after this one: continues a replay. */
      readonly after?: number | undefined;
    };

/** What a replay queued. */
export interface Replayed {
  readonly queued: number;
  /** The event after which the rest of the range begins; absent if nothing is left. */
  readonly next?: number;
}

/** Events that one call queues. */
export const MAX_REPLAYED = 1_000;
/** Events that one call reads. */
const MAX_READ = 10_000;
const READ_AT_ONCE = 100;
/** How far the times of events may differ from the order of their numbers. */
const DISORDER_MS: number = 10 * MINUTE_MS;

/**
 * Queues events again that were sent, or would have been: those that the webhook wants now. They have the same message ids as
 * before, so that a receiver recognizes what it has processed. Events that wait stay as they are.
 */
export async function replayEvents(
  context: WebhookContext,
  actor: Actor,
  place: WebhookPlace,
  range: ReplayRange,
): Promise<Result<Replayed, Problem>> {
  const { webhookStore } = context;
  const found = await findWebhook(context, place);
  if (!found.ok) return found;
  const webhook = found.value;
  if (webhook.disabled !== undefined) return refused(webhookDisabled);
  const room = MAX_WAITING - (await webhookStore.waiting(webhook.id, MAX_WAITING));
  if (room <= 0) return refused(queueFull);
  return "event" in range
    ? replayOne(context, actor, webhook, range.event)
    : replayRange(context, actor, webhook, range, Math.min(room, MAX_REPLAYED));
}

async function replayOne(
  context: WebhookContext,
  actor: Actor,
  webhook: Webhook,
  seq: number,
): Promise<Result<Replayed, Problem>> {
  const { store } = context;
  const [event] = await store.events.after(seq - 1, 1, webhook.accountId);
  // Later events are on their way.
  if (event?.seq !== seq || seq > webhook.afterSeq) return refused(noSuchEvent);
  // A single event is sent whatever the webhook wants now.
  const { types: _types, environment: _environment, ...any } = webhook;
  const deliveries = await wantedDeliveries(context, any, [event]);
  if (!(await queue(context, actor, webhook, deliveries))) return refused(webhookDisabled);
  return done({ queued: 1 });
}

async function replayRange(
  context: WebhookContext,
  actor: Actor,
  webhook: Webhook,
  { from, to, after = 0 }: Extract<ReplayRange, { readonly from: number }>,
  most: number,
): Promise<Result<Replayed, Problem>> {
  const { store } = context;
  let place = Math.max(after, await placeBefore(context, webhook, from - DISORDER_MS));
  let queued = 0;
  for (let read = 0; read < MAX_READ && queued < most; read += READ_AT_ONCE) {
    // Never more than may be queued: the next call begins after the last one that was read.
    const limit = Math.min(READ_AT_ONCE, most - queued);
    const found = await store.events.after(place, limit, webhook.accountId);
    // Later events are on their way.
    const events = found.filter(({ seq }) => seq <= webhook.afterSeq);
    const inTime = events.filter(({ at }) => at >= from && at <= to);
    const wanted = await wantedDeliveries(context, webhook, inTime);
    if (!(await queue(context, actor, webhook, wanted))) return refused(webhookDisabled);
    queued += wanted.length;
    place = events.at(-1)?.seq ?? place;
    const isOver = events.length < limit || events.every(({ at }) => at > to + DISORDER_MS);
    if (isOver) return done({ queued });
    await nextTurn();
  }
  return done({ queued, next: place });
}

/** Returns the number of an event before the first one since `at`, by halving: the times of events follow their numbers. */
async function placeBefore(
  { store }: Pick<WebhookContext, "store">,
  { accountId, afterSeq }: Webhook,
  at: number,
): Promise<number> {
  let low = 0;
  let high = afterSeq;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.events.after(middle, 1, accountId);
    if (event !== undefined && event.at < at) low = middle;
    else high = middle;
  }
  return low;
}

async function queue(
  { webhookStore, wake }: WebhookContext,
  actor: Actor,
  { id: webhookId }: Webhook,
  deliveries: readonly NewDelivery[],
): Promise<boolean> {
  if (deliveries.length === 0) return true;
  const change = { kind: "delivery.replay", webhookId, deliveries } as const;
  const committed = await webhookStore.commit([change], actor);
  wake();
  return committed.ok;
}

const noSuchEvent: Problem = problem(
  "not_found",
  "There is no such event, or it has not been queued yet. Events are kept for 30 days.",
);
const queueFull: Problem = problem(
  "limit_reached",
  `${MAX_WAITING.toLocaleString("en")} deliveries of this webhook wait. Try again when some of them have ended.`,
);
