/** A token of source text. */
export interface Token {
  /** An object key, a string, a number or literal, or a comment. Absent for other text. */
  readonly kind?: "k" | "s" | "n" | "c";
  readonly text: string;
}

/** Splits JSON, JavaScript, Python or shell text into tokens for highlighting. The tokens contain the whole text. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const { 0: whole, 1: string, 2: colon, 3: value, index } of text.matchAll(WORD)) {
    if (index > end) tokens.push({ text: text.slice(end, index) });
    // The colon is not part of the key.
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

/** A string, optionally before a colon, a number or literal, or a shell comment. */
const WORD =
  /("(?:\\.|[^"\\\n])*"|'[^'\n]*'|`[^`\n]*`)(\s*:)?|(?<![\w$./:-])(-?\d+(?:\.\d+)?|true|false|null|True|False|None)(?![\w.])|(?<=^|\s)#\s[^\n]*/g;
