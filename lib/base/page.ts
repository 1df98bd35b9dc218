/** Which part of a list by id is wanted. */
export interface Page {
  /** At most this many rows. */
  readonly limit: number;
  /** `desc` is newest first. */
  readonly order: "asc" | "desc";
  /** Rows strictly beyond this id in the direction of `order`; absent: from the start. */
  readonly after?: number;
}
