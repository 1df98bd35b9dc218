import type { Eventual } from "../base/eventual.ts";
import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { unavailable } from "../http/refusals.ts";

/**
 * Hashes passwords, deliberately slow and memory-hard. Each runtime has an adapter, which must guarantee:
 *
 * - `hash` returns a different text each time, containing everything `verify` needs.
 * - `verify` is true for the hashed password and false for any other. Without a hash it is false and takes as much time
 *   and memory as with one, so that its duration does not reveal who is a member.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** A local list of leaked passwords. Makes no network request. */
export interface LeakedPasswords {
  /**
   * Returns the rank of each password in lower case; 1 is the most frequent. Called for each new password. The result is
   * not kept, so that an idle process need not hold the list in memory.
   */
  ranks(): Eventual<ReadonlyMap<string, number>>;
}

/** Bounds of the load that hashing passwords causes. */
export interface PasswordBounds {
  /** The most simultaneous hashes; each takes 19 MiB. Default 2. */
  readonly atOnce?: number;
  /** The most hashes that wait: about a second of work. Default 40. */
  readonly waiting?: number;
}

/** Hashes passwords with bounded load. Refused `unavailable` if too many hashes wait. */
export interface BoundedPasswords {
  hash(password: string): Promise<Result<string, Problem>>;
  verify(hash: string | undefined, password: string): Promise<Result<boolean, Problem>>;
}

export function boundedPasswords(
  passwords: Passwords,
  { atOnce = 2, waiting = 40 }: PasswordBounds = {},
): BoundedPasswords {
  const queue: (() => void)[] = [];
  let running = 0;

  const inTurn = async <Value>(make: () => Promise<Value>): Promise<Result<Value, Problem>> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) return refused(unavailable);
      // A finished hash hands its place to the first in the queue, so that no newcomer overtakes it.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      running++;
    }
    try {
      return done(await make());
    } finally {
      const next = queue.shift();
      if (next === undefined) running--;
      else next();
    }
  };

  // Two keyboards may produce different code points for the same password (RFC 8265 §4.2).
  return {
    hash: (password) => inTurn(() => passwords.hash(password.normalize("NFC"))),
    verify: (hash, password) => inTurn(() => passwords.verify(hash, password.normalize("NFC"))),
  };
}
