import { MAX_ID } from "../../base/id.ts";
import type { ChangeOf } from "../change.ts";
import { nothing } from "../../sql/script.ts";
import type { Outcomes, StoreScript } from "./store-script.ts";
import { startOfPeriod, usagePeriods, usageKeptMs } from "../../model/usage.ts";
import { usageTables } from "../lists.ts";
import { none } from "../../sql/rotation.ts";
import * as column from "../../sql/rows.ts";
import type { BatchRows, SqlRow, SqlValue } from "../../sql/sql.ts";
import { dropEndedLongAgo } from "./keys.ts";

const RECORD_ANSWER = `INSERT INTO answers
  (catalogue_id, request, idempotency_key, fingerprint, status, headers, body, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (catalogue_id, request, idempotency_key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
    body = excluded.body, expires_at = excluded.expires_at
  WHERE answers.expires_at <= ? RETURNING status`;

export function recordAnswer(
  script: StoreScript,
  { id, fingerprint, answer, at, expiresAt }: ChangeOf<"answer.record">,
): Outcomes {
  const before = [...script.outcomes];
  script.demand(
    RECORD_ANSWER,
    (rows) => {
      const { status, headers, body } = answer(before.map((outcome) => outcome(rows)));
      return [
        id.catalogueId,
        id.request,
        id.key,
        fingerprint,
        status,
        JSON.stringify(headers),
        body,
        expiresAt,
        at,
      ];
    },
    "exists",
  );
  return nothing;
}

const SAVE_COUNTER = `INSERT INTO counters (name, state, ends_at) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET state = excluded.state, ends_at = excluded.ends_at`;

const SAVE_LAST_USED = `UPDATE api_keys SET last_used_at = ?
  WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)`;

export function saveCounters(
  script: StoreScript,
  { counters, lastUsed }: ChangeOf<"counters.save">,
): Outcomes {
  for (const { name, state, endsAt } of counters) script.add(SAVE_COUNTER, [name, state, endsAt]);
  for (const { keyId, at } of lastUsed) script.add(SAVE_LAST_USED, [at, keyId, at]);
  return nothing;
}

const INIT_SETTING =
  "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";

export function initSetting(
  script: StoreScript,
  { name, value }: ChangeOf<"setting.init">,
): Outcomes {
  script.add(INIT_SETTING, [name, value]);
  return nothing;
}

const SAVE_SETTING = `INSERT INTO settings (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

export function saveSetting(
  script: StoreScript,
  { name, value }: ChangeOf<"setting.save">,
): Outcomes {
  script.add(SAVE_SETTING, [name, value]);
  return nothing;
}

const ADD_SETTING = `${INIT_SETTING} RETURNING name`;
const REPLACE_SETTING = "UPDATE settings SET value = ? WHERE name = ? AND value = ? RETURNING name";

export function replaceSetting(
  script: StoreScript,
  { name, from, value }: ChangeOf<"setting.replace">,
): Outcomes {
  if (from === undefined) script.demand(ADD_SETTING, [name, value], "stale");
  else script.demand(REPLACE_SETTING, [value, name, from], "stale");
  return nothing;
}

// Selects from the accounts, so that nothing is added to a deleted one.
const ADD = usagePeriods.map((by) => {
  const table = usageTables[by];
  const text = `INSERT INTO ${table}
    (account_id, started_at, key_id, operation, environment, requests, limited, refused, failed)
    SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM accounts WHERE id = ?
    ON CONFLICT (account_id, started_at, key_id, operation) DO UPDATE SET
      requests = ${table}.requests + excluded.requests,
      limited = ${table}.limited + excluded.limited,
      refused = ${table}.refused + excluded.refused,
      failed = ${table}.failed + excluded.failed`;
  return { by, text };
});

export function addUsage(script: StoreScript, { rows }: ChangeOf<"usage.add">): Outcomes {
  for (const { accountId, keyId, operation, environment, at, ...counts } of rows) {
    const { requests, limited, refused, failed } = counts;
    for (const { by, text } of ADD) {
      const startedAt = startOfPeriod(by, at);
      script.add(text, [
        startedAt,
        keyId,
        operation,
        environment,
        requests,
        limited,
        refused,
        failed,
        accountId,
      ]);
    }
  }
  return nothing;
}

const DOOMED = `SELECT catalogue_id, id FROM deleted_pets
  WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?`;

/** How many animals one statement looks at. */
const DOOMED_AT_ONCE = 50;

/** Bound values, because a database that joins the tables instead may read all rows of those that exist. */
const EACH_DOOMED: string = Array.from(
  { length: DOOMED_AT_ONCE },
  () => "(catalogue_id = ? AND pet_id = ?)",
).join(" OR ");

const PURGE_OF_PETS: readonly string[] = ["photos", "profiles"].map(
  (table) => `DELETE FROM ${table} WHERE ${EACH_DOOMED} RETURNING pet_id`,
);

const PURGE_DELETED_PETS = `DELETE FROM deleted_pets WHERE (catalogue_id, id) IN (
  SELECT catalogue_id, id FROM deleted_pets WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?
) RETURNING id`;

const PURGE_ADOPTERS = `DELETE FROM adoptions WHERE (catalogue_id, order_id) IN (
  SELECT catalogue_id, order_id FROM adoptions WHERE saved_at < ? ORDER BY saved_at LIMIT ?
) RETURNING order_id`;

const PURGE_ANSWERS = `DELETE FROM answers WHERE (catalogue_id, request, idempotency_key) IN (
  SELECT catalogue_id, request, idempotency_key FROM answers
  WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING status`;

const PURGE_COUNTERS = `DELETE FROM counters WHERE name IN (
  SELECT name FROM counters WHERE ends_at <= ? ORDER BY ends_at LIMIT ?
) RETURNING name`;

// Checks only the oldest events: there is no index by time, and `seq` grows with time.
const PURGE_EVENTS = `DELETE FROM events WHERE seq IN (
  SELECT seq FROM (SELECT seq, occurred_at FROM events ORDER BY seq LIMIT ?) AS oldest
  WHERE occurred_at < ? AND seq <= ?
) RETURNING seq`;

const PURGE_FEED = `DELETE FROM feed WHERE seq IN (
  SELECT seq FROM (SELECT seq, written_at FROM feed ORDER BY seq LIMIT ?) AS oldest
  WHERE written_at < ?
) RETURNING seq`;

/** The tables that may hold rows of deleted accounts, with the remaining columns of their primary keys. */
const catalogueTables = [
  ["pets", "id"],
  ["deleted_pets", "id"],
  ["categories", "id"],
  ["orders", "id"],
  ["profiles", "pet_id"],
  ["photos", "pet_id, id"],
  ["adoptions", "order_id"],
  ["answers", "request, idempotency_key"],
] as const;

/** How many deleted catalogues one commit looks at. */
const DEPARTED_AT_ONCE = 8;

const DEPARTED = `SELECT catalogue_id, account_id, events_before FROM departed_catalogues
  ORDER BY catalogue_id LIMIT ${DEPARTED_AT_ONCE}`;

/** Bound values, because a database that joins the tables instead may read all rows of those that exist. */
const EACH_DEPARTED: string = Array.from({ length: DEPARTED_AT_ONCE }, () => "?").join(", ");

const PURGE_ROWS_LEFT: readonly string[] = catalogueTables.map(
  ([table, key]) => `DELETE FROM ${table} WHERE (catalogue_id, ${key}) IN (
    SELECT catalogue_id, ${key} FROM ${table} WHERE catalogue_id IN (${EACH_DEPARTED}) LIMIT ?
  ) RETURNING catalogue_id`,
);

// Only events before the deletion: a new account may reuse the id.
const PURGE_EVENTS_LEFT = `DELETE FROM events WHERE seq IN (
  SELECT seq FROM events WHERE ${Array.from(
    { length: DEPARTED_AT_ONCE },
    () => "(account_id = ? AND seq < ?)",
  ).join(" OR ")} LIMIT ?
) RETURNING seq`;

const USAGE_KEY = "account_id, started_at, key_id, operation";

const PURGE_USAGE = usagePeriods.map((by) => {
  const table = usageTables[by];
  const statement = `DELETE FROM ${table} WHERE (${USAGE_KEY}) IN (
    SELECT ${USAGE_KEY} FROM ${table} WHERE started_at < ? ORDER BY started_at LIMIT ?
  ) RETURNING key_id`;
  return { statement, keptMs: usageKeptMs[by] };
});

// Usage of an existing key belongs to a new account with the same id: deleting an account deletes its keys.
const isUnused = (table: string): string => none(`api_keys WHERE api_keys.id = ${table}.key_id`);

const PURGE_USAGE_LEFT: readonly string[] = Object.values(usageTables).map(
  (table) => `DELETE FROM ${table} WHERE (${USAGE_KEY}) IN (
    SELECT ${USAGE_KEY} FROM ${table}
    WHERE account_id IN (${EACH_DEPARTED}) AND ${isUnused(table)} LIMIT ?
  ) RETURNING key_id`,
);

const UNMARK_PURGED_CATALOGUES = `DELETE FROM departed_catalogues
  WHERE catalogue_id IN (${EACH_DEPARTED}) AND ${[
    ...catalogueTables.map(
      ([table]) => `${table} WHERE ${table}.catalogue_id = departed_catalogues.catalogue_id`,
    ),
    `events WHERE events.account_id = departed_catalogues.account_id
      AND events.seq < departed_catalogues.events_before`,
    ...Object.values(usageTables).map(
      (table) => `${table} WHERE ${table}.account_id = departed_catalogues.account_id
        AND ${isUnused(table)}`,
    ),
  ]
    .map(none)
    .join(" AND ")} RETURNING catalogue_id`;

/** Returns the values of a statement about some animals, the first one repeated; undefined without any. */
function pairsOf(pets: readonly SqlRow[]): readonly SqlValue[] | undefined {
  const [some] = pets;
  if (some === undefined) return undefined;
  return Array.from({ length: DOOMED_AT_ONCE }, (_, place) => pets[place] ?? some).flatMap(
    (row) => [column.number(row, "catalogue_id"), column.number(row, "id")],
  );
}

export function purge(
  script: StoreScript,
  {
    now,
    deletedBefore,
    adoptersBefore,
    eventsBefore,
    eventsThrough = MAX_ID,
    limit,
  }: ChangeOf<"purge">,
): Outcomes {
  const doomed = script.add(DOOMED, [deletedBefore, limit]);
  const first = script.length;
  for (let from = 0; from < limit; from += DOOMED_AT_ONCE) {
    for (const statement of PURGE_OF_PETS) {
      // Without an animal, the statement is skipped.
      script.add(statement, (rows) =>
        pairsOf((rows[doomed] ?? []).slice(from, from + DOOMED_AT_ONCE)),
      );
    }
  }
  script.add(PURGE_DELETED_PETS, [deletedBefore, limit]);
  script.add(PURGE_ADOPTERS, [adoptersBefore, limit]);
  script.add(PURGE_ANSWERS, [now, limit]);
  script.add(PURGE_COUNTERS, [now, limit]);
  script.add(PURGE_EVENTS, [limit, eventsBefore, eventsThrough]);
  script.add(PURGE_FEED, [limit, eventsBefore]);
  dropEndedLongAgo(script, now, limit);
  for (const { statement, keptMs } of PURGE_USAGE) script.add(statement, [now - keptMs, limit]);
  const listed = script.add(DEPARTED, []);
  /** Makes the values for all listed catalogues. Without one, the statement is skipped. */
  const ofEach =
    (values: (row: SqlRow) => readonly SqlValue[], ...rest: readonly SqlValue[]) =>
    (rows: BatchRows): readonly SqlValue[] | undefined => {
      const departed = rows[listed] ?? [];
      const [some] = departed;
      if (some === undefined) return undefined;
      const each = Array.from({ length: DEPARTED_AT_ONCE }, (_, place) => departed[place] ?? some);
      return [...each.flatMap(values), ...rest];
    };
  const catalogue = (row: SqlRow): readonly SqlValue[] => [column.number(row, "catalogue_id")];
  const account = (row: SqlRow): readonly SqlValue[] => [column.text(row, "account_id")];
  const begun = script.length;
  for (const statement of PURGE_ROWS_LEFT) script.add(statement, ofEach(catalogue, limit));
  for (const statement of PURGE_USAGE_LEFT) script.add(statement, ofEach(account, limit));
  script.add(
    PURGE_EVENTS_LEFT,
    ofEach((row) => {
      const before = Math.min(column.number(row, "events_before"), eventsThrough + 1);
      return [...account(row), before];
    }, limit),
  );
  const end = script.length;
  const unmarked = script.add(UNMARK_PURGED_CATALOGUES, ofEach(catalogue));
  return (rows: BatchRows) => {
    const removed = [...rows.slice(first, listed), ...rows.slice(begun, end)].reduce(
      (sum, found) => sum + found.length,
      0,
    );
    // Others may wait behind them.
    const isFull = rows[unmarked]?.length === DEPARTED_AT_ONCE;
    return isFull ? Math.max(removed, limit) : removed;
  };
}
