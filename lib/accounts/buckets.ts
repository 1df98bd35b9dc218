import type { Clock } from "../base/clock.ts";
import { clientBlock } from "../model/client-address.ts";
import { charged, endOf, viewOf, windowAt, type Window } from "../model/window.ts";
import type { Verdict } from "./limiter.ts";

/** One-minute windows, one per holder, for limits that do not depend on a plan. */
export interface Buckets {
  /** Returns the verdict that `spend` would give, without creating a bucket. */
  peek(holder: string | undefined): Verdict;
  /** Counts one request; `allowed` is false if none is left. */
  spend(holder: string | undefined): Verdict;
  /** Number of holders with a bucket. */
  readonly size: number;
}

interface BucketOptions {
  readonly clock: Clock;
  /** Default 60. */
  readonly perMinute?: number;
  /** Default 100,000. */
  readonly maxHolders?: number;
}

/** Creates buckets by client address: a whole IPv4 address or an IPv6 /64. Clients without a valid address share one. */
export function addressBuckets(options: BucketOptions): Buckets {
  return buckets(options, clientBlock);
}

/** Creates buckets by API key. */
export function keyBuckets(options: BucketOptions): Buckets {
  return buckets(options, (keyId = "unknown") => keyId);
}

/** The most ended buckets that one call removes, which is more than it can create. */
const SWEPT_AT_ONCE = 100;

/** A live bucket is never evicted: beyond `maxHolders`, all further holders share one bucket. */
function buckets(
  { clock, perMinute = 60, maxHolders = 100_000 }: BucketOptions,
  named: (holder: string | undefined) => string,
): Buckets {
  // Oldest first, so that ended buckets are in front.
  const windows = new Map<string, Window>();
  let overflow: Window | undefined;

  const begin = (name: string, window: Window): void => {
    windows.delete(name);
    windows.set(name, window);
  };

  const sweep = (now: number): void => {
    let checked = 0;
    for (const [name, window] of windows) {
      const ahead = now < window.startAt;
      if (checked++ === SWEPT_AT_ONCE || (!ahead && now < endOf(window, "minute"))) return;
      // The clock was set back: the window restarts now and moves to the end of the order.
      if (ahead) begin(name, windowAt(window, "minute", now));
      else windows.delete(name);
    }
  };

  const verdictOf = (window: Window, allowed: boolean, at: number): Verdict => ({
    allowed,
    at,
    windows: [viewOf(window, "minute", perMinute)],
    abusive: false,
  });

  return {
    peek: (holder) => {
      const now = clock.now();
      sweep(now);
      const own = windows.get(named(holder));
      const shared = own === undefined && windows.size >= maxHolders ? overflow : own;
      const window = windowAt(shared, "minute", now);
      return verdictOf(window, window.used < perMinute, now);
    },
    spend: (holder) => {
      const now = clock.now();
      sweep(now);
      const name = named(holder);
      const own = windows.get(name);
      const overflows = own === undefined && windows.size >= maxHolders;
      const before = overflows ? overflow : own;
      const window = windowAt(before, "minute", now);
      const allowed = window.used < perMinute;
      const after = allowed ? charged(window) : window;
      if (overflows) overflow = after;
      else if (after.startAt === own?.startAt) windows.set(name, after);
      else begin(name, after);
      return verdictOf(after, allowed, now);
    },
    get size() {
      return windows.size;
    },
  };
}
