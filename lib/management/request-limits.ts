import type { Clock } from "../base/clock.ts";
import { keyBuckets } from "../accounts/buckets.ts";
import type { Verdict } from "../accounts/limiter.ts";
import type { Standing } from "../model/window.ts";
import type { Principal } from "./model/principal.ts";

/** How many requests of a caller are served. */
export interface RequestLimits {
  /** Takes one from the caller's bucket and from its account's, or from neither. Operators have no account. */
  spend(caller: Pick<Principal, "counter" | "accountId">): Standing & Pick<Verdict, "allowed">;
  /** What a caller is told who is not counted: its own bucket, which nobody spends from. */
  look(caller: Pick<Principal, "counter">): Standing;
}

/** Requests a minute of one token. */
const PER_MINUTE = 600;
/** Of all tokens of an account together: it may have a hundred. */
const ACCOUNT_PER_MINUTE = 3_000;

export function requestLimits({ clock }: { readonly clock: Clock }): RequestLimits {
  const callers = keyBuckets({ clock, perMinute: PER_MINUTE });
  const accounts = keyBuckets({ clock, perMinute: ACCOUNT_PER_MINUTE });
  return {
    spend: ({ counter, accountId }) => {
      if (accountId === undefined) return callers.spend(counter);
      // Looked at first: what one of them refuses is charged to neither.
      const [own, shared] = [callers.look(counter), accounts.look(accountId)];
      return own.allowed && shared.allowed
        ? together(callers.spend(counter), accounts.spend(accountId))
        : together(own, shared);
    },
    look: ({ counter }) => callers.look(counter),
  };
}

/** Both windows in one verdict: whoever reads it is told of the one that has less left. */
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
