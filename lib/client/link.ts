/** An address has no `<` (RFC 3986 §2): without that, many of them would take quadratic time. */
const LINK = /<([^<>]*)>([^<]*)/g;

/** Returns the target of the link with `rel="next"` in a `Link` header (RFC 8288); undefined without one. */
export function nextLink(header: string | null): string | undefined {
  for (const [, target, parameters = ""] of (header ?? "").matchAll(LINK)) {
    if (/;\s*rel="?next"?\s*(?:[;,]|$)/i.test(parameters)) return target;
  }
  return undefined;
}
