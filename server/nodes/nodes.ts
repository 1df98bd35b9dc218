import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";

import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lib/base/clock.ts";
import { createRounds, type Jobs } from "../../lib/base/rounds.ts";
import type { Log, Schema, Sql } from "../../lib/index.ts";
import { CLOCKS_DIFFER_MS } from "../../lib/base/database-clock.ts";
import type { StoreClock } from "../../lib/base/store-clock.ts";
import type { NodeView } from "../../lib/management/index.ts";
import { codeOf } from "../../settings/failure.ts";
import type { DataDirectory } from "../data/data-directory.ts";
import { writeSecret } from "../data/files.ts";
import type { PostgresClaim } from "../../adapters/postgres/claim.ts";
import { keepFilesFromOlder } from "./older-nodes.ts";
import {
  DELETE_ABANDONED,
  LOST_AFTER_MS,
  type NodePlaces,
  placesTable,
  sqlPlaces,
} from "./places.ts";

/** The tables of nodes. Empty on SQLite, which one process uses alone. */
export const nodeSchema: Schema = {
  component: "nodes",
  migrations: [
    () => [
      `CREATE TABLE nodes (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        seen_at BIGINT NOT NULL,
        facts TEXT NOT NULL
      )`,
    ],
    () => placesTable,
  ],
  since: 1,
};

/** Identifies a node. */
export interface NodeIdentity {
  /** Stays the same when the node restarts with its data directory. */
  readonly id: string;
  readonly name: string;
}

type LimitsFacts = Pick<NodeView, "limitsIn" | "limitsMovedAt" | "redis" | "redisChangedAt">;

/** What a node reports about itself. */
type NodeFacts = Pick<
  NodeView,
  "version" | "addresses" | "lagMs" | "databaseMs" | "clockAheadMs" | keyof LimitsFacts
>;

/** The nodes that use a database, by its clock. */
export interface Nodes {
  /** Whether another node was active within the last half minute. */
  others(): Promise<boolean>;
  /** Whether a node of a version without photos and imports was active within the last hour. */
  older(): Promise<boolean>;
  /**
   * Adds this node, or reports that it is active. Returns the time of the database, and whether another active node has the
   * right time.
   */
  report(
    facts: NodeFacts,
    starts: boolean,
  ): Promise<{ readonly at: number; readonly othersAreRight: boolean }>;
  /** Lists the nodes of the last hour, this one included, by name. */
  list(): Promise<readonly NodeView[]>;
  /** The places of callers, which all nodes count together. */
  readonly places: NodePlaces;
  /** Removes this node, which ends in good order. */
  leave(): Promise<void>;
}

/** How often a node reports that it is active. */
const REPORT_EVERY_MS: number = 2 * SECOND_MS;

/** Twice as long as a statement may take, so that a node without a report for so long is not about to write one. */
const OTHERS_WITHIN_MS: number = 30 * SECOND_MS;
const KEPT_MS: number = HOUR_MS;

/** The fact by which a node says that it keeps the files of photos and imports. */
const KNOWS = "keepsPhotos";
type Reported = NodeFacts & { readonly [KNOWS]?: true };

/** Opens the list of nodes. The tables must exist, and the database must have a clock. */
export function sqlNodes(sql: Sql, { id, name }: NodeIdentity): Nodes {
  const { now = "0" } = sql.dialect;
  const write = (statement: string, values: readonly string[]) =>
    sql.batch([{ text: statement, values }], () => true, `node ${id}`);
  const places = sqlPlaces(sql, id);
  return {
    places,
    others: async () => {
      const statement = `SELECT 1 AS found FROM nodes
        WHERE id <> ? AND seen_at > ${now} - ${OTHERS_WITHIN_MS} LIMIT 1`;
      return (await sql.query({ text: statement, values: [id] })).length > 0;
    },
    older: async () => {
      const statement = `SELECT 1 AS found FROM nodes WHERE seen_at > ${now} - ${KEPT_MS}
        AND CAST(facts AS JSONB) -> '${KNOWS}' IS NULL LIMIT 1`;
      return (await sql.query({ text: statement, values: [] })).length > 0;
    },
    report: async (facts, starts) => {
      const written = await write(
        `INSERT INTO nodes (id, name, started_at, seen_at, facts) VALUES (?, ?, ${now}, ${now}, ?)
          ON CONFLICT (id) DO UPDATE SET name = excluded.name,
            ${starts ? "started_at = excluded.started_at," : ""}
            seen_at = excluded.seen_at, facts = excluded.facts
          RETURNING seen_at, (
            SELECT COUNT(*) FROM nodes AS other
            WHERE other.id <> ? AND other.seen_at > ${now} - ${LOST_AFTER_MS} AND
              ABS(CAST(CAST(other.facts AS JSONB) ->> 'clockAheadMs' AS BIGINT)) <= ${CLOCKS_DIFFER_MS}
          ) AS others_right`,
        [id, name, JSON.stringify({ ...facts, [KNOWS]: true }), id],
      );
      const row = written.ok ? written.value[0]?.[0] : undefined;
      if (row === undefined) throw new Error("unreachable: the report is never refused");
      await places.tidy();
      if (starts) {
        await write(`DELETE FROM nodes WHERE seen_at < ${now} - ${KEPT_MS}`, []);
        await write(DELETE_ABANDONED, []);
      }
      return { at: Number(row["seen_at"]), othersAreRight: Number(row["others_right"]) > 0 };
    },
    list: async () => {
      const rows = await sql.query({
        text: `SELECT id, name, started_at, seen_at, ${now} - seen_at AS silent, facts
          FROM nodes WHERE seen_at > ${now} - ${KEPT_MS} ORDER BY name, id`,
        values: [],
      });
      return rows.map((row) => {
        // Written by `report`, perhaps of another version.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const { [KNOWS]: _, ...facts } = JSON.parse(String(row["facts"])) as Reported;
        return {
          ...facts,
          id: String(row["id"]),
          name: String(row["name"]),
          startedAt: Number(row["started_at"]),
          seenAt: Number(row["seen_at"]),
          state: Number(row["silent"]) > LOST_AFTER_MS ? ("lost" as const) : ("active" as const),
        };
      });
    },
    leave: async () => {
      await places.clear();
      await write("DELETE FROM nodes WHERE id = ?", [id]);
    },
  };
}

/** This process among the nodes. */
export interface Node {
  /** Lists all nodes. */
  list(): Promise<readonly NodeView[]>;
  /** Reports that it is active. */
  readonly jobs: Jobs;
  /** How old its copies of keys, routes and sites may be, in milliseconds. */
  readonly lagMs: number;
  /** The time of the data, and whether this machine agrees with it. */
  readonly time: StoreClock;
  /** Whether its clock is wrong and another node does the shared work. */
  readonly leavesWork: boolean;
  /** Stops reporting, and removes it from the list. */
  leave(): Promise<void>;
}

export function createNode({
  nodes,
  identity,
  version,
  addresses,
  confirmedAt,
  limits,
  claimFiles,
  time,
  log,
}: {
  /** Undefined: the database has no clock, and this process uses it alone. */
  readonly nodes: Nodes | undefined;
  readonly identity: NodeIdentity;
  readonly version: string;
  readonly addresses: readonly string[];
  /** Returns when the process last read all changes by others; undefined before the first time. */
  readonly confirmedAt: () => number | undefined;
  readonly limits: () => LimitsFacts;
  /** Makes all processes keep the files of sites. */
  readonly claimFiles: () => Promise<PostgresClaim | undefined>;
  readonly time: StoreClock;
  readonly log: Log;
}): Node {
  const startedAt = time.now();
  let databaseMs = 0;
  let reported = false;
  let othersAreRight = false;

  const lagMs = (): number => Math.max(0, time.now() - (confirmedAt() ?? startedAt));
  const facts = (): NodeFacts => ({
    version,
    addresses,
    lagMs: nodes === undefined ? 0 : lagMs(),
    databaseMs,
    clockAheadMs: Math.round(time.aheadMs),
    ...limits(),
  });
  const report = async (): Promise<void> => {
    if (nodes !== undefined) {
      const askedAt = time.steady();
      const reply = await nodes.report(facts(), !reported);
      ({ othersAreRight } = reply);
      time.learn?.(reply.at, askedAt, othersAreRight);
      reported = true;
      databaseMs = Math.round(time.steady() - askedAt);
    }
    await time.keep(log);
  };

  const files = nodes && keepFilesFromOlder({ hasOlder: () => nodes.older(), claim: claimFiles });
  const jobs = createRounds({
    clock: time,
    log,
    errands: [
      { what: "reporting this node", everyMs: REPORT_EVERY_MS, atOnce: true, run: report },
      {
        what: "keeping files from older nodes",
        everyMs: MINUTE_MS,
        atOnce: true,
        run: async () => files?.review(),
      },
    ],
  });
  return {
    list: async () =>
      nodes?.list() ?? [
        { ...identity, ...facts(), state: "active", startedAt, seenAt: time.now() },
      ],
    jobs,
    get lagMs() {
      return facts().lagMs;
    },
    time,
    get leavesWork() {
      return othersAreRight && Math.abs(time.aheadMs) > CLOCKS_DIFFER_MS;
    },
    leave: async () => {
      await jobs.stop();
      await files?.release();
      await nodes?.leave().catch((error: unknown) => {
        log.warn("this node stays in the list of nodes for an hour", { reason: String(error) });
      });
    },
  };
}

/** Returns the ID of the node in a data directory, and creates it if it has none. The caller holds the directory's lock. */
export async function nodeIdIn({ nodeId }: Pick<DataDirectory, "nodeId">): Promise<string> {
  try {
    const known = (await readFile(nodeId, "utf8")).trim();
    if (known !== "") return known;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const id = randomUUID();
  await writeSecret(nodeId, `${id}\n`);
  return id;
}
