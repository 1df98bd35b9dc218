import type { ManifestFile } from "../model/deploy.ts";
import type { Site } from "../site.ts";
import { locate, notFoundFile } from "./locate.ts";
import { pathPattern, restOf } from "./path-pattern.ts";
import { representations, type Representations } from "./representation.ts";
import { siteRedirects, type SiteRedirects } from "./site-redirects.ts";

/** A site with what its answers have in common made ready: gone when the site is. */
export interface PreparedSite {
  readonly redirects: SiteRedirects;
  /** What it has at a decoded path. */
  readonly at: (path: string) => Representations | "directory" | undefined;
  /** Its page for what is not there. */
  readonly notFound: Representations | undefined;
}

/** Prepares each site once. */
export function preparedSites(): (site: Site) => PreparedSite {
  const prepared = new WeakMap<Site, PreparedSite>();
  return (site) => {
    const known = prepared.get(site);
    if (known !== undefined) return known;
    const made = prepare(site);
    prepared.set(site, made);
    return made;
  };
}

function prepare(site: Site): PreparedSite {
  const { redirects, headers = [] } = site.manifest.site;
  const rules = headers.map(({ for: path, values }) => ({ pattern: pathPattern(path), values }));
  const ready = new Map<ManifestFile, Representations>();
  const readied = (file: ManifestFile): Representations => {
    const known = ready.get(file);
    if (known !== undefined) return known;
    const own = rules.filter(({ pattern }) => restOf(pattern, file.path) !== undefined);
    const fields = own.flatMap(({ values }) =>
      Object.entries(values).map(([name, value]): [string, string] => [name.toLowerCase(), value]),
    );
    const made = representations(file, Object.fromEntries(fields));
    ready.set(file, made);
    return made;
  };
  const missing = notFoundFile(site);
  return {
    redirects: siteRedirects(redirects),
    at: (path) => {
      const located = locate(site, path);
      return typeof located === "object" ? readied(located) : located;
    },
    notFound: missing === undefined ? undefined : readied(missing),
  };
}
