import type { Environment } from "../../model/account.ts";
import { actorIn } from "../../model/actor.ts";
import type { EventChoice } from "../../model/event-groups.ts";
import type { EventType } from "../../model/event-types.ts";
import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalNumber, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import { OPERATORS } from "../../storage/changes/store-script.ts";
import type { DeliveryFault, DisableReason, Webhook, WebhookDelivery } from "../model.ts";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  ({ clustered }) => [
    // `types` are separated by spaces; null stands for all. `sealed_until` belongs to `previous_sealed`.
    `CREATE TABLE webhooks (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      url TEXT NOT NULL,
      description TEXT,
      types TEXT,
      environment TEXT,
      disabled_at BIGINT,
      disabled_reason TEXT,
      sealed TEXT NOT NULL,
      previous_sealed TEXT,
      sealed_until BIGINT,
      version BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      created_by TEXT,
      failing_since BIGINT,
      after_seq BIGINT NOT NULL
    )`,
    "CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at, id)",
    // `next_at` is null while an earlier event of the subject waits, and once the delivery has ended.
    `CREATE TABLE webhook_deliveries (
      webhook_id TEXT NOT NULL,
      seq BIGINT NOT NULL,
      message_id TEXT NOT NULL,
      type TEXT NOT NULL,
      subject TEXT NOT NULL,
      environment TEXT,
      event_at BIGINT NOT NULL,
      queued_at BIGINT NOT NULL,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      next_at BIGINT,
      ended_at BIGINT,
      last_at BIGINT,
      last_ms BIGINT,
      last_status INTEGER,
      last_fault TEXT,
      last_answer TEXT,
      PRIMARY KEY (webhook_id, seq)
    ) ${clustered}`,
    "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL",
    "CREATE INDEX webhook_deliveries_by_subject ON webhook_deliveries (webhook_id, subject, seq) WHERE ended_at IS NULL",
    "CREATE INDEX webhook_deliveries_by_queueing ON webhook_deliveries (queued_at) WHERE ended_at IS NULL",
    "CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (ended_at) WHERE ended_at IS NOT NULL",
    "CREATE INDEX webhook_deliveries_by_state ON webhook_deliveries (webhook_id, state, seq)",
  ],
];

/** The tables of `sqlWebhookStore`. */
export const webhookSchema: Schema = { component: "webhooks", migrations };

// The casts hold because only this folder writes these tables.

export const webhookColumns = `id, account_id, url, description, types, environment, disabled_at,
  disabled_reason, sealed, previous_sealed, sealed_until, version, created_at, created_by, failing_since, after_seq`;

export function webhookOf(row: SqlRow): Webhook {
  const accountId = text(row, "account_id");
  const types = optionalText(row, "types");
  const disabledAt = optionalNumber(row, "disabled_at");
  const previous = optionalText(row, "previous_sealed");
  const createdBy = optionalText(row, "created_by");
  return {
    id: text(row, "id"),
    ...present({ accountId: accountId === OPERATORS ? undefined : accountId }),
    url: text(row, "url"),
    ...present({
      description: optionalText(row, "description"),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      types: types?.split(" ") as readonly EventChoice[] | undefined,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      environment: optionalText(row, "environment") as Environment | undefined,
      disabled:
        disabledAt === undefined
          ? undefined
          : // oxlint-disable-next-line typescript/no-unsafe-type-assertion
            { at: disabledAt, reason: text(row, "disabled_reason") as DisableReason },
    }),
    sealed: text(row, "sealed"),
    ...present({
      previous:
        previous === undefined
          ? undefined
          : { sealed: previous, until: number(row, "sealed_until") },
    }),
    version: number(row, "version"),
    createdAt: number(row, "created_at"),
    ...present({
      createdBy: createdBy === undefined ? undefined : actorIn(createdBy),
      failingSince: optionalNumber(row, "failing_since"),
    }),
    afterSeq: number(row, "after_seq"),
  };
}

export const deliveryColumns = `webhook_id, seq, message_id, type, subject, environment, event_at, queued_at,
  state, attempts, next_at, ended_at, last_at, last_ms, last_status, last_fault, last_answer`;

export function deliveryOf(row: SqlRow): WebhookDelivery {
  const lastAt = optionalNumber(row, "last_at");
  return {
    webhookId: text(row, "webhook_id"),
    seq: number(row, "seq"),
    messageId: text(row, "message_id"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    type: text(row, "type") as EventType,
    subject: text(row, "subject"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...present({ environment: optionalText(row, "environment") as Environment | undefined }),
    eventAt: number(row, "event_at"),
    queuedAt: number(row, "queued_at"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    state: text(row, "state") as WebhookDelivery["state"],
    attempts: number(row, "attempts"),
    ...present({
      nextAt: optionalNumber(row, "next_at"),
      endedAt: optionalNumber(row, "ended_at"),
      last:
        lastAt === undefined
          ? undefined
          : {
              at: lastAt,
              durationMs: number(row, "last_ms"),
              ...present({
                status: optionalNumber(row, "last_status"),
                // oxlint-disable-next-line typescript/no-unsafe-type-assertion
                fault: optionalText(row, "last_fault") as DeliveryFault | undefined,
                answer: optionalText(row, "last_answer"),
              }),
            },
    }),
  };
}
