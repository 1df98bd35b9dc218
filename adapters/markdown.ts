import { plainText } from "../lib/publishing/storefront/bio.ts";
import { commonMark } from "./common-mark.ts";

/**
 * Renders CommonMark with micromark. Escapes raw HTML, allows only `http`, `https`, `mailto` and relative links, and
 * removes images, because remote ones would reveal visitors to other servers. Headings begin at `h2`. Shows a text with an
 * excessive number of marks or lines as plain text.
 */
export function markdown(text: string): string {
  return isWritten(text) ? rendered(text) : plainText(text);
}

/**
 * Rendering time grows with the square of the number of marks, to half a minute for 64 KiB of marks. This limit keeps it
 * at a tenth of a second. A usual bio has a few dozen.
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

/** Shifts headings to start at the second level, below the page's own, and removes gaps between levels. */
function withOrderedHeadings(html: string): string {
  let offset: number | undefined;
  let level = 1;
  // All tags are micromark's, because it escapes `<` in texts.
  return html.replaceAll(/<(\/?)h([1-6])>/g, (_, slash: string, digit: string) => {
    if (slash === "") {
      offset ??= 2 - Number(digit);
      level = Math.max(2, Math.min(6, Number(digit) + offset, level + 1));
    }
    return `<${slash}h${level}>`;
  });
}
