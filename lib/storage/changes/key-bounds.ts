import { ENDED_KEYS_KEPT_MS } from "../../model/api-key.ts";
import type { SqlValue } from "../../sql/sql.ts";
import type { StoreScript } from "./store-script.ts";

const WORKS = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)";

/** One row when a catalogue has fewer keys that work and have no successor: catalogue, instant, how many. */
export const FEWER_KEYS: string = `SELECT COUNT(*) AS count FROM api_keys
  WHERE catalogue_id = ? AND replaced_by IS NULL AND ${WORKS} HAVING COUNT(*) < ?`;

/** One row when a catalogue has no more keys that work beside their successors: catalogue, instant, how many. */
export const NO_MORE_BESIDE: string = `SELECT COUNT(*) AS count FROM api_keys
  WHERE catalogue_id = ? AND replaced_by IS NOT NULL AND ${WORKS} HAVING COUNT(*) <= ?`;

// As the indexes by end have it: written in other words they would not be used.
const END =
  "CASE WHEN revoked_at IS NULL OR expires_at < revoked_at THEN expires_at ELSE revoked_at END";

/** However many there are: nobody waits long for one commit, and the next one goes on. */
const DROPPED_AT_ONCE = 500;

const dropping = (doomed: string): { readonly tell: string; readonly drop: string } => ({
  tell: `INSERT INTO feed (topic, subject, written_at)
    SELECT 'key', id, ? FROM api_keys WHERE id IN (${doomed})`,
  drop: `DELETE FROM api_keys WHERE id IN (${doomed}) RETURNING id`,
});

const OLDEST_ENDED = dropping(`SELECT id FROM api_keys WHERE catalogue_id = ? AND ${END} <= ?
  ORDER BY ${END} DESC, id DESC LIMIT ${DROPPED_AT_ONCE} OFFSET ?`);

const ENDED_LONG_AGO = dropping(
  `SELECT id FROM api_keys WHERE ${END} < ? ORDER BY ${END}, id LIMIT ?`,
);

/** Of a catalogue's keys that ended by `at` the newest `max` stay. */
export function dropOldestEnded(
  script: StoreScript,
  {
    catalogueId,
    max,
    at,
  }: { readonly catalogueId: number; readonly max: number; readonly at: number },
): void {
  drop(script, OLDEST_ENDED, at, [catalogueId, at, max]);
}

/** Drops at most `limit` keys of all that ended long ago. */
export function dropEndedLongAgo(script: StoreScript, now: number, limit: number): void {
  drop(script, ENDED_LONG_AGO, now, [now - ENDED_KEYS_KEPT_MS, limit]);
}

/** Other processes may remember them. */
function drop(
  script: StoreScript,
  statements: ReturnType<typeof dropping>,
  at: number,
  values: readonly SqlValue[],
): void {
  script.add(statements.tell, [at, ...values]);
  script.add(statements.drop, values);
}
