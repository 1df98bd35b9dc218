/** A piece of source text. */
export interface Token {
  /** A key of an object, a string, a number or another value, a comment; absent for what is none of them. */
  readonly kind?: "k" | "s" | "n" | "c";
  readonly text: string;
}

/** Tells the words of JSON, JavaScript, Python and of a shell apart, so that they can be coloured. Nothing is lost of the text. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: whole, 1: string, 2: colon, 3: value, index } of text.matchAll(WORD)) {
    if (index > end) tokens.push({ text: text.slice(end, index) });
    // The colon itself is no part of the key.
    const word = string ?? whole;
    const quoted = colon === undefined ? "s" : "k";
    tokens.push({
      kind: string === undefined ? (value === undefined ? "c" : "n") : quoted,
      text: word,
    });
    end = index + word.length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end) });
  return tokens;
}

/** A string, perhaps one before a colon; a number or a word for a value; a comment of a shell. */
const WORD =
  /("(?:\\.|[^"\\\n])*"|'[^'\n]*'|`[^`\n]*`)(\s*:)?|(?<![\w$./:-])(-?\d+(?:\.\d+)?|true|false|null|True|False|None)(?![\w.])|(?<=^|\s)#\s[^\n]*/g;
