import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from "../base/clock.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { addressBlock } from "../model/client-address.ts";
import { createThrottle, type Throttle } from "./throttle.ts";

/** Somebody tries a password. */
export interface Attempt {
  /** It was right, or we could not tell: it does not count. */
  forgive(): void;
}

export interface AttemptOf {
  /** An e-mail address, normal, whether anybody has it or not; or the id of somebody who is signed in. */
  readonly whose: string;
  readonly address: string | undefined;
  /** Whether they are signed in from there: then strangers who try elsewhere, however many, do not matter. */
  readonly familiar: boolean;
}

/** Counts the passwords that were tried and wrong. Passkeys are not counted: there is nothing to guess. */
export interface Attempts {
  /**
   * Before anything is looked up: what an address may try in a minute, for whomever, heard or not, right or wrong. So many
   * answers tell nobody by their time what we know of an e-mail address. `rate_limited`, likewise.
   */
  knock(address: string | undefined): Result<Attempt, Problem>;
  /** `rate_limited`, with a `Retry-After` after which the next one is heard. */
  begin(of: AttemptOf): Result<Attempt, Problem>;
}

/** Per e-mail address and client address: enough for a person, too little for a machine. */
const PAIR_PER_MINUTE = 5;
const PAIR_PER_HOUR = 20;
/** Per e-mail address, from wherever: many clients that guess together. */
const EMAIL_PER_HOUR = 100;
/** Per client address, for whomever: each may cost us a slow hash. */
const ADDRESS_PER_MINUTE = 30;

export function createAttempts({ clock }: { readonly clock: Clock }): Attempts {
  const pairs = (): readonly [Throttle, Throttle] => [
    createThrottle({ clock, windowMs: MINUTE_MS, most: PAIR_PER_MINUTE }),
    createThrottle({ clock, windowMs: HOUR_MS, most: PAIR_PER_HOUR }),
  ];
  const strangers = pairs();
  // Apart, so that strangers cannot take the room of those who are known.
  const known = pairs();
  const emailHour = createThrottle({ clock, windowMs: HOUR_MS, most: EMAIL_PER_HOUR });
  const addressMinute = createThrottle({ clock, windowMs: MINUTE_MS, most: ADDRESS_PER_MINUTE });
  return {
    knock: (address) => hold([[addressMinute, blockOf(address)]]),
    begin: ({ whose, address, familiar }) => {
      const pair = `${blockOf(address)} ${whose}`;
      const [minute, hour] = familiar ? known : strangers;
      const held = [
        [minute, pair],
        [hour, pair],
      ] as const;
      return hold(familiar ? held : [...held, [emailHour, whose]]);
    },
  };
}

/** Takes one of each throttle, or of none. */
function hold(held: readonly (readonly [Throttle, string])[]): Result<Attempt, Problem> {
  const waitMs = Math.max(...held.map(([throttle, holder]) => throttle.wait(holder)));
  if (waitMs > 0) return refused(tooMany(Math.ceil(waitMs / SECOND_MS)));
  for (const [throttle, holder] of held) throttle.take(holder);
  return done({
    forgive: () => {
      for (const [throttle, holder] of held) throttle.giveBack(holder);
    },
  });
}

/** Whom a client counts as; those whose address is unknown are one. */
export function blockOf(address: string | undefined): string {
  return (address === undefined ? undefined : addressBlock(address)) ?? "unknown";
}

function tooMany(seconds: number): Problem {
  return problem(
    "rate_limited",
    `Too many passwords were tried from here. Try again in ${seconds} s, or sign in with a passkey.`,
    { retryAfterSeconds: seconds },
  );
}
