/**
 * Folds a text for comparison: case, accents, and both spellings of umlauts (`Gebühr`, `Gebuehr` and `gebuhr` are
 * equal). Words such as `true` lose a letter on both sides of the comparison.
 */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll(/([aou])e/g, "$1");
}

/** Longer words are cut. */
const MAX_WORD = 40;

/** Finds runs of letters and digits. */
export const RUN = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns the folded words of a run: the run itself, and its parts if it mixes cases (`petId`: petid, pet, id). */
export function wordsOf(run: string): readonly string[] {
  const whole = folded(run.slice(0, MAX_WORD));
  if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(run)) return [whole];
  const parts = run.slice(0, MAX_WORD).match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu) ?? [];
  return [whole, ...parts.map(folded)];
}

/** Longer questions are cut. */
export const MAX_QUESTION = 200;
const MAX_TERMS = 8;

/** Words that a question has without looking for them. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "a an and are at by can do does for how i in is it my of on or the to what where why with you your " +
    "als am auf aus bei das dem den der die ein eine einen einer es für ich im ist kann man mein mit nach oder und " +
    "von was wie wird wo zu zum zur"
  )
    .split(" ")
    .map(folded),
);

/** Returns the folded words of a question: at most 8, without duplicates, and without common words if there are others. */
export function termsOf(question: string): readonly string[] {
  const runs = question.slice(0, MAX_QUESTION).match(RUN) ?? [];
  const all = [...new Set(runs.map((run) => folded(run.slice(0, MAX_WORD))))].filter(
    (term) => term !== "",
  );
  const rare = all.filter((term) => !COMMON.has(term));
  return (rare.length === 0 ? all : rare).slice(0, MAX_TERMS);
}

/** How well a word fits a term: 1 if it is equal, less if it begins with or contains the term, 0 if it does not. */
export function fitOf(term: string, word: string): number {
  if (word === term) return 1;
  if (word.startsWith(term)) return 0.9;
  // Compound words: `schlussel` in `verwaltungsschlussel`.
  return term.length >= MIN_INNER && word.includes(term) ? 0.5 : 0;
}

const MIN_INNER = 4;
const MIN_MISTYPED = 3;
const MISTYPED = 0.25;

/**
 * Like `fitOf` for a mistyped term: one letter wrong, missing or extra, or two neighbours swapped. A term of three
 * letters has to be the whole word.
 */
export function mistypedFitOf(term: string, word: string): number {
  const { length } = term;
  if (length < MIN_MISTYPED) return 0;
  if (length === MIN_MISTYPED && Math.abs(word.length - length) > 1) return 0;
  let same = 0;
  while (same < length && same < word.length && term[same] === word[same]) same++;
  const rest = term.slice(same + 1);
  const fits =
    word.startsWith(rest, same + 1) ||
    word.startsWith(term.slice(same), same + 1) ||
    word.startsWith(rest, same) ||
    (term[same + 1] === word[same] &&
      term[same] === word[same + 1] &&
      word.startsWith(term.slice(same + 2), same + 2));
  return fits && (length > MIN_MISTYPED || Math.abs(word.length - length) <= 1) ? MISTYPED : 0;
}
