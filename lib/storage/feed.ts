import { SECOND_MS, type Clock } from "../base/clock.ts";
import { andThen } from "../base/eventual.ts";
import type { FeedReader, ReadFeed, Store } from "./store.ts";

const BATCH = 500;
/** The most gaps that are remembered. Beyond that, the closest are joined, and notices between them are passed on again. */
const MAX_GAPS = 64;
/** How often a new process asks for the last final number while others write. Most writes end within moments. */
const FIRST_ASKS = 10;
/** How often a shared feed is read, so that a change in another process takes effect within a second. */
const READ_EVERY_MS = 250;
/** How often it is read while nothing changes. Still often enough for the second, and half as many queries. */
const READ_IDLE_MS = 500;
/** How long after a change others are likely. */
const ACTIVE_MS: number = 10 * SECOND_MS;

/** Follows a feed. `now` is the clock of the reader's copies. */
export function followFeed(
  { feed }: Pick<Store, "feed">,
  now: () => number,
  reader: FeedReader,
): ReadFeed {
  return (feed.follow ?? new Following(feed, () => true).follow)(now, reader);
}

/**
 * Returns the store with a feed that is read once for all who follow it, at most every 250 milliseconds, or 500 after ten
 * seconds without a notice: a call in between has nothing to do.
 */
export function shareFeed(store: Store, clock: Pick<Clock, "now">): Store {
  let readAt = -Infinity;
  let changedAt = clock.now();
  const feed: Store["feed"] = {
    ...store.feed,
    after: (...asked) =>
      andThen(store.feed.after(...asked), (notices) => {
        if (notices.length > 0) changedAt = clock.now();
        return notices;
      }),
  };
  const following = new Following(feed, (again) => {
    const now = clock.now();
    // A failed read is repeated by the next follower. If the clock was set back, the age is unknown.
    const isActive = Math.abs(now - changedAt) < ACTIVE_MS;
    if (!again && Math.abs(now - readAt) < (isActive ? READ_EVERY_MS : READ_IDLE_MS)) return false;
    readAt = now;
    return true;
  });
  return { ...store, feed: { ...store.feed, follow: following.follow } };
}

interface Follower {
  readonly now: () => number;
  readonly reader: FeedReader;
}

class Following {
  readonly #feed: Store["feed"];
  readonly #isDue: (again: boolean) => boolean;
  readonly #followers = new Set<Follower>();
  /** The number of the last notice that was passed on. Only those in `#missing` can still appear before it. */
  #noticed: number | undefined;
  /** The timeline of `#noticed`. */
  #timeline: number | undefined;
  /** Ascending. */
  #missing: readonly Gap[] = [];
  #reading: Promise<void> | undefined;
  #failed = false;

  constructor(feed: Store["feed"], isDue: (again: boolean) => boolean) {
    this.#feed = feed;
    this.#isDue = isDue;
  }

  readonly follow = (now: () => number, reader: FeedReader): ReadFeed => {
    const follower = { now, reader };
    return async () => {
      if (this.#followers.has(follower)) {
        await this.#refresh();
        return;
      }
      if (this.#noticed === undefined) {
        const start = await this.#first();
        // Of several that start at once, the first one counts: the others read its notices again.
        if (this.#noticed === undefined) this.#start(start);
      }
      this.#followers.add(follower);
      // A notice about a copy made earlier may never be read.
      reader.forgetAll();
    };
  };

  /** Returns the last final number. Without one, the whole feed would be read. */
  async #first(): Promise<Start> {
    // Asked before the number, which may already be of the next timeline.
    const timeline = this.#feed.timeline?.();
    for (let asks = 1; ; asks++) {
      const last = await this.#feed.last();
      if (last > 0 || asks === FIRST_ASKS) return { last, timeline };
      if ((await this.#feed.after(0, 1)).length === 0) return { last, timeline };
    }
  }

  #start({ last, timeline }: Start): void {
    this.#noticed = last;
    this.#timeline = timeline;
    this.#missing = [];
  }

  #refresh(): Promise<void> | undefined {
    if (this.#reading !== undefined || !this.#isDue(this.#failed)) return this.#reading;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    this.#failed = true;
    const begun = Array.from(this.#followers, ({ now, reader }) => ({ reader, at: now() }));
    // Asked before the notices are read, because others may appear after that. An idle feed is one query.
    const settled = this.#missing.length === 0 ? 0 : await this.#feed.last();
    const missing: Gap[] = [];
    for (const { after, through } of this.#missing) {
      missing.push(...(await this.#passOn(after, through)).missing);
    }
    const read = await this.#passOn(this.#noticed ?? 0);
    this.#noticed = read.last;
    missing.push(...read.missing);
    this.#missing = fewer(missing.filter(({ through }) => through > settled));
    if (this.#feed.timeline?.() !== this.#timeline) {
      this.#start(await this.#first());
      for (const { reader } of this.#followers) reader.forgetAll();
    }
    this.#failed = false;
    for (const { reader, at } of begun) reader.confirm(at);
  }

  /** Passes on the notices after a number, up to another one or all. Returns the last and the gaps between them. */
  async #passOn(after: number, through?: number): Promise<{ last: number; missing: Gap[] }> {
    const missing: Gap[] = [];
    let last = after;
    for (;;) {
      const notices = await this.#feed.after(last, BATCH, through);
      for (const { seq, topic, subject } of notices) {
        for (const { reader } of this.#followers) reader.forget(topic, subject);
        if (seq > last + 1) missing.push({ after: last, through: seq - 1 });
        last = seq;
      }
      if (notices.length < BATCH) break;
    }
    if (through !== undefined && last < through) missing.push({ after: last, through });
    return { last, missing };
  }
}

/** Where the reading begins: after `last`. */
interface Start {
  readonly last: number;
  readonly timeline: number | undefined;
}

/** Numbers without a notice: those after `after`, up to `through`. */
interface Gap {
  readonly after: number;
  readonly through: number;
}

/** Joins gaps if there are too many. Those with the most numbers between them stay apart. */
function fewer(gaps: readonly Gap[]): readonly Gap[] {
  if (gaps.length <= MAX_GAPS) return gaps;
  const between = (index: number): number =>
    (gaps[index]?.after ?? 0) - (gaps[index - 1]?.through ?? 0);
  const apart = [...gaps.keys()]
    .slice(1)
    .toSorted((a, b) => between(b) - between(a))
    .slice(0, MAX_GAPS - 1)
    .toSorted((a, b) => a - b);
  return [0, ...apart].map((start, place) => ({
    after: gaps[start]?.after ?? 0,
    through: gaps[(apart[place] ?? gaps.length) - 1]?.through ?? 0,
  }));
}
