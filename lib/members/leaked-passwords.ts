import type { Eventual } from "../base/eventual.ts";

/** Passwords that were leaked elsewhere, by a list that is at hand: nobody is asked over the network. */
export interface LeakedPasswords {
  /**
   * How frequent each is, in lower case: 1 for the most frequent. Asked for when somebody chooses a password and not
   * kept, so that what is idle need not hold it.
   */
  ranks(): Eventual<ReadonlyMap<string, number>>;
}
