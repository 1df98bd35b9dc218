import { manualFiles, manualPages } from "./manual.ts";

/**
 * Where a link of a page of `docs/` leads within the help; undefined where it leads to something that the help does
 * not have.
 */
export function helpLink(href: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [file = "", fragment] = href.split("#", 2);
  const page = manualPages.find((one) => one.file === file);
  if (page !== undefined)
    return `/help/${page.slug}${fragment === undefined ? "" : `#${fragment}`}`;
  return Object.hasOwn(manualFiles, file) ? `/help/${file}` : undefined;
}
