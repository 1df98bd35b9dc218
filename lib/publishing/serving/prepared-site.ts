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

/** Files that are ready at a time, of all sites together: three KiB each, and whoever walks through all sites asks for every one. */
const MAX_READY = 20_000;

/** Prepares each site once, and anew when too many files are ready. */
export function preparedSites(maxReady: number = MAX_READY): (site: Site) => PreparedSite {
  let prepared = new WeakMap<Site, PreparedSite>();
  let ready = 0;
  const onReady = (): void => {
    if (++ready <= maxReady) return;
    prepared = new WeakMap();
    ready = 0;
  };
  return (site) => {
    const known = prepared.get(site);
    if (known !== undefined) return known;
    const made = prepare(site, onReady);
    prepared.set(site, made);
    return made;
  };
}

function prepare(site: Site, onReady: () => void): PreparedSite {
  const { redirects, headers = [] } = site.manifest.site;
  const rules = headers.map(({ for: path, values }) => ({ pattern: pathPattern(path), values }));
  // A file has three paths at most, so that this is bounded by the deploy.
  const found = new Map<string, Representations>();
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
    onReady();
    return made;
  };
  const missing = notFoundFile(site);
  return {
    redirects: siteRedirects(redirects),
    at: (path) => {
      const known = found.get(path);
      if (known !== undefined) return known;
      const located = locate(site, path);
      if (typeof located !== "object") return located;
      const made = readied(located);
      found.set(path, made);
      return made;
    },
    notFound: missing === undefined ? undefined : readied(missing),
  };
}
