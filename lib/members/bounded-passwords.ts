import type { Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import { unavailable } from "../http/refusals.ts";
import type { Passwords } from "./passwords.ts";

/** Hashing that never takes the machine: when too many wait for it, it is `unavailable`. */
export interface BoundedPasswords {
  hash(password: string): Promise<Result<string, Problem>>;
  verify(hash: string | undefined, password: string): Promise<Result<boolean, Problem>>;
}

export interface PasswordBounds {
  /** Hashes that are made at the same time; each takes 19 MiB. Default 2. */
  readonly atOnce?: number;
  /** How many may wait for their turn: about a second's worth. Default 40. */
  readonly waiting?: number;
}

/** The same password typed on two keyboards is one (RFC 8265 §4.2). */
const normal = (password: string): string => password.normalize("NFC");

export function boundedPasswords(
  passwords: Passwords,
  { atOnce = 2, waiting = 40 }: PasswordBounds = {},
): BoundedPasswords {
  const queue: (() => void)[] = [];
  let running = 0;

  const inTurn = async <Value>(make: () => Promise<Value>): Promise<Result<Value, Problem>> => {
    if (running >= atOnce) {
      if (queue.length >= waiting) return refused(unavailable);
      // Whoever ends hands its place on, so that nobody who comes meanwhile is served first.
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

  return {
    hash: (password) => inTurn(() => passwords.hash(normal(password))),
    verify: (hash, password) => inTurn(() => passwords.verify(hash, normal(password))),
  };
}
