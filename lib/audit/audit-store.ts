import type { Eventual } from "../base/eventual.ts";
import type { AuditRow, ChainPlace } from "./model.ts";

/** The end of the chain. */
export interface ChainHead extends ChainPlace {
  /** The `seq` of the last event that the chain records; 0 if there is none. */
  readonly event: number;
}

/** The place before the oldest row that is kept: where the retention time ended the last time. */
export interface Checkpoint extends ChainPlace {
  /** When it was written, in milliseconds since the Unix epoch; absent while no row was removed. */
  readonly at?: number;
}

/** Which rows a list contains. Absent members do not narrow it. Instants are in milliseconds since the Unix epoch. */
export interface AuditFilter {
  /** The operators' rows are those of the empty text. */
  readonly accountId?: string | undefined;
  /** As a row has it: `member:mem_…`. */
  readonly actor?: string | undefined;
  readonly type?: string | undefined;
  /** Needs `accountId`. */
  readonly subject?: string | undefined;
  /** Rows at or after this instant. */
  readonly since?: number | undefined;
  /** Rows before this instant. */
  readonly until?: number | undefined;
}

/** The most rows that one call adds or removes. */
export const MAX_ROWS = 500;

/**
 * Stores the audit log, in the same database as the store. Instants are in milliseconds since the Unix epoch. Every adapter
 * must guarantee (`auditStoreContract`):
 *
 * - `append` and `remove` are all or nothing, and resolve only when they are durable.
 * - Of several processes that append to the same head, one succeeds. Each event is in the chain once.
 * - No row is ever changed, and only `remove` removes rows: the oldest ones.
 */
export interface AuditStore {
  head(): Eventual<ChainHead>;
  checkpoint(): Eventual<Checkpoint>;
  /** Rows after `seq`, ascending, at most `limit`. */
  after(seq: number, limit: number): Eventual<readonly AuditRow[]>;
  /**
   * Rows by their time, and by their number if they have the same one, newest first. With `after`, only those that follow the
   * row with that number; none if it was removed.
   */
  list(
    filter: AuditFilter,
    page: { readonly after?: number | undefined; readonly limit: number },
  ): Eventual<readonly AuditRow[]>;
  /** Adds rows after `from`, if that is still the head. Returns false, and changes nothing, if it is not. */
  append(from: ChainHead, rows: readonly AuditRow[]): Promise<boolean>;
  /**
   * Removes the oldest rows up to the first one that is not before `before`, at most `limit`, and writes the checkpoint.
   * Never removes the last row. Returns the number of removed rows.
   */
  remove(of: {
    readonly before: number;
    readonly limit: number;
    readonly at: number;
  }): Promise<number>;
}
