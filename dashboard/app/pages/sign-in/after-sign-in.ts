/**
 * Where somebody wanted to go before they were asked to sign in. Only within the dashboard: an address that leads
 * elsewhere would make our page a stepping stone of strangers.
 */
export function afterSignIn(wanted: string | undefined, origin: string): string {
  const url =
    wanted !== undefined && URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined;
  if (url === undefined || url.origin !== origin || DOOR.test(url.pathname)) return "/";
  // Alone it would be read as a host.
  if (url.pathname.startsWith("//")) return "/";
  return url.pathname + url.search + url.hash;
}

/** Nobody who is signed in has business at the door. */
const DOOR = /^\/(?:sign-in|setup|reset)$/;
