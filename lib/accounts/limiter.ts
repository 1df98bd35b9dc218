import type { Eventual } from "../base/eventual.ts";
import type { Limits } from "../model/account.ts";
import type { LimitStatus, Rates, WindowView } from "../model/window.ts";
import type { ApiKey } from "../model/api-key.ts";

export type { WindowView } from "../model/window.ts";

/** The decision about a request. Instants are in milliseconds since the Unix epoch. */
export interface Verdict {
  readonly allowed: boolean;
  /** When it was made. */
  readonly at: number;
  readonly windows: readonly [WindowView, ...WindowView[]];
  /** The key ignored so many refusals that it should be banned now. */
  readonly abusive: boolean;
  /** The percentage of the day's limit that this request has reached. */
  readonly reached?: 80 | 100;
}

/** The counter that a request is charged to, and the key that its violations are counted for. */
export interface Spender {
  /** The counter's name: one per catalogue or one per key. */
  readonly counter: string;
  readonly keyId: string;
}

/** A counter that any client may create: of failed authentication by an address, or of password attempts. */
export interface Charge {
  /** Its kind and its holder: `address 192.0.2.1`. */
  readonly counter: string;
  /** The same for all counters of a kind. */
  readonly rates: Rates;
}

/** The charges of one request, at least one. They are decided together. */
export type Charges = readonly [Charge, ...Charge[]];

/** The decision about several charges. */
export interface Decision extends LimitStatus {
  readonly allowed: boolean;
}

/**
 * Counts requests in two anchored windows per counter, and violations per key. Every adapter must guarantee
 * (`limiterContract`), while the limits do not change and no other caller spends:
 *
 * - T1 after a verdict with `remaining` > 0 in all windows, the next `spend` before the earliest reset is allowed;
 * - T2 a `spend` at the latest `resetsAt` of the windows that refused is allowed;
 * - T3 at `resetsAt` that window has its whole limit again;
 * - T4 before `resetsAt`, `remaining` grows only by `refund`.
 *
 * A refused request is charged to neither window. Simultaneous calls are decided one after the other. A window starts
 * at the whole second of its first request.
 *
 * The same holds for charges, each of which has a counter with a window or two: all of them are made, or none if one
 * counter refuses. Adapters bound the number of these counters. A counter with an open window is never evicted: beyond
 * the bound, all further holders of a kind share one.
 */
export interface Limiter {
  spend(spender: Spender, limits: Limits): Eventual<Verdict>;
  /** Returns the verdict that `spend` would give. A window that has not started is full, as if it started now. */
  peek(spender: Spender, limits: Limits): Eventual<Verdict>;
  /** Refunds an allowed request to those of the verdict's windows that are still open. */
  refund(spender: Spender, verdict: Verdict): Eventual<void>;
  /** Clears a key's violations, for example when its ban is lifted. */
  clearViolations(keyId: string): Eventual<void>;
  /** Makes the charges, or none. Returns the windows of all counters, in order. */
  spendAll(charges: Charges): Eventual<Decision>;
  /** Returns the decision that `spendAll` would give. */
  peekAll(charges: Charges): Eventual<Decision>;
  /** Refunds allowed charges to those of the windows that are still open. */
  refundAll(charges: Charges, decision: Decision): Eventual<void>;
}

/** Whether all keys of a catalogue share its limits, or each key has its own. */
export type CountBy = "catalogue" | "key";

/** Returns the spender of a key's requests. */
export function spenderOf(
  countBy: CountBy,
  { id, catalogueId }: Pick<ApiKey, "id" | "catalogueId">,
): Spender {
  return { counter: countBy === "key" ? `key ${id}` : catalogueCounter(catalogueId), keyId: id };
}

/** Returns the name of the counter that the keys of a catalogue share. */
export function catalogueCounter(catalogueId: number): string {
  return `catalogue ${catalogueId}`;
}
