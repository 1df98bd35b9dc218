/** Returns the `Link` header to the next page of a list (RFC 8288). Omits undefined members of `query`. */
export function nextLink(
  { base }: { readonly base: string },
  path: string,
  query: object,
): Readonly<Record<string, string>> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.append(name, String(value));
  }
  return { link: `<${base}${path}?${parameters.toString()}>; rel="next"` };
}

/**
 * Returns a page of `found`, which has one more row than `limit` if another page follows; then `headers` has the link to
 * it, with the members of `query` as parameters.
 */
export function pageOf<Row extends { readonly id: string | number }>(
  call: { readonly base: string },
  path: string,
  found: readonly Row[],
  query: { readonly limit: number; readonly [name: string]: unknown },
): { readonly rows: readonly Row[]; readonly headers: Readonly<Record<string, string>> } {
  const rows = found.slice(0, query.limit);
  const more = found.length > query.limit;
  return { rows, headers: more ? nextLink(call, path, { after: rows.at(-1)?.id, ...query }) : {} };
}
