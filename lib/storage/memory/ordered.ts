import type { Page } from "../../base/page.ts";

/** Rows by id, in the order of their ids. */
export class Ordered<Row extends { readonly id: number }> {
  readonly #rows = new Map<number, Row>();
  /** Ascending. */
  readonly #ids: number[] = [];

  get(id: number): Row | undefined {
    return this.#rows.get(id);
  }

  set(id: number, row: Row): void {
    if (!this.#rows.has(id)) this.#ids.splice(this.#place(id), 0, id);
    this.#rows.set(id, row);
  }

  delete(id: number): void {
    if (this.#rows.delete(id)) this.#ids.splice(this.#place(id), 1);
  }

  [Symbol.iterator](): Iterator<readonly [number, Row]> {
    return this.#rows.entries();
  }

  values(): Iterable<Row> {
    return this.#rows.values();
  }

  /** Copies of the rows that match. Starts at the page, then walks over what does not match. */
  page({ limit, order, after }: Page, matches: (row: Row) => boolean): readonly Row[] {
    const found: Row[] = [];
    const step = order === "asc" ? 1 : -1;
    let index = order === "asc" ? 0 : this.#ids.length - 1;
    if (after !== undefined) {
      index = order === "asc" ? this.#place(after + 1) : this.#place(after) - 1;
    }
    for (; found.length < limit; index += step) {
      const id = this.#ids[index];
      if (id === undefined) break;
      const row = this.#rows.get(id);
      if (row !== undefined && matches(row)) found.push({ ...row });
    }
    return found;
  }

  count(matches: (row: Row) => boolean): number {
    return [...this.#rows.values()].filter((row) => matches(row)).length;
  }

  /** Index of the first id that is not below `id`. */
  #place(id: number): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ids[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
