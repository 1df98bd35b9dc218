/**
 * Returns the headers of a response beside those that the host has set already, which `host` returns by name. Undefined if
 * nothing changes. `Vary` names what both depend on. CORS is decided in one place: if the host has set a CORS header, or
 * varies by `Origin`, the service's CORS headers are left out, also where the host permits less.
 */
export function besideHost(own: Headers, host: (name: string) => unknown): Headers | undefined {
  const vary = textOf(host("vary"));
  const decides =
    (vary !== undefined && namesIn(vary).includes("origin")) ||
    CORS.some((name) => textOf(host(name)) !== undefined);
  if (vary === undefined && !decides) return undefined;
  const headers = new Headers(own);
  if (vary !== undefined) headers.set("vary", joined(vary, own.get("vary") ?? ""));
  if (decides) {
    for (const name of own.keys()) if (name.startsWith("access-control-")) headers.delete(name);
  }
  return headers;
}

/** The CORS headers of which middleware sets at least one on every response that it decides about. */
const CORS = [
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "access-control-expose-headers",
] as const;

/** Returns the value of a header that is set, also as a list of fields. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : undefined;
}

function namesIn(vary: string): readonly string[] {
  return vary.toLowerCase().split(/\s*,\s*/);
}

/** Returns a list with each name once (RFC 9110 §12.5.5). */
function joined(first: string, second: string): string {
  const known = new Set(namesIn(first));
  const more = second.split(/\s*,\s*/).filter((name) => !known.has(name.toLowerCase()));
  return [first, ...more].filter((part) => part !== "").join(", ");
}
