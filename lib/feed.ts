import type { Topic } from "./storage/notice.ts";
import type { Store } from "./storage/store.ts";

/** Whoever holds copies of what others may change. */
export interface FeedReader {
  /** The copy of that thing is old. */
  readonly forget: (topic: Topic, subject: string) => void;
  /** Any copy may be old. */
  readonly forgetAll: () => void;
  /** All copies that are left were true at `at`. */
  readonly confirm: (at: number) => void;
}

const BATCH = 500;

/** Returns a function that hands on what came on the feed since it was last called. The first call forgets all. */
export function followFeed(
  store: Pick<Store, "feed">,
  now: () => number,
  { forget, forgetAll, confirm }: FeedReader,
): () => Promise<void> {
  let noticed: number | undefined;
  return async () => {
    const at = now();
    if (noticed === undefined) {
      noticed = await store.feed.last();
      // What was remembered earlier may have been the subject of a notice that nobody will read.
      forgetAll();
      return;
    }
    for (;;) {
      const notices = await store.feed.after(noticed, BATCH);
      for (const { seq, topic, subject } of notices) {
        forget(topic, subject);
        noticed = seq;
      }
      if (notices.length < BATCH) break;
    }
    confirm(at);
  };
}
