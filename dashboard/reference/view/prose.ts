import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import { tokensOf } from "../model/tokens.ts";

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

/** Source text in which strings, keys, values and comments can be coloured. */
export function coloured(source: string): Markup {
  const parts = tokensOf(source).map(({ kind, text }) =>
    kind === undefined ? text : markup`<i class="${kind}">${text}</i>`,
  );
  return markup`${parts}`;
}

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
