import { problem, type Problem } from "../base/problem.ts";

/** Whether a browser may sign in where it is: a session's cookie must not travel where others can read it. */
export type SignIn = "allowed" | "refused";

/** Over TLS, that of a trusted proxy included, and on a name that never leaves the machine. */
export function signInAt(origin: string): SignIn {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url === undefined) return "refused";
  return url.protocol === "https:" || LOOPBACK.test(url.hostname) ? "allowed" : "refused";
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Why a request that a cookie speaks for, or that would be given one, must not be done: another site may have made
 * the browser send it. Sites of projects can be same-site with us, so that `SameSite` alone is no protection. Reads
 * are refused only where the browser says that another site asks.
 */
export function faultOfSite(
  { method, headers }: Pick<Request, "method" | "headers">,
  origin: string,
): Problem | undefined {
  const site = headers.get("sec-fetch-site");
  if (method === "GET" || method === "HEAD") {
    return site === "same-site" || site === "cross-site" ? crossSite : undefined;
  }
  const own = site === null ? headers.get("origin") === origin : site === "same-origin";
  return own ? undefined : crossSite;
}

export const signInNeedsHttps: Problem = problem(
  "https_required",
  "Signing in needs HTTPS, for a password and a session sent without it can be read on the way. Open the dashboard by an https:// address, on the machine itself by localhost, or let a reverse proxy end TLS and name it in trusted-proxies.",
);

const crossSite: Problem = problem(
  "cross_site_request",
  "This request did not come from a page of this service. Send it from the dashboard, or with a management token.",
);
