import { IN_SLICE, none, type Slice } from "../../sql/rotation.ts";
import { actorText } from "../../model/actor.ts";
import type { SqlValue } from "../../sql/sql.ts";
import {
  addEventOfRow,
  addEventUnchecked,
  OPERATORS,
  type EventScript,
} from "../../storage/changes/store-script.ts";
import { changedMembers, disabledEvent, webhookEvent } from "../event.ts";
import { isOfReceiver, type Attempt, type NewDelivery, type Webhook } from "../model.ts";
import type { WebhookChange, WebhookRefusal } from "../webhook-store.ts";
import { webhookColumns, webhookOf } from "./rows.ts";

export type WebhookScript = EventScript<WebhookRefusal, number>;

/** What a purge looks at: a slice of the webhooks, and the webhooks of some deliveries. */
export interface Purged {
  readonly slice: Slice | undefined;
  readonly webhooks: readonly { readonly id: string; readonly exists: boolean }[];
  readonly limit: number;
}

const HAS_ACCOUNT = "SELECT id FROM accounts WHERE id = ?";
const HAS_ROOM = "SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM webhooks WHERE account_id = ?)";
const INSERT = `INSERT INTO webhooks (${webhookColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;
// What the queue has read meanwhile stays, unless the change says otherwise.
const UPDATE = `UPDATE webhooks SET url = ?, description = ?, types = ?, environment = ?, disabled_at = ?,
    disabled_reason = ?, sealed = ?, previous_sealed = ?, sealed_until = ?, failing_since = ?, after_seq = COALESCE(?, after_seq),
    version = version + 1
  WHERE id = ? AND version = ? RETURNING id`;
const REMOVE = "DELETE FROM webhooks WHERE id = ? AND version = ? RETURNING id";
const DISABLE = `UPDATE webhooks SET disabled_at = ?, disabled_reason = ?, version = version + 1
  WHERE id = ? AND disabled_at IS NULL RETURNING ${webhookColumns}`;

const MOVE_ON = `UPDATE webhooks SET after_seq = ?
  WHERE id = ? AND after_seq = ? AND disabled_at IS NULL RETURNING id`;
const IS_ENABLED = "SELECT id FROM webhooks WHERE id = ? AND disabled_at IS NULL";
/** Of a subject, one delivery is due at a time: the next one gets its time when that one ends. */
const QUEUE = `INSERT INTO webhook_deliveries
    (webhook_id, seq, message_id, type, subject, environment, event_at, queued_at, state, attempts, next_at)
  SELECT ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0,
    CASE WHEN ${none("webhook_deliveries WHERE webhook_id = ? AND subject = ? AND ended_at IS NULL")}
      THEN CAST(? AS BIGINT) ELSE NULL END
  WHERE NOT EXISTS (SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND seq = ?)`;
const FORGET_ENDED =
  "DELETE FROM webhook_deliveries WHERE webhook_id = ? AND seq = ? AND ended_at IS NOT NULL";

const ATTEMPT = "webhook_id = ? AND seq = ? AND attempts = ? AND next_at IS NOT NULL";
const LAST = "last_at = ?, last_ms = ?, last_status = ?, last_fault = ?, last_answer = ?";
const CLAIM = `UPDATE webhook_deliveries SET attempts = attempts + 1, next_at = ?
  WHERE ${ATTEMPT} RETURNING seq`;
const RETRY = `UPDATE webhook_deliveries SET next_at = ?, ${LAST} WHERE ${ATTEMPT} RETURNING seq`;
const END = `UPDATE webhook_deliveries SET state = ?, next_at = NULL, ended_at = ?, ${LAST}
  WHERE ${ATTEMPT} RETURNING subject`;
const RELEASE = `UPDATE webhook_deliveries SET next_at = ? WHERE webhook_id = ? AND seq = (
  SELECT MIN(seq) FROM webhook_deliveries WHERE webhook_id = ? AND subject = ? AND ended_at IS NULL
)`;
const FAILS =
  "UPDATE webhooks SET failing_since = ? WHERE id = ? AND failing_since IS NULL RETURNING id";
const WORKS = "UPDATE webhooks SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL";
const DROP = `UPDATE webhook_deliveries
  SET state = 'failed', next_at = NULL, ended_at = ?, last_at = ?, last_ms = 0, last_fault = ?
  WHERE webhook_id = ? AND seq IN (
    SELECT seq FROM webhook_deliveries WHERE webhook_id = ? AND ended_at IS NULL ORDER BY seq DESC LIMIT ?
  )`;

const PURGE_WEBHOOKS = `DELETE FROM webhooks WHERE id IN (
  SELECT id FROM webhooks WHERE ${IN_SLICE} AND account_id <> '${OPERATORS}'
    AND ${none("accounts WHERE accounts.id = webhooks.account_id")} LIMIT ?
) RETURNING id`;
const PURGE_LEFT = `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND seq IN (
  SELECT seq FROM webhook_deliveries WHERE webhook_id = ? ORDER BY seq LIMIT ?
) RETURNING seq`;
const PURGE_OLD = `DELETE FROM webhook_deliveries WHERE (webhook_id, seq) IN (
  SELECT webhook_id, seq FROM webhook_deliveries WHERE ended_at < ? ORDER BY ended_at LIMIT ?
) RETURNING seq`;
const PURGE_MANY = `DELETE FROM webhook_deliveries WHERE webhook_id = ? AND seq IN (
  SELECT seq FROM webhook_deliveries WHERE webhook_id = ? AND ended_at IS NOT NULL
  ORDER BY seq DESC LIMIT ? OFFSET ?
) RETURNING seq`;

/** Adds the steps of a change. Only a purge needs `purged`. */
export function addChange(
  script: WebhookScript,
  change: WebhookChange,
  purged: Purged | undefined,
): void {
  switch (change.kind) {
    case "webhook.add": {
      const { webhook, max } = change;
      const { id, accountId = OPERATORS, version, createdAt: at, createdBy, afterSeq } = webhook;
      if (accountId !== OPERATORS) script.demand(HAS_ACCOUNT, [accountId], "missing");
      script.demand(HAS_ROOM, [max, accountId], "limit");
      const { failingSince = null } = webhook;
      const [url, description, types, ...rest] = valuesOf(webhook);
      const by = createdBy === undefined ? null : actorText(createdBy);
      const shown = [id, accountId, url ?? "", description ?? null, types ?? null, ...rest];
      script.demand(INSERT, [...shown, version, at, by, failingSince, afterSeq], "exists");
      addEventUnchecked(script, () => ({
        type: "webhook.created",
        accountId,
        at,
        data: webhookEvent(webhook),
      }));
      return;
    }
    case "webhook.update": {
      const { from, to, event: type, at } = change;
      const { accountId = OPERATORS, failingSince = null, afterSeq } = to;
      const place = afterSeq === from.afterSeq ? null : afterSeq;
      const values = [...valuesOf(to), failingSince, place, from.id, from.version];
      script.demand(UPDATE, values, "stale");
      const changed = changedMembers(from, to);
      addEventUnchecked(script, () => ({ type, accountId, at, changed, data: webhookEvent(to) }));
      return;
    }
    case "webhook.remove": {
      const { from, at } = change;
      const { accountId = OPERATORS } = from;
      script.demand(REMOVE, [from.id, from.version], "stale");
      const data = webhookEvent(from);
      addEventUnchecked(script, () => ({ type: "webhook.removed", accountId, at, data }));
      return;
    }
    case "webhook.disable": {
      const { webhookId, reason, status, at } = change;
      const disabled = script.add(DISABLE, [at, reason, webhookId]);
      addEventOfRow(script, disabled, (row) => {
        const webhook = webhookOf(row);
        const { accountId = OPERATORS } = webhook;
        const data = disabledEvent(webhook, reason, status);
        return { type: "webhook.disabled", accountId, at, data };
      });
      return;
    }
    case "delivery.queue": {
      const { webhookId, from, to, deliveries } = change;
      script.demand(MOVE_ON, [to, webhookId, from], "stale");
      for (const delivery of deliveries) script.add(QUEUE, queueValues(delivery));
      return;
    }
    case "delivery.replay": {
      const { webhookId, deliveries } = change;
      script.demand(IS_ENABLED, [webhookId], "stale");
      for (const delivery of deliveries) {
        script.add(FORGET_ENDED, [webhookId, delivery.seq]);
        script.add(QUEUE, queueValues(delivery));
      }
      return;
    }
    case "delivery.claim":
      script.demand(CLAIM, [change.until, ...attemptOf(change)], "gone");
      return;
    case "delivery.retry": {
      const { webhookId, nextAt, last } = change;
      script.demand(RETRY, [nextAt, ...lastOf(last), ...attemptOf(change)], "gone");
      script.add(FAILS, [last.at, webhookId]);
      return;
    }
    case "delivery.end": {
      const { webhookId, state, last } = change;
      const endedAt = last.at + last.durationMs;
      const values = [state, endedAt, ...lastOf(last), ...attemptOf(change)];
      const ended = script.demand(END, values, "gone");
      script.add(RELEASE, (rows) => {
        const subject = rows[ended]?.[0]?.["subject"] ?? null;
        return [endedAt, webhookId, webhookId, subject];
      });
      if (state === "delivered") script.add(WORKS, [webhookId]);
      else if (isOfReceiver(last.fault)) script.add(FAILS, [last.at, webhookId]);
      return;
    }
    case "delivery.drop": {
      const { webhookId, fault, at, limit } = change;
      script.add(DROP, [at, at, fault, webhookId, webhookId, limit]);
      return;
    }
    case "purge": {
      const { endedBefore, maxEnded, limit } = change;
      const { slice: { after = "", through = "" } = {}, webhooks = [] } = purged ?? {};
      const steps = [
        script.add(PURGE_WEBHOOKS, [after, through, limit]),
        script.add(PURGE_OLD, [endedBefore, limit]),
        ...webhooks.map(({ id, exists }) =>
          exists
            ? script.add(PURGE_MANY, [id, id, limit, maxEnded])
            : script.add(PURGE_LEFT, [id, id, limit]),
        ),
      ];
      script.end((rows) => steps.reduce((sum, step) => sum + (rows[step]?.length ?? 0), 0));
    }
  }
}

/** Returns the values of what a person can change, in the statements' order. */
function valuesOf(webhook: Webhook): readonly SqlValue[] {
  const { url, description, types, environment, disabled, sealed, previous } = webhook;
  return [
    url,
    description ?? null,
    types?.join(" ") ?? null,
    environment ?? null,
    disabled?.at ?? null,
    disabled?.reason ?? null,
    sealed,
    previous?.sealed ?? null,
    previous?.until ?? null,
  ];
}

function queueValues(delivery: NewDelivery): readonly SqlValue[] {
  const { webhookId, seq, messageId, type, subject, environment = null } = delivery;
  const { eventAt, queuedAt } = delivery;
  const row = [webhookId, seq, messageId, type, subject, environment, eventAt, queuedAt];
  return [...row, webhookId, subject, queuedAt, webhookId, seq];
}

function attemptOf({
  webhookId,
  seq,
  attempts,
}: {
  readonly webhookId: string;
  readonly seq: number;
  readonly attempts: number;
}): readonly SqlValue[] {
  return [webhookId, seq, attempts];
}

function lastOf({ at, durationMs, status, fault, answer }: Attempt): readonly SqlValue[] {
  return [at, durationMs, status ?? null, fault ?? null, answer ?? null];
}
