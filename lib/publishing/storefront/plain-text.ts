import type { Markdown } from "../storefront.ts";
import { markup } from "./markup.ts";

/** Paragraphs of plain text, with nothing in them read as markup: for hosts that bring no Markdown. */
export const plainText: Markdown = (text) =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => markup`<p>${paragraph}</p>`.toString())
    .join("\n");
