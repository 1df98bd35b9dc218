import { isoTime } from "../../base/clock.ts";
import { type ApiKey, ENDED_KEYS_KEPT_MS } from "../../model/api-key.ts";
import { keyEvent, type DomainEvent, type EventType } from "../../model/event.ts";
import type { ChangeOf } from "../change.ts";
import { NAME } from "../changed-fields.ts";
import { keyColumns, keyOf } from "../rows.ts";
import type { BatchRows, SqlValue } from "../../sql/sql.ts";
import {
  addEvent,
  addEventOfRow,
  addNotice,
  type NewEvent,
  type Outcomes,
  type StoreScript,
} from "./store-script.ts";
import { nothing } from "../../sql/script.ts";

// Changes nothing: the row lock serializes the changes that count a catalogue's keys.
const LOCK_CATALOGUE = `UPDATE catalogues SET revision = revision
  WHERE id = ? AND account_id = ? AND environment = ? RETURNING id`;

const INSERT_KEY = `INSERT INTO api_keys (${keyColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;

export function createKey(script: StoreScript, { key, max }: ChangeOf<"key.create">): Outcomes {
  insertKey(script, key, () => max);
  dropOldestEnded(script, { catalogueId: key.catalogueId, max, at: key.createdAt });
  addEvent(script, () => ({
    ...keyEventBase("key.created", key, key.createdAt),
    data: keyEvent(key),
  }));
  addNotice(script, { topic: "key", subject: key.id, at: key.createdAt });
  return nothing;
}

/** Inserts a key if fewer than `max` keys work and have no successor. */
function insertKey(script: StoreScript, key: ApiKey, max: (rows: BatchRows) => number): void {
  const { id, accountId, catalogueId, environment, ban } = key;
  script.demand(LOCK_CATALOGUE, [catalogueId, accountId, environment], "missing");
  script.demand(HAS_ROOM, (rows) => [catalogueId, key.createdAt, max(rows)], "limit");
  script.demand(
    INSERT_KEY,
    [
      id,
      accountId,
      catalogueId,
      environment,
      key.name,
      key.scopes.join(" "),
      key.hash,
      key.createdAt,
      key.expiresAt ?? null,
      key.revokedAt ?? null,
      key.lastUsedAt ?? null,
      key.replacedBy ?? null,
      ban?.until ?? null,
      ban?.level ?? null,
      ban?.bannedAt ?? null,
      ban?.liftedAt ?? null,
      key.allowedAddresses?.join(" ") ?? null,
    ],
    "exists",
  );
}

const WORKING_KEY = `SELECT id FROM api_keys
  WHERE id = ? AND (expires_at IS NULL OR expires_at > ?)`;

const END_KEY = `UPDATE api_keys SET replaced_by = ?,
    expires_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END
  WHERE id = ? AND revoked_at IS NULL AND replaced_by IS NULL RETURNING ${keyColumns}`;

export function rotateKey(
  script: StoreScript,
  { keyId, endsAt, successor, max, at }: ChangeOf<"key.rotate">,
): Outcomes {
  const { catalogueId } = successor;
  const working = script.add(WORKING_KEY, [keyId, at]);
  const ended = script.demand(END_KEY, [successor.id, endsAt, endsAt, keyId], "missing");
  // The successor takes the place of the old key if that works.
  insertKey(script, successor, (rows) =>
    rows[working]?.length === 0 ? max : Number.MAX_SAFE_INTEGER,
  );
  if (endsAt > at) script.demand(HAS_ROOM_FOR_REPLACED, [catalogueId, at, max], "limit");
  dropOldestEnded(script, { catalogueId, max, at });
  addKeyEvent(script, ended, { type: "key.rotated", at }, { replacedBy: successor.id });
  addNotice(script, { topic: "key", subject: keyId, at });
  addNotice(script, { topic: "key", subject: successor.id, at });
  return nothing;
}

const HAS_KEY = "SELECT id FROM api_keys WHERE id = ?";

const RENAME_KEY = `UPDATE api_keys SET name = ? WHERE id = ? AND name <> ? RETURNING ${keyColumns}`;

export function renameKey(
  script: StoreScript,
  { keyId, name, at }: ChangeOf<"key.rename">,
): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const renamed = script.add(RENAME_KEY, [name, keyId, name]);
  addKeyEvent(script, renamed, { type: "key.updated", at, changed: NAME });
  addNotice(script, { topic: "key", subject: keyId, at }, renamed);
  return nothing;
}

const REVOKE_KEY = `UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL
  RETURNING ${keyColumns}`;

export function revokeKey(script: StoreScript, { keyId, at }: ChangeOf<"key.revoke">): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const revoked = script.add(REVOKE_KEY, [at, keyId]);
  addKeyEvent(script, revoked, { type: "key.revoked", at });
  addNotice(script, { topic: "key", subject: keyId, at }, revoked);
  return nothing;
}

const BAN_KEY = `UPDATE api_keys SET ban_until = ?, ban_level = ?, banned_at = ?, ban_lifted_at = ?
  WHERE id = ? AND banned_at IS NOT DISTINCT FROM ? AND ban_lifted_at IS NOT DISTINCT FROM ?
  RETURNING ${keyColumns}`;

export function banKey(
  script: StoreScript,
  { keyId, ban, from, at }: ChangeOf<"key.ban">,
): Outcomes {
  const { until, level, bannedAt, liftedAt = null } = ban;
  const last = [from?.bannedAt ?? null, from?.liftedAt ?? null];
  script.demand(HAS_KEY, [keyId], "missing");
  const banned = script.demand(
    BAN_KEY,
    [until, level, bannedAt, liftedAt, keyId, ...last],
    "stale",
  );
  addKeyEvent(script, banned, { type: "key.banned", at }, { until: isoTime(until), level });
  addNotice(script, { topic: "key", subject: keyId, at });
  return nothing;
}

const UNBAN_KEY = `UPDATE api_keys SET ban_lifted_at = ?
  WHERE id = ? AND ban_until > ? AND ban_lifted_at IS NULL RETURNING ${keyColumns}`;

/** Always adds the notice: other processes must also forget the violations that they counted. */
export function unbanKey(script: StoreScript, { keyId, at }: ChangeOf<"key.unban">): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const unbanned = script.add(UNBAN_KEY, [at, keyId, at]);
  addKeyEvent(script, unbanned, { type: "key.unbanned", at });
  addNotice(script, { topic: "key", subject: keyId, at });
  return nothing;
}

/** Adds an event about the key that the step `cause` changed, if it changed one. */
function addKeyEvent(
  script: StoreScript,
  cause: number,
  { type, at, changed }: Pick<NewEvent, "at" | "changed"> & { readonly type: EventType },
  more?: DomainEvent["data"],
): void {
  addEventOfRow(script, cause, (row) => {
    const key = keyOf(row);
    return { ...keyEventBase(type, key, at), changed, data: { ...keyEvent(key), ...more } };
  });
}

function keyEventBase(
  type: EventType,
  { accountId, catalogueId }: ApiKey,
  at: number,
): Pick<DomainEvent, "type" | "accountId" | "at"> & { readonly catalogueId: number } {
  return { type, accountId, catalogueId, at };
}

const WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)";

/** Yields a row if the catalogue has fewer than so many working keys without a successor. Values: catalogue, time, number. */
const HAS_ROOM: string = `SELECT COUNT(*) AS count FROM api_keys
  WHERE catalogue_id = ? AND replaced_by IS NULL AND ${WORKS} HAVING COUNT(*) < ?`;

/** Yields a row if the catalogue has at most so many working keys with a successor. Values: catalogue, time, number. */
const HAS_ROOM_FOR_REPLACED: string = `SELECT COUNT(*) AS count FROM api_keys
  WHERE catalogue_id = ? AND replaced_by IS NOT NULL AND ${WORKS} HAVING COUNT(*) <= ?`;

// Must equal the expression in the indexes by end, or SQLite would not use them.
const END =
  "CASE WHEN revoked_at IS NULL OR expires_at < revoked_at THEN expires_at ELSE revoked_at END";

/** Bounds the length of one commit; the next one drops the rest. */
const DROPPED_AT_ONCE = 500;

const dropping = (selection: string): { readonly notify: string; readonly remove: string } => ({
  notify: `INSERT INTO feed (topic, subject, written_at)
    SELECT 'key', id, CAST(? AS BIGINT) FROM (${selection}) AS selected`,
  remove: `DELETE FROM api_keys WHERE id IN (${selection}) RETURNING id`,
});

const OLDEST_ENDED = dropping(`SELECT id FROM api_keys WHERE catalogue_id = ? AND ${END} <= ?
  ORDER BY ${END} DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?`);

const ENDED_LONG_AGO = dropping(
  `SELECT id FROM api_keys WHERE ${END} < ? ORDER BY ${END}, id LIMIT ?`,
);

/** Keeps the newest `max` of the catalogue's keys that ended by `at`. */
function dropOldestEnded(
  script: StoreScript,
  {
    catalogueId,
    max,
    at,
  }: { readonly catalogueId: number; readonly max: number; readonly at: number },
): void {
  drop(script, OLDEST_ENDED, at, [catalogueId, at, max]);
}

/** Drops at most `limit` keys that ended more than `ENDED_KEYS_KEPT_MS` ago. */
export function dropEndedLongAgo(script: StoreScript, now: number, limit: number): void {
  drop(script, ENDED_LONG_AGO, now, [now - ENDED_KEYS_KEPT_MS, limit]);
}

/** Drops keys and adds a notice for each: other processes may hold copies. */
function drop(
  script: StoreScript,
  statements: ReturnType<typeof dropping>,
  at: number,
  values: readonly SqlValue[],
): void {
  script.add(statements.notify, [at, ...values]);
  script.add(statements.remove, values);
}
