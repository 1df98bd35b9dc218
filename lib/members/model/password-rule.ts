import { commonWords } from "./common-words.ts";

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

/** Why nobody should have a password: for whoever words it. */
export type PasswordFault = "malformed" | "too_short" | "too_long" | "repeats" | "common";

/**
 * Why nobody should have that password; undefined when they may. No kinds of characters are asked for (NIST SP
 * 800-63B §5.1.1.2): what is refused is short, or guessed first. `names` are words that anybody would try on this
 * member: of their address, their name, the host.
 */
export function faultOfPassword(
  password: string,
  names: readonly string[],
): PasswordFault | undefined {
  if (!password.isWellFormed()) return "malformed";
  const length = Array.from(password.normalize("NFC")).length;
  if (length < MIN_PASSWORD) return "too_short";
  if (length > MAX_PASSWORD) return "too_long";
  const plain = password.normalize("NFKC").toLowerCase();
  if (isRepetition(plain) || isSequence(plain)) return "repeats";
  const own = names.flatMap(wordsOf);
  const isWord = (word: string): boolean => commonWords.has(word) || own.includes(word);
  return isMadeOf(lettersOf(plain), isWord) || isMadeOf(lettersOf(unleet(inside(plain))), isWord)
    ? "common"
    : undefined;
}

/** The same in words for a person. */
export const passwordFaults: Readonly<Record<PasswordFault, string>> = {
  malformed: "The password must be well-formed Unicode.",
  too_short: `The password must have at least ${MIN_PASSWORD} characters. Four words that have nothing to do with each other make a good one.`,
  too_long: `The password must have at most ${MAX_PASSWORD} characters.`,
  repeats: "The password repeats itself or counts up: programs that guess try that first.",
  common:
    "The password is made of words that are guessed first, among them your own name and address, those of your shelter and of this host. Four words that have nothing to do with each other make a good one.",
};

/** Fewer than five different characters, or a short piece again and again. */
function isRepetition(text: string): boolean {
  if (new Set(text).size < 5) return true;
  for (let period = 1; period <= text.length / 3; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/** Nearly every character is the one before it or next to it in the alphabet, the digits or a row of keys. */
function isSequence(text: string): boolean {
  const rows = ["abcdefghijklmnopqrstuvwxyz", "01234567890", ...KEYBOARD];
  let steps = 0;
  for (let index = 1; index < text.length; index++) {
    const pair = text.slice(index - 1, index + 1);
    const back = `${pair[1]}${pair[0]}`;
    if (pair[0] === pair[1] || rows.some((row) => row.includes(pair) || row.includes(back))) {
      steps++;
    }
  }
  return steps >= (text.length - 1) * 0.75;
}

const KEYBOARD = ["qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "azertyuiop"];

/** Digits and signs that people take for letters. */
const LEET: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** The same with letters for the digits and signs that people take in their place: each for one. */
export function unleet(text: string): string {
  return Array.from(text, (character) => LEET[character] ?? character).join("");
}

/** What is between the digits and signs that people put around a word. */
function inside(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** The words of a name or an address that are worth a guess. */
export function wordsOf(name: string): readonly string[] {
  const words = name.toLowerCase().split(/[^\p{L}]+/u);
  return [...words, words.join("")].filter((word) => word.length >= 3);
}

/** True when the whole text is such words one after the other, or there is next to nothing of it. */
function isMadeOf(text: string, isWord: (word: string) => boolean): boolean {
  // Digits and signs alone are more than a sequence, or were found to be none.
  if (text === "") return false;
  const reached = [true];
  for (let end = 1; end <= text.length; end++) {
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      if (reached[start] === true && isWord(text.slice(start, end))) reached[end] = true;
    }
  }
  return reached[text.length] === true;
}

const LONGEST_WORD = 40;
