import { actorIn } from "../../model/actor.ts";
import type { Migration, Schema } from "../../sql/migrate.ts";
import { number, optionalText, present, text } from "../../sql/rows.ts";
import type { SqlRow } from "../../sql/sql.ts";
import type { Enquiry, EnquiryState } from "../model.ts";

// Released migrations are never edited: add another one.
const migrations: readonly Migration[] = [
  ({ clustered }) => [
    // Outlives the enquiries, so that no id is reused.
    `CREATE TABLE enquiry_boxes (
      catalogue_id BIGINT PRIMARY KEY,
      next_id BIGINT NOT NULL
    )`,
    `CREATE TABLE enquiries (
      catalogue_id BIGINT NOT NULL,
      id BIGINT NOT NULL CHECK (id BETWEEN 1 AND 9007199254740991),
      project_id TEXT NOT NULL,
      site TEXT NOT NULL,
      language TEXT NOT NULL,
      pet_id BIGINT NOT NULL,
      pet_name TEXT NOT NULL,
      name TEXT NOT NULL,
      email TEXT NOT NULL,
      phone TEXT,
      message TEXT NOT NULL,
      state TEXT NOT NULL,
      notes TEXT,
      stamp TEXT NOT NULL,
      version BIGINT NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      changed_by TEXT,
      PRIMARY KEY (catalogue_id, id)
    ) ${clustered}`,
    "CREATE UNIQUE INDEX enquiries_by_stamp ON enquiries (catalogue_id, stamp)",
    "CREATE INDEX enquiries_by_state ON enquiries (catalogue_id, state, id)",
    "CREATE INDEX enquiries_by_pet ON enquiries (catalogue_id, pet_id, id)",
    "CREATE INDEX enquiries_by_project ON enquiries (project_id, created_at)",
    "CREATE INDEX enquiries_by_time ON enquiries (updated_at)",
  ],
  () => [
    "DROP INDEX enquiries_by_time",
    "CREATE INDEX enquiries_by_arrival ON enquiries (created_at)",
  ],
];

/** The tables of `sqlEnquiryStore`. */
export const enquirySchema: Schema = { component: "petstore enquiries", migrations, since: 1 };

export const enquiryColumns = `catalogue_id, id, project_id, site, language, pet_id, pet_name, name, email,
  phone, message, state, notes, version, created_at, updated_at, changed_by`;

// The casts hold because only this folder writes the table.
export function enquiryOf(row: SqlRow): Enquiry {
  const changedBy = optionalText(row, "changed_by");
  return {
    id: number(row, "id"),
    catalogueId: number(row, "catalogue_id"),
    projectId: text(row, "project_id"),
    site: text(row, "site"),
    language: text(row, "language"),
    petId: number(row, "pet_id"),
    petName: text(row, "pet_name"),
    name: text(row, "name"),
    email: text(row, "email"),
    message: text(row, "message"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    state: text(row, "state") as EnquiryState,
    version: number(row, "version"),
    createdAt: number(row, "created_at"),
    updatedAt: number(row, "updated_at"),
    ...present({
      phone: optionalText(row, "phone"),
      notes: optionalText(row, "notes"),
      changedBy: changedBy === undefined ? undefined : actorIn(changedBy),
    }),
  };
}
