import { sizedCache } from "../base/cache.ts";
import { isPromise, type Eventual } from "../base/eventual.ts";
import { petShown, petStatuses, type Pet, type PetFilter } from "../catalogue/model.ts";

/** A page of animals as JSON, newest first. It has at least one. */
export interface PetTexts {
  /** The animals, with commas between. */
  readonly text: string;
  /** The highest id. */
  readonly newest: number;
  /** The lowest id. */
  readonly oldest: number;
  /** Whether an older animal follows. */
  readonly more: boolean;
}

/** Which animals a page consists of: those below the id `before` that match, at most `limit`. */
export interface PetTextsQuery extends Pick<PetFilter, "status" | "categoryId"> {
  readonly before: number;
  readonly limit: number;
}

/** Reads the animals with ids from `from` up to but not including `to`, newest first. */
export type ReadPets = (catalogueId: number, from: number, to: number) => Eventual<readonly Pet[]>;

/** The number of ids in a range. Reading a larger range takes longer, and every change of an animal forgets its range. */
const IDS = 256;
/** A page that needs more blocks has a filter that few animals match. The index of the database finds them faster. */
const MAX_BLOCKS_A_PAGE = 4;
/** The size of all blocks. */
const MAX_BYTES = 32 * 1024 * 1024;
/** The size of a block without its text and its animals. */
const OVERHEAD = 200;
/** The size of a mark: that of a usual block. */
const MARK_BYTES = 48 * 1024;
/**
 * A range is read into memory at this use. Reading it costs as much as six pages, which pays only if the range is used again
 * before others take its place. In a catalogue of a million animals, a page anywhere took 162 µs if ranges were read at
 * their second use, and 139 µs at the third.
 */
const WORTHWHILE_USES = 3;
/** JavaScript engines store texts without such characters in one byte each. */
const BEYOND_LATIN_1 = /[^\0-\u{ff}]/u;

/** The animals of one range of ids, newest first. What filters compare lies together, where a scan is fastest. */
class Block {
  readonly bytes: number;
  readonly #ids: Float64Array;
  readonly #categoryIds: Float64Array;
  /** The statuses as indices of `petStatuses`. */
  readonly #statuses: Uint8Array;
  /** The JSON of all animals, with commas between. */
  readonly #text: string;
  /** Where each animal begins in the text; the last one is where another animal would begin. */
  readonly #starts: Uint32Array;

  constructor(pets: readonly Pet[]) {
    this.#ids = Float64Array.from(pets, ({ id }) => id);
    this.#categoryIds = Float64Array.from(pets, ({ categoryId }) => categoryId);
    this.#statuses = Uint8Array.from(pets, ({ status }) => petStatuses.indexOf(status));
    const texts = pets.map((pet) => JSON.stringify(petShown(pet)));
    this.#starts = new Uint32Array(pets.length + 1);
    for (const [row, { length }] of texts.entries()) {
      this.#starts[row + 1] = (this.#starts[row] ?? 0) + length + 1;
    }
    this.#text = texts.join(",");
    const characterBytes = BEYOND_LATIN_1.test(this.#text) ? 2 : 1;
    this.bytes = this.#text.length * characterBytes + pets.length * 21 + OVERHEAD;
  }

  /** Adds the animals of the page that are in this range. Returns true if the page is full and another animal follows. */
  addTo(page: PageText, { status, categoryId, before, limit }: PetTextsQuery): boolean {
    const count = this.#ids.length;
    const wanted = status === undefined ? -1 : petStatuses.indexOf(status);
    // Neighbours that match are copied together.
    let run = -1;
    for (let row = this.#firstBelow(before); row < count; row++) {
      const matches =
        (wanted === -1 || this.#statuses[row] === wanted) &&
        (categoryId === undefined || this.#categoryIds[row] === categoryId);
      if (matches && page.count < limit) {
        if (run === -1) run = row;
        const id = this.#ids[row] ?? 0;
        if (page.count === 0) page.newest = id;
        page.oldest = id;
        page.count++;
        continue;
      }
      if (run !== -1) page.add(this.#textOf(run, row));
      if (matches) return true;
      run = -1;
    }
    if (run !== -1) page.add(this.#textOf(run, count));
    return false;
  }

  #textOf(from: number, to: number): string {
    return this.#text.slice(this.#starts[from], (this.#starts[to] ?? 0) - 1);
  }

  #firstBelow(id: number): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0) < id) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

class PageText {
  text = "";
  newest = 0;
  oldest = 0;
  count = 0;

  add(text: string): void {
    this.text = this.text === "" ? text : `${this.text},${text}`;
  }
}

/**
 * A range that was asked for a few times, or that is being read. It takes the room of a usual block: a range is worth
 * reading only if its uses come so soon after each other that the block would still have been there.
 */
class Mark {
  readonly bytes: number = MARK_BYTES;
  uses = 1;
  reading = false;
}

interface Known {
  /** The revision that the blocks show. */
  revision: number;
  /** Part of the keys of the blocks: a new one forgets them all. */
  readonly epoch: number;
}

/**
 * Pages of animals from memory, for walks through long lists: the JSON of ranges of ids, each read on its third use.
 * Animals change in this process by commits, each of which is followed, and forgets the ranges of its animals. A revision that no
 * commit of this process wrote forgets all ranges of the catalogue.
 */
export class PetBlocks {
  readonly #read: ReadPets;
  readonly #ranges = sizedCache<Block | Mark>(MAX_BYTES, ({ bytes }) => bytes);
  readonly #catalogues = new Map<number, Known>();
  #epochs = 0;

  constructor(read: ReadPets) {
    this.#read = read;
  }

  /** Returns a page of the catalogue as it is at `revision`; undefined if it is not in memory. */
  texts(catalogueId: number, revision: number, query: PetTextsQuery): PetTexts | undefined {
    const { epoch } = this.#at(catalogueId, revision);
    const page = new PageText();
    let range = rangeOf(query.before - 1);
    for (let visited = 0; visited < MAX_BLOCKS_A_PAGE && range >= 0; visited++, range--) {
      const block = this.#block(catalogueId, epoch, range);
      if (block === undefined) return undefined;
      if (block.addTo(page, query)) return shown(page, true);
    }
    return range < 0 && page.count > 0 ? shown(page, false) : undefined;
  }

  /** Learns of a revision that a commit of this process wrote. */
  follow(catalogueId: number, revision: number): void {
    const known = this.#catalogues.get(catalogueId);
    if (known?.revision === revision - 1) known.revision = revision;
    // Another process was faster, or commits of this one end in another order.
    else this.#catalogues.delete(catalogueId);
  }

  /** Learns that a commit of this process created, changed or deleted an animal. */
  forget(catalogueId: number, petId: number): void {
    const known = this.#catalogues.get(catalogueId);
    if (known !== undefined) this.#ranges.delete(keyOf(known.epoch, rangeOf(petId)));
  }

  #at(catalogueId: number, revision: number): Known {
    const known = this.#catalogues.get(catalogueId);
    if (known?.revision === revision) return known;
    const fresh = { revision, epoch: ++this.#epochs };
    this.#catalogues.set(catalogueId, fresh);
    return fresh;
  }

  #block(catalogueId: number, epoch: number, range: number): Block | undefined {
    const key = keyOf(epoch, range);
    const kept = this.#ranges.get(key);
    if (kept instanceof Block) return kept;
    if (kept === undefined) this.#ranges.set(key, new Mark());
    if (kept === undefined || kept.reading || ++kept.uses < WORTHWHILE_USES) return undefined;
    const read = this.#read(catalogueId, range * IDS, (range + 1) * IDS);
    if (!isPromise(read)) {
      const block = new Block(read);
      this.#ranges.set(key, block);
      return block;
    }
    kept.reading = true;
    read.then(
      (pets) => {
        // A change meanwhile has removed the mark.
        if (this.#ranges.get(key) === kept) this.#ranges.set(key, new Block(pets));
      },
      () => {
        kept.reading = false;
      },
    );
    return undefined;
  }
}

function rangeOf(id: number): number {
  return Math.floor(id / IDS);
}

function keyOf(epoch: number, range: number): string {
  return `${epoch} ${range}`;
}

function shown({ text, newest, oldest }: PageText, more: boolean): PetTexts {
  return { text, newest, oldest, more };
}
