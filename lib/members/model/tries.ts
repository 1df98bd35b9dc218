import { commonWords, unleet, wordsOf } from "./password-rule.ts";

/** The knowledge of a guessing program. */
export interface Guessing {
  /** The ranks of leaked passwords; 1 is the most frequent. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Obvious guesses for this member: the email address, the name, the shelter, the host. */
  readonly names: readonly string[];
}

/**
 * The number of tries that makes a password acceptable, as a power of ten. A guesser who signs in gets a hundredth of
 * them in a year (see `attempts.ts`), and most programs try only the top of their lists.
 */
export const ENOUGH_TRIES = 8;

/**
 * Estimates how many tries find a password, as a power of ten, from its cheapest division into leaked words (also with
 * digits for letters), years and single characters. A lower bound: the program must also find the division.
 */
export function triesFor(password: string, { ranks, names }: Guessing): number {
  const plain = password.normalize("NFKC").toLowerCase();
  const unleeted = unleet(plain);
  const own = new Set(names.flatMap(wordsOf));
  const triesOf = (word: string): number => {
    const rank = own.has(word)
      ? 1
      : (ranks.get(word) ?? (commonWords.has(word) ? COMMON : Infinity));
    return Math.log10(rank + 1);
  };

  const least = [0];
  const leastAt = (end: number): number => least[end] ?? Infinity;
  for (let end = 1; end <= plain.length; end++) {
    let tries = leastAt(end - 1) + (/\d/.test(plain.charAt(end - 1)) ? DIGIT : OTHER);
    if (end >= 4 && YEAR.test(plain.slice(end - 4, end))) {
      tries = Math.min(tries, leastAt(end - 4) + YEARS);
    }
    for (let start = Math.max(0, end - LONGEST); start <= end - SHORTEST; start++) {
      const [word, likely] = [plain.slice(start, end), unleeted.slice(start, end)];
      const both = Math.min(triesOf(word), triesOf(likely) + (word === likely ? 0 : LEET_TRIES));
      tries = Math.min(tries, leastAt(start) + both);
    }
    least.push(tries);
  }
  return leastAt(plain.length);
}

const DIGIT = 1;
/** About thirty letters and signs are likely. */
const OTHER = 1.5;
const YEAR = /^(?:19|20)\d\d$/;
/** Two hundred years. */
const YEARS = Math.log10(200);
/** The assumed rank of the words in `commonWords`. */
const COMMON = 100;
const LEET_TRIES = 0.5;
/** The lengths of words. Shorter ones are counted character by character. */
const SHORTEST = 3;
const LONGEST = 40;
