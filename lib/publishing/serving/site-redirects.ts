import type { SiteRedirect } from "../model/site-file.ts";
import { encodePath } from "./request-target.ts";

export interface Redirection {
  readonly location: string;
  readonly status: 301 | 302 | 307 | 308;
}

/** Where a decoded path leads to, `search` kept; undefined when it stays. */
export type SiteRedirects = (path: string, search: string) => Redirection | undefined;

/** What a site file that does not say it means: for good, and with the same method. */
const DEFAULT_STATUS = 308;

/** Exact ones come first, then of those with `*` the longest. One that leads to itself is none. */
export function siteRedirects(redirects: readonly SiteRedirect[] = []): SiteRedirects {
  const exact = new Map<string, Rule>();
  const open: Rule[] = [];
  for (const redirect of redirects) {
    const rule = ruleOf(redirect);
    if (rule.from.open) open.push(rule);
    else if (!exact.has(rule.from.prefix)) exact.set(rule.from.prefix, rule);
  }
  open.sort((a, b) => b.from.prefix.length - a.from.prefix.length);

  return (path, search) => {
    const rule = exact.get(path) ?? open.find(({ from }) => restOf(from, path) !== undefined);
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
  // What a visitor adds must never become part of the host.
  const hostAlone = takesRest && /^https?:\/\/[^/?#]*$/i.test(written);
  return { from: pathPattern(from), to: hostAlone ? `${written}/` : written, takesRest, status };
}

function targetOf({ to, takesRest }: Rule, rest: string): string {
  const target = takesRest ? to + encodePath(rest) : to;
  // Two slashes would lead to another host (RFC 3986 §4.2).
  return target.replace(/^\/{2,}/, "/");
}

/** As it may stand in a header. */
function printable(address: string): string {
  return address.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

/** Paths that a rule of the site file is for: one, or with `*` at its end all that begin so. */
interface PathPattern {
  readonly prefix: string;
  readonly open: boolean;
}

export function pathPattern(written: string): PathPattern {
  const open = written.endsWith("*");
  return { prefix: open ? written.slice(0, -1) : written, open };
}

/** What `*` stands for; empty where there is none. Undefined: the rule is not for this path. */
export function restOf({ prefix, open }: PathPattern, path: string): string | undefined {
  if (!open) return path === prefix ? "" : undefined;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
