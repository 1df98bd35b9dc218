import type { Clock } from "../../base/clock.ts";
import { andThen } from "../../base/eventual.ts";
import { MAX_ID } from "../../base/id.ts";
import { done, refused } from "../../base/result.ts";
import { openTables } from "../../sql/migrate.ts";
import { rotationOf } from "../../sql/rotation.ts";
import { number, optionalNumber, readsOf, text } from "../../sql/rows.ts";
import type { Sql } from "../../sql/sql.ts";
import { EventScript, OPERATORS } from "../../storage/changes/store-script.ts";
import type { WebhookStore } from "../webhook-store.ts";
import { addChange, type Purged, type WebhookScript } from "./changes.ts";
import { deliveryColumns, deliveryOf, webhookColumns, webhookOf, webhookSchema } from "./rows.ts";

/** Options of a webhook store in a SQL database. */
export interface SqlWebhookStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the webhook store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlWebhookStore(options: SqlWebhookStoreOptions): Promise<WebhookStore> {
  const sql = await openTables("sqlWebhookStore", options, webhookSchema);
  const { all, first } = readsOf(sql);
  const rotation = rotationOf(sql);
  /** The last webhook whose deliveries a purge has looked at. */
  let looked = "";

  const purged = async (limit: number): Promise<Purged> => {
    const slices = await rotation.nextOf([WEBHOOKS_TABLE]);
    const found = await all(NAMED, [looked, WEBHOOKS_AT_ONCE], (row) => ({
      id: text(row, "id"),
      exists: number(row, "found") === 1,
    }));
    looked = found.length < WEBHOOKS_AT_ONCE ? "" : (found.at(-1)?.id ?? "");
    return { slice: slices.get(WEBHOOKS_TABLE), webhooks: found, limit };
  };

  return {
    byId: (id) => first(WEBHOOK, [id], webhookOf),
    list: (accountId = OPERATORS) => all(LIST, [accountId], webhookOf),
    enabled: (after, limit) => all(ENABLED, [after, limit], webhookOf),
    enabledOf: async (accountIds) => {
      const found: string[] = [];
      const asked = [...new Set([...accountIds, OPERATORS])];
      for (let from = 0; from < asked.length; from += ACCOUNTS_AT_ONCE) {
        const some = asked.slice(from, from + ACCOUNTS_AT_ONCE);
        const values = Array.from({ length: ACCOUNTS_AT_ONCE }, (_, at) => some[at] ?? OPERATORS);
        found.push(...(await all(ENABLED_OF, values, (row) => text(row, "id"))));
      }
      return [...new Set(found)];
    },
    busy: (at, after, limit) => all(BUSY, [after, at, limit], webhookOf),
    due: (webhookId, at, limit) => all(DUE, [webhookId, at, limit], deliveryOf),
    waiting: (webhookId, atMost) =>
      andThen(
        first(WAITING, [webhookId, atMost], (row) => number(row, "waiting")),
        (waiting) => waiting ?? 0,
      ),
    delivery: (webhookId, seq) => first(DELIVERY, [webhookId, seq], deliveryOf),
    deliveries: (webhookId, { state }, { before = MAX_ID, limit }) =>
      state === undefined
        ? all(DELIVERIES, [webhookId, before, limit], deliveryOf)
        : all(DELIVERIES_IN, [webhookId, state, before, limit], deliveryOf),
    state: () =>
      andThen(
        first(STATE, [], (row) => ({
          waiting: number(row, "waiting"),
          oldestAt: optionalNumber(row, "oldest"),
        })),
        (found) => {
          const { waiting = 0, oldestAt } = found ?? {};
          return { waiting, ...(oldestAt === undefined ? {} : { oldestAt }) };
        },
      ),
    commit: async (changes, actor) => {
      const script: WebhookScript = new EventScript(actor);
      const purge = changes.find(({ kind }) => kind === "purge");
      const before = looked;
      const rest = purge?.kind === "purge" ? await purged(purge.limit) : undefined;
      for (const change of changes) addChange(script, change, rest);
      const written = await script.commit(sql, LANE);
      if (!written.ok) return refused(written.failure.refusal);
      const removed = written.value[0] ?? 0;
      // These webhooks may have more.
      if (rest !== undefined && removed >= rest.limit) looked = before;
      return done(removed);
    },
  };
}

/**
 * One for all webhooks: a delivery that is queued has to see whether another one of its subject waits, which may end in the same
 * moment. Commits that wait for a lane share a transaction.
 */
const LANE = "webhooks";
const WEBHOOKS_TABLE = "webhooks";
/** Few lengths, so that few statements are prepared. */
const ACCOUNTS_AT_ONCE = 20;
/** Bounds what a purge looks at; the next ones look at the others. */
const WEBHOOKS_AT_ONCE = 200;

const WEBHOOKS = `SELECT ${webhookColumns} FROM webhooks`;
const WEBHOOK = `${WEBHOOKS} WHERE id = ?`;
const LIST = `${WEBHOOKS} WHERE account_id = ? ORDER BY created_at, id`;
const ENABLED = `${WEBHOOKS} WHERE id > ? AND disabled_at IS NULL ORDER BY id LIMIT ?`;
const ENABLED_OF = `SELECT id FROM webhooks WHERE disabled_at IS NULL
  AND account_id IN (${Array.from({ length: ACCOUNTS_AT_ONCE }, () => "?").join(", ")})`;

/**
 * Names the webhooks of deliveries, one after the other, so that a webhook with many of them costs no more than one with few. Bind
 * the id after which it begins.
 */
const named = (condition: string): string => `WITH RECURSIVE named (id) AS (
  SELECT (SELECT MIN(webhook_id) FROM webhook_deliveries WHERE webhook_id > ?${condition})
  UNION ALL
  SELECT (SELECT MIN(webhook_id) FROM webhook_deliveries WHERE webhook_id > named.id${condition})
    FROM named WHERE named.id IS NOT NULL
)`;

const BUSY = `${named(" AND ended_at IS NULL")}
  ${WEBHOOKS} WHERE id IN (SELECT id FROM named) AND (
    disabled_at IS NOT NULL OR ? >= (
      SELECT MIN(next_at) FROM webhook_deliveries
      WHERE webhook_deliveries.webhook_id = webhooks.id AND next_at IS NOT NULL
    )
  ) ORDER BY id LIMIT ?`;

const NAMED = `${named("")}
  SELECT id, (SELECT COUNT(*) FROM webhooks WHERE webhooks.id = named.id) AS found
  FROM named WHERE id IS NOT NULL LIMIT ?`;

const DELIVERY_ROWS = `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE webhook_id = ?`;
const DUE = `${DELIVERY_ROWS} AND next_at <= ? ORDER BY next_at, seq LIMIT ?`;
const DELIVERY = `${DELIVERY_ROWS} AND seq = ?`;
const DELIVERIES = `${DELIVERY_ROWS} AND seq < ? ORDER BY seq DESC LIMIT ?`;
const DELIVERIES_IN = `${DELIVERY_ROWS} AND state = ? AND seq < ? ORDER BY seq DESC LIMIT ?`;
const WAITING = `SELECT COUNT(*) AS waiting FROM (
  SELECT 1 FROM webhook_deliveries WHERE webhook_id = ? AND ended_at IS NULL LIMIT ?) AS found`;
const STATE = `SELECT COUNT(*) AS waiting, MIN(queued_at) AS oldest FROM webhook_deliveries
  WHERE ended_at IS NULL AND webhook_id IN (SELECT id FROM webhooks WHERE disabled_at IS NULL)`;
