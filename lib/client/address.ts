/**
 * Returns what to add to the message of a failure that a wrong `baseUrl` can cause: where the API probably is. Empty for an
 * address that ends as it should. A proxy may offer the API at any other.
 */
export function hintAt(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname.endsWith("/v1") && !pathname.endsWith("/manage/v1")) return "";
  // Of the management API, of an operation, or of the mount.
  const mount = pathname.replace(/(?:\/manage)?(?:\/v1(?:\/.*)?)?\/?$/, "");
  return ` Should baseUrl be ${origin}${mount}/v1?`;
}
