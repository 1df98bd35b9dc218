import type { Result } from "../../base/result.ts";
import type { Account, Catalogue } from "../../model/account.ts";
import type { ApiKey } from "../../model/api-key.ts";
import type {
  Adopter,
  StoredCategory,
  StoredOrder,
  DeletedPet,
  StoredPet,
} from "../../catalogue/model.ts";
import type { StoredPhoto, StoredProfile } from "../../catalogue/model-profile.ts";
import { originIn, originText, system, type Actor } from "../../model/actor.ts";
import { eventTypes } from "../../model/event-types.ts";
import type { DomainEvent, EventType, RecordedEvent } from "../../model/event.ts";
import type { CountedUsage, UsagePeriod } from "../../model/usage.ts";
import type {
  Change,
  ChangeOf,
  Notice,
  Outcome,
  Refusal,
  RememberedAnswer,
  SavedCounter,
} from "../change.ts";
import type { Page } from "../../base/page.ts";

/** Returns copies of the matching rows on a page. */
export function pageOf<Row extends { readonly id: number }>(
  rows: ReadonlyMap<number, Row> | undefined,
  { limit, order, after }: Page,
  matches: (row: Row) => boolean,
): readonly Row[] {
  const step = order === "asc" ? 1 : -1;
  return [...(rows?.values() ?? [])]
    .filter((row) => (after === undefined || (row.id - after) * step > 0) && matches(row))
    .toSorted((a, b) => (a.id - b.id) * step)
    .slice(0, limit)
    .map((row) => ({ ...row }));
}

export function countOf<Row>(
  rows: ReadonlyMap<number, Row> | undefined,
  matches: (row: Row) => boolean,
): number {
  return [...(rows?.values() ?? [])].filter((row) => matches(row)).length;
}

/** A change's outcome, or the reason why it was refused. */
export type Applied = Result<Outcome, Refusal>;

/** An event before it has an actor and a number. */
export type NewEvent = Omit<ChangeOf<"event.write">, "kind">;

/** The types that readers of events get: the audit log has others. */
const FOR_READERS: ReadonlySet<string> = new Set(eventTypes);

/** Returns an event as its readers get it; undefined for an entry that only the audit log has. */
export function forReaders(recorded: RecordedEvent): DomainEvent | undefined {
  const { type, origin: _origin, changed: _changed, ...event } = recorded;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is in the list
  return FOR_READERS.has(type) ? { ...event, type: type as EventType } : undefined;
}

/** How each kind of change is applied. `outcomes` are those of the earlier changes of the commit. */
export type Appliers<Of extends string = string> = {
  readonly [Kind in Extract<Change["kind"], Of>]: (
    state: MemoryState,
    change: ChangeOf<Kind>,
    outcomes: readonly Outcome[],
  ) => Applied;
};

/** The rows of one catalogue. */
export interface CatalogueTables {
  readonly catalogue: Catalogue;
  readonly pets: Map<number, StoredPet>;
  readonly deletedPets: Map<number, DeletedPet>;
  readonly categories: Map<number, StoredCategory>;
  readonly orders: Map<number, StoredOrder>;
  /** The adopters by the ids of their orders. */
  readonly adoptions: Map<number, { readonly adopter: Adopter; readonly savedAt: number }>;
  readonly answers: Map<string, RememberedAnswer>;
  /** The profiles by the ids of the animals, present or deleted. */
  readonly profiles: Map<number, KeptProfile>;
  /** The photos in their order, by the ids of the animals. */
  readonly photos: Map<number, readonly StoredPhoto[]>;
}

interface KeptProfile extends StoredProfile {
  readonly nextPhotoId: number;
}

/** A catalogue's next ids, and its revision. */
export interface Sequences {
  readonly pet: number;
  readonly category: number;
  readonly order: number;
  readonly revision: number;
}

/** The state of a memory store, with an undo log of the current commit. */
export class MemoryState {
  readonly accounts: Map<string, Account> = new Map();
  readonly keys: Map<string, ApiKey> = new Map();
  readonly catalogues: Map<number, CatalogueTables> = new Map();
  /** The next ids of each catalogue; without the catalogues of deleted accounts. */
  readonly sequences: Map<number, Sequences> = new Map();
  readonly counters: Map<string, SavedCounter> = new Map();
  readonly usage: Readonly<Record<UsagePeriod, Map<string, CountedUsage>>> = {
    minute: new Map(),
    day: new Map(),
  };
  readonly settings: Map<string, string> = new Map();
  readonly events: Map<number, RecordedEvent> = new Map();
  readonly feed: Map<number, Notice & { readonly at: number }> = new Map();
  /** Who makes the current commit. */
  actor: Actor = system;
  lastCatalogue = 0;
  lastEvent = 0;
  lastNotice = 0;
  readonly #undo: (() => void)[] = [];

  /** Returns a catalogue's tables; undefined if its account was deleted. */
  tablesOf(catalogueId: number): CatalogueTables | undefined {
    return this.sequences.has(catalogueId) ? this.catalogues.get(catalogueId) : undefined;
  }

  /** Sets a row, or removes it if `row` is undefined. */
  put<Key, Row>(rows: Map<Key, Row>, key: Key, row: Row | undefined): void {
    const before = rows.get(key);
    this.#undo.push(() => {
      if (before === undefined) rows.delete(key);
      else rows.set(key, before);
    });
    if (row === undefined) rows.delete(key);
    else rows.set(key, row);
  }

  /** Assigns the next ids of the named kinds and increments the revision. Returns the assigned ids. */
  advance(
    catalogueId: number,
    ...kinds: readonly ("pet" | "category" | "order")[]
  ): Sequences | undefined {
    const sequences = this.sequences.get(catalogueId);
    if (sequences === undefined) return undefined;
    const next = { ...sequences, revision: sequences.revision + 1 };
    for (const name of kinds) next[name]++;
    this.put(this.sequences, catalogueId, next);
    return sequences;
  }

  /** Writes an event. A deleted account gets only the event about its deletion. */
  writeEvent({ changed = [], ...event }: NewEvent): void {
    const { accountId, type } = event;
    // The operators have the empty text as their account.
    const isKnown = accountId === "" || this.accounts.has(accountId);
    if (!isKnown && type !== "account.deleted") return;
    const seq = ++this.lastEvent;
    this.#undo.push(() => void this.lastEvent--);
    const { from: _from, ...actor } = this.actor;
    const origin = originIn(originText(this.actor) ?? "");
    const more = {
      ...(origin === undefined ? {} : { origin }),
      ...(changed.length === 0 ? {} : { changed }),
    };
    this.put(this.events, seq, structuredClone({ ...event, actor, seq, ...more }));
  }

  notice(topic: Notice["topic"], subject: string, at: number): void {
    const seq = ++this.lastNotice;
    this.#undo.push(() => void this.lastNotice--);
    this.put(this.feed, seq, { seq, topic, subject, at });
  }

  /** Commits the changes. */
  commit(): void {
    this.#undo.length = 0;
  }

  /** Rolls back the changes since the last commit. */
  rollback(): void {
    for (const step of this.#undo.toReversed()) step();
    this.#undo.length = 0;
  }
}

export function emptyTables(catalogue: Catalogue): CatalogueTables {
  return {
    catalogue,
    pets: new Map(),
    deletedPets: new Map(),
    categories: new Map(),
    orders: new Map(),
    adoptions: new Map(),
    answers: new Map(),
    profiles: new Map(),
    photos: new Map(),
  };
}

/** Writes an event about what a catalogue contains. */
export function writeEvent(
  state: MemoryState,
  { catalogue: { id: catalogueId, accountId } }: CatalogueTables,
  type: EventType,
  at: number,
  data: Readonly<Record<string, unknown>>,
  changed?: readonly string[],
): void {
  state.writeEvent({ type, accountId, catalogueId, at, changed, data });
}
