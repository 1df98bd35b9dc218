import type { Actor } from "../../lib/model/actor.ts";
import type { Dialect } from "../../lib/sql/sql.ts";
import { EventScript } from "../../lib/storage/changes/store-script.ts";
import { DAY_MS } from "../../lib/base/clock.ts";
import { DOWN_AFTER, IN_A_ROW_MS } from "../model/authority-pause.ts";
import type { DomainChange } from "../ports/domain-change.ts";
import type { Under } from "../ports/domain-store.ts";
import {
  addDomain,
  forgetDomain,
  reportClock,
  restoreDomain,
  saveDomain,
  type DomainScript,
  type Of,
} from "./domain-changes.ts";

// First, because it locks the row: another process waits for this commit before it acquires the lease.
function stillLeased({ now = "?" }: Dialect): string {
  return `UPDATE leases SET expires_at = ${now} + ? WHERE name = ? AND fence = ? RETURNING fence`;
}

/** Compiles the changes of one commit into one batch. */
export function compile(
  changes: readonly DomainChange[],
  actor: Actor,
  { dialect, under }: { readonly dialect: Dialect; readonly under: Under | undefined },
): DomainScript {
  const script: DomainScript = new EventScript(actor);
  if (under !== undefined) {
    const { lease, ttlMs, now } = under;
    const until = dialect.now === undefined ? [now, ttlMs] : [ttlMs];
    script.demand(stillLeased(dialect), [...until, lease.name, lease.fence], "fenced");
  }
  // A writer takes the changes of its kind; TypeScript cannot follow that through the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  for (const change of changes) WRITERS[change.kind](script, change as never, dialect);
  return script;
}

const OPEN_ORDER = `INSERT INTO domain_orders (name, id, facts, version) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING RETURNING id`;
const SAVE_ORDER = `UPDATE domain_orders SET facts = ?, version = version + 1
  WHERE name = ? AND id = ? AND version = ? RETURNING id`;
const CLOSE_ORDER = "DELETE FROM domain_orders WHERE name = ? AND id = ?";

const CLOSE_CHALLENGES = "DELETE FROM domain_challenges WHERE name = ?";
const OPEN_CHALLENGE = `INSERT INTO domain_challenges (name, token, kind, key_authorization, expires_at)
  VALUES (?, ?, ?, ?, ?)`;

const FORGET_OTHERS = "DELETE FROM domain_certificates WHERE domain_id = ?";
const ADD_CERTIFICATE = `INSERT INTO domain_certificates
    (id, domain_id, chain, sealed_key, not_after, created_at)
  VALUES (?, ?, ?, ?, ?, ?)`;

const SAVE_ACCOUNT = `INSERT INTO authority_accounts
    (authority, url, sealed_key, next_sealed_key, created_at)
  VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (authority) DO UPDATE SET url = excluded.url, sealed_key = excluded.sealed_key,
    next_sealed_key = excluded.next_sealed_key, created_at = excluded.created_at`;
const FORGET_ACCOUNT = "DELETE FROM authority_accounts WHERE authority = ? AND sealed_key = ?";
const RETIRE_ACCOUNT = `INSERT INTO replaced_accounts
    (authority, url, sealed_key, created_at, replaced_at)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT (authority, url) DO NOTHING`;
const ANNOUNCE_ACCOUNT = `INSERT INTO successor_accounts
    (authority, replaces, url, sealed_key, created_at, switch_at)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (authority) DO UPDATE SET replaces = excluded.replaces, url = excluded.url,
    sealed_key = excluded.sealed_key, created_at = excluded.created_at,
    switch_at = excluded.switch_at`;
const WITHDRAW_ACCOUNT = "DELETE FROM successor_accounts WHERE authority = ?";

const PAUSE_AUTHORITY = `INSERT INTO authority_pauses (authority, until, message, probed_at)
  VALUES (?, ?, ?, ?) ON CONFLICT (authority) DO UPDATE SET
    message = CASE WHEN excluded.until > authority_pauses.until
      THEN excluded.message ELSE authority_pauses.message END,
    until = CASE WHEN excluded.until > authority_pauses.until
      THEN excluded.until ELSE authority_pauses.until END,
    probed_at = excluded.probed_at, probed_by = NULL`;
// The count starts again after a long time without a failure, unless it is known to be down.
const FAIL_AUTHORITY = `INSERT INTO authority_pauses (authority, until, message, probed_at, failures)
  VALUES (?, 0, ?, ?, 1) ON CONFLICT (authority) DO UPDATE SET
    message = CASE WHEN authority_pauses.until > excluded.probed_at
      THEN authority_pauses.message ELSE excluded.message END,
    failures = CASE WHEN authority_pauses.failures < ${DOWN_AFTER}
        AND authority_pauses.probed_at < excluded.probed_at - ${IN_A_ROW_MS}
      THEN 1 ELSE authority_pauses.failures + 1 END,
    probed_at = excluded.probed_at, probed_by = NULL`;
const AUTHORITY_ANSWERED = `UPDATE authority_pauses SET failures = 0, probed_by = NULL,
    until = CASE WHEN until > ? THEN ? ELSE until END
  WHERE authority = ?`;
const AUTHORITY_HELPS = `INSERT INTO authority_pauses
    (authority, until, message, probed_at, help_url, help_at)
  VALUES (?, 0, '', 0, ?, ?) ON CONFLICT (authority) DO UPDATE SET
    help_url = excluded.help_url, help_at = excluded.help_at`;
const PROBE_AUTHORITY = `UPDATE authority_pauses SET probed_at = ?, probed_by = ?
  WHERE authority = ? AND probed_at = ? RETURNING authority`;

// A notice in the future is of a clock that was ahead.
const TELL_OVERDUE = `INSERT INTO overdue_notices (scope, stage, told_at) VALUES (?, ?, ?)
  ON CONFLICT (scope, stage) DO UPDATE SET told_at = excluded.told_at
  WHERE overdue_notices.told_at <= ? OR overdue_notices.told_at > ? RETURNING stage`;
const PURGE_NOTICES = "DELETE FROM overdue_notices WHERE told_at < ?";

const BLOCK_KEY = `INSERT INTO blocked_keys (fingerprint, blocked_at) VALUES (?, ?)
  ON CONFLICT (fingerprint) DO NOTHING`;

const PURGE_CHALLENGES = `DELETE FROM domain_challenges WHERE (name, token) IN (
  SELECT name, token FROM domain_challenges WHERE expires_at < ? ORDER BY expires_at LIMIT ?
)`;
function purgeLeases({ now = "?" }: Dialect): string {
  return `DELETE FROM leases WHERE name IN (
    SELECT name FROM leases WHERE expires_at < ${now} ORDER BY expires_at LIMIT ?
  )`;
}
// Kept until every certificate that may have been ordered with the account is replaced.
const PURGE_REPLACED = `DELETE FROM replaced_accounts WHERE replaced_at <= COALESCE(
  (SELECT MIN(created_at) FROM domain_certificates), ${Number.MAX_SAFE_INTEGER}
)`;

/** Longer than a notice keeps others from being sent. */
const NOTICES_KEPT_MS: number = 30 * DAY_MS;

const WRITERS: {
  readonly [Kind in DomainChange["kind"]]: (
    script: DomainScript,
    change: Of<Kind>,
    dialect: Dialect,
  ) => void;
} = {
  "domain.add": addDomain,
  "domain.restore": restoreDomain,
  "domain.save": saveDomain,
  "domain.forget": forgetDomain,
  "order.open": (script, { order }) => {
    const { name, id, version } = order;
    script.demand(OPEN_ORDER, [name, id, JSON.stringify(order), version], "exists");
  },
  "order.save": (script, { from, to }) => {
    script.demand(SAVE_ORDER, [JSON.stringify(to), from.name, from.id, from.version], "stale");
  },
  "order.close": (script, { order }) => {
    script.add(CLOSE_ORDER, [order.name, order.id]);
    script.add(CLOSE_CHALLENGES, [order.name]);
  },
  "challenge.open": (script, { challenge }) => {
    const { name, token, kind, keyAuthorization, expiresAt } = challenge;
    script.add(CLOSE_CHALLENGES, [name]);
    script.add(OPEN_CHALLENGE, [name, token, kind, keyAuthorization, expiresAt]);
  },
  "certificate.add": (script, { certificate }) => {
    const { id, domainId, chainPem, sealedKey, notAfter, createdAt } = certificate;
    script.add(FORGET_OTHERS, [domainId]);
    script.add(ADD_CERTIFICATE, [id, domainId, chainPem, sealedKey, notAfter, createdAt]);
  },
  "account.save": (script, { account }) => {
    const { authority, url = null, sealedKey, nextSealedKey = null, createdAt } = account;
    script.add(SAVE_ACCOUNT, [authority, url, sealedKey, nextSealedKey, createdAt]);
  },
  "account.forget": (script, { account }) => {
    script.add(FORGET_ACCOUNT, [account.authority, account.sealedKey]);
  },
  "account.retire": (script, { account }) => {
    const { authority, url, sealedKey, createdAt, replacedAt } = account;
    script.add(RETIRE_ACCOUNT, [authority, url, sealedKey, createdAt, replacedAt]);
  },
  "account.announce": (script, { successor }) => {
    const { authority, replaces, url = null, sealedKey, createdAt, switchAt = null } = successor;
    script.add(ANNOUNCE_ACCOUNT, [authority, replaces, url, sealedKey, createdAt, switchAt]);
  },
  "account.withdraw": (script, { authority }) => {
    script.add(WITHDRAW_ACCOUNT, [authority]);
  },
  "authority.pause": (script, { pause }) => {
    const { authority, until, message, probedAt } = pause;
    script.add(PAUSE_AUTHORITY, [authority, until, message, probedAt]);
  },
  "authority.failed": (script, { authority, message, at }) => {
    script.add(FAIL_AUTHORITY, [authority, message, at]);
  },
  "authority.answered": (script, { authority, ordered, at }) => {
    const latest = ordered ? at : Number.MAX_SAFE_INTEGER;
    script.add(AUTHORITY_ANSWERED, [latest, latest, authority]);
  },
  "authority.help": (script, { authority, url, at }) => {
    script.add(AUTHORITY_HELPS, [authority, url, at]);
  },
  "authority.probe": (script, { pause, domainId, at }) => {
    script.demand(PROBE_AUTHORITY, [at, domainId, pause.authority, pause.probedAt], "stale");
  },
  "overdue.tell": (script, { accountId = "", stage, at, everyMs }) => {
    const values = [accountId, stage, at, at - everyMs, at + everyMs];
    script.demand(TELL_OVERDUE, values, "exists");
  },
  "clock.report": reportClock,
  "key.block": (script, { fingerprint, at }) => script.add(BLOCK_KEY, [fingerprint, at]),
  purge: (script, { now, limit }, dialect) => {
    script.add(PURGE_CHALLENGES, [now, limit]);
    script.add(purgeLeases(dialect), dialect.now === undefined ? [now, limit] : [limit]);
    script.add(PURGE_REPLACED, []);
    script.add(PURGE_NOTICES, [now - NOTICES_KEPT_MS]);
  },
};
