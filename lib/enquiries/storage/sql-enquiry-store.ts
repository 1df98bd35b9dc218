import { andThen } from "../../base/eventual.ts";
import type { Clock } from "../../base/clock.ts";
import { MAX_ID } from "../../base/id.ts";
import type { Page } from "../../base/page.ts";
import { done, refused } from "../../base/result.ts";
import { openTables } from "../../sql/migrate.ts";
import { none } from "../../sql/rotation.ts";
import { number, readsOf, text } from "../../sql/rows.ts";
import { rowOf } from "../../sql/script.ts";
import type { BatchRows, Sql, SqlValue } from "../../sql/sql.ts";
import { addEventUnchecked, EventScript } from "../../storage/changes/store-script.ts";
import type {
  EnquiryChange,
  EnquiryFilter,
  EnquiryRefusal,
  EnquiryStore,
} from "../enquiry-store.ts";
import { enquiryEvent } from "../event.ts";
import { enquiryColumns, enquiryOf, enquirySchema } from "./rows.ts";

/** Options of an enquiry store in a SQL database. */
export interface SqlEnquiryStoreOptions {
  /** A database in which `sqlStore` has created its tables. The caller closes it. */
  readonly sql: Sql;
  /** Dates the upgrade of the tables. Default: the system's. */
  readonly clock?: Clock;
}

/**
 * Opens the enquiry store in a SQL database and migrates its tables. Rejects with `ForeignTables` or `NewerSchema` if
 * the tables cannot be used, and with a `TypeError` for invalid options.
 */
export async function sqlEnquiryStore(options: SqlEnquiryStoreOptions): Promise<EnquiryStore> {
  const sql = await openTables("sqlEnquiryStore", options, enquirySchema);
  const { all, first } = readsOf(sql);
  /** The last catalogue that a purge has looked at. */
  let looked = 0;

  /** Returns the catalogues of deleted accounts among the next ones. */
  const departed = async (): Promise<readonly number[]> => {
    const boxes = await all(NEXT_BOXES, [looked], (row) => number(row, "catalogue_id"));
    looked = boxes.length < BOXES_AT_ONCE ? 0 : (boxes.at(-1) ?? 0);
    const [from, to] = [boxes[0], boxes.at(-1)];
    if (from === undefined || to === undefined) return [];
    return all(DEPARTED, [from, to], (row) => number(row, "catalogue_id"));
  };

  return {
    byId: (catalogueId, id) => first(ENQUIRY, [catalogueId, id], enquiryOf),
    list: (catalogueId, filter, page) => {
      const { text: query, values } = listOf(catalogueId, filter, page);
      return all(query, values, enquiryOf);
    },
    counts: (catalogueId) =>
      andThen(
        all(COUNTS, [catalogueId], (row) => [text(row, "state"), number(row, "count")] as const),
        (counted) => {
          const known = new Map(counted);
          return {
            new: known.get("new") ?? 0,
            answered: known.get("answered") ?? 0,
            closed: known.get("closed") ?? 0,
          };
        },
      ),
    has: (catalogueId, stamp) =>
      andThen(
        sql.query({ text: STAMPED, values: [catalogueId, stamp] }),
        (rows) => rows.length > 0,
      ),
    commit: async (changes, actor) => {
      const [leading] = changes;
      if (leading === undefined) return done([]);
      const script: EnquiryScript = new EventScript(actor);
      const purges = changes.some(({ kind }) => kind === "purge");
      const gone = purges ? await departed() : [];
      for (const change of changes) add(script, change, gone);
      const written = await script.commit(sql, laneOf(leading));
      if (!written.ok) return refused(written.failure.refusal);
      if (purges) await sql.eraseDeleted?.();
      return written;
    },
  };
}

/** A commit is in the lane of its first change, since it counts the enquiries of a catalogue. */
function laneOf(change: EnquiryChange): string {
  switch (change.kind) {
    case "enquiry.add":
      return `enquiries ${change.enquiry.catalogueId}`;
    case "enquiry.update":
    case "enquiry.remove":
      return `enquiries ${change.from.catalogueId}`;
    case "purge":
      return "enquiries";
  }
}

const ENQUIRIES = `SELECT ${enquiryColumns} FROM enquiries`;
const ENQUIRY = `${ENQUIRIES} WHERE catalogue_id = ? AND id = ?`;

function listOf(
  catalogueId: number,
  { state, petId }: EnquiryFilter,
  { order, after, limit }: Page,
): { readonly text: string; readonly values: readonly SqlValue[] } {
  let where = "catalogue_id = ?";
  const values: SqlValue[] = [catalogueId];
  if (state !== undefined) {
    where += " AND state = ?";
    values.push(state);
  }
  if (petId !== undefined) {
    where += " AND pet_id = ?";
    values.push(petId);
  }
  const rest = order === "asc" ? "id > ? ORDER BY id" : "id < ? ORDER BY id DESC";
  const start = order === "asc" ? 0 : MAX_ID;
  return {
    text: `${ENQUIRIES} WHERE ${where} AND ${rest} LIMIT ?`,
    values: [...values, after ?? start, limit],
  };
}

const COUNTS =
  "SELECT state, COUNT(*) AS count FROM enquiries WHERE catalogue_id = ? GROUP BY state";
const STAMPED = "SELECT 1 AS found FROM enquiries WHERE catalogue_id = ? AND stamp = ?";
const CATALOGUE = "SELECT account_id FROM catalogues WHERE id = ?";
const IS_NEW = `SELECT 1 AS fresh WHERE ${none("enquiries WHERE catalogue_id = ? AND stamp = ?")}`;
const HAS_TIME = `SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM (
  SELECT 1 FROM enquiries WHERE project_id = ? AND created_at > ? LIMIT ?) AS recent)`;
const HAS_ROOM = `SELECT 1 AS room WHERE ? > (SELECT COUNT(*) FROM (
  SELECT 1 FROM enquiries WHERE catalogue_id = ? LIMIT ?) AS kept)`;
const TAKE_ID = `INSERT INTO enquiry_boxes (catalogue_id, next_id) VALUES (?, 2)
  ON CONFLICT (catalogue_id) DO UPDATE SET next_id = enquiry_boxes.next_id + 1
  RETURNING next_id - 1 AS id`;
const INSERT = `INSERT INTO enquiries (catalogue_id, id, project_id, site, language, pet_id, pet_name, name,
    email, phone, message, state, stamp, version, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'new', ?, 1, ?, ?)`;
const UPDATE = `UPDATE enquiries
  SET state = ?, notes = ?, version = version + 1, updated_at = ?, changed_by = ?
  WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id`;
const REMOVE =
  "DELETE FROM enquiries WHERE catalogue_id = ? AND id = ? AND version = ? RETURNING id";
const PURGE_OLD = `DELETE FROM enquiries WHERE (catalogue_id, id) IN (
  SELECT catalogue_id, id FROM enquiries WHERE created_at < ? ORDER BY created_at LIMIT ?
) RETURNING id`;
const PURGE_LEFT = `DELETE FROM enquiries WHERE (catalogue_id, id) IN (
  SELECT catalogue_id, id FROM enquiries WHERE catalogue_id = ? LIMIT ?
) RETURNING id`;
const PURGE_BOX = `DELETE FROM enquiry_boxes WHERE catalogue_id = ?
  AND ${none("enquiries WHERE enquiries.catalogue_id = enquiry_boxes.catalogue_id")}`;

/** Bounds what a purge looks at; the next ones look at the others. */
const BOXES_AT_ONCE = 500;
const NEXT_BOXES = `SELECT catalogue_id FROM enquiry_boxes
  WHERE catalogue_id > ? ORDER BY catalogue_id LIMIT ${BOXES_AT_ONCE}`;
const DEPARTED = `SELECT catalogue_id FROM enquiry_boxes WHERE catalogue_id BETWEEN ? AND ?
  AND ${none("catalogues WHERE catalogues.id = enquiry_boxes.catalogue_id")}
  ORDER BY catalogue_id LIMIT 8`;

type EnquiryScript = EventScript<EnquiryRefusal, number>;

function add(script: EnquiryScript, change: EnquiryChange, departed: readonly number[]): void {
  switch (change.kind) {
    case "enquiry.add": {
      const { enquiry, stamp, dayBefore, maxPerDay, maxKept } = change;
      const { catalogueId, projectId, petId, createdAt } = enquiry;
      const found = script.demand(CATALOGUE, [catalogueId], "missing");
      script.demand(IS_NEW, [catalogueId, stamp], "exists");
      script.demand(HAS_TIME, [maxPerDay, projectId, dayBefore, maxPerDay], "busy");
      script.demand(HAS_ROOM, [maxKept, catalogueId, maxKept], "full");
      const taken = script.add(TAKE_ID, [catalogueId]);
      const id = (rows: BatchRows): number => number(rowOf(rows, taken), "id");
      const { site, language, petName, name, email, phone = null, message } = enquiry;
      const texts = [site, language, petId, petName, name, email, phone, message];
      script.add(INSERT, (rows) => [
        catalogueId,
        id(rows),
        projectId,
        ...texts,
        stamp,
        createdAt,
        createdAt,
      ]);
      // The row of the catalogue proves that its account exists.
      addEventUnchecked(script, (rows) => ({
        type: "enquiry.created",
        accountId: text(rowOf(rows, found), "account_id"),
        catalogueId,
        at: createdAt,
        data: enquiryEvent({ id: id(rows), petId, projectId, createdAt }),
      }));
      script.end(id);
      return;
    }
    case "enquiry.update": {
      const { from, to, at } = change;
      const { catalogueId, id, version } = from;
      const values = [to.state, to.notes ?? null, at, script.actor, catalogueId, id, version];
      script.demand(UPDATE, values, "stale");
      script.end(() => 0);
      return;
    }
    case "enquiry.remove": {
      const { catalogueId, id, version } = change.from;
      script.demand(REMOVE, [catalogueId, id, version], "stale");
      script.end(() => 0);
      return;
    }
    case "purge": {
      const { before, limit } = change;
      const steps = [script.add(PURGE_OLD, [before, limit])];
      for (const catalogueId of departed) {
        steps.push(script.add(PURGE_LEFT, [catalogueId, limit]));
        script.add(PURGE_BOX, [catalogueId]);
      }
      script.end((rows) => steps.reduce((sum, step) => sum + (rows[step]?.length ?? 0), 0));
    }
  }
}
