import { randomUUID } from "node:crypto";

import { SECOND_MS } from "../../lib/base/clock.ts";
import type { Sql, Step } from "../../lib/index.ts";
import type { SharedPlaces } from "../../lib/management/index.ts";

/** A node that has not reported for so long is lost. */
export const LOST_AFTER_MS: number = 10 * SECOND_MS;

/** The statements that create the table of places. Rows of nodes that are lost do not count. */
export const placesTable: readonly string[] = [
  `CREATE TABLE places (
    id TEXT PRIMARY KEY,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    caller TEXT NOT NULL,
    account TEXT NOT NULL
  )`,
  "CREATE INDEX places_by_caller ON places (kind, caller)",
  "CREATE INDEX places_by_account ON places (kind, account)",
  "CREATE INDEX places_by_node ON places (node)",
];

/** The places of a node, in the database. */
export interface NodePlaces extends SharedPlaces {
  /** Removes those that could not be released earlier. */
  tidy(): Promise<void>;
  /** Removes those that this node held before it was killed. */
  clear(): Promise<void>;
}

/** The account of operators, whose places are limited by caller alone. */
const OPERATORS = "";

export function sqlPlaces(sql: Sql, node: string): NodePlaces {
  const { now = "0" } = sql.dialect;
  /** Maps the id of each released place whose row may still be in the database to the lane that added the row. */
  const leaving = new Map<string, string>();
  let tidying: Promise<void> | undefined;

  const write = (step: Step, lane: string) => sql.batch([step], ([row]) => row !== undefined, lane);
  const tidy = async (): Promise<void> => {
    for (const [id, lane] of [...leaving]) {
      // In the same lane, so that it waits for a commit in doubt.
      await sql.batch([{ text: DELETE, values: [id] }], () => true, lane);
      leaving.delete(id);
    }
  };
  const startTidying = (): Promise<void> => {
    tidying ??= tidy().finally(() => {
      tidying = undefined;
    });
    return tidying;
  };

  return {
    take: async ({ kind, caller, ofCaller, accountId = OPERATORS, ofAccount }) => {
      const id = randomUUID();
      const mostOfAccount = accountId === OPERATORS ? Number.MAX_SAFE_INTEGER : ofAccount;
      const values = [
        ...[id, node, kind, caller, accountId],
        ...[kind, caller, ofCaller],
        ...[kind, accountId, mostOfAccount],
      ];
      // The places of a caller are in the lane of its account.
      const lane = `places ${kind} ${accountId === OPERATORS ? caller : accountId}`;
      try {
        const taken = await write({ text: insert(now), values }, lane);
        if (!taken.ok) return undefined;
      } catch (error) {
        // It may have been taken nevertheless.
        leaving.set(id, lane);
        throw error;
      }
      return () => {
        leaving.set(id, lane);
        // Otherwise `tidy` is called again.
        startTidying().catch(() => undefined);
      };
    },
    tidy: startTidying,
    clear: async () => {
      await sql.batch([{ text: DELETE_ALL, values: [node] }], () => true, `node ${node}`);
    },
  };
}

const DELETE = "DELETE FROM places WHERE id = ?";
const DELETE_ALL = "DELETE FROM places WHERE node = ?";
/** Deletes those of nodes that are no longer in the list. */
export const DELETE_ABANDONED =
  "DELETE FROM places WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = places.node)";

/** Adds a place if both limits leave room for it. */
function insert(now: string): string {
  const count = (column: string): string => `(
    SELECT COUNT(*) FROM places JOIN nodes ON nodes.id = places.node
    WHERE kind = ? AND ${column} = ? AND seen_at > ${now} - ${LOST_AFTER_MS}
  )`;
  return `INSERT INTO places (id, node, kind, caller, account) SELECT ?, ?, ?, ?, ?
    WHERE ${count("caller")} < ? AND ${count("account")} < ? RETURNING id`;
}
