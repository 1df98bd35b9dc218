import type { SiteRedirect } from "../model/site-file.ts";
import { encodePath } from "./request-target.ts";

export interface Redirection {
  readonly location: string;
  readonly status: 301 | 302 | 307 | 308;
}

/** Finds the redirect of a decoded path and keeps `search`; undefined without one. */
export type SiteRedirects = (path: string, search: string) => Redirection | undefined;

/** A permanent redirect that keeps the method. */
const DEFAULT_STATUS = 308;

/** Creates a lookup of redirects: exact rules first, then the longest rule with `*`. Ignores redirects of a path to itself. */
export function siteRedirects(redirects: readonly SiteRedirect[] = []): SiteRedirects {
  const exact = new Map<string, Rule>();
  /** The rules by what precedes the `*`: looking up each length takes less time than comparing each rule. */
  const open = new Map<string, Rule>();
  for (const redirect of redirects) {
    const rule = ruleOf(redirect);
    const rules = rule.from.open ? open : exact;
    if (!rules.has(rule.from.prefix)) rules.set(rule.from.prefix, rule);
  }
  const lengths = [...new Set(Array.from(open.keys(), ({ length }) => length))];
  lengths.sort((a, b) => b - a);
  const openFor = (path: string): Rule | undefined => {
    const length = lengths.find((one) => one <= path.length && open.has(path.slice(0, one)));
    return length === undefined ? undefined : open.get(path.slice(0, length));
  };

  return (path, search) => {
    const rule = exact.get(path) ?? openFor(path);
    if (rule === undefined) return undefined;
    const target = targetOf(rule, restOf(rule.from, path) ?? "");
    if (target === encodePath(path)) return undefined;
    const location = target.includes("?") || target.includes("#") ? target : target + search;
    return { location, status: rule.status };
  };
}

interface Rule {
  readonly from: PathPattern;
  readonly to: string;
  readonly takesRest: boolean;
  readonly status: Redirection["status"];
}

function ruleOf({ from, to, status = DEFAULT_STATUS }: SiteRedirect): Rule {
  const takesRest = to.endsWith("*");
  const written = printable(takesRest ? to.slice(0, -1) : to);
  // The visitor's path must never become part of the host.
  const hostAlone = takesRest && /^https?:\/\/[^/?#]*$/i.test(written);
  return { from: pathPattern(from), to: hostAlone ? `${written}/` : written, takesRest, status };
}

function targetOf({ to, takesRest }: Rule, rest: string): string {
  const target = takesRest ? to + encodePath(rest) : to;
  // Two leading slashes would name another host (RFC 3986 §4.2).
  return target.replace(/^\/{2,}/, "/");
}

/** Escapes an address for a header. */
function printable(address: string): string {
  return address.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

/** The paths that a rule of the site file matches: one, or with a final `*` all with this prefix. */
interface PathPattern {
  readonly prefix: string;
  readonly open: boolean;
}

export function pathPattern(written: string): PathPattern {
  const open = written.endsWith("*");
  return { prefix: open ? written.slice(0, -1) : written, open };
}

/** Returns the text that `*` matches, empty without `*`; undefined if the path does not match. */
export function restOf({ prefix, open }: PathPattern, path: string): string | undefined {
  if (!open) return path === prefix ? "" : undefined;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
