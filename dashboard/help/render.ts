import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { commonMark, type Dialect } from "../../adapters/common-mark.ts";
import { Markup } from "../../lib/publishing/storefront/markup.ts";
import { coloured } from "../reference/view/prose.ts";
import { helpLink, type Language } from "./manual.ts";

/** A heading with its anchor. */
export interface Heading {
  /** The anchor, derived from the heading's text. */
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** A rendered page of the manual. */
export interface Rendered {
  readonly title: string;
  /** Excludes the title. */
  readonly body: Markup;
  /** Excludes the title. */
  readonly headings: readonly Heading[];
  /** The plain text before the first heading, then that of each heading's section, in order. */
  readonly texts: readonly string[];
}

/**
 * Renders a page of `docs/`. Removes comments and images, redirects links to the help, and unlinks those whose target
 * the help does not have. `original` is the English page of a translation.
 */
export function render(text: string, language: Language = "en", original?: Rendered): Rendered {
  const html = commonMark(text.replaceAll(/<!--[\s\S]*?-->\n?/g, ""), withTables);
  const headings: Heading[] = [];
  let title = "";
  const known = new Map<string, number>();
  const body = html
    // All tags are micromark's, since it escapes `<` in texts.
    .replaceAll(/<h([1-6])>(.*?)<\/h\1>\n?/gs, (_, digit: string, inner: string) => {
      const level = Number(digit);
      const words = textOf(inner);
      if (level === 1 && title === "") {
        title = words;
        return "";
      }
      // Links work in every language, because a translation has the anchors of the original.
      const before = original?.headings[headings.length];
      const id = before?.level === level ? before.id : idOf(words, known);
      headings.push({ id, level, text: words });
      return `<h${level} id="${id}"><a href="#${id}">${inner}</a></h${level}>\n`;
    })
    .replaceAll(/<p><img [^>]*><\/p>\n?/g, "")
    .replaceAll(/<a href="([^"]*)">(.*?)<\/a>/gs, (whole, href: string, inner: string) => {
      if (href.startsWith("#")) return whole;
      const to = helpLink(textOf(href), language);
      return to === undefined ? inner : `<a href="${to}">${inner}</a>`;
    })
    .replaceAll(/<table>.*?<\/table>/gs, (table) => {
      // An empty corner is not a header.
      const headed = table.replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>");
      return `<div class="table" tabindex="0" role="group" aria-label="${LABELS[language].table}">${headed}</div>`;
    })
    .replaceAll(/<pre><code[^>]*>(.*?)<\/code><\/pre>/gs, (_, code: string) => {
      const shown = coloured(textOf(code)).toString();
      return `<pre tabindex="0" role="group" aria-label="${LABELS[language].example}"><code>${shown}</code></pre>`;
    });
  const texts = body.split(/<h[1-6] [^>]*>.*?<\/h[1-6]>/s).map((section) =>
    // Blocks and cells are separate words.
    textOf(section.replaceAll(/<\/?(?:p|li|td|th|tr|pre)\b/g, " $&"))
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return { title, body: new Markup(body), headings, texts };
}

const LABELS: Readonly<Record<Language, { readonly table: string; readonly example: string }>> = {
  en: { table: "Table", example: "Example" },
  de: { table: "Tabelle", example: "Beispiel" },
};

/** Makes anchors like GitHub's, so that links between pages work in both places. */
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

/** Extracts the text from micromark's HTML. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}

/** CommonMark with GitHub's tables. */
const withTables: Dialect = { syntax: [gfmTable()], html: [gfmTableHtml()] };
