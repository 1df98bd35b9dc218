/** Why a label can be taken for another one at a glance. */
export type LookAlike = "mixed_scripts" | "resembles_latin";

/** Scripts that are told apart; a letter of any other makes a label of its own kind. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/u],
  ["Cyrillic", /\p{Script=Cyrillic}/u],
  ["Greek", /\p{Script=Greek}/u],
  ["Armenian", /\p{Script=Armenian}/u],
  ["Han", /\p{Script=Han}/u],
  ["Hiragana", /\p{Script=Hiragana}/u],
  ["Katakana", /\p{Script=Katakana}/u],
  ["Hangul", /\p{Script=Hangul}/u],
  ["Bopomofo", /\p{Script=Bopomofo}/u],
  ["other", /\p{Letter}/u],
];

/** Scripts that are written together, Latin beside them (UTS #39 §5.2, highly restrictive). */
const TOGETHER: readonly (readonly string[])[] = [
  ["Latin", "Han", "Hiragana", "Katakana"],
  ["Latin", "Han", "Hangul"],
  ["Latin", "Han", "Bopomofo"],
];

/** Letters of Cyrillic and Greek that look like one of a to z. */
const LATIN_SHAPES = /^[авеікмнорсстухѕԁԛԝһјӏгοανυτικρ\d-]+$/u;

/** Why `name`, in Unicode, could be taken for another; undefined when nothing about it is odd. */
export function lookAlikeOf(name: string): LookAlike | undefined {
  const labels = name.split(".").filter((label) => /[^\p{ASCII}]/u.test(label));
  if (labels.some(isMixed)) return "mixed_scripts";
  return labels.some((label) => LATIN_SHAPES.test(label)) ? "resembles_latin" : undefined;
}

function isMixed(label: string): boolean {
  const scripts = new Set<string>();
  for (const character of label) {
    if (/\p{Letter}/u.test(character)) scripts.add(scriptOf(character));
  }
  if (scripts.size < 2) return false;
  return !TOGETHER.some((group) => [...scripts].every((script) => group.includes(script)));
}

function scriptOf(letter: string): string {
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? "other";
}
