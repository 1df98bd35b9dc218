import { hex, utf8, webDigest } from "../../../../lib/base/digest.ts";
import { silentLog } from "../../../../lib/base/log.ts";
import type { Blobs } from "../../../../lib/publishing/blobs.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import type { EncodedFile, ManifestFile } from "../../../../lib/publishing/model/deploy.ts";
import type { SiteFile } from "../../../../lib/publishing/model/site-file.ts";
import { createVisits, type VisitsOptions } from "../../../../lib/publishing/serving/visit.ts";
import type { Found, Site } from "../../../../lib/publishing/site.ts";
import type { Storefront } from "../../../../lib/publishing/storefront.ts";

/** The content and special properties of a test file. */
export interface Draft {
  readonly content: string | Uint8Array;
  readonly immutable?: boolean;
  /** Fake encodings, whose content is not compressed. */
  readonly br?: string;
  readonly gzip?: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
};

/** Creates a site of files by path, and puts their content into `blobs`. */
export async function siteOf(
  blobs: Blobs,
  drafts: Readonly<Record<string, string | Draft>>,
  {
    siteFile = {},
    supersededFiles = {},
    id = "d1",
  }: {
    readonly siteFile?: SiteFile;
    readonly supersededFiles?: Readonly<Record<string, string | Draft>>;
    readonly id?: string;
  } = {},
): Promise<Site> {
  const files = await Promise.all(Object.entries(drafts).map((entry) => fileOf(blobs, ...entry)));
  const gone = await Promise.all(
    Object.entries(supersededFiles).map((entry) => fileOf(blobs, ...entry)),
  );
  return {
    project: { id: "prj_1", slug: "happy-cat", name: "Happy cat" },
    catalogueId: 1,
    deploy: { id },
    manifest: { files, site: siteFile },
    files: new Map(files.map((file) => [file.path, file])),
    supersededFiles: new Map(gone.map((file) => [file.path, file])),
    // Omits members that these tests do not use.
  } as unknown as Site;
}

async function fileOf(blobs: Blobs, path: string, draft: string | Draft): Promise<ManifestFile> {
  const {
    content,
    immutable = false,
    br,
    gzip,
  }: Draft = typeof draft === "object" && "content" in draft ? draft : { content: draft };
  const stored = await blobs.put(bytesOf(content));
  const encodings: EncodedFile[] = [];
  for (const [encoding, text] of [
    ["br", br],
    ["gzip", gzip],
  ] as const) {
    if (text === undefined) continue;
    const { sha256, size } = await blobs.put(bytesOf(text));
    encodings.push({ encoding, sha256, size });
  }
  const type = TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  const { sha256, size } = stored;
  return { path, sha256, size, type, immutable, encodings };
}

/** A storefront without pages by default. */
export const closed: Storefront = { answer: () => undefined, notFound: () => undefined };

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates visits that find `found` at every slug. */
export function visitsOf(
  found: Found | undefined | (() => Found | undefined | Promise<Found | undefined>),
  options: Partial<VisitsOptions> = {},
): (path: string, ask?: Ask) => Promise<Response> {
  const bySlug = typeof found === "function" ? found : () => found;
  const visit = createVisits({
    sites: { bySlug },
    blobs: memoryBlobs(),
    storefront: closed,
    log: silentLog,
    ...options,
  });
  return async (path, { method = "GET", headers = {} } = {}) => {
    const request = new Request(`http://happy-cat.example.org${path}`, { method, headers });
    return visit(request, {
      slug: "happy-cat",
      origin: "http://happy-cat.example.org",
      addressOf: (slug) => `http://${slug}.example.org`,
    });
  };
}

/** Creates visits to a site of these files. */
export async function shopWindow(
  drafts: Readonly<Record<string, string | Draft>>,
  {
    options,
    ...rest
  }: Parameters<typeof siteOf>[2] & { readonly options?: Partial<VisitsOptions> } = {},
): Promise<(path: string, ask?: Ask) => Promise<Response>> {
  const blobs = memoryBlobs();
  const site = await siteOf(blobs, drafts, rest);
  return visitsOf({ kind: "site", site }, { blobs, ...options });
}

/** Returns the ETag of a file with this content. */
export async function etagOf(content: string): Promise<string> {
  return `"${hex(await webDigest.sha256(utf8(content))).slice(0, 32)}"`;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? utf8(content) : content;
}
