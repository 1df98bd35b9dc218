import type { Migration, Schema } from "../../lib/sql/migrate.ts";

/**
 * Tables of custom domains. Fields used in queries have columns; the rest of a domain or an order is JSON in
 * `facts`. Never edit a released migration; add one.
 */
export const migrations: readonly Migration[] = [
  ({ identity, clustered }) => [
    `CREATE TABLE domains (
      seq ${identity},
      id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      project_id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      held INTEGER NOT NULL,
      served INTEGER NOT NULL,
      removed_at BIGINT,
      due_at BIGINT,
      facts TEXT NOT NULL,
      version BIGINT NOT NULL
    )`,
    "CREATE INDEX domains_by_project ON domains (project_id, seq)",
    "CREATE INDEX domains_by_account ON domains (account_id, seq)",
    "CREATE INDEX domains_by_name ON domains (name, seq)",
    "CREATE INDEX domains_by_due ON domains (due_at, seq)",
    "CREATE INDEX domains_served ON domains (served, seq)",
    // A name has one holder; several domains may want it.
    `CREATE TABLE domain_holders (
      name TEXT PRIMARY KEY,
      domain_id TEXT NOT NULL
    )`,
    // Kept for ever: a stale CNAME must never lead to another project.
    `CREATE TABLE domain_targets (
      label TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      project_id TEXT NOT NULL,
      account_id TEXT NOT NULL,
      UNIQUE (name, project_id)
    )`,
    // Its row is locked by changes that count the account's domains.
    "CREATE TABLE domain_accounts (account_id TEXT PRIMARY KEY)",
    `CREATE TABLE domain_reports (
      domain_id TEXT PRIMARY KEY,
      report TEXT NOT NULL
    )`,
    `CREATE TABLE domain_timeline (
      seq ${identity},
      domain_id TEXT NOT NULL,
      at BIGINT NOT NULL,
      kind TEXT NOT NULL,
      code TEXT,
      message TEXT
    )`,
    "CREATE INDEX domain_timeline_by_domain ON domain_timeline (domain_id, seq)",
    // The primary key allows one order per name.
    `CREATE TABLE domain_orders (
      name TEXT PRIMARY KEY,
      id TEXT NOT NULL,
      facts TEXT NOT NULL,
      version BIGINT NOT NULL
    )`,
    `CREATE TABLE domain_challenges (
      name TEXT NOT NULL,
      token TEXT NOT NULL,
      kind TEXT NOT NULL,
      key_authorization TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (name, token)
    ) ${clustered}`,
    "CREATE INDEX domain_challenges_by_time ON domain_challenges (expires_at)",
    `CREATE TABLE domain_certificates (
      id TEXT PRIMARY KEY,
      domain_id TEXT NOT NULL,
      chain TEXT NOT NULL,
      sealed_key TEXT NOT NULL,
      not_after BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    "CREATE INDEX domain_certificates_by_domain ON domain_certificates (domain_id)",
    `CREATE TABLE authority_accounts (
      authority TEXT PRIMARY KEY,
      url TEXT,
      sealed_key TEXT NOT NULL,
      created_at BIGINT NOT NULL
    )`,
    `CREATE TABLE leases (
      name TEXT PRIMARY KEY,
      fence BIGINT NOT NULL,
      expires_at BIGINT NOT NULL
    )`,
    "CREATE INDEX leases_by_time ON leases (expires_at)",
    // One row: the last fence. It outlives the leases, so that fences only grow.
    "CREATE TABLE lease_fences (id INTEGER PRIMARY KEY, last BIGINT NOT NULL)",
    "INSERT INTO lease_fences (id, last) VALUES (1, 0)",
  ],
  () => [
    "ALTER TABLE authority_accounts ADD COLUMN next_sealed_key TEXT",
    `CREATE TABLE replaced_accounts (
      authority TEXT NOT NULL,
      url TEXT NOT NULL,
      sealed_key TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      replaced_at BIGINT NOT NULL,
      PRIMARY KEY (authority, url)
    )`,
    "CREATE INDEX replaced_accounts_by_time ON replaced_accounts (replaced_at)",
    "CREATE INDEX domain_certificates_by_time ON domain_certificates (created_at)",
  ],
  () => [
    `CREATE TABLE authority_pauses (
      authority TEXT PRIMARY KEY,
      until BIGINT NOT NULL,
      message TEXT NOT NULL
    )`,
  ],
  () => [
    // Kept for ever: a key that has leaked once is never safe again.
    "CREATE TABLE blocked_keys (fingerprint TEXT PRIMARY KEY, blocked_at BIGINT NOT NULL)",
  ],
  ({ sequence }) => [
    // The node that holds the lease. Absent if its version is older, or it has no name.
    "ALTER TABLE leases ADD COLUMN holder TEXT",
    // Far above the row, from which a node of the version before takes its fences during an upgrade.
    ...(sequence === undefined
      ? []
      : [sequence.create("lease_fence", "(SELECT last + 1000000 FROM lease_fences)")]),
  ],
  () => [
    // When the next task is due that takes nothing away; `due_at` counts every task.
    "ALTER TABLE domains ADD COLUMN safe_due_at BIGINT",
    // A removed domain has no such task once it is about to be deleted, after thirty days.
    `UPDATE domains SET safe_due_at = due_at
      WHERE removed_at IS NULL OR due_at < removed_at + 2592000000`,
    "CREATE INDEX domains_by_safe_due ON domains (safe_due_at, seq)",
    // The last order during the pause, and the domain that the operator asked it for.
    "ALTER TABLE authority_pauses ADD COLUMN probed_at BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE authority_pauses ADD COLUMN probed_by TEXT",
  ],
  () => [
    // Failures in a row of a CA that does not answer; a node of the version before never counts one.
    "ALTER TABLE authority_pauses ADD COLUMN failures BIGINT NOT NULL DEFAULT 0",
    // The page where the operator can resolve a refusal, and when the CA last named it.
    "ALTER TABLE authority_pauses ADD COLUMN help_url TEXT",
    "ALTER TABLE authority_pauses ADD COLUMN help_at BIGINT",
  ],
  () => [
    // One row per authority whose account is about to be replaced. A version before never reads it.
    `CREATE TABLE successor_accounts (
      authority TEXT PRIMARY KEY,
      replaces TEXT NOT NULL,
      url TEXT,
      sealed_key TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      switch_at BIGINT
    )`,
  ],
  () => [
    // When the operator is told that the certificate is overdue, and when it expires. A row that an older version wrote
    // is right again after the next check of its gates, within a day.
    "ALTER TABLE domains ADD COLUMN overdue_at BIGINT",
    "ALTER TABLE domains ADD COLUMN expires_at BIGINT",
    "CREATE INDEX domains_by_overdue ON domains (overdue_at, expires_at)",
    // When an account, or with an empty scope the operator, was last told of certificates that reached a stage.
    `CREATE TABLE overdue_notices (
      scope TEXT NOT NULL,
      stage INTEGER NOT NULL,
      told_at BIGINT NOT NULL,
      PRIMARY KEY (scope, stage)
    )`,
    "CREATE INDEX overdue_notices_by_time ON overdue_notices (told_at)",
  ],
  () => [
    // The last daily look at a live name, and whether the name led elsewhere: for counts over all nodes.
    "ALTER TABLE domains ADD COLUMN looked_at BIGINT",
    "ALTER TABLE domains ADD COLUMN look_bad INTEGER",
    "CREATE INDEX domains_by_look ON domains (looked_at, look_bad) WHERE looked_at IS NOT NULL",
  ],
];

/** The tables of `sqlDomainStore`. */
export const domainSchema: Schema = { component: "domains", migrations, since: 4 };
