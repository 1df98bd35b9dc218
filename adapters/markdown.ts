import { micromark } from "micromark";
import { plainText } from "../lib/publishing/storefront/plain-text.ts";
import type { Markdown } from "../lib/publishing/storefront.ts";

/**
 * CommonMark by micromark. Raw HTML is shown as the text it is, links lead to `http`, `https`, `mailto` and relative
 * addresses only, and there are no pictures: those of others would tell others who reads the page.
 * A text with more marks or lines than anybody writes is shown as it stands.
 */
export const markdown: Markdown = (text) => (isWritten(text) ? rendered(text) : plainText(text));

/**
 * Time grows with the square of the marks, to half a minute for 64 KiB of nothing else. With these many it stays
 * at a tenth of a second, and a bio has a few dozen.
 */
const MAX_MARKS = 1_000;

function isWritten(text: string): boolean {
  return (text.match(/[*_[\]<>&`!\n\r\t]|[-+.)] /g)?.length ?? 0) <= MAX_MARKS;
}

function rendered(text: string): string {
  return (
    micromark(text, { extensions: [{ disable: { null: ["labelStartImage"] } }] })
      // Tags are ours alone here, for `<` in a text was escaped. The page has a heading of its own, and one for each part.
      .replaceAll(/<(\/?)h([1-6])>/g, (_, slash: string, level: string) => {
        return `<${slash}h${Math.min(6, Number(level) + 2)}>`;
      })
  );
}
