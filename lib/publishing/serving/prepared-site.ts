import type { ManifestFile, EncodedFile } from "../model/deploy.ts";
import type { Site } from "../site.ts";
import { pathPattern, restOf, siteRedirects, type SiteRedirects } from "./site-redirects.ts";
import { areaAt } from "../hosts.ts";
import { HeaderTemplate } from "../../http/ready-headers.ts";
import type { Encoding } from "../../http/accept-encoding.ts";

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

/** What a deploy has at a path: a file, or a directory whose page is one slash further. */
export type Located = ManifestFile | "directory" | undefined;

const SITE_FILE = "/petstore.site.json";

/**
 * Looks for a decoded path among the files of a site. `/dogs/` is `/dogs/index.html`, `/about` is `/about.html`;
 * an immutable file of a deploy that was live lately is found where the live one has nothing.
 */
function locate(site: Site, path: string): Located {
  if (isOurs(path)) return undefined;
  const { files, departed } = site;
  if (path.endsWith("/")) return files.get(`${path}index.html`);
  const file = files.get(path);
  if (file !== undefined) return file;
  if (files.has(`${path}/index.html`)) return "directory";
  return files.get(`${path}.html`) ?? departed.get(path);
}

/** The page for what is not there, if the site has one. */
function notFoundFile({ manifest, files }: Site): ManifestFile | undefined {
  return files.get(manifest.site.notFound ?? "/404.html");
}

/** Never taken from a deploy: the site file itself, hidden files, and what is ours on every host. */
function isOurs(path: string): boolean {
  if (path === SITE_FILE) return true;
  if (path.includes("/.") && !path.startsWith("/.well-known/")) return true;
  const area = areaAt(path);
  return area !== "page" && area !== "setup";
}

type HeaderFields = Readonly<Record<string, string>>;

/** A file in one encoding, with the headers of every answer it can be part of. */
export interface Representation {
  readonly sha256: string;
  readonly size: number;
  /** Strong: each encoding has its own. */
  readonly etag: string;
  /** Headers of the responses that carry it. */
  readonly headers: HeaderTemplate;
  /** Headers of a response that says it did not change (RFC 9110 §15.4.5). */
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
const FOR_EVER = `public, max-age=${A_YEAR_SECONDS}, immutable`;

/** All of a file that a site can answer with; `own` are the headers that its site file adds. */
function representations(file: ManifestFile, own: HeaderFields): Representations {
  const fields: HeaderFields = {
    ...SHARED,
    "content-type": file.type,
    "accept-ranges": "bytes",
    // Everything else may be another one after the next deploy: ask, and be told quickly that it is not.
    "cache-control": file.immutable ? FOR_EVER : "no-cache",
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
