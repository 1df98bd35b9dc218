export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 200;

/** Why a password is refused. Clients have their own texts for it. */
export type PasswordFault = "malformed" | "too_short" | "too_long" | "repeats" | "common";

/**
 * Returns why a password is refused; undefined if it is allowed. Requires no particular kinds of characters (NIST SP
 * 800-63B §5.1.1.2); refuses passwords that are short or easy to guess. `names` are obvious guesses for this member: the
 * email address, the name, the shelter, the host.
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

/** The error details of each fault. */
export const passwordFaults: Readonly<Record<PasswordFault, string>> = {
  malformed: "The password must be well-formed Unicode.",
  too_short: `The password must have at least ${MIN_PASSWORD} characters. Four unrelated words make a good one.`,
  too_long: `The password must have at most ${MAX_PASSWORD} characters.`,
  repeats: "The password is a repetition or a sequence, which is easy to guess.",
  common:
    "The password consists of words that are easy to guess, such as common passwords, your name and email address, and the names of your shelter and of this host. Four unrelated words make a good one.",
};

/** Returns true if the text has fewer than five different characters, or repeats a shorter text. */
function isRepetition(text: string): boolean {
  if (new Set(text).size < 5) return true;
  for (let period = 1; period <= text.length / 3; period++) {
    if (text.startsWith(text.slice(period))) return true;
  }
  return false;
}

/** Returns true if most characters repeat or adjoin their predecessor in the alphabet, the digits or a keyboard row. */
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

/** Digits and signs that replace letters. */
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

/** Replaces digits and signs by the letters that they resemble. */
export function unleet(text: string): string {
  return Array.from(text, (character) => LEET[character] ?? character).join("");
}

/** Returns the text without digits and signs at its ends. */
function inside(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]/gu, "");
}

/** Returns the words of a name or an address that are obvious guesses. */
export function wordsOf(name: string): readonly string[] {
  const words = name.toLowerCase().split(/[^\p{L}]+/u);
  return [...words, words.join("")].filter((word) => word.length >= 3);
}

/** Returns true if the whole text is a sequence of such words. */
function isMadeOf(text: string, isWord: (word: string) => boolean): boolean {
  // Texts without letters are checked as sequences and repetitions.
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

/**
 * The most frequent words of leaked passwords in English and German, and keyboard rows. Compiled by hand, not copied from
 * a list. Words are enough for passwords of twelve characters or more: the frequent ones are these words joined, repeated
 * or followed by digits.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwd pass word kennwort geheim secret secure sicher login letmein welcome willkommen admin
  administrator root user guest test testing tester demo default changeme change master superman batman hallo hello
  iloveyou love liebe schatz princess prinzessin sunshine dragon monkey football fussball baseball basketball soccer
  hockey shadow michael jordan jennifer daniel thomas andreas alexander charlie ashley nicole jessica starwars
  pokemon naruto minecraft samsung computer internet server system windows google facebook apple summer sommer winter
  spring autumn herbst fruehling january february march april june july august september october november december
  monday freitag qwerty qwertz qwertyuiop qwertzuiop asdf asdfgh asdfghjkl yxcvbnm zxcvbnm qazwsx qwer asd
  trustno access account whatever freedom killer pepper ginger cookie cheese banana orange flower blume
  animal animals dog dogs cat cats hund hunde katze katzen pet pets petstore shelter tierheim tier tiere
  abc abcd abcde abcdef xyz my mein the ein new neu is ist me you we one two for und and to mi it go das ich dich du mich wir
  correcthorsebatterystaple`.split(/\s+/),
);
