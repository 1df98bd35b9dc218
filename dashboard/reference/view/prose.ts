import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";

/** One line of a description: what stands between backticks is code. */
export function inline(text: string): Part {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : part !== "" && markup`<code>${part}</code>`));
}

/** A description: paragraphs with an empty line between them. */
export function paragraphs(text: string): Part {
  return text.split("\n\n").map((paragraph) => markup`<p>${inline(paragraph)}</p>`);
}

/** Source text with its words told apart, so that strings, names and numbers can be coloured. */
export function coloured(text: string): Markup {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon, literal] = match;
    const kind = string === undefined ? (literal === undefined ? "c" : "n") : colon ? "k" : "s";
    const word = string ?? token;
    parts.push(text.slice(end, match.index), markup`<i class="${kind}">${word}</i>`);
    end = match.index + word.length;
  }
  parts.push(text.slice(end));
  return markup`${parts}`;
}

/** A string, perhaps one before a colon; a comment of Markdown's `sh`; a number or a word for a value. */
const TOKEN =
  /("(?:\\.|[^"\\\n])*"|'[^'\n]*'|`[^`\n]*`)(\s*:)?|(?<![\w$./:-])(-?\d+(?:\.\d+)?|true|false|null|True|False|None)(?![\w.])|(?<=^|\s)#\s[^\n]*/g;

/** JSON as people like to read it: on one line as long as that is short. */
export function jsonText(value: unknown): string {
  const short = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, " ");
  return short !== undefined && short.length <= SHORT ? short : JSON.stringify(value, null, 2);
}

const SHORT = 52;

/** A block of code that can be scrolled with the keyboard. `name` says what it is. */
export function codeBlock(text: string, name: string): Markup {
  return markup`<pre tabindex="0" role="group" aria-label="${name}"><code>${coloured(text)}</code></pre>`;
}
