import { isoTime } from "../../base/clock.ts";
import type { ApiKey } from "../../model/api-key.ts";
import { keyEvent } from "../../model/event-data.ts";
import type { DomainEvent, EventType } from "../../model/event.ts";
import type { Change } from "../change.ts";
import { keyColumns, keyOf } from "../rows.ts";
import type { BatchRows } from "../../sql/sql.ts";
import { dropOldestEnded, FEWER_KEYS, NO_MORE_BESIDE } from "./key-bounds.ts";
import { addEvent, addNotice } from "./notes.ts";
import { nothing } from "../../sql/script.ts";
import type { Outcomes, StoreScript } from "./store-script.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

// It changes nothing: the lock on its row makes changes that count what a catalogue has wait for each other.
const HOLD_CATALOGUE = `UPDATE catalogues SET revision = revision
  WHERE id = ? AND account_id = ? AND environment = ? RETURNING id`;

const INSERT_KEY = `INSERT INTO api_keys (${keyColumns})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;

export function createKey(script: StoreScript, { key, max }: Of<"key.create">): Outcomes {
  insertKey(script, key, () => max);
  dropOldestEnded(script, { catalogueId: key.catalogueId, max, at: key.createdAt });
  addEvent(script, () => ({ ...keyNews("key.created", key, key.createdAt), data: keyEvent(key) }));
  addNotice(script, { topic: "key", subject: key.id, at: key.createdAt });
  return nothing;
}

/** With room for it where there are fewer than `max`. */
function insertKey(script: StoreScript, key: ApiKey, max: (rows: BatchRows) => number): void {
  const { id, accountId, catalogueId, environment, ban } = key;
  script.demand(HOLD_CATALOGUE, [catalogueId, accountId, environment], "missing");
  script.demand(FEWER_KEYS, (rows) => [catalogueId, key.createdAt, max(rows)], "limit");
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
  { keyId, endsAt, successor, max, at }: Of<"key.rotate">,
): Outcomes {
  const { catalogueId } = successor;
  const working = script.add(WORKING_KEY, [keyId, at]);
  const ended = script.demand(END_KEY, [successor.id, endsAt, endsAt, keyId], "missing");
  // It takes the place of one that works.
  insertKey(script, successor, (rows) =>
    rows[working]?.length === 0 ? max : Number.MAX_SAFE_INTEGER,
  );
  if (endsAt > at) script.demand(NO_MORE_BESIDE, [catalogueId, at, max], "limit");
  dropOldestEnded(script, { catalogueId, max, at });
  addKeyEvent(script, ended, "key.rotated", at, { replacedBy: successor.id });
  addNotice(script, { topic: "key", subject: keyId, at });
  addNotice(script, { topic: "key", subject: successor.id, at });
  return nothing;
}

const HAS_KEY = "SELECT id FROM api_keys WHERE id = ?";

const RENAME_KEY = `UPDATE api_keys SET name = ? WHERE id = ? AND name <> ? RETURNING ${keyColumns}`;

export function renameKey(script: StoreScript, { keyId, name, at }: Of<"key.rename">): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const renamed = script.add(RENAME_KEY, [name, keyId, name]);
  addKeyEvent(script, renamed, "key.updated", at);
  addNotice(script, { topic: "key", subject: keyId, at }, renamed);
  return nothing;
}

const REVOKE_KEY = `UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL
  RETURNING ${keyColumns}`;

export function revokeKey(script: StoreScript, { keyId, at }: Of<"key.revoke">): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const revoked = script.add(REVOKE_KEY, [at, keyId]);
  addKeyEvent(script, revoked, "key.revoked", at);
  addNotice(script, { topic: "key", subject: keyId, at }, revoked);
  return nothing;
}

const BAN_KEY = `UPDATE api_keys SET ban_until = ?, ban_level = ?, banned_at = ?, ban_lifted_at = ?
  WHERE id = ? RETURNING ${keyColumns}`;

export function banKey(script: StoreScript, { keyId, ban, at }: Of<"key.ban">): Outcomes {
  const { until, level, bannedAt, liftedAt = null } = ban;
  const banned = script.demand(BAN_KEY, [until, level, bannedAt, liftedAt, keyId], "missing");
  addKeyEvent(script, banned, "key.banned", at, { until: isoTime(until), level });
  addNotice(script, { topic: "key", subject: keyId, at });
  return nothing;
}

const UNBAN_KEY = `UPDATE api_keys SET ban_lifted_at = ?
  WHERE id = ? AND ban_until > ? AND ban_lifted_at IS NULL RETURNING ${keyColumns}`;

/** The notice goes out in any case: other processes also forget the violations they have counted. */
export function unbanKey(script: StoreScript, { keyId, at }: Of<"key.unban">): Outcomes {
  script.demand(HAS_KEY, [keyId], "missing");
  const unbanned = script.add(UNBAN_KEY, [at, keyId, at]);
  addKeyEvent(script, unbanned, "key.unbanned", at);
  addNotice(script, { topic: "key", subject: keyId, at });
  return nothing;
}

/** Tells of the key that the step `cause` changed; of nothing when it changed none. */
function addKeyEvent(
  script: StoreScript,
  cause: number,
  type: EventType,
  at: number,
  more?: DomainEvent["data"],
): void {
  addEvent(script, (rows) => {
    const row = rows[cause]?.[0];
    if (row === undefined) return undefined;
    const key = keyOf(row);
    return { ...keyNews(type, key, at), data: { ...keyEvent(key), ...more } };
  });
}

function keyNews(
  type: EventType,
  { accountId, catalogueId }: ApiKey,
  at: number,
): Pick<DomainEvent, "type" | "accountId" | "at"> & { readonly catalogueId: number } {
  return { type, accountId, catalogueId, at };
}
