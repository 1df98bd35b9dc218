import type { Eventual } from "../base/eventual.ts";
import type { Page } from "../base/page.ts";
import type { Result } from "../base/result.ts";
import type { Actor } from "../model/actor.ts";
import type { Enquiry, EnquiryState } from "./model.ts";

/** An enquiry before it has an id. */
export type NewEnquiry = Omit<
  Enquiry,
  "id" | "state" | "notes" | "version" | "updatedAt" | "changedBy"
>;

/** A write, as data. `at` is when it was decided. Instants are in milliseconds since the Unix epoch. */
export type EnquiryChange =
  /**
   * Stores an enquiry and assigns its id. Event `enquiry.created`, without personal data. Refused `missing` without the
   * catalogue, `exists` if an enquiry with this `stamp` is kept, `busy` if the project got `maxPerDay` since `dayBefore`,
   * `full` if the catalogue keeps `maxKept`.
   */
  | {
      readonly kind: "enquiry.add";
      readonly enquiry: NewEnquiry;
      /** Identifies what was sent: the same for two clicks on one form. */
      readonly stamp: string;
      readonly dayBefore: number;
      readonly maxPerDay: number;
      readonly maxKept: number;
    }
  /** Changes the state and the notes. `from` is the version on which the change was decided. Refused `stale`. */
  | {
      readonly kind: "enquiry.update";
      readonly from: Enquiry;
      readonly to: Pick<Enquiry, "state" | "notes">;
      readonly at: number;
    }
  /** Refused `stale`. */
  | { readonly kind: "enquiry.remove"; readonly from: Enquiry }
  /** Removes at most `limit` enquiries that arrived before `before`, and as many of deleted accounts. */
  | { readonly kind: "purge"; readonly before: number; readonly limit: number };

/** Why a change was refused. */
export type EnquiryRefusal = "missing" | "exists" | "busy" | "full" | "stale";

/** How many enquiries have each state. */
export type EnquiryCounts = Readonly<Record<EnquiryState, number>>;

/** Which enquiries a list contains. Default: all. */
export interface EnquiryFilter {
  readonly state?: EnquiryState | undefined;
  readonly petId?: number | undefined;
}

/**
 * Stores the enquiries of visitors, in the same database as the store. Every adapter must guarantee (`enquiryStoreContract`):
 *
 * - `commit` applies all of its changes or none, in order, and resolves only when they are durable: for each change with the
 *   id of the enquiry that it added, with the number of rows that it purged, or else with 0; or with the first refusal.
 * - A read sees every commit of this process that had resolved when the read was called.
 * - No id is assigned twice within a catalogue.
 */
export interface EnquiryStore {
  byId(catalogueId: number, id: number): Eventual<Enquiry | undefined>;
  /** Ordered by id, in the page's direction. */
  list(catalogueId: number, filter: EnquiryFilter, page: Page): Eventual<readonly Enquiry[]>;
  /** How many enquiries of the catalogue have each state. */
  counts(catalogueId: number): Eventual<EnquiryCounts>;
  /** Whether an enquiry with this stamp is kept. */
  has(catalogueId: number, stamp: string): Eventual<boolean>;
  commit(
    changes: readonly EnquiryChange[],
    actor: Actor,
  ): Promise<Result<readonly number[], EnquiryRefusal>>;
}
