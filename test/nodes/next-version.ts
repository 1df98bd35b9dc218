/** Loaded before the program, makes it the next version: its tables are one upgrade ahead, which the current version can use. */
import type { Migration, Schema } from "../../lib/sql/migrate.ts";
import { migrations, storeSchema } from "../../lib/storage/migrations.ts";

const current = migrations.length;
const expand: Migration = () => [
  "ALTER TABLE pets ADD COLUMN of_next_version TEXT",
  "ALTER TABLE api_keys ADD COLUMN of_next_version TEXT",
  "CREATE TABLE of_next_version (id BIGINT PRIMARY KEY)",
];
(migrations as Migration[]).push(expand);
Object.assign(storeSchema satisfies Schema, { since: current });
