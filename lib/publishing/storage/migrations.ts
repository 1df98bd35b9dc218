import type { Migration, Schema } from "../../sql/migrate.ts";

/**
 * The tables of projects and deploys. `seq` numbers both in the order of creation, which lists follow.
 * Never edit a released migration: add another one.
 */
export const migrations: readonly Migration[] = [
  ({ identity, clustered }) => [
    `CREATE TABLE projects (
      seq ${identity},
      id TEXT NOT NULL UNIQUE,
      account_id TEXT NOT NULL,
      slug TEXT NOT NULL,
      name TEXT NOT NULL,
      category_ids TEXT NOT NULL,
      statuses TEXT NOT NULL,
      accent TEXT,
      scheme TEXT,
      live_deploy_id TEXT,
      version BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      deleted_at BIGINT
    )`,
    "CREATE INDEX projects_by_account ON projects (account_id, seq)",
    "CREATE INDEX projects_by_deletion ON projects (deleted_at)",
    // One row per slug in use, current or redirecting, so that no slug leads to two projects.
    `CREATE TABLE project_slugs (
      slug TEXT PRIMARY KEY,
      project_id TEXT NOT NULL,
      redirects_until BIGINT
    )`,
    "CREATE INDEX project_slugs_by_project ON project_slugs (project_id, redirects_until)",
    "CREATE INDEX project_slugs_by_time ON project_slugs (redirects_until)",
    // `place` is the position in the rollback history; null outside of it.
    `CREATE TABLE deploys (
      seq ${identity},
      id TEXT NOT NULL UNIQUE,
      project_id TEXT NOT NULL,
      state TEXT NOT NULL,
      source TEXT NOT NULL,
      message TEXT,
      author TEXT NOT NULL,
      files BIGINT NOT NULL,
      bytes BIGINT NOT NULL,
      pinned INTEGER NOT NULL,
      failure TEXT,
      place BIGINT,
      created_at BIGINT NOT NULL,
      touched_at BIGINT NOT NULL,
      ready_at BIGINT,
      activated_at BIGINT,
      superseded_at BIGINT
    )`,
    "CREATE INDEX deploys_by_project ON deploys (project_id, seq)",
    "CREATE INDEX deploys_by_state ON deploys (state, touched_at)",
    // Separate from deploys, so that lists do not read them.
    `CREATE TABLE deploy_manifests (
      deploy_id TEXT PRIMARY KEY,
      manifest TEXT NOT NULL
    )`,
    `CREATE TABLE deploy_blobs (
      deploy_id TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      PRIMARY KEY (deploy_id, sha256)
    ) ${clustered}`,
    "CREATE INDEX deploy_blobs_by_name ON deploy_blobs (sha256)",
    // Deleted and failed deploys whose blobs are not yet released, which takes several commits.
    "CREATE TABLE departed_deploys (deploy_id TEXT PRIMARY KEY)",
  ],
  // The settings of the site as JSON; null for none. Earlier versions neither read nor write the column.
  () => ["ALTER TABLE projects ADD COLUMN site TEXT"],
];

/** The tables of `sqlProjectStore`. */
export const projectSchema: Schema = { component: "publishing", migrations };
