import type { Topic } from "./change.ts";
import type { Store } from "./store.ts";

/** Holds copies of data that other processes may change. */
export interface FeedReader {
  /** Drops the copy of a subject that changed. */
  readonly forget: (topic: Topic, subject: string) => void;
  /** Drops all copies. */
  readonly forgetAll: () => void;
  /** Marks all remaining copies as up to date at `at`. */
  readonly confirm: (at: number) => void;
}

const BATCH = 500;

/** Returns a function that passes on the notices added since its previous call. The first call forgets all copies. */
export function followFeed(
  store: Pick<Store, "feed">,
  now: () => number,
  { forget, forgetAll, confirm }: FeedReader,
): () => Promise<void> {
  let settled: number | undefined;
  return async () => {
    const at = now();
    const last = await store.feed.last();
    if (settled === undefined) {
      settled = last;
      // A notice about a copy made earlier may never be read.
      forgetAll();
      return;
    }
    let noticed = settled;
    for (;;) {
      const notices = await store.feed.after(noticed, BATCH);
      for (const { seq, topic, subject } of notices) {
        forget(topic, subject);
        noticed = seq;
      }
      if (notices.length < BATCH) break;
    }
    // Notices beyond `last` are read again, because others may appear between them. 0 after a purge.
    settled = Math.max(settled, last);
    confirm(at);
  };
}
