import type { Clock } from "../base/clock.ts";
import { keyBuckets } from "./buckets.ts";
import type { Verdict } from "./limiter.ts";
import type { LimitStatus } from "../model/window.ts";
import type { Principal } from "./principal.ts";

/** Limits the requests of callers and accounts. */
export interface RequestLimits {
  /** Counts one request in the caller's and its account's bucket, or in neither. Operators have no account. */
  spend(caller: Pick<Principal, "counter" | "accountId">): LimitStatus & Pick<Verdict, "allowed">;
  /** Returns the state of a caller's bucket without spending. */
  peek(caller: Pick<Principal, "counter">): LimitStatus;
}

/** Requests per minute of one token or session. */
const PER_MINUTE = 600;
/** Requests per minute of all tokens and sessions of an account. */
const ACCOUNT_PER_MINUTE = 3_000;

export function requestLimits({ clock }: { readonly clock: Clock }): RequestLimits {
  const callers = keyBuckets({ clock, perMinute: PER_MINUTE });
  const accounts = keyBuckets({ clock, perMinute: ACCOUNT_PER_MINUTE });
  return {
    spend: ({ counter, accountId }) => {
      if (accountId === undefined) return callers.spend(counter);
      // Checked first, so that a request refused by one bucket is charged to neither.
      const [own, shared] = [callers.peek(counter), accounts.peek(accountId)];
      return own.allowed && shared.allowed
        ? together(callers.spend(counter), accounts.spend(accountId))
        : together(own, shared);
    },
    peek: ({ counter }) => callers.peek(counter),
  };
}

/** Combines both windows in one verdict. */
function together(
  own: Verdict,
  { allowed, windows: [shared] }: Verdict,
): ReturnType<RequestLimits["spend"]> {
  return {
    at: own.at,
    allowed: own.allowed && allowed,
    windows: [...own.windows, { ...shared, name: "account" }],
  };
}
