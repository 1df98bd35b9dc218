import { andThen, type Eventual } from "../base/eventual.ts";
import type { Charge, Decision, Limiter } from "./limiter.ts";
import type { Principal } from "./principal.ts";

/** Limits the requests of callers and accounts. */
export interface RequestLimits {
  /** Counts one request for the caller and its account, or for neither. Operators have no account. */
  spend(caller: Pick<Principal, "counter" | "accountId">): Eventual<Decision>;
  /** Returns the state of a caller's limit without spending. */
  peek(caller: Pick<Principal, "counter">): Eventual<Decision>;
}

/** Requests per minute of one token or session. */
const PER_MINUTE = 600;
/** Requests per minute of all tokens and sessions of an account. */
const ACCOUNT_PER_MINUTE = 3_000;

export function requestLimits({ limiter }: { readonly limiter: Limiter }): RequestLimits {
  const ofCaller = (counter: string): Charge => ({
    counter: `caller ${counter}`,
    rates: { minute: PER_MINUTE },
  });
  return {
    spend: ({ counter, accountId }) => {
      if (accountId === undefined) return limiter.spendAll([ofCaller(counter)]);
      const account = { counter: `account ${accountId}`, rates: { minute: ACCOUNT_PER_MINUTE } };
      return andThen(limiter.spendAll([ofCaller(counter), account]), named);
    },
    peek: ({ counter }) => limiter.peekAll([ofCaller(counter)]),
  };
}

/** Distinguishes the account's window from the caller's. */
function named({ windows: [own, ...others], ...decision }: Decision): Decision {
  const shared = others.map((window) => ({ ...window, name: "account" as const }));
  return { ...decision, windows: [own, ...shared] };
}
