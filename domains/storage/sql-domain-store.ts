import { number, text, readsOf } from "../../lib/sql/rows.ts";
import { HOUR_MS, type Clock } from "../../lib/base/clock.ts";
import { andThen } from "../../lib/base/eventual.ts";
import { done } from "../../lib/base/result.ts";
import { openTables } from "../../lib/sql/migrate.ts";
import type { Sql, SqlRow } from "../../lib/sql/sql.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { DomainStore } from "../ports/domain-store.ts";
import { LASTING_DRIFT_MS } from "../model/drift.ts";
import { compile } from "./compile.ts";
import { countedColumns, countedOf } from "./domain-changes.ts";
import { domainSchema } from "./migrations.ts";
import * as rows from "./rows.ts";

/** Options of a store of custom domains in a SQL database. */
export interface SqlDomainStoreOptions {
  /** Must have been passed to `sqlStore` before, which closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Returns a store of custom domains in a SQL database, after migrating its tables. Rejects with `ForeignTables` or
 * `NewerSchema` if the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlDomainStore(options: SqlDomainStoreOptions): Promise<DomainStore> {
  const sql = await openTables("sqlDomainStore", options, domainSchema);
  const { all, first } = readsOf(sql);

  return {
    domains: {
      byId: (id) => first(DOMAIN, [id], rows.domainOf),
      holderOf: (name) => first(HOLDER, [name], rows.domainOf),
      ofProject: (projectId) => all(OF_PROJECT, [projectId], rows.domainOf),
      ofAccount: (accountId, { after, limit }) =>
        after === undefined
          ? all(OF_ACCOUNT, [accountId, limit], rows.domainOf)
          : all(OF_ACCOUNT_AFTER, [accountId, after, limit], rows.domainOf),
      all: ({ after, limit }) =>
        after === undefined
          ? all(ALL, [limit], rows.domainOf)
          : all(ALL_AFTER, [after, limit], rows.domainOf),
      outdated: ({ after, limit }) =>
        andThen(
          after === undefined
            ? all(COUNTED, [limit], outdatedOf)
            : all(COUNTED_AFTER, [after, limit], outdatedOf),
          (page) => ({
            ids: page.filter(({ outdated }) => outdated).map(({ id }) => id),
            next: page.length < limit ? undefined : page.at(-1)?.id,
          }),
        ),
      named: (name, limit) => all(NAMED, [name, limit], rows.domainOf),
      due: (now, limit, mayEnd = true) =>
        all(dueBy(columnOf(mayEnd)), [now, limit], (row) => text(row, "id")),
      nextDueAt: (mayEnd = true) =>
        first(nextDueBy(columnOf(mayEnd)), [], (row) => number(row, "due")),
      overdue: (now) =>
        andThen(
          first(OVERDUE, [now, now], (row) => ({
            overdue: number(row, "overdue"),
            expired: number(row, "expired"),
            ...(row["first"] === null ? {} : { firstExpiresAt: number(row, "first") }),
          })),
          (counts) => counts ?? { overdue: 0, expired: 0 },
        ),
      firstOverdue: (now, limit) => all(FIRST_OVERDUE, [now, limit], (row) => text(row, "name")),
      lookCounts: async (now) => {
        const least = await first(LEAST_LOOKED, [], (row) => number(row, "looked_at"));
        const since = Math.min(now - HOUR_MS, least ?? 0);
        const counted = await first(LOOK_COUNTS, [now - LASTING_DRIFT_MS, since], (row) => ({
          looks: number(row, "looks"),
          bad: number(row, "bad"),
          lasting: number(row, "lasting"),
        }));
        return counted ?? { looks: 0, bad: 0, lasting: 0 };
      },
      served: (after, limit) =>
        all(SERVED, [after, limit], (row) => ({
          seq: number(row, "seq"),
          domain: rows.domainOf(row),
        })),
    },
    targets: {
      of: (projectId, name) => first(TARGET, [name, projectId], (row) => text(row, "label")),
      owner: (label) =>
        first(OWNER, [label], (row) => ({
          projectId: text(row, "project_id"),
          name: text(row, "name"),
        })),
      attachedElsewhere: (name, accountId) =>
        andThen(
          first(ELSEWHERE, [name, accountId], () => true),
          (found) => found ?? false,
        ),
    },
    reports: { of: (domainId) => first(REPORT, [domainId], (row) => text(row, "report")) },
    orders: { of: (name) => first(ORDER, [name], rows.orderOf) },
    certificates: { byId: (id) => first(CERTIFICATE, [id], rows.certificateOf) },
    challenges: {
      http01: (name, token, now) => first(HTTP_01, [name, token, now], rows.challengeOf),
      tlsAlpn01: (name, now) => first(TLS_ALPN_01, [name, now], rows.challengeOf),
      tlsAlpn01Names: (now, limit) =>
        all(TLS_ALPN_01_NAMES, [now, limit], (row) => text(row, "name")),
    },
    accounts: {
      of: (authority) => first(ACCOUNT, [authority], rows.accountOf),
      replaced: (authority) => all(REPLACED, [authority], rows.replacedOf),
      successor: (authority) => first(SUCCESSOR, [authority], rows.successorOf),
    },
    pauses: {
      of: (authority) => first(PAUSE, [authority], rows.pauseOf),
      all: () => all(PAUSES, [], rows.pauseOf),
    },
    keys: {
      isBlocked: (fingerprint) =>
        andThen(
          first(BLOCKED, [fingerprint], () => true),
          (found) => found ?? false,
        ),
    },
    timeline: { of: (domainId, limit) => all(TIMELINE, [domainId, limit], rows.entryOf) },

    commit: async (changes, actor, under) => {
      const [leading] = changes;
      if (leading === undefined) return done(undefined);
      return compile(changes, actor, { dialect: sql.dialect, under }).write(sql, laneOf(leading));
    },
  };
}

function outdatedOf(row: SqlRow): { readonly id: string; readonly outdated: boolean } {
  const domain = rows.domainOf(row);
  const counted = countedOf(domain);
  const outdated = countedColumns.some(
    (column, index) => numberOrNull(row[column]) !== counted[index],
  );
  return { id: domain.id, outdated };
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** A lane for each name; the row of an account orders the changes that count its domains. */
function laneOf(change: DomainChange): string {
  if ("domain" in change) return `domain ${change.domain.name}`;
  if ("from" in change) return `domain ${change.from.name}`;
  if ("order" in change) return `domain ${change.order.name}`;
  return "challenge" in change ? `domain ${change.challenge.name}` : "domains";
}

const DOMAIN = `SELECT ${rows.domainColumns} FROM domains WHERE id = ?`;
const HOLDER = `SELECT ${rows.domainColumns} FROM domain_holders
  JOIN domains ON domains.id = domain_holders.domain_id WHERE domain_holders.name = ?`;
const OF_PROJECT = `SELECT ${rows.domainColumns} FROM domains
  WHERE project_id = ? AND removed_at IS NULL ORDER BY seq`;
const OF_ACCOUNT = `SELECT ${rows.domainColumns} FROM domains
  WHERE account_id = ? AND removed_at IS NULL ORDER BY seq LIMIT ?`;
const OF_ACCOUNT_AFTER = `SELECT ${rows.domainColumns} FROM domains
  WHERE account_id = ? AND removed_at IS NULL AND seq > (SELECT seq FROM domains WHERE id = ?)
  ORDER BY seq LIMIT ?`;
const ALL = `SELECT ${rows.domainColumns} FROM domains WHERE removed_at IS NULL ORDER BY seq LIMIT ?`;
const ALL_AFTER = `SELECT ${rows.domainColumns} FROM domains
  WHERE removed_at IS NULL AND seq > (SELECT seq FROM domains WHERE id = ?) ORDER BY seq LIMIT ?`;
const COUNTED_COLUMNS = `${rows.domainColumns}, ${countedColumns.join(", ")}`;
const COUNTED = `SELECT ${COUNTED_COLUMNS} FROM domains ORDER BY seq LIMIT ?`;
const COUNTED_AFTER = `SELECT ${COUNTED_COLUMNS} FROM domains
  WHERE seq > (SELECT seq FROM domains WHERE id = ?) ORDER BY seq LIMIT ?`;
const NAMED = `SELECT ${rows.domainColumns} FROM domains WHERE name = ?
  ORDER BY held DESC, CASE WHEN removed_at IS NULL THEN 0 ELSE 1 END, seq DESC LIMIT ?`;
type DueColumn = "due_at" | "safe_due_at";
const columnOf = (mayEnd: boolean): DueColumn => (mayEnd ? "due_at" : "safe_due_at");
const dueBy = (column: DueColumn): string =>
  `SELECT id FROM domains WHERE ${column} <= ? ORDER BY ${column}, seq LIMIT ?`;
const nextDueBy = (column: DueColumn): string =>
  `SELECT ${column} AS due FROM domains WHERE ${column} IS NOT NULL ORDER BY ${column}, seq LIMIT 1`;
const OVERDUE = `SELECT COUNT(*) AS overdue, MIN(expires_at) AS first,
    COUNT(CASE WHEN expires_at <= ? THEN 1 END) AS expired
  FROM domains WHERE overdue_at <= ?`;
const FIRST_OVERDUE =
  "SELECT name FROM domains WHERE overdue_at <= ? ORDER BY expires_at, seq LIMIT ?";
/** So many names are counted even if their looks took longer than an hour. */
const LEAST_LOOKS = 50;
const LEAST_LOOKED = `SELECT looked_at FROM domains WHERE looked_at IS NOT NULL
  ORDER BY looked_at DESC LIMIT 1 OFFSET ${LEAST_LOOKS - 1}`;
const LOOK_COUNTS = `SELECT COUNT(*) AS looks, COALESCE(SUM(look_bad), 0) AS bad,
    COUNT(CASE WHEN look_bad = 1 AND looked_at < ? THEN 1 END) AS lasting FROM domains
  WHERE looked_at >= ? AND removed_at IS NULL`;
const SERVED = `SELECT ${rows.domainColumns} FROM domains WHERE served = 1 AND seq > ?
  ORDER BY seq LIMIT ?`;
const TARGET = "SELECT label FROM domain_targets WHERE name = ? AND project_id = ?";
const OWNER = "SELECT project_id, name FROM domain_targets WHERE label = ?";
const ELSEWHERE =
  "SELECT 1 AS found FROM domain_targets WHERE name = ? AND account_id <> ? LIMIT 1";
const REPORT = "SELECT report FROM domain_reports WHERE domain_id = ?";
const ORDER = `SELECT ${rows.orderColumns} FROM domain_orders WHERE name = ?`;
const CERTIFICATE = `SELECT ${rows.certificateColumns} FROM domain_certificates WHERE id = ?`;
const HTTP_01 = `SELECT ${rows.challengeColumns} FROM domain_challenges
  WHERE name = ? AND token = ? AND kind = 'http-01' AND expires_at > ?`;
const TLS_ALPN_01 = `SELECT ${rows.challengeColumns} FROM domain_challenges
  WHERE name = ? AND kind = 'tls-alpn-01' AND expires_at > ?`;
const TLS_ALPN_01_NAMES = `SELECT name FROM domain_challenges
  WHERE expires_at > ? AND kind = 'tls-alpn-01' LIMIT ?`;
const ACCOUNT = `SELECT ${rows.accountColumns} FROM authority_accounts WHERE authority = ?`;
const REPLACED = `SELECT ${rows.replacedColumns} FROM replaced_accounts WHERE authority = ?
  ORDER BY replaced_at DESC`;
const SUCCESSOR = `SELECT ${rows.successorColumns} FROM successor_accounts WHERE authority = ?`;
const PAUSE = `SELECT ${rows.pauseColumns} FROM authority_pauses WHERE authority = ?`;
const PAUSES = `SELECT ${rows.pauseColumns} FROM authority_pauses ORDER BY authority`;
const BLOCKED = "SELECT 1 AS found FROM blocked_keys WHERE fingerprint = ?";
const TIMELINE = `SELECT ${rows.timelineColumns} FROM domain_timeline
  WHERE domain_id = ? ORDER BY seq DESC LIMIT ?`;
