import type { Entry, Kind } from "./entry.ts";
import { fitOf, folded, MAX_QUESTION, mistypedFitOf, RUN, termsOf, wordsOf } from "./terms.ts";

/** A part of a text; `marked` if it matches the question. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** A result of a search. */
export interface Hit {
  readonly entry: Entry;
  readonly title: readonly Piece[];
  readonly place: readonly Piece[];
  /** The text around the first match; the beginning of the text if only the title matches. */
  readonly excerpt: readonly Piece[];
}

/** Most results of a search. */
export const MAX_HITS = 20;

/** The weights of the parts of an entry. A match in a title ranks before all matches in texts. */
const WEIGHTS = [100, 60, 12, 3] as const;
const EQUAL_TITLE = 200;
const TITLE_BEGINS = 50;
/** Added if title or text contain the question as it is. */
const WHOLE = 40;
/** Divided by the words of the title: shorter titles come first. */
const SHORT_TITLE = 10;
/** Brings pages and operations before other entries with such a title, and other languages after them. */
const KINDS: Readonly<Partial<Record<Kind, number>>> = { operation: 12, page: 15, foreign: -25 };

/** A word of the vocabulary, and the entries and parts that contain it, as `entry * 4 + part`. */
interface Word {
  readonly word: string;
  readonly places: number[];
}

/**
 * Returns a search over `entries`. It is synchronous; its effort is bounded by the vocabulary, since a question is cut
 * to 200 characters and 8 words. Of equal results, the earlier entry comes first.
 */
export function createSearch(entries: readonly Entry[]): (question: string) => readonly Hit[] {
  const vocabulary = vocabularyOf(entries);
  const wholes = entries.map(([, title, , , , text]) => folded(`${title} ${text}`));
  return (question) => {
    const matchers = termsOf(question).map((term) => matcherOf(term, vocabulary));
    if (matchers.length === 0) return [];
    const found = new Map<number, { terms: number; score: number }>();
    for (const { scores } of matchers) {
      for (const [entry, score] of scores) {
        const sum = found.get(entry) ?? { terms: 0, score: 0 };
        sum.terms++;
        sum.score += score;
        found.set(entry, sum);
      }
    }
    const most = Math.max(0, ...Array.from(found.values(), ({ terms }) => terms));
    const asked = folded(question.slice(0, MAX_QUESTION).trim());
    return [...found]
      .filter(([, { terms }]) => terms === most)
      .map(([index, { score }]) => {
        const whole = matchers.length > 1 && wholes[index]?.includes(asked) === true ? WHOLE : 0;
        return { index, score: score + whole + titleScore(entries[index], asked) };
      })
      .toSorted((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, MAX_HITS)
      .flatMap(({ index }) => {
        const entry = entries[index];
        return entry === undefined ? [] : [hitOf(entry, matchers)];
      });
  };
}

function vocabularyOf(entries: readonly Entry[]): readonly Word[] {
  const words = new Map<string, Word>();
  for (const [index, [, title, , place, names, text]] of entries.entries()) {
    for (const [part, content] of [title, names, place, text].entries()) {
      const here = index * WEIGHTS.length + part;
      for (const run of content.match(RUN) ?? []) {
        for (const word of wordsOf(run)) {
          let known = words.get(word);
          if (known === undefined) words.set(word, (known = { word, places: [] }));
          if (known.places.at(-1) !== here) known.places.push(here);
        }
      }
    }
  }
  return [...words.values()];
}

interface Matcher {
  /** How well a word fits; 0 if it does not. */
  readonly fit: (word: string) => number;
  /** The best score of each entry that matches. */
  readonly scores: ReadonlyMap<number, number>;
}

/** Tolerates a typing mistake only if no word contains the term as it is. */
function matcherOf(term: string, vocabulary: readonly Word[]): Matcher {
  const direct = (word: string): number => fitOf(term, word);
  const scores = scoresOf(direct, vocabulary);
  if (scores.size > 0) return { fit: direct, scores };
  const fit = (word: string): number => mistypedFitOf(term, word);
  return { fit, scores: scoresOf(fit, vocabulary) };
}

function scoresOf(fit: Matcher["fit"], vocabulary: readonly Word[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const { word, places } of vocabulary) {
    const quality = fit(word);
    if (quality === 0) continue;
    for (const place of places) {
      const entry = Math.floor(place / WEIGHTS.length);
      const score = (WEIGHTS[place % WEIGHTS.length] ?? 0) * quality;
      if (score > (scores.get(entry) ?? 0)) scores.set(entry, score);
    }
  }
  return scores;
}

function titleScore(entry: Entry | undefined, asked: string): number {
  const title = folded(entry?.[1] ?? "");
  const own = SHORT_TITLE / title.split(/\s+/).length + (KINDS[entry?.[0] ?? "text"] ?? 0);
  if (title === asked) return EQUAL_TITLE + own;
  return (title.startsWith(asked) ? TITLE_BEGINS : 0) + own;
}

function hitOf(entry: Entry, matchers: readonly Matcher[]): Hit {
  const [, title, , place, , text] = entry;
  return {
    entry,
    title: pieces(title, matchers),
    place: pieces(place, matchers),
    excerpt: pieces(around(text, matchers), matchers),
  };
}

/** Splits a text into pieces and marks the words that match. The pieces contain the whole text. */
export function pieces(text: string, matchers: readonly Pick<Matcher, "fit">[]): readonly Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!matchesRun(run, matchers)) continue;
    if (index > end) found.push({ text: text.slice(end, index), marked: false });
    found.push({ text: run, marked: true });
    end = index + run.length;
  }
  if (end < text.length) found.push({ text: text.slice(end), marked: false });
  return found;
}

function matchesRun(run: string, matchers: readonly Pick<Matcher, "fit">[]): boolean {
  const words = wordsOf(run);
  return matchers.some(({ fit }) => words.some((word) => fit(word) > 0));
}

const BEFORE = 50;
const LENGTH = 150;

/** Cuts a text around its first match, at blanks. */
function around(text: string, matchers: readonly Pick<Matcher, "fit">[]): string {
  let start = 0;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!matchesRun(run, matchers)) continue;
    start = index <= BEFORE ? 0 : text.indexOf(" ", index - BEFORE) + 1;
    if (start > index) start = index;
    break;
  }
  const end = start + LENGTH >= text.length ? text.length : text.lastIndexOf(" ", start + LENGTH);
  const cut = text.slice(start, end <= start ? start + LENGTH : end);
  return `${start > 0 ? "… " : ""}${cut}${start + cut.length < text.length ? " …" : ""}`;
}
