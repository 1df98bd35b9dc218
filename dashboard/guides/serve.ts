import { sizedCache } from "../../lib/base/cache.ts";
import { base64url, utf8, webDigest } from "../../lib/base/digest.ts";
import { once } from "../../lib/base/eventual.ts";
import { describe } from "../../lib/http/describe.ts";
import { endpoints, sharedSchemas } from "../../lib/endpoints.ts";
import { unknownPage } from "../../lib/publishing/index.ts";
import type { Description } from "../reference/model/description.ts";
import { referenceOf, type Reference } from "../reference/model/reference.ts";
import { llmsText, operationText } from "../reference/text.ts";
import { referencePage } from "../reference/view/page.ts";
import { loadAsset, sendAsset, type LoadedAsset } from "../send-asset.ts";
import type { Guides, GuideHost } from "./guides.ts";

/** Serves the API reference and the help. `path` begins with a slash and has no query. */
export interface GuideSite {
  /** `/docs` and below, on every host with the API. */
  reference(request: Request, path: string, host: GuideHost): Promise<Response>;
  /** `/help` and below, and `/llms.txt`. */
  help(request: Request, path: string, host: GuideHost): Promise<Response>;
}

interface Loaded {
  readonly guides: Guides;
  readonly reference: Reference;
  /** The page of the reference. */
  readonly pageAt: (host: GuideHost) => string;
  readonly assets: ReadonlyMap<string, LoadedAsset>;
}

/** Clients can use any host name, so this bounds the memory for their pages. */
const MAX_MADE_BYTES = 8 * 1_024 * 1_024;

const MARKDOWN = "text/markdown; charset=utf-8";

const PAGE_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** Calls `load` on the first request. */
export function createGuides(load: () => Promise<Guides>): GuideSite {
  const loaded = once(async (): Promise<Loaded> => {
    const guides = await load();
    const reference = referenceOf(ourDescription());
    const { parts, assets, help } = guides;
    return {
      guides,
      reference,
      pageAt: hostTemplates((host) =>
        referencePage(reference, { ...host, ...parts, script: parts.referenceScript }),
      ),
      assets: new Map([...assets, ...help].map((asset) => [asset.path, loadAsset(asset)])),
    };
  });

  const made = sizedCache<LoadedAsset>(MAX_MADE_BYTES, sizeOf);
  /** Makes host-dependent assets on their first request. */
  const onHost = async (
    path: string,
    host: GuideHost,
    type: string,
    write: () => string,
  ): Promise<LoadedAsset> => {
    const key = JSON.stringify([path, host]);
    const known = made.get(key);
    if (known !== undefined) return known;
    const asset = await liveAsset(type, write());
    made.set(key, asset);
    return asset;
  };

  return {
    reference: async (request, path, host) => {
      const { reference, pageAt, assets } = await loaded();
      if (path === "/docs") {
        const page = await onHost(path, host, "text/html; charset=utf-8", () => pageAt(host));
        const policy = referencePolicy(host);
        return sendAsset(request, page, {
          headers: {
            ...PAGE_HEADERS,
            "content-security-policy": policy,
            // Search engines index only the reference of the base domain.
            ...(host.dashboard ? {} : { "x-robots-tag": "noindex" }),
          },
        });
      }
      const asset = path.startsWith("/docs/assets/") ? assets.get(path) : undefined;
      if (asset !== undefined) return sendAsset(request, asset);
      const operation = reference.operations.find(({ id }) => path === `/docs/${id}.md`);
      if (operation === undefined) return unknownPage(request.method);
      const { schemas } = reference;
      const text = await onHost(path, host, MARKDOWN, () =>
        operationText(operation, schemas, { ...host, help: host.help || host.origin }),
      );
      return sendAsset(request, text);
    },
    help: async (request, path, host) => {
      const { guides, reference, assets } = await loaded();
      if (path === "/llms.txt") {
        const text = await onHost(path, host, "text/plain; charset=utf-8", () =>
          llmsText(reference, guides.pages, host),
        );
        return sendAsset(request, text);
      }
      const asset = assets.get(path);
      if (asset === undefined) return unknownPage(request.method);
      const page = asset.type.startsWith("text/html");
      return sendAsset(
        request,
        asset,
        page ? { headers: { ...PAGE_HEADERS, "content-security-policy": HELP_POLICY } } : {},
      );
    },
  };
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

/** The Content-Security-Policy of the help. */
const HELP_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/**
 * Allows the reference to call the API of both environments, and nothing else on those hosts.
 * A path with a final slash includes all paths below it (CSP 3 §6.7.2.8).
 */
function referencePolicy({ production, staging }: GuideHost): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${[...new Set([production, staging])].map((server) => `${server}/`).join(" ")}`,
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
