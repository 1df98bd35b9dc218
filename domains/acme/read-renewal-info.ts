import { readTime } from "../../lib/base/clock.ts";
import type { RenewalInfo } from "../ports/authority.ts";
import { fields, httpsUrl, text, type Fields } from "./read-json.ts";

/** What a CA says of a renewal (RFC 9773 §4.2); undefined when there is no window in it, or one that ends before it begins. */
export function readRenewalInfo(found: Fields): RenewalInfo | undefined {
  const window = fields(found["suggestedWindow"]);
  const start = readTime(text(window?.["start"]) ?? "");
  const end = readTime(text(window?.["end"]) ?? "");
  if (start === undefined || end === undefined || end <= start) return undefined;
  const explanationUrl = httpsUrl(found["explanationURL"]);
  return { window: { start, end }, ...(explanationUrl === undefined ? {} : { explanationUrl }) };
}
