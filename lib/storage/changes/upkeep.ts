import type { Change } from "../change.ts";
import type { BatchRows } from "../sql.ts";
import { nothing, type Outcomes, type Script } from "./script.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const RECORD_ANSWER = `INSERT INTO answers
  (catalogue_id, request, idempotency_key, fingerprint, status, headers, body, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (catalogue_id, request, idempotency_key) DO UPDATE SET
    fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
    body = excluded.body, expires_at = excluded.expires_at
  WHERE answers.expires_at <= ? RETURNING status`;

export function recordAnswer(
  script: Script,
  { id, fingerprint, answer, at, expiresAt }: Of<"answer.record">,
): Outcomes {
  const before = [...script.outcomes];
  script.add(
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

const SAVE_LAST_USED = "UPDATE api_keys SET last_used_at = ? WHERE id = ?";

export function saveCounters(
  script: Script,
  { counters, lastUsed }: Of<"counters.save">,
): Outcomes {
  for (const { name, state, endsAt } of counters) script.add(SAVE_COUNTER, [name, state, endsAt]);
  for (const { keyId, at } of lastUsed) script.add(SAVE_LAST_USED, [at, keyId]);
  return nothing;
}

const INIT_SETTING =
  "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING";

export function initSetting(script: Script, { name, value }: Of<"setting.init">): Outcomes {
  script.add(INIT_SETTING, [name, value]);
  return nothing;
}

const PURGE_DELETED_PETS = `DELETE FROM deleted_pets WHERE (catalogue_id, id) IN (
  SELECT catalogue_id, id FROM deleted_pets WHERE deleted_at < ? ORDER BY deleted_at LIMIT ?
) RETURNING id`;

const PURGE_ANSWERS = `DELETE FROM answers WHERE (catalogue_id, request, idempotency_key) IN (
  SELECT catalogue_id, request, idempotency_key FROM answers
  WHERE expires_at <= ? ORDER BY expires_at LIMIT ?
) RETURNING status`;

const PURGE_COUNTERS = `DELETE FROM counters WHERE name IN (
  SELECT name FROM counters WHERE ends_at <= ? ORDER BY ends_at LIMIT ?
) RETURNING name`;

// The oldest are looked at, not all: there is no index by time, and `seq` grows with it.
const PURGE_EVENTS = `DELETE FROM events WHERE seq IN (
  SELECT seq FROM (SELECT seq, occurred_at FROM events ORDER BY seq LIMIT ?) AS oldest
  WHERE occurred_at < ?
) RETURNING seq`;

const PURGE_FEED = `DELETE FROM feed WHERE seq IN (
  SELECT seq FROM (SELECT seq, written_at FROM feed ORDER BY seq LIMIT ?) AS oldest
  WHERE written_at < ?
) RETURNING seq`;

/** What catalogues of deleted accounts have left, with the rest of the primary key of each. */
const left = [
  ["pets", "id"],
  ["deleted_pets", "id"],
  ["categories", "id"],
  ["orders", "id"],
  ["answers", "request, idempotency_key"],
] as const;

const purgeLeft: readonly string[] = left.map(
  ([table, key]) => `DELETE FROM ${table} WHERE (catalogue_id, ${key}) IN (
    SELECT catalogue_id, ${key} FROM ${table}
    WHERE catalogue_id IN (SELECT catalogue_id FROM departed_catalogues) LIMIT ?
  ) RETURNING catalogue_id`,
);

// Those before the one that told of its end: an account may have come again under the id of a deleted one.
const PURGE_EVENTS_LEFT = `DELETE FROM events WHERE seq IN (
  SELECT events.seq FROM departed_catalogues JOIN events
    ON events.account_id = departed_catalogues.account_id
    AND events.seq < departed_catalogues.events_before
  LIMIT ?
) RETURNING seq`;

const FORGET_DEPARTED = `DELETE FROM departed_catalogues WHERE ${left
  .map(
    ([table]) =>
      `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${table}.catalogue_id = departed_catalogues.catalogue_id)`,
  )
  .join(" AND ")}
  AND NOT EXISTS (
    SELECT 1 FROM events WHERE events.account_id = departed_catalogues.account_id
      AND events.seq < departed_catalogues.events_before
  )`;

export function purge(
  script: Script,
  { now, deletedBefore, eventsBefore, limit }: Of<"purge">,
): Outcomes {
  const first = script.steps.length;
  script.add(PURGE_DELETED_PETS, [deletedBefore, limit]);
  script.add(PURGE_ANSWERS, [now, limit]);
  script.add(PURGE_COUNTERS, [now, limit]);
  script.add(PURGE_EVENTS, [limit, eventsBefore]);
  script.add(PURGE_FEED, [limit, eventsBefore]);
  for (const text of purgeLeft) script.add(text, [limit]);
  script.add(PURGE_EVENTS_LEFT, [limit]);
  const end = script.steps.length;
  script.add(FORGET_DEPARTED, []);
  return (rows: BatchRows) =>
    rows.slice(first, end).reduce((removed, found) => removed + found.length, 0);
}
