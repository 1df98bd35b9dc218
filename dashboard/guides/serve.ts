import { sizedCache } from "../../lib/base/cache.ts";
import { base64url, utf8, webDigest } from "../../lib/base/digest.ts";
import { once } from "../../lib/base/eventual.ts";
import { describe } from "../../lib/http/describe.ts";
import { endpoints, sharedSchemas } from "../../lib/endpoints.ts";
import { unknownPage } from "../../lib/publishing/index.ts";
import type { Description } from "../reference/model/description.ts";
import {
  managementApi,
  publicApi,
  referenceOf,
  serverOf,
  type Api,
  type Reference,
} from "../reference/model/reference.ts";
import { referenceEntries } from "../reference/search-entries.ts";
import { llmsText, operationText } from "../reference/text.ts";
import {
  managementPage,
  messagesOf,
  messagesPage,
  messagesPath,
  sectionsOf,
  tagPage,
  tagPath,
} from "../reference/view/management.ts";
import { referencePage } from "../reference/view/page.ts";
import type { Place } from "../reference/view/place.ts";
import { loadAsset, sendAsset, type LoadedAsset } from "../send-asset.ts";
import type { GuideHost, GuideParts, Guides } from "./guides.ts";

/** Serves the API reference and the help. `path` begins with a slash and has no query. */
export interface GuideSite {
  /** `/docs` and below, on every host with the API. */
  reference(request: Request, path: string, host: GuideHost): Promise<Response>;
  /** `/help` and below on the base domain, and `/llms.txt` also on the hosts of projects. */
  help(request: Request, path: string, host: GuideHost): Promise<Response>;
}

interface Loaded {
  readonly guides: Guides;
  /** The references that a host shows, the public API's first. */
  readonly referencesAt: (host: GuideHost) => readonly Reference[];
  /** Writes the page at a path below `/docs`; undefined if the host has none. */
  readonly pageAt: (path: string, host: GuideHost) => string | undefined;
  readonly assets: ReadonlyMap<string, LoadedAsset>;
}

/** Clients can use any host name, so this bounds the memory for their pages. */
const MAX_MADE_BYTES = 8 * 1_024 * 1_024;

const HTML = "text/html; charset=utf-8";
const JSON_TYPE = "application/json; charset=utf-8";
const MARKDOWN = "text/markdown; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";

const PAGE_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** Calls `load` and `describeManagement`, which returns the management API's description, on the first request. */
export function createGuides(
  load: () => Promise<Guides>,
  describeManagement: () => Promise<unknown>,
): GuideSite {
  const loaded = once(async (): Promise<Loaded> => {
    const [guides, described] = await Promise.all([load(), describeManagement()]);
    const publicReference = referenceOf(ourDescription());
    // A test checks that describe.ts writes exactly these members.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const management = referenceOf(described as Description, managementApi);
    const { parts, assets, help } = guides;
    const pages = pagesOf(publicReference, management, parts);
    return {
      guides,
      referencesAt: ({ dashboard }) => [publicReference, ...(dashboard ? [management] : [])],
      pageAt: (path, host) =>
        host.dashboard || path === publicApi.page ? pages.get(path)?.(host) : undefined,
      assets: new Map([...assets, ...help].map((asset) => [asset.path, loadAsset(asset)])),
    };
  });

  const made = sizedCache<LoadedAsset>(MAX_MADE_BYTES, sizeOf);
  /** Makes host-dependent assets on their first request; `write` returns undefined where nothing is. */
  const onHost = async (
    path: string,
    host: GuideHost,
    type: string,
    write: () => string | undefined,
  ): Promise<LoadedAsset | undefined> => {
    const key = JSON.stringify([path, host]);
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = write();
    if (text === undefined) return undefined;
    const asset = await liveAsset(type, text);
    made.set(key, asset);
    return asset;
  };

  return {
    reference: async (request, path, host) => {
      const { referencesAt, pageAt, assets } = await loaded();
      const asset = path.startsWith("/docs/assets/") ? assets.get(path) : undefined;
      if (asset !== undefined) return sendAsset(request, asset);
      const references = referencesAt(host);
      if (path === SEARCH_INDEX) {
        const index = await onHost(
          path,
          { ...ANYWHERE, dashboard: host.dashboard },
          JSON_TYPE,
          () => JSON.stringify(referenceEntries(references)),
        );
        return index === undefined ? unknownPage(request.method) : sendAsset(request, index);
      }
      if (path.endsWith(".md")) {
        const text = await onHost(path, host, MARKDOWN, () => markdownAt(path, references, host));
        return text === undefined ? unknownPage(request.method) : sendAsset(request, text);
      }
      const page = await onHost(path, host, HTML, () => pageAt(path, host));
      if (page === undefined) return unknownPage(request.method);
      const api = path === publicApi.page ? publicApi : managementApi;
      return sendAsset(request, page, {
        headers: {
          ...PAGE_HEADERS,
          "content-security-policy": referencePolicy(host, api),
          // Search engines index only the reference of the base domain.
          ...(host.dashboard ? {} : { "x-robots-tag": "noindex" }),
        },
      });
    },
    help: async (request, path, host) => {
      const { guides, referencesAt, assets } = await loaded();
      if (path === "/llms.txt") {
        const text = await onHost(path, host, TEXT, () =>
          llmsText(referencesAt(host), guides.pages, host),
        );
        return text === undefined ? unknownPage(request.method) : sendAsset(request, text);
      }
      const asset = path.startsWith("/help") ? assets.get(path) : undefined;
      if (asset === undefined) return unknownPage(request.method);
      const page = asset.type.startsWith("text/html");
      return sendAsset(
        request,
        asset,
        page ? { headers: { ...PAGE_HEADERS, "content-security-policy": helpPolicy(host) } } : {},
      );
    },
  };
}

const SEARCH_INDEX = "/docs/search.json";

/** For what is the same on every host. */
const ANYWHERE = { origin: "", production: "", staging: "", help: "" } as const;

/** Returns the writers of all pages below `/docs` by path. */
function pagesOf(
  publicReference: Reference,
  management: Reference,
  parts: GuideParts,
): ReadonlyMap<string, (host: GuideHost) => string> {
  const writer = (write: (place: Place) => string): ((host: GuideHost) => string) =>
    hostTemplates((host) => write({ ...host, ...parts, script: parts.referenceScript }));
  return new Map([
    [publicApi.page, writer((place) => referencePage(publicReference, place))],
    [managementApi.page, writer((place) => managementPage(management, place))],
    ...sectionsOf(management).map(
      (section) =>
        [tagPath(section.name), writer((place) => tagPage(section, management, place))] as const,
    ),
    ...(messagesOf(management.description).length === 0
      ? []
      : [[messagesPath, writer((place) => messagesPage(management, place))] as const]),
  ]);
}

/** Writes the Markdown of the operation at a path; undefined without one. */
function markdownAt(
  path: string,
  references: readonly Reference[],
  host: GuideHost,
): string | undefined {
  for (const reference of references) {
    const { api, operations } = reference;
    const operation = operations.find(({ id }) => path === `${api.page}/${id}.md`);
    if (operation !== undefined) return operationText(operation, reference, host);
  }
  return undefined;
}

function sizeOf({ bodies }: LoadedAsset): number {
  return Object.values(bodies).reduce((sum, { bytes }) => sum + bytes.length, 1_000);
}

/** Makes an asset at runtime. */
async function liveAsset(type: string, text: string): Promise<LoadedAsset> {
  // The encoder creates its own buffer.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const bytes = utf8(text) as Uint8Array<ArrayBuffer>;
  const tag = base64url(await webDigest.sha256(bytes)).slice(0, 22);
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  const gzip = new Uint8Array(await new Response(stream).arrayBuffer());
  return {
    type,
    immutable: false,
    bodies: {
      identity: { bytes, etag: `"${tag}"` },
      ...(gzip.length < bytes.length ? { gzip: { bytes: gzip, etag: `"${tag}-gz"` } } : {}),
    },
  };
}

/**
 * Fills the host's addresses into a template. Clients can use any number of host names, and writing a whole page costs as
 * much as a hundred API requests.
 */
export function hostTemplates(write: (host: GuideHost) => string): (host: GuideHost) => string {
  const templates = new Map<string, readonly string[]>();
  return (host) => {
    const key = `${host.dashboard} ${MARKS.map((name) => markOf(name, host)).join(" ")}`;
    let pieces = templates.get(key);
    if (pieces === undefined) {
      const marked = Object.fromEntries(MARKS.map((name) => [name, markOf(name, host)]));
      pieces = write({ ...host, ...marked }).split(MARK);
      templates.set(key, pieces);
    }
    // Odd pieces are the names of the marks.
    return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueOf(piece, host))).join("");
  };
}

const MARKS = ["origin", "production", "staging", "help"] as const;
const MARK = /http:\/\/\[?(origin|production|staging|help)\.mark\]?/;

/** Keeps brackets, which shells require in quotes. */
function markOf(name: (typeof MARKS)[number], host: GuideHost): string {
  return host[name].includes("[") ? `http://[${name}.mark]` : `http://${name}.mark`;
}

function valueOf(piece: string, host: GuideHost): string {
  return MARKS.map((name) => (name === piece ? host[name] : "")).join("");
}

/** Allows the help to fetch its search indexes, and nothing else. */
function helpPolicy({ origin }: GuideHost): string {
  return policy(["/help/search.json", "/help/de/search.json"].map((path) => origin + path));
}

/**
 * Allows the reference to call its API (the public one in both environments) and to fetch its search index, and nothing
 * else on those hosts. A path with a final slash includes all paths below it (CSP 3 §6.7.2.8).
 */
function referencePolicy(host: GuideHost, api: Api): string {
  const { origin, production, staging } = host;
  const servers = api === publicApi ? [production, staging] : [serverOf(api, host)];
  return policy([...servers.map((server) => `${server}/`), origin + SEARCH_INDEX]);
}

/** Returns a Content-Security-Policy that allows requests to the given addresses. */
function policy(addresses: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${[...new Set(addresses)].join(" ")}`,
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** Returns the description of the public API. The reference fills in the servers' addresses. */
export function ourDescription(): Description {
  const written: unknown = describe(endpoints, sharedSchemas, {
    production: "/v1",
    staging: "/v1",
  });
  // A test checks that describe.ts writes exactly these members.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return written as Description;
}
