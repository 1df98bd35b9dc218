import type { Charges, Limiter } from "../accounts/limiter.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { clientBlock } from "../model/client-address.ts";
import { retryAfterSeconds } from "../model/window.ts";

/** A counted password attempt. */
export interface Attempt {
  /** Removes the attempt from the count: the password was correct, or could not be verified. */
  forgive(): Promise<void>;
}

export interface AttemptOf {
  /** A normalized email address, known or not; or the id of a signed-in member. */
  readonly subject: string;
  readonly address: string | undefined;
  /** The member has a session from this address, so attempts from elsewhere do not count against this one. */
  readonly familiar: boolean;
}

/** Limits password attempts. Passkeys are not limited: they cannot be guessed. */
export interface Attempts {
  /**
   * Counts an attempt by a client address before any lookup, whatever its subject and result. The limit keeps response
   * times from revealing which email addresses are known. Refused `rate_limited`, as for `begin`.
   */
  admit(address: string | undefined): Promise<Result<Attempt, Problem>>;
  /** Counts a request for a reset link by mail, whatever its subject and result. Refused `rate_limited`. */
  admitRequest(address: string | undefined): Promise<Result<Attempt, Problem>>;
  /** Counts an attempt on a subject. Refused `rate_limited`; an attempt after its `Retry-After` is accepted. */
  begin(of: AttemptOf): Promise<Result<Attempt, Problem>>;
}

/** The limit per subject and client address: enough for a person, too few for a program. */
const PAIR_PER_MINUTE = 5;
const PAIR_PER_HOUR = 20;
/** The limit per subject from all unfamiliar addresses: limits many clients that guess together. */
const EMAIL_PER_HOUR = 100;
/** The limit per client address, for all subjects: each attempt may cost a slow hash. */
const ADDRESS_PER_MINUTE = 30;
/** Requests for mails, per client address: enough for a person who mistypes. */
const REQUESTS_PER_MINUTE = 5;
const REQUESTS_PER_HOUR = 20;

export function createAttempts({ limiter }: { readonly limiter: Limiter }): Attempts {
  return {
    admit: (address) =>
      take(limiter, [
        { counter: `sign-in ${clientBlock(address)}`, rates: { minute: ADDRESS_PER_MINUTE } },
      ]),
    admitRequest: (address) =>
      take(
        limiter,
        [
          {
            counter: `reset-request ${clientBlock(address)}`,
            rates: { minute: REQUESTS_PER_MINUTE, hour: REQUESTS_PER_HOUR },
          },
        ],
        (seconds) => `Too many requests for mails. Try again in ${seconds} s.`,
      ),
    begin: ({ subject, address, familiar }) => {
      // Kinds of their own, so that strangers cannot exhaust the members' holders.
      const pair = {
        counter: `${familiar ? "member" : "visitor"} ${clientBlock(address)} ${subject}`,
        rates: { minute: PAIR_PER_MINUTE, hour: PAIR_PER_HOUR },
      };
      const email = { counter: `email ${subject}`, rates: { hour: EMAIL_PER_HOUR } };
      return take(limiter, familiar ? [pair] : [pair, email]);
    },
  };
}

/** Counts an attempt with every counter, or with none. */
async function take(
  limiter: Limiter,
  charges: Charges,
  messageFor: (seconds: number) => string = tooManyAttempts,
): Promise<Result<Attempt, Problem>> {
  const decision = await limiter.spendAll(charges);
  if (!decision.allowed) {
    const seconds = retryAfterSeconds(decision);
    return refused(problem("rate_limited", messageFor(seconds), { retryAfterSeconds: seconds }));
  }
  return done({ forgive: async () => limiter.refundAll(charges, decision) });
}

function tooManyAttempts(seconds: number): string {
  return `Too many password attempts. Try again in ${seconds} s, or sign in with a passkey.`;
}
