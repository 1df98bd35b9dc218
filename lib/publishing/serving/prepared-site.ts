import type { Encoding } from "../../http/gzip.ts";
import { HeaderTemplate } from "../../http/answer.ts";
import { areaOfPath } from "../hosts.ts";
import type { ManifestFile, EncodedFile } from "../model/deploy.ts";
import { SITE_FILE } from "../model/site-file.ts";
import type { Site } from "../site.ts";
import { pathPattern, restOf, siteRedirects, type SiteRedirects } from "./site-redirects.ts";

/** The prepared responses of a site. Garbage-collected with the site. */
export interface PreparedSite {
  readonly redirects: SiteRedirects;
  /** Finds the file at a decoded path. */
  readonly at: (path: string) => Representations | "directory" | undefined;
  /** Its 404 page. */
  readonly notFound: Representations | undefined;
}

/** The most prepared files of all sites, about 3 KiB each. A crawler may request every file. */
const MAX_READY = 20_000;

/** Returns a function that prepares each site once. Drops all sites once too many files are prepared. */
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
  // Bounded by the deploy: a file has at most three paths.
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

/** A deploy's file at a path, or a directory that redirects to the path with a slash. */
export type Located = ManifestFile | "directory" | undefined;

/**
 * Finds a decoded path among the files of a site. `/dogs/` finds `/dogs/index.html`, and `/about` finds `/about.html`.
 * Falls back to immutable files of recently live deploys.
 */
function locate(site: Site, path: string): Located {
  if (isPrivate(path)) return undefined;
  const { files, supersededFiles } = site;
  if (path.endsWith("/")) return files.get(`${path}index.html`);
  const file = files.get(path);
  if (file !== undefined) return file;
  if (files.has(`${path}/index.html`)) return "directory";
  return files.get(`${path}.html`) ?? supersededFiles.get(path);
}

/** Returns the site's 404 page, if it has one. */
function notFoundFile({ manifest, files }: Site): ManifestFile | undefined {
  return files.get(manifest.site.notFound ?? "/404.html");
}

/** Returns whether no file of a deploy is served at the path: the site file, hidden files and reserved paths. */
function isPrivate(path: string): boolean {
  if (path === SITE_FILE) return true;
  if (path.includes("/.") && !path.startsWith("/.well-known/")) return true;
  const area = areaOfPath(path);
  return area !== "page" && area !== "setup";
}

type HeaderFields = Readonly<Record<string, string>>;

/** A file in one encoding, with the headers of its responses. */
export interface Representation {
  readonly sha256: string;
  readonly size: number;
  /** Strong, so it differs between encodings. */
  readonly etag: string;
  /** Headers of responses with content. */
  readonly headers: HeaderTemplate;
  /** Headers of a 304 (RFC 9110 §15.4.5). */
  readonly unchanged: HeaderTemplate;
}

export type Representations = { readonly identity: Representation } & {
  readonly [Name in Exclude<Encoding, "identity">]?: Representation;
};

const SHARED: HeaderFields = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
};

const A_YEAR_SECONDS = 31_536_000;
const IMMUTABLE = `public, max-age=${A_YEAR_SECONDS}, immutable`;

/** Prepares a file's representations. `own` are the headers from the site file. */
function representations(file: ManifestFile, own: HeaderFields): Representations {
  const fields: HeaderFields = {
    ...SHARED,
    "content-type": file.type,
    "accept-ranges": "bytes",
    // Clients must revalidate every other file, because the next deploy may change it.
    "cache-control": file.immutable ? IMMUTABLE : "no-cache",
    ...(file.encodings.length === 0 ? undefined : { vary: "accept-encoding" }),
    ...own,
  };
  const made: { -readonly [Name in Encoding]?: Representation } = {};
  for (const encoded of file.encodings) made[encoded.encoding] = represent(encoded, fields);
  return { ...made, identity: represent(file, fields) };
}

function represent(source: ManifestFile | EncodedFile, fields: HeaderFields): Representation {
  const { sha256, size } = source;
  const etag = `"${sha256.slice(0, 32)}"`;
  const encoding = "encoding" in source ? { "content-encoding": source.encoding } : undefined;
  const kept = ["cache-control", "vary"].flatMap((name): [string, string][] =>
    fields[name] === undefined ? [] : [[name, fields[name]]],
  );
  return {
    sha256,
    size,
    etag,
    headers: new HeaderTemplate({ ...fields, etag, ...encoding }),
    unchanged: new HeaderTemplate({ etag, ...Object.fromEntries(kept) }),
  };
}
