import type { Migration, Schema } from "../sql/migrate.ts";

/** The type of ids: integers that every JSON parser reads exactly. */
const ID = "BIGINT NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991)";

const petFields = `name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL`;

const usageFields = `environment TEXT NOT NULL,
  requests BIGINT NOT NULL,
  limited BIGINT NOT NULL,
  refused BIGINT NOT NULL,
  failed BIGINT NOT NULL`;

/**
 * The tables of the store. The primary key of a catalogue's row begins with the catalogue's id. An index ends with the
 * id by which its list is ordered, so that a page is one range of it. Never edit a released migration: add one.
 */
export const migrations: readonly Migration[] = [
  ({ identity, clustered }) => [
    `CREATE TABLE accounts (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      plan TEXT NOT NULL,
      per_minute BIGINT NOT NULL,
      per_day BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      suspended_at BIGINT
    )`,
    // These counters outlive the rows, so no id is ever reused.
    `CREATE TABLE catalogues (
      id ${identity},
      account_id TEXT NOT NULL,
      environment TEXT NOT NULL,
      next_pet_id BIGINT NOT NULL,
      next_category_id BIGINT NOT NULL,
      next_order_id BIGINT NOT NULL,
      revision BIGINT NOT NULL,
      UNIQUE (account_id, environment)
    )`,
    // Catalogues of deleted accounts, until their rows are purged.
    `CREATE TABLE departed_catalogues (
      catalogue_id BIGINT PRIMARY KEY,
      account_id TEXT NOT NULL
    )`,
    `CREATE TABLE api_keys (
      id TEXT PRIMARY KEY,
      account_id TEXT NOT NULL,
      catalogue_id BIGINT NOT NULL REFERENCES catalogues (id),
      environment TEXT NOT NULL,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      hash TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      revoked_at BIGINT,
      last_used_at BIGINT,
      replaced_by TEXT,
      ban_until BIGINT,
      ban_level INTEGER,
      banned_at BIGINT,
      ban_lifted_at BIGINT
    )`,
    "CREATE INDEX api_keys_by_account ON api_keys (account_id, created_at, id)",
    "CREATE INDEX api_keys_by_catalogue ON api_keys (catalogue_id)",
    `CREATE TABLE categories (
      catalogue_id BIGINT NOT NULL,
      id ${ID},
      name TEXT NOT NULL,
      folded_name TEXT NOT NULL,
      version BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, id),
      UNIQUE (catalogue_id, folded_name)
    ) ${clustered}`,
    `CREATE TABLE pets (
      catalogue_id BIGINT NOT NULL,
      id ${ID},
      ${petFields},
      PRIMARY KEY (catalogue_id, id)
    ) ${clustered}`,
    "CREATE INDEX pets_by_status ON pets (catalogue_id, status, id)",
    "CREATE INDEX pets_by_category ON pets (catalogue_id, category_id, id)",
    "CREATE INDEX pets_by_category_and_status ON pets (catalogue_id, category_id, status, id)",
    // Separate from `pets`, so that no list has to skip deleted rows.
    `CREATE TABLE deleted_pets (
      catalogue_id BIGINT NOT NULL,
      id ${ID},
      ${petFields},
      deleted_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, id)
    ) ${clustered}`,
    "CREATE INDEX deleted_pets_by_time ON deleted_pets (deleted_at)",
    "CREATE INDEX deleted_pets_by_category ON deleted_pets (catalogue_id, category_id, deleted_at)",
    `CREATE TABLE orders (
      catalogue_id BIGINT NOT NULL,
      id ${ID},
      pet_id BIGINT NOT NULL,
      status TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, id)
    ) ${clustered}`,
    "CREATE INDEX orders_by_status ON orders (catalogue_id, status, id)",
    "CREATE INDEX orders_by_pet ON orders (catalogue_id, pet_id, id)",
    "CREATE INDEX orders_by_pet_and_status ON orders (catalogue_id, pet_id, status, id)",
    `CREATE TABLE answers (
      catalogue_id BIGINT NOT NULL,
      request TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      status INTEGER NOT NULL,
      headers TEXT NOT NULL,
      body TEXT NOT NULL,
      expires_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, request, idempotency_key)
    )`,
    "CREATE INDEX answers_by_time ON answers (expires_at)",
    `CREATE TABLE counters (
      name TEXT PRIMARY KEY,
      state TEXT NOT NULL,
      ends_at BIGINT NOT NULL
    )`,
    "CREATE INDEX counters_by_time ON counters (ends_at)",
    `CREATE TABLE events (
      seq ${identity},
      type TEXT NOT NULL,
      account_id TEXT NOT NULL,
      catalogue_id BIGINT,
      occurred_at BIGINT NOT NULL,
      data TEXT NOT NULL
    )`,
    "CREATE INDEX events_by_account ON events (account_id, seq)",
    `CREATE TABLE feed (
      seq ${identity},
      topic TEXT NOT NULL,
      subject TEXT NOT NULL,
      written_at BIGINT NOT NULL
    )`,
    `CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    )`,
  ],
  () => [
    // Selects the events to purge with the account: those before the event about its deletion.
    "ALTER TABLE departed_catalogues ADD COLUMN events_before BIGINT NOT NULL DEFAULT 0",
    `UPDATE departed_catalogues SET events_before = 1 + (SELECT COALESCE(MAX(seq), 0) FROM events)
      WHERE account_id NOT IN (SELECT id FROM accounts)`,
  ],
  ({ clustered }) => [
    `CREATE TABLE usage_minutes (
      account_id TEXT NOT NULL,
      started_at BIGINT NOT NULL,
      key_id TEXT NOT NULL,
      operation TEXT NOT NULL,
      ${usageFields},
      PRIMARY KEY (account_id, started_at, key_id, operation)
    ) ${clustered}`,
    "CREATE INDEX usage_minutes_by_key ON usage_minutes (account_id, key_id, started_at, operation)",
    "CREATE INDEX usage_minutes_by_time ON usage_minutes (started_at)",
    `CREATE TABLE usage_days (
      account_id TEXT NOT NULL,
      started_at BIGINT NOT NULL,
      key_id TEXT NOT NULL,
      operation TEXT NOT NULL,
      ${usageFields},
      PRIMARY KEY (account_id, started_at, key_id, operation)
    ) ${clustered}`,
    "CREATE INDEX usage_days_by_key ON usage_days (account_id, key_id, started_at, operation)",
    "CREATE INDEX usage_days_by_time ON usage_days (started_at)",
  ],
  () => {
    const end =
      "CASE WHEN revoked_at IS NULL OR expires_at < revoked_at THEN expires_at ELSE revoked_at END";
    return [
      `CREATE INDEX api_keys_by_end ON api_keys ((${end}), id)`,
      `CREATE INDEX api_keys_by_catalogue_and_end ON api_keys (catalogue_id, (${end}), id)`,
    ];
  },
  () => [
    // The searchable form of the name. SQL cannot derive it: `foldNames` fills it in for older rows.
    "ALTER TABLE pets ADD COLUMN folded_name TEXT",
    "CREATE INDEX pets_unfolded ON pets (catalogue_id, id) WHERE folded_name IS NULL",
  ],
  () => ["ALTER TABLE api_keys ADD COLUMN allowed_addresses TEXT"],
  // Who caused the event, as `actorText` writes it. Events of older versions have none.
  () => ["ALTER TABLE events ADD COLUMN actor TEXT"],
  ({ clustered }) => [
    // Rows stay while an animal is deleted, and are purged with it.
    `CREATE TABLE profiles (
      catalogue_id BIGINT NOT NULL,
      pet_id BIGINT NOT NULL,
      version BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      next_photo_id BIGINT NOT NULL,
      sex TEXT,
      neutered INTEGER,
      birth_date TEXT,
      birth_precision TEXT,
      breed_text TEXT,
      breed_mixed INTEGER,
      colour TEXT,
      size TEXT,
      good_with_children TEXT,
      good_with_dogs TEXT,
      good_with_cats TEXT,
      special_needs TEXT,
      fee TEXT,
      markdown TEXT,
      staff_notes TEXT,
      microchip TEXT,
      external_id TEXT,
      source TEXT,
      intake_at BIGINT,
      folded_breed TEXT,
      PRIMARY KEY (catalogue_id, pet_id)
    ) ${clustered}`,
    "CREATE UNIQUE INDEX profiles_by_external_id ON profiles (catalogue_id, external_id, (COALESCE(source, '')))",
    // All that filters compare: they never read the rows, which have long texts.
    `CREATE INDEX profiles_by_filters ON profiles (catalogue_id, pet_id, sex, size, good_with_children,
      good_with_dogs, good_with_cats, birth_date, folded_breed)`,
    `CREATE TABLE photos (
      catalogue_id BIGINT NOT NULL,
      pet_id BIGINT NOT NULL,
      id ${ID},
      position INTEGER NOT NULL,
      alt TEXT,
      focus_x INTEGER,
      focus_y INTEGER,
      hash TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      sizes TEXT NOT NULL,
      bytes BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, pet_id, id)
    ) ${clustered}`,
    "CREATE INDEX photos_by_hash ON photos (hash)",
    "CREATE INDEX photos_by_bytes ON photos (catalogue_id, bytes)",
  ],
  ({ clustered }) => [
    "ALTER TABLE orders ADD COLUMN version BIGINT NOT NULL DEFAULT 1",
    // Older versions write none of them.
    "ALTER TABLE orders ADD COLUMN updated_at BIGINT",
    "ALTER TABLE orders ADD COLUMN status_before TEXT",
    "ALTER TABLE orders ADD COLUMN returned_at BIGINT",
    // Personal data, which is deleted after a retention time. Orders stay.
    `CREATE TABLE adoptions (
      catalogue_id BIGINT NOT NULL,
      order_id BIGINT NOT NULL,
      name TEXT,
      contact TEXT,
      date TEXT,
      saved_at BIGINT NOT NULL,
      PRIMARY KEY (catalogue_id, order_id)
    ) ${clustered}`,
    "CREATE INDEX adoptions_by_time ON adoptions (saved_at)",
  ],
  () => [
    // For the audit log. Older versions write neither.
    "ALTER TABLE events ADD COLUMN origin TEXT",
    "ALTER TABLE events ADD COLUMN changed TEXT",
  ],
];

/** The schema version that this code needs. A database keeps its version in `schema_migrations`. */
export const schemaVersion: number = migrations.length;

/** The tables of `sqlStore`. */
export const storeSchema: Schema = { component: "petstore", migrations, since: 6 };
