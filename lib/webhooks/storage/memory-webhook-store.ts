import { done, refused, type Result } from "../../base/result.ts";
import type { Actor } from "../../model/actor.ts";
import type { Change } from "../../storage/change.ts";
import type { Store } from "../../storage/store.ts";
import { changedMembers, disabledEvent, webhookEvent } from "../event.ts";
import {
  isOfReceiver,
  type Attempt,
  type NewDelivery,
  type Webhook,
  type WebhookDelivery,
} from "../model.ts";
import type { WebhookChange, WebhookRefusal, WebhookStore } from "../webhook-store.ts";

/** The rows. Those of a commit replace the ones before it. */
interface Tables {
  readonly webhooks: Map<string, Webhook>;
  /** The deliveries, by webhook and number of the event. */
  readonly deliveries: Map<string, Map<number, WebhookDelivery>>;
}

/** Creates a webhook store in process memory, beside `memoryStore`. */
export function memoryWebhookStore({ store }: { readonly store: Store }): WebhookStore {
  let tables: Tables = { webhooks: new Map(), deliveries: new Map() };
  /** The last commit: they run one after another, so that one that is refused can be undone. */
  let last: Promise<unknown> = Promise.resolve();

  const webhooks = (): readonly Webhook[] => [...tables.webhooks.values()];
  const byIds = (rows: readonly Webhook[], after: string, limit: number): readonly Webhook[] =>
    rows
      .filter(({ id }) => id > after)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  const live = (webhookId: string): readonly WebhookDelivery[] => liveOf(tables, webhookId);

  const write = async (
    changes: readonly WebhookChange[],
    actor: Actor,
  ): Promise<Result<number, WebhookRefusal>> => {
    const next: Tables = {
      webhooks: new Map(tables.webhooks),
      deliveries: new Map([...tables.deliveries].map(([id, rows]) => [id, new Map(rows)])),
    };
    const events: Change[] = [];
    const before = rowsIn(next);
    for (const change of changes) {
      const refusal = await apply(next, change, store, events);
      if (refusal !== undefined) return refused(refusal);
    }
    if (events.length > 0) await store.commit(events, actor);
    tables = next;
    const purges = changes.some(({ kind }) => kind === "purge");
    return done(purges ? before - rowsIn(next) : 0);
  };

  return {
    byId: (id) => tables.webhooks.get(id),
    list: (accountId) =>
      webhooks()
        .filter((one) => one.accountId === accountId)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),
    enabled: (after, limit) =>
      byIds(
        webhooks().filter(({ disabled }) => disabled === undefined),
        after,
        limit,
      ),
    enabledOf: (accountIds) =>
      webhooks()
        .filter(
          ({ accountId, disabled }) =>
            disabled === undefined && (accountId === undefined || accountIds.includes(accountId)),
        )
        .map(({ id }) => id),
    busy: (at, after, limit) =>
      byIds(
        webhooks().filter(({ id, disabled }) =>
          live(id).some(({ nextAt }) => disabled !== undefined || (nextAt ?? Infinity) <= at),
        ),
        after,
        limit,
      ),
    due: (webhookId, at, limit) =>
      live(webhookId)
        .filter(({ nextAt = Infinity }) => nextAt <= at)
        .toSorted((a, b) => (a.nextAt ?? 0) - (b.nextAt ?? 0) || a.seq - b.seq)
        .slice(0, limit),
    waiting: (webhookId, atMost) => Math.min(live(webhookId).length, atMost),
    delivery: (webhookId, seq) => tables.deliveries.get(webhookId)?.get(seq),
    deliveries: (webhookId, { state }, { before = Infinity, limit }) =>
      [...(tables.deliveries.get(webhookId)?.values() ?? [])]
        .filter((one) => one.seq < before && (state ?? one.state) === one.state)
        .toSorted((a, b) => b.seq - a.seq)
        .slice(0, limit),
    state: () => {
      const queued = webhooks()
        .filter(({ disabled }) => disabled === undefined)
        .flatMap(({ id }) => live(id).map(({ queuedAt }) => queuedAt));
      return {
        waiting: queued.length,
        ...(queued.length === 0 ? {} : { oldestAt: Math.min(...queued) }),
      };
    },
    commit: (changes, actor) => {
      const written = last.then(() => write(changes, actor));
      last = written.catch(() => undefined);
      return written;
    },
  };
}

function rowsIn({ webhooks, deliveries }: Tables): number {
  return [...deliveries.values()].reduce((sum, { size }) => sum + size, webhooks.size);
}

function liveOf({ deliveries }: Tables, webhookId: string): readonly WebhookDelivery[] {
  return [...(deliveries.get(webhookId)?.values() ?? [])].filter(
    ({ endedAt }) => endedAt === undefined,
  );
}

/** Applies a change, or returns why it is refused. */
async function apply(
  tables: Tables,
  change: WebhookChange,
  store: Store,
  events: Change[],
): Promise<WebhookRefusal | undefined> {
  const { webhooks } = tables;
  const event = (
    { accountId = "" }: Webhook,
    type: Extract<Change, { kind: "event.write" }>["type"],
    at: number,
    data: Readonly<Record<string, unknown>>,
    changed?: readonly string[],
  ): void => {
    const fields = changed === undefined ? {} : { changed };
    events.push({ kind: "event.write", accountId, type, at, data, ...fields });
  };
  switch (change.kind) {
    case "webhook.add": {
      const { webhook, max } = change;
      const { id, accountId, createdAt } = webhook;
      if (accountId !== undefined && !(await hasAccount(store, accountId))) return "missing";
      if ([...webhooks.values()].filter((one) => one.accountId === accountId).length >= max) {
        return "limit";
      }
      if (webhooks.has(id)) return "exists";
      webhooks.set(id, webhook);
      event(webhook, "webhook.created", createdAt, webhookEvent(webhook));
      return undefined;
    }
    case "webhook.update": {
      const { from, to, event: type, at } = change;
      const found = webhooks.get(from.id);
      if (found?.version !== from.version) return "stale";
      const afterSeq = to.afterSeq === from.afterSeq ? found.afterSeq : to.afterSeq;
      webhooks.set(from.id, { ...to, afterSeq, version: from.version + 1 });
      event(to, type, at, webhookEvent(to), changedMembers(from, to));
      return undefined;
    }
    case "webhook.remove": {
      const { from, at } = change;
      if (webhooks.get(from.id)?.version !== from.version) return "stale";
      webhooks.delete(from.id);
      event(from, "webhook.removed", at, webhookEvent(from));
      return undefined;
    }
    case "webhook.disable": {
      const { webhookId, reason, status, at } = change;
      const found = webhooks.get(webhookId);
      if (found === undefined || found.disabled !== undefined) return undefined;
      const disabled = { ...found, disabled: { at, reason }, version: found.version + 1 };
      webhooks.set(webhookId, disabled);
      event(disabled, "webhook.disabled", at, disabledEvent(disabled, reason, status));
      return undefined;
    }
    case "purge":
      await purge(tables, change, store);
      return undefined;
    case "delivery.queue":
    case "delivery.replay":
    case "delivery.drop":
    case "delivery.claim":
    case "delivery.retry":
    case "delivery.end":
      return applyToQueue(tables, change);
  }
}

type QueueChange = Extract<WebhookChange, { kind: `delivery.${string}` }>;

function applyToQueue(tables: Tables, change: QueueChange): WebhookRefusal | undefined {
  const { webhookId } = change;
  const webhook = tables.webhooks.get(webhookId);
  const rows = tables.deliveries.get(webhookId) ?? new Map<number, WebhookDelivery>();
  tables.deliveries.set(webhookId, rows);
  switch (change.kind) {
    case "delivery.queue": {
      if (webhook?.disabled !== undefined || webhook?.afterSeq !== change.from) return "stale";
      tables.webhooks.set(webhookId, { ...webhook, afterSeq: change.to });
      for (const delivery of change.deliveries) queue(tables, rows, delivery);
      return undefined;
    }
    case "delivery.replay": {
      if (webhook === undefined || webhook.disabled !== undefined) return "stale";
      for (const delivery of change.deliveries) {
        if (rows.get(delivery.seq)?.endedAt !== undefined) rows.delete(delivery.seq);
        queue(tables, rows, delivery);
      }
      return undefined;
    }
    case "delivery.drop": {
      const { fault, at, limit } = change;
      const dropped = liveOf(tables, webhookId).toSorted((a, b) => b.seq - a.seq);
      for (const one of dropped.slice(0, limit)) {
        const lastAttempt = { ...one.last, at, durationMs: 0, fault };
        rows.set(one.seq, ended(one, "failed", at, lastAttempt));
      }
      return undefined;
    }
    case "delivery.claim":
    case "delivery.retry":
    case "delivery.end": {
      const { seq, attempts } = change;
      const found = rows.get(seq);
      if (found?.nextAt === undefined || found.attempts !== attempts) return "gone";
      if (change.kind === "delivery.claim") {
        rows.set(seq, { ...found, attempts: attempts + 1, nextAt: change.until });
        return undefined;
      }
      const { last } = change;
      if (change.kind === "delivery.retry") {
        rows.set(seq, { ...found, nextAt: change.nextAt, last });
      } else {
        const endedAt = last.at + last.durationMs;
        rows.set(seq, ended(found, change.state, endedAt, last));
        release(tables, rows, found, endedAt);
      }
      note(tables, webhook, last);
      return undefined;
    }
  }
}

/** Notes since when nothing has been delivered. */
function note({ webhooks }: Tables, webhook: Webhook | undefined, { fault, at }: Attempt): void {
  if (webhook === undefined || !isOfReceiver(fault)) return;
  const { failingSince = at, ...rest } = webhook;
  webhooks.set(webhook.id, fault === undefined ? rest : { ...rest, failingSince });
}

function queue(tables: Tables, rows: Map<number, WebhookDelivery>, delivery: NewDelivery): void {
  const { webhookId, seq, subject, queuedAt } = delivery;
  if (rows.has(seq)) return;
  const waits = liveOf(tables, webhookId).some((one) => one.subject === subject);
  const due = waits ? {} : { nextAt: queuedAt };
  rows.set(seq, { ...delivery, state: "waiting", attempts: 0, ...due });
}

function ended(
  { nextAt: _next, ...delivery }: WebhookDelivery,
  state: "delivered" | "failed",
  endedAt: number,
  last: Attempt,
): WebhookDelivery {
  return { ...delivery, state, endedAt, last };
}

/** Makes the next delivery of the subject due. */
function release(
  tables: Tables,
  rows: Map<number, WebhookDelivery>,
  { webhookId, subject }: WebhookDelivery,
  at: number,
): void {
  const [next] = liveOf(tables, webhookId)
    .filter((one) => one.subject === subject)
    .toSorted((a, b) => a.seq - b.seq);
  if (next !== undefined) rows.set(next.seq, { ...next, nextAt: at });
}

async function hasAccount(store: Store, id: string): Promise<boolean> {
  return (await store.accounts.byId(id)) !== undefined;
}

async function purge(
  { webhooks, deliveries }: Tables,
  { endedBefore, maxEnded, limit }: Extract<WebhookChange, { kind: "purge" }>,
  store: Store,
): Promise<void> {
  const counts = { webhooks: 0, old: 0 };
  for (const { id, accountId } of [...webhooks.values()]) {
    if (accountId === undefined || counts.webhooks === limit) continue;
    if (await hasAccount(store, accountId)) continue;
    counts.webhooks++;
    webhooks.delete(id);
  }
  for (const [webhookId, rows] of deliveries) {
    const all = [...rows.values()].toSorted((a, b) => a.seq - b.seq);
    const over = all.filter(({ endedAt }) => endedAt !== undefined);
    for (const { seq, endedAt = Infinity } of over) {
      if (endedAt >= endedBefore || counts.old === limit) continue;
      counts.old++;
      rows.delete(seq);
    }
    const rest = webhooks.has(webhookId) ? over.slice(0, Math.max(0, over.length - maxEnded)) : all;
    for (const { seq } of rest.slice(-limit)) rows.delete(seq);
    if (rows.size === 0) deliveries.delete(webhookId);
  }
}
