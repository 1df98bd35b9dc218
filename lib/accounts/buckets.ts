import type { Eventual } from "../base/eventual.ts";
import { clientBlock } from "../model/client-address.ts";
import { type LimitStatus, viewOf, windowAt } from "../model/window.ts";
import type { Charges, Decision, Limiter } from "./limiter.ts";

/** One-minute windows, one per holder, for limits that do not depend on a plan. */
export interface Buckets {
  /** Returns the decision that `spend` would give. */
  peek(holder: string | undefined): Eventual<Decision>;
  /** Counts one request; `allowed` is false if none is left. */
  spend(holder: string | undefined): Eventual<Decision>;
}

interface BucketOptions {
  readonly limiter: Limiter;
  /** A word that distinguishes these counters from the limiter's others. */
  readonly kind: string;
}

const PER_MINUTE = 60;

/** Returns the state of a bucket that nothing was counted in, for when the limiter cannot be asked. */
export function unlimited(now: number): LimitStatus {
  return { at: now, windows: [viewOf(windowAt(undefined, "minute", now), "minute", PER_MINUTE)] };
}

/** Creates buckets by client address: a whole IPv4 address or an IPv6 /64. Clients without a valid address share one. */
export function addressBuckets(options: BucketOptions): Buckets {
  return buckets(options, clientBlock);
}

/** Creates buckets by API key. */
export function keyBuckets(options: BucketOptions): Buckets {
  return buckets(options, (keyId = "unknown") => keyId);
}

function buckets(
  { limiter, kind }: BucketOptions,
  named: (holder: string | undefined) => string,
): Buckets {
  const charged = (holder: string | undefined): Charges => [
    { counter: `${kind} ${named(holder)}`, rates: { minute: PER_MINUTE } },
  ];
  return {
    peek: (holder) => limiter.peekAll(charged(holder)),
    spend: (holder) => limiter.spendAll(charged(holder)),
  };
}
