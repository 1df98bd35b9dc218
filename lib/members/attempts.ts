import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { clientBlock } from "../model/client-address.ts";

/** A counted password attempt. */
export interface Attempt {
  /** Removes the attempt from the count: the password was correct, or could not be verified. */
  forgive(): void;
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
  admit(address: string | undefined): Result<Attempt, Problem>;
  /** Counts an attempt on a subject. Refused `rate_limited`; an attempt after its `Retry-After` is accepted. */
  begin(of: AttemptOf): Result<Attempt, Problem>;
}

/** Per subject and client address: enough for a person, too few for a program. */
const PAIR_PER_MINUTE = 5;
const PAIR_PER_HOUR = 20;
/** Per subject from all unfamiliar addresses: limits many clients that guess together. */
const EMAIL_PER_HOUR = 100;
/** Per client address, for all subjects: each attempt may cost a slow hash. */
const ADDRESS_PER_MINUTE = 30;

export function createAttempts({ clock }: { readonly clock: Clock }): Attempts {
  const pairs = (): readonly [Throttle, Throttle] => [
    createThrottle({ clock, windowMs: MINUTE_MS, most: PAIR_PER_MINUTE }),
    createThrottle({ clock, windowMs: HOUR_MS, most: PAIR_PER_HOUR }),
  ];
  const unfamiliar = pairs();
  // Separate, so that strangers cannot exhaust the members' holders.
  const familiarPairs = pairs();
  const emailHour = createThrottle({ clock, windowMs: HOUR_MS, most: EMAIL_PER_HOUR });
  const addressMinute = createThrottle({ clock, windowMs: MINUTE_MS, most: ADDRESS_PER_MINUTE });
  return {
    admit: (address) => takeAll([[addressMinute, clientBlock(address)]]),
    begin: ({ subject, address, familiar }) => {
      const pair = `${clientBlock(address)} ${subject}`;
      const [minute, hour] = familiar ? familiarPairs : unfamiliar;
      const held = [
        [minute, pair],
        [hour, pair],
      ] as const;
      return takeAll(familiar ? held : [...held, [emailHour, subject]]);
    },
  };
}

/** Counts a try in every throttle, or in none. */
function takeAll(held: readonly (readonly [Throttle, string])[]): Result<Attempt, Problem> {
  const waitMs = Math.max(...held.map(([throttle, holder]) => throttle.wait(holder)));
  if (waitMs > 0) return refused(tooMany(Math.ceil(waitMs / SECOND_MS)));
  for (const [throttle, holder] of held) throttle.take(holder);
  return done({
    forgive: () => {
      for (const [throttle, holder] of held) throttle.refund(holder);
    },
  });
}

function tooMany(seconds: number): Problem {
  return problem(
    "rate_limited",
    `Too many password attempts. Try again in ${seconds} s, or sign in with a passkey.`,
    { retryAfterSeconds: seconds },
  );
}

/** Limits each holder's tries in a window that starts with the first one. */
interface Throttle {
  /** Returns the milliseconds until a try is allowed; 0 if it is allowed now. */
  wait(holder: string): number;
  take(holder: string): void;
  /** Removes a try from the count. */
  refund(holder: string): void;
  /** The number of holders with an open window. */
  readonly size: number;
}

interface Tries {
  readonly startAt: number;
  used: number;
}

/** The most ended windows that one call removes, which is more than it can open. */
const SWEPT_AT_ONCE = 100;

/**
 * Creates a throttle that allows `most` tries in `windowMs` per holder. Open windows are never evicted, because that
 * would forgive their tries: beyond `maxHolders`, all further holders share one window.
 */
export function createThrottle({
  clock,
  windowMs,
  most,
  maxHolders = 50_000,
}: {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly most: number;
  readonly maxHolders?: number;
}): Throttle {
  // Oldest first.
  const open = new Map<string, Tries>();
  let overflow: Tries = { startAt: -Infinity, used: 0 };

  // Before `startAt`, the clock was set back and the window's age is unknown.
  const isOver = ({ startAt }: Tries, now: number): boolean =>
    now < startAt || now >= startAt + windowMs;

  const sweep = (now: number): void => {
    let checked = 0;
    for (const [holder, tries] of open) {
      if (checked++ === SWEPT_AT_ONCE || !isOver(tries, now)) return;
      open.delete(holder);
    }
  };

  const triesOf = (holder: string): Tries | undefined =>
    open.get(holder) ?? (open.size >= maxHolders ? overflow : undefined);

  return {
    wait: (holder) => {
      const now = clock.now();
      sweep(now);
      const tries = triesOf(holder);
      if (tries === undefined || isOver(tries, now) || tries.used < most) return 0;
      return tries.startAt + windowMs - now;
    },
    take: (holder) => {
      const now = clock.now();
      sweep(now);
      const tries = triesOf(holder);
      if (tries !== undefined && !isOver(tries, now)) {
        tries.used++;
        return;
      }
      const begun = { startAt: now, used: 1 };
      // Deleted first, so that it moves to the end of the order.
      open.delete(holder);
      if (open.size < maxHolders) open.set(holder, begun);
      else overflow = begun;
    },
    refund: (holder) => {
      const tries = triesOf(holder);
      if (tries === undefined || tries.used === 0) return;
      tries.used--;
      if (tries.used === 0) open.delete(holder);
    },
    get size() {
      return open.size;
    },
  };
}
