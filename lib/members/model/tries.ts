import { commonWords } from "./common-words.ts";
import { unleet, wordsOf } from "./password-rule.ts";

/** What a program that guesses goes by. */
export interface Guessing {
  /** Leaked passwords, by how frequent they are; 1 for the most frequent. */
  readonly ranks: ReadonlyMap<string, number>;
  /** Words that anybody would try on this member: of their address, their name, their shelter, the host. */
  readonly names: readonly string[];
}

/**
 * With fewer tries than that a password is refused, though it has twelve characters. Whoever guesses through the door
 * gets a hundredth of them in a year (see `attempts.ts`), and most programs try the front of their lists alone.
 */
export const ENOUGH_TRIES = 8;

/**
 * How many tries, as a power of ten, find a password by its parts: leaked ones, also with digits in the place of
 * letters, years, and single characters for the rest. The cheapest way to divide it counts. That a program would have
 * to find out how it is divided is left out: so it is a lower bound.
 */
export function triesFor(password: string, { ranks, names }: Guessing): number {
  const plain = password.normalize("NFKC").toLowerCase();
  const read = unleet(plain);
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
      const [word, likely] = [plain.slice(start, end), read.slice(start, end)];
      const both = Math.min(triesOf(word), triesOf(likely) + (word === likely ? 0 : LEET_TRIES));
      tries = Math.min(tries, leastAt(start) + both);
    }
    least.push(tries);
  }
  return leastAt(plain.length);
}

const DIGIT = 1;
/** Some thirty letters and signs. */
const OTHER = 1.5;
const YEAR = /^(?:19|20)\d\d$/;
/** Two hundred of them. */
const YEARS = Math.log10(200);
/** What words of our own list are taken for. */
const COMMON = 100;
const LEET_TRIES = 0.5;
/** Of words: shorter ones are found by their letters. */
const SHORTEST = 3;
const LONGEST = 40;
