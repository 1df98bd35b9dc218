import type { Result } from "../../base/result.ts";
import type { Account, Catalogue } from "../../model/account.ts";
import type { ApiKey } from "../../model/api-key.ts";
import type { StoredCategory, StoredOrder, DeletedPet, StoredPet } from "../../catalogue/model.ts";
import type { DomainEvent } from "../../model/event.ts";
import type { CountedUsage, UsagePeriod } from "../../model/usage.ts";
import type { Notice, Outcome, Refusal, RememberedAnswer, SavedCounter } from "../change.ts";
import type { Page } from "../store.ts";

/** A map of rows in the order of their ids. */
class Ordered<Row extends { readonly id: number }> {
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

  /** Returns copies of the matching rows: starts at the page and skips the others. */
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

  /** Returns the index of the first id that is not below `id`. */
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

/** The outcome of a change, or why it was refused. */
export type Applied = Result<Outcome, Refusal>;

/** The rows of one catalogue. */
export interface Shelf {
  readonly catalogue: Catalogue;
  readonly pets: Ordered<StoredPet>;
  readonly deletedPets: Ordered<DeletedPet>;
  readonly categories: Ordered<StoredCategory>;
  readonly orders: Ordered<StoredOrder>;
  readonly answers: Map<string, RememberedAnswer>;
}

/** The counters of a catalogue. */
export interface Numbers {
  readonly pet: number;
  readonly category: number;
  readonly order: number;
  readonly revision: number;
}

/** A map of rows. */
export interface Rows<Key, Row> {
  get(key: Key): Row | undefined;
  set(key: Key, row: Row): unknown;
  delete(key: Key): unknown;
}

/** The state of a store in memory, with an undo log of the current commit. */
export class World {
  readonly accounts: Map<string, Account> = new Map();
  readonly keys: Map<string, ApiKey> = new Map();
  readonly shelves: Map<number, Shelf> = new Map();
  /** Without the catalogues of deleted accounts. */
  readonly numbers: Map<number, Numbers> = new Map();
  readonly counters: Map<string, SavedCounter> = new Map();
  readonly usage: Readonly<Record<UsagePeriod, Map<string, CountedUsage>>> = {
    minute: new Map(),
    day: new Map(),
  };
  readonly settings: Map<string, string> = new Map();
  readonly events: Map<number, DomainEvent> = new Map();
  readonly feed: Map<number, Notice & { readonly at: number }> = new Map();
  lastCatalogue = 0;
  lastEvent = 0;
  lastNotice = 0;
  readonly #undo: (() => void)[] = [];

  /** Sets a row, or removes it when it is undefined. */
  put<Key, Row>(rows: Rows<Key, Row>, key: Key, row: Row | undefined): void {
    const before = rows.get(key);
    this.#undo.push(() => {
      if (before === undefined) rows.delete(key);
      else rows.set(key, before);
    });
    if (row === undefined) rows.delete(key);
    else rows.set(key, row);
  }

  /** Increments counters of a catalogue and its revision. Returns the previous ones, or undefined without the catalogue. */
  take(
    catalogueId: number,
    ...taken: readonly ("pet" | "category" | "order")[]
  ): Numbers | undefined {
    const numbers = this.numbers.get(catalogueId);
    if (numbers === undefined) return undefined;
    const next = { ...numbers, revision: numbers.revision + 1 };
    for (const name of taken) next[name]++;
    this.put(this.numbers, catalogueId, next);
    return numbers;
  }

  /** Writes an event. A deleted account gets only the event of its deletion. */
  writeEvent(event: Omit<DomainEvent, "seq">): void {
    if (!this.accounts.has(event.accountId) && event.type !== "account.deleted") return;
    const seq = ++this.lastEvent;
    this.#undo.push(() => void this.lastEvent--);
    this.put(this.events, seq, structuredClone({ ...event, seq }));
  }

  notice(topic: Notice["topic"], subject: string, at: number): void {
    const seq = ++this.lastNotice;
    this.#undo.push(() => void this.lastNotice--);
    this.put(this.feed, seq, { seq, topic, subject, at });
  }

  /** Commits the changes. */
  keep(): void {
    this.#undo.length = 0;
  }

  /** Rolls back the changes since the last `keep`. */
  undo(): void {
    for (const step of this.#undo.toReversed()) step();
    this.#undo.length = 0;
  }
}

export function emptyShelf(catalogue: Catalogue): Shelf {
  return {
    catalogue,
    pets: new Ordered(),
    deletedPets: new Ordered(),
    categories: new Ordered(),
    orders: new Ordered(),
    answers: new Map(),
  };
}
