/** A page of a list ordered by id. */
export interface Page {
  /** The most rows. */
  readonly limit: number;
  /** `desc` is newest first. */
  readonly order: "asc" | "desc";
  /** Rows strictly after this id in the page's order; absent: from the start. */
  readonly after?: number;
}
