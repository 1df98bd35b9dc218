import type { Eventual } from "../base/eventual.ts";
import type { Limits } from "../model/account.ts";
import type { WindowView } from "../model/window.ts";

export type { WindowView } from "../model/window.ts";

/** The answer to "may this request pass". */
export interface Verdict {
  readonly allowed: boolean;
  /** When it was given. */
  readonly at: number;
  readonly windows: readonly [WindowView, ...WindowView[]];
  /** The key went on so long after its first refusal that it is to be banned now. */
  readonly abusive: boolean;
  /** This request took the day window to (or over) that many percent of its limit. */
  readonly reached?: 80 | 100;
}

/** Who spends: the counter that is charged, and the key whose violations are counted. */
export interface Spender {
  /** Name of the counter: one per catalogue, or one per key. */
  readonly counter: string;
  readonly keyId: string;
}

/**
 * Two anchored windows per counter, and the violations of each key; one round trip a decision.
 * What every adapter must promise (test/contract/limiter.ts), while limits stay and nobody else spends:
 *
 * - T1 after a verdict with `remaining` > 0 in all windows, the next `spend` before the earliest reset is allowed;
 * - T2 a `spend` at the latest `resetsAt` of the windows that refused is allowed;
 * - T3 at `resetsAt` that window has its whole limit again;
 * - T4 `remaining` does not grow before `resetsAt`, but by `refund`.
 *
 * A refused request is charged to neither window. Simultaneous calls are decided one after the other.
 * A window begins with the whole second of its first request.
 */
export interface Limiter {
  spend(spender: Spender, limits: Limits): Eventual<Verdict>;
  /** What `spend` would see, without spending; a window that has not begun is shown full, as if it began now. */
  look(spender: Spender, limits: Limits): Eventual<Verdict>;
  /** Gives back what an allowed `verdict` took, if its windows are still open. */
  refund(spender: Spender, verdict: Verdict): Eventual<void>;
  /** Forgets the violations of a key, as when its ban is lifted. */
  pardon(keyId: string): Eventual<void>;
}
