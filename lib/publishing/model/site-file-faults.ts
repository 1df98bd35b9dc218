import { normalized } from "../../base/normalized.ts";
import type { FieldError } from "../../base/problem.ts";
import { siteRedirects } from "../serving/site-redirects.ts";
import type { SiteFile, SiteHeaders, SiteRedirect, DomainsRequest } from "./site-file.ts";

/** A file of the site. */
export interface NamedFile {
  readonly path: string;
  readonly type: string;
}

/** Returns the errors of a well-formed site file, given the files of its site. */
export function faultsOfSiteFile(
  { theme, notFound, redirects = [], headers = [], domains = {} }: SiteFile,
  files: readonly NamedFile[],
): readonly FieldError[] {
  const typeOf = new Map(files.map(({ path, type }) => [path, type]));
  const named = (
    pointer: string,
    path: string | undefined,
    prefix: string,
    kind: string,
  ): readonly FieldError[] => {
    if (path === undefined) return [];
    const type = typeOf.get(path);
    if (type === undefined)
      return [fault(pointer, `names ${shown(path)}, which is not in the site`)];
    return type.startsWith(prefix)
      ? []
      : [fault(pointer, `names ${shown(path)}, which is not an ${kind}`)];
  };
  return [
    ...named("/theme/logo", theme?.logo, "image/", "image"),
    ...faultsOfRedirects(redirects),
    ...headers.flatMap(faultsOfHeaders),
    ...named("/notFound", notFound, "text/html", "HTML page"),
    ...faultsOfDomains(domains),
  ];
}

function faultsOfRedirects(redirects: readonly SiteRedirect[]): readonly FieldError[] {
  const leadsTo = siteRedirects(redirects);
  const seen = new Set<string>();
  return redirects.flatMap(({ from, to }, index) => {
    const at = `/redirects/${index}`;
    if (seen.has(from)) return [fault(`${at}/from`, `repeats ${shown(from)}`)];
    seen.add(from);
    if (from === to) return [fault(`${at}/to`, "redirects to itself")];
    if (to.endsWith("*") && !from.endsWith("*")) {
      return [fault(`${at}/to`, 'has a "*" that "from" does not have')];
    }
    return leadsInCircle(from, leadsTo) ? [fault(`${at}/to`, "is part of a redirect loop")] : [];
  });
}

/** Browsers follow about twenty redirects. */
const MAX_HOPS = 10;

/** Follows the redirects like a visitor, with a sample path for `*`. */
function leadsInCircle(from: string, leadsTo: ReturnType<typeof siteRedirects>): boolean {
  let path = from.replace(/\*$/, "x");
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const next = leadsTo(path, "")?.location.split(/[?#]/)[0];
    if (next === undefined || !next.startsWith("/")) return false;
    path = decoded(next);
  }
  return true;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A malformed path matches no rule.
    return path;
  }
}

function faultsOfHeaders({ values }: SiteHeaders, index: number): readonly FieldError[] {
  const names = Object.keys(values).map((name) => name.toLowerCase());
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  const at = `/headers/${index}/values`;
  return twice === undefined ? [] : [fault(at, `names the header ${twice} twice`)];
}

function fault(pointer: string, words: string): FieldError {
  const name = pointer.slice(pointer.lastIndexOf("/") + 1);
  return { pointer, code: "invalid_value", message: `"${name}" ${words}.` };
}

function shown(path: string): string {
  return path.length <= 80 ? path : `${path.slice(0, 79)}…`;
}

/** Returns the errors in a map of domains, whether verified or not. */
function faultsOfDomains({ primary, redirects = [] }: DomainsRequest): readonly FieldError[] {
  const leadsTo = new Map(redirects.map(({ from, to }) => [hostKey(from), hostKey(to)]));
  const seen = new Set<string>();
  return redirects.flatMap(({ from, to }, index) => {
    const at = `/domains/redirects/${index}`;
    const [source, target] = [hostKey(from), hostKey(to)];
    if (seen.has(source)) return [fault(`${at}/from`, `repeats ${from}`)];
    seen.add(source);
    if (primary !== undefined && source === hostKey(primary)) {
      return [fault(`${at}/from`, `is ${from}, the primary domain, which cannot redirect`)];
    }
    if (leadsBack(source, leadsTo)) return [fault(`${at}/to`, "is part of a redirect loop")];
    return leadsTo.has(target) ? [fault(`${at}/to`, `is ${to}, which itself redirects`)] : [];
  });
}

function leadsBack(source: string, leadsTo: ReadonlyMap<string, string>): boolean {
  let at = leadsTo.get(source);
  // After this many steps it loops without passing `source`.
  for (let step = 0; at !== undefined && step < leadsTo.size; step++) {
    if (at === source) return true;
    at = leadsTo.get(at);
  }
  return false;
}

function hostKey(domain: string): string {
  return normalized(domain, "NFC").toLowerCase();
}
