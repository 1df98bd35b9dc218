import { plainText } from "../lib/publishing/storefront/bio.ts";
import type { Markdown } from "../lib/publishing/storefront.ts";
import { commonMark } from "./common-mark.ts";

/**
 * CommonMark by micromark. Raw HTML is shown as the text it is, links lead to `http`, `https`, `mailto` and relative
 * addresses only, and there are no pictures: those of others would tell others who reads the page. Headings begin at `h2`.
 * A text with more marks or lines than anybody writes is shown as it stands.
 */
export const markdown: Markdown = (text) => (isWritten(text) ? rendered(text) : plainText(text));

/**
 * Time grows with the square of the marks, to half a minute for 64 KiB of nothing else. With these many it stays
 * at a tenth of a second, and a bio has a few dozen.
 */
const MAX_MARKS = 1_000;

function isWritten(text: string): boolean {
  return (text.match(/[*_[\]\\<>&`!\n\r\t]|[-+.)] /g)?.length ?? 0) <= MAX_MARKS;
}

function rendered(text: string): string {
  return withOrderedHeadings(
    commonMark(text, { syntax: [{ disable: { null: ["labelStartImage"] } }] }),
  );
}

/** Headings from the second level on, for the page has the first, and none more than one below the one before. */
function withOrderedHeadings(html: string): string {
  let offset: number | undefined;
  let level = 1;
  // Tags are micromark's alone here, for `<` in a text was escaped.
  return html.replaceAll(/<(\/?)h([1-6])>/g, (_, slash: string, digit: string) => {
    if (slash === "") {
      offset ??= 2 - Number(digit);
      level = Math.max(2, Math.min(6, Number(digit) + offset, level + 1));
    }
    return `<${slash}h${level}>`;
  });
}
