/**
 * Returns the path to open after sign-in: the wanted one if it is a page of the dashboard, otherwise the start page. A
 * redirect to another origin would let strangers misuse our address.
 */
export function afterSignIn(wanted: string | undefined, origin: string): string {
  const url =
    wanted !== undefined && URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined;
  if (url === undefined || url.origin !== origin || SIGNED_OUT.test(url.pathname)) return "/";
  // A browser would read the path as a host.
  if (url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

/** Paths of the pages for users who are not signed in. */
export const SIGNED_OUT = /^\/(?:sign-in|setup|reset|share)$/;
