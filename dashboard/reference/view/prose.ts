import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { tokensOf } from "../model/tokens.ts";

/** Renders a line of a description, with code in backticks. */
export function inline(text: string): Part {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part : part !== "" && markup`<code>${part}</code>`));
}

/** Renders a description: paragraphs separated by empty lines. */
export function paragraphs(text: string): Part {
  return text.split("\n\n").map((paragraph) => markup`<p>${inline(paragraph)}</p>`);
}

/** Highlights source text. */
export function coloured(source: string): Markup {
  const parts = tokensOf(source).map(({ kind, text }) =>
    kind === undefined ? text : markup`<i class="${kind}">${text}</i>`,
  );
  return markup`${parts}`;
}

/** Formats JSON, on one line if it is short. */
export function jsonText(value: unknown): string {
  const short = JSON.stringify(value, null, 1)?.replaceAll(/\n\s*/g, " ");
  return short !== undefined && short.length <= SHORT ? short : JSON.stringify(value, null, 2);
}

const SHORT = 52;

/** A block of code that the keyboard can scroll. `name` is its accessible name. */
export function codeBlock(text: string, name: string): Markup {
  return markup`<pre tabindex="0" role="group" aria-label="${name}"><code>${coloured(text)}</code></pre>`;
}
