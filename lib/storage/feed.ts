import type { Clock } from "../base/clock.ts";
import type { FeedReader, ReadFeed, Store } from "./store.ts";

const BATCH = 500;
/** The most notices that are remembered as passed on. Beyond that, some are passed on twice. */
const MAX_PASSED = 10_000;
/** How often a shared feed is read, so that a change in another process takes effect within a second. */
const READ_EVERY_MS = 250;

/** Follows a feed. `now` is the clock of the reader's copies. */
export function followFeed(
  { feed }: Pick<Store, "feed">,
  now: () => number,
  reader: FeedReader,
): ReadFeed {
  return (feed.follow ?? new Following(feed, () => true).follow)(now, reader);
}

/**
 * Returns the store with a feed that is read once for all who follow it, at most every 250 milliseconds: a call in between
 * has nothing to do.
 */
export function shareFeed(store: Store, clock: Pick<Clock, "now">): Store {
  let readAt = -Infinity;
  const following = new Following(store.feed, (again) => {
    const now = clock.now();
    // A failed read is repeated by the next follower. If the clock was set back, the age is unknown.
    if (!again && Math.abs(now - readAt) < READ_EVERY_MS) return false;
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
  /** No notice up to this number can appear any more. */
  #settled: number | undefined;
  /** The notices beyond that which were passed on. */
  #passed = new Set<number>();
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
      const last = await this.#feed.last();
      // Of several that start at once, the first one counts: the others read its notices again.
      this.#settled ??= last;
      this.#followers.add(follower);
      // A notice about a copy made earlier may never be read.
      reader.forgetAll();
    };
  };

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
    const from = this.#settled ?? 0;
    // Asked before the notices are read, because others may appear between those beyond. An idle feed is one query.
    const last = this.#passed.size === 0 ? from : await this.#feed.last();
    let noticed = from;
    for (;;) {
      const notices = await this.#feed.after(noticed, BATCH);
      for (const { seq, topic, subject } of notices) {
        noticed = seq;
        if (this.#passed.has(seq)) continue;
        for (const { reader } of this.#followers) reader.forget(topic, subject);
        this.#passed.add(seq);
      }
      if (notices.length < BATCH) break;
    }
    // `last` is 0 after a purge.
    const settled = Math.max(from, last);
    this.#settled = settled;
    const beyond = [...this.#passed].filter((seq) => seq > settled && seq <= noticed);
    this.#passed = new Set(beyond.slice(-MAX_PASSED));
    this.#failed = false;
    for (const { reader, at } of begun) reader.confirm(at);
  }
}
