import {
  addEvent,
  addEventUnchecked,
  addNotice,
  type EventScript,
} from "../../lib/storage/changes/store-script.ts";
import type { Actor } from "../../lib/model/actor.ts";
import { servedUntil, type Domain } from "../model/domain.ts";
import { operatorToldAt } from "../model/overdue.ts";
import { isOwnHost } from "../model/own-host.ts";
import { countedLook } from "../model/drift.ts";
import { roleOfAdded } from "../model/redirects.ts";
import { nextTask } from "../model/schedule.ts";
import {
  domainEvent,
  eventTypeOf,
  hostEvent,
  hostEventTypeOf,
  MAX_MESSAGE,
  MAX_TIMELINE,
  type News,
} from "../model/timeline.ts";
import type { BatchRows } from "../../lib/sql/sql.ts";
import type { DomainChange, DomainRefusal } from "../ports/domain-change.ts";
import { domainColumns, domainOf } from "./rows.ts";

/** The statements of one commit, each with its refusal. */
export type DomainScript = EventScript<DomainRefusal>;

export type Of<Kind extends DomainChange["kind"]> = Extract<DomainChange, { kind: Kind }>;

const HOLD_ACCOUNT = `INSERT INTO domain_accounts (account_id) VALUES (?)
  ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`;

const NOT_ATTACHED = `SELECT 1 AS free WHERE NOT EXISTS (
  SELECT 1 FROM domains WHERE account_id = ? AND name = ? AND removed_at IS NULL
)`;

const ROOM_IN_PROJECT = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM domains WHERE project_id = ? AND removed_at IS NULL
)`;

const OTHERS_OF_PROJECT = `SELECT ${domainColumns} FROM domains
  WHERE project_id = ? AND removed_at IS NULL ORDER BY seq`;

const ROOM_UNVERIFIED = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM domains WHERE account_id = ? AND held = 0 AND removed_at IS NULL
)`;

// Removed domains leave a target for ever, so an account cannot add and remove without limit.
const ROOM_REMOVED = `SELECT 1 AS room WHERE ? > (
  SELECT COUNT(*) FROM domains WHERE account_id = ? AND removed_at IS NOT NULL
)`;

const KEEP_TARGET = `INSERT INTO domain_targets (label, name, project_id, account_id)
  VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`;

const HAS_TARGET =
  "SELECT label FROM domain_targets WHERE label = ? AND name = ? AND project_id = ?";

const INSERT_DOMAIN = `INSERT INTO domains
    (id, name, project_id, account_id, held, served, removed_at, due_at, safe_due_at, facts, version)
  VALUES (?, ?, ?, ?, 0, 0, NULL, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`;

/** Returns the domain to write, from the rows of the earlier steps of its batch. */
type Written = (earlier: BatchRows) => Domain;

/** Checks the limits, assigns the target and decides the role, for an added or a restored domain. */
function checkAndAssign(
  script: DomainScript,
  domain: Domain,
  { maxOfProject, maxUnverified, maxRemoved, roleByOthers }: Of<"domain.add" | "domain.restore">,
): Written {
  const { name, projectId, accountId, targetLabel } = domain;
  // Orders the additions of an account: each one sees those before it.
  script.add(HOLD_ACCOUNT, [accountId]);
  script.demand(NOT_ATTACHED, [accountId, name], "exists");
  script.demand(ROOM_IN_PROJECT, [maxOfProject, projectId], "limit");
  script.demand(ROOM_UNVERIFIED, [maxUnverified, accountId], "limit");
  script.demand(ROOM_REMOVED, [maxRemoved, accountId], "limit");
  script.add(KEEP_TARGET, [targetLabel, name, projectId, accountId]);
  script.demand(HAS_TARGET, [targetLabel, name, projectId], "stale");
  if (roleByOthers === undefined) return () => domain;
  const others = script.add(OTHERS_OF_PROJECT, [projectId]);
  return (earlier) => ({ ...domain, role: roleOfAdded((earlier[others] ?? []).map(domainOf)) });
}

export function addDomain(script: DomainScript, change: Of<"domain.add">): void {
  const { domain, news, at } = change;
  const { id, name, projectId, accountId, version } = domain;
  const written = checkAndAssign(script, domain, change);
  script.demand(
    INSERT_DOMAIN,
    (earlier) => {
      const facts = JSON.stringify(written(earlier));
      return [id, name, projectId, accountId, ...dueTimes(domain, at), facts, version];
    },
    "exists",
  );
  addNews(script, domain, news, at);
}

/** The columns by which certificates and looks are counted. */
export const countedColumns = ["overdue_at", "expires_at", "looked_at", "look_bad"] as const;

/** Returns the values of `countedColumns`. */
export function countedOf(domain: Domain): readonly (number | null)[] {
  const looked = countedLook(domain);
  return [
    operatorToldAt(domain) ?? null,
    domain.certificate?.notAfter ?? null,
    ...(looked === null ? [null, null] : [looked.at, looked.bad ? 1 : 0]),
  ];
}

const UPDATE_DOMAIN = `UPDATE domains SET held = ?, served = ?, removed_at = ?, due_at = ?,
    safe_due_at = ?, ${countedColumns.map((column) => `${column} = ?`).join(", ")}, facts = ?,
    version = version + 1
  WHERE id = ? AND version = ? RETURNING version`;

/** When the next task is due, and the next one that takes nothing away. */
function dueTimes(domain: Domain, at: number): readonly (number | null)[] {
  return [true, false].map((mayEnd) => nextTask(domain, at, mayEnd)?.at ?? null);
}

function update(
  script: DomainScript,
  from: Domain,
  to: Domain,
  at: number,
  written: Written = () => to,
): void {
  script.demand(
    UPDATE_DOMAIN,
    (earlier) => [
      to.heldSince === undefined ? 0 : 1,
      servedUntil(to) > 0 ? 1 : 0,
      to.removal?.at ?? null,
      ...dueTimes(to, at),
      ...countedOf(to),
      JSON.stringify(written(earlier)),
      from.id,
      from.version,
    ],
    "stale",
  );
  addNotice(script, { topic: "domain", subject: from.id, at });
}

export function restoreDomain(script: DomainScript, change: Of<"domain.restore">): void {
  const { from, to, news, at } = change;
  const written = checkAndAssign(script, to, change);
  update(script, from, to, at, written);
  addNews(script, to, news, at);
}

const LEAVE_NAME = "DELETE FROM domain_holders WHERE name = ? AND domain_id = ?";

const TAKE_NAME = `INSERT INTO domain_holders (name, domain_id) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET domain_id = excluded.domain_id
  WHERE domain_holders.domain_id = excluded.domain_id RETURNING name`;

const KEEP_REPORT = `INSERT INTO domain_reports (domain_id, report) VALUES (?, ?)
  ON CONFLICT (domain_id) DO UPDATE SET report = excluded.report`;

export function saveDomain(script: DomainScript, change: Of<"domain.save">): void {
  const { from, to, news, report, at, actor } = change;
  update(script, from, to, at);
  if (from.heldSince !== undefined && to.heldSince === undefined) {
    script.add(LEAVE_NAME, [from.name, from.id]);
  }
  if (from.heldSince === undefined && to.heldSince !== undefined) {
    script.demand(TAKE_NAME, [to.name, to.id], "taken");
  }
  // Its private key is of no use to anyone who had the name.
  if (from.certificate !== undefined && to.removal?.reason === "released") {
    script.add(FORGET_CERTIFICATE, [from.id]);
  }
  if (report !== undefined) script.add(KEEP_REPORT, [from.id, report]);
  addNews(script, to, news, at, actor);
}

const FORGET_DOMAIN = `DELETE FROM domains
  WHERE id = ? AND version = ? AND removed_at IS NOT NULL RETURNING id`;

const FORGET_CERTIFICATE = "DELETE FROM domain_certificates WHERE domain_id = ?";

const FORGET_REST = [
  FORGET_CERTIFICATE,
  "DELETE FROM domain_reports WHERE domain_id = ?",
  "DELETE FROM domain_timeline WHERE domain_id = ?",
] as const;

export function forgetDomain(script: DomainScript, { domain }: Of<"domain.forget">): void {
  script.demand(FORGET_DOMAIN, [domain.id, domain.version], "stale");
  for (const text of FORGET_REST) script.add(text, [domain.id]);
}

const INSERT_ENTRY =
  "INSERT INTO domain_timeline (domain_id, at, kind, code, message) VALUES (?, ?, ?, ?, ?)";

const FORGET_ENTRIES = `DELETE FROM domain_timeline WHERE domain_id = ? AND seq <= (
  SELECT seq FROM domain_timeline WHERE domain_id = ? ORDER BY seq DESC LIMIT 1 OFFSET ${MAX_TIMELINE}
)`;

function addNews(
  script: DomainScript,
  domain: Domain,
  news: readonly News[],
  at: number,
  actor?: Actor,
): void {
  for (const item of news) {
    const cut = { ...item, ...(item.message && { message: item.message.slice(0, MAX_MESSAGE) }) };
    const { kind, code = null, message = null } = cut;
    script.add(INSERT_ENTRY, [domain.id, at, kind, code, message]);
    if (isOwnHost(domain)) {
      const type = hostEventTypeOf(kind);
      const data = hostEvent(domain, cut);
      if (type !== undefined) addEventUnchecked(script, () => ({ type, accountId: "", at, data }));
      continue;
    }
    const type = eventTypeOf(kind);
    if (type === undefined) continue;
    const { accountId } = domain;
    addEvent(script, () => ({ type, accountId, at, data: domainEvent(domain, cut), actor }));
  }
  if (news.length > 0) script.add(FORGET_ENTRIES, [domain.id, domain.id]);
}

export function reportClock(script: DomainScript, { aheadMs, at }: Of<"clock.report">): void {
  const data = { code: "clock_skew", aheadSeconds: Math.round(aheadMs / 1_000) };
  addEventUnchecked(script, () => ({ type: "clock.skewed", accountId: "", at, data }));
}
