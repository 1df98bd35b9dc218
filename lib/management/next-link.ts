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
