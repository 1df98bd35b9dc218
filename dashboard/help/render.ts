import { commonMark } from "../../adapters/common-mark.ts";
import { Markup } from "../../lib/publishing/storefront/markup.ts";
import { coloured } from "../reference/view/prose.ts";
import { helpLink } from "./links.ts";
import { withTables } from "./tables.ts";

/** A paragraph that can be led to. */
export interface Heading {
  /** What stands after `#`. It stays the same as long as the heading does. */
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** A page of the manual, ready to be shown. */
export interface Rendered {
  readonly title: string;
  /** Without the title. */
  readonly body: Markup;
  /** All but the title. */
  readonly headings: readonly Heading[];
}

/**
 * Makes a page of one of our own texts. Comments and pictures are left out, links lead to within the help or, where
 * they led to what the help does not have, are no links any more.
 */
export function render(text: string): Rendered {
  const html = commonMark(text.replaceAll(/<!--[\s\S]*?-->\n?/g, ""), withTables);
  const headings: Heading[] = [];
  let title = "";
  const known = new Map<string, number>();
  const body = html
    // Tags are micromark's alone here, for `<` in a text was escaped.
    .replaceAll(/<h([1-6])>(.*?)<\/h\1>\n?/gs, (_, digit: string, inner: string) => {
      const level = Number(digit);
      const words = textOf(inner);
      if (level === 1 && title === "") {
        title = words;
        return "";
      }
      const id = idOf(words, known);
      headings.push({ id, level, text: words });
      return `<h${level} id="${id}"><a href="#${id}">${inner}</a></h${level}>\n`;
    })
    .replaceAll(/<p><img [^>]*><\/p>\n?/g, "")
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (whole, href: string, inner: string) => {
      if (href.startsWith("#")) return whole;
      const to = helpLink(textOf(href));
      return to === undefined ? inner : `<a href="${to}">${inner}</a>`;
    })
    .replaceAll(/<table>.*?<\/table>/gs, (table) => {
      // A corner without words heads nothing.
      const headed = table.replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>");
      return `<div class="table" tabindex="0" role="group" aria-label="Table">${headed}</div>`;
    })
    .replaceAll(/<pre><code[^>]*>(.*?)<\/code><\/pre>/gs, (_, code: string) => {
      const shown = coloured(textOf(code)).toString();
      return `<pre tabindex="0" role="group" aria-label="Example"><code>${shown}</code></pre>`;
    });
  return { title, body: new Markup(body), headings };
}

/** As GitHub makes them, so that links between the pages are good there and here. */
function idOf(words: string, known: Map<string, number>): string {
  const plain = words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  const before = known.get(plain) ?? 0;
  known.set(plain, before + 1);
  return before === 0 ? plain : `${plain}-${before}`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** The text of what micromark wrote. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
