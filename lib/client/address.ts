/**
 * Returns what to add to the message of a failure that a wrong `baseUrl` can cause: where the API probably is. `base` has no
 * slash at its end. Empty for one that ends as it should. A proxy may offer the API at any other.
 */
export function hintAt(base: string): string {
  if (base.endsWith("/v1") && !base.endsWith("/manage/v1")) return "";
  // Of the management API, of an operation, or of the mount.
  const mount = base.replace(/(?:\/manage)?(?:\/v1(?:\/.*)?)?$/, "");
  return ` Should baseUrl be ${mount}/v1?`;
}
