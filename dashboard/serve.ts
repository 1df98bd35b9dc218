import { createHash } from "node:crypto";

import { once } from "../lib/base/eventual.ts";
import { escaped } from "../lib/publishing/storefront/markup.ts";
import { PROGRAM, type Bundle } from "./asset.ts";
import { makeAsset } from "./make-asset.ts";
import { loadAsset, sendAsset, type LoadedAsset } from "./send-asset.ts";

/** Serves the dashboard: one page and its assets. */
export interface Dashboard {
  /** Serves the base domain's host. `path` begins with a slash and has no query. */
  fetch(request: Request, path: string): Promise<Response>;
}

/** The page's Content-Security-Policy: it may use only its own origin. */
export const DASHBOARD_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": DASHBOARD_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "x-robots-tag": "noindex",
};

/** The first path segments of all views; `app/` chooses the view. */
const VIEWS: readonly string[] = [
  "sign-in",
  "setup",
  "reset",
  "share",
  "profile",
  "accounts",
  "projects",
  "system",
];

/** Allows crawlers the reference and the help; everything else needs a sign-in. */
const ROBOTS = `User-agent: *
Allow: /docs
Allow: /help
Allow: /llms.txt
Disallow: /
`;

const NOTHING = "404: there is nothing at this address.\n";

interface Loaded {
  readonly page: LoadedAsset;
  readonly assets: ReadonlyMap<string, LoadedAsset>;
}

/**
 * Calls `load` on the first request, so that an unused dashboard takes no memory. `program` starts every command that
 * the dashboard shows.
 */
export function createDashboard(load: () => Promise<Bundle>, program: string): Dashboard {
  const loaded = once(async (): Promise<Loaded> => {
    const { page, assets } = await load();
    const html = new TextEncoder().encode(page.replaceAll(PROGRAM, () => escaped(program)));
    const files = assets.map((asset) => [asset.path, loadAsset(asset)] as const);
    const icon = files.find(([path]) => ICON.test(path));
    return {
      page: loadAsset(makeAsset("/index.html", html, false)),
      assets: new Map([
        ...files,
        ["/robots.txt", plainText(ROBOTS)],
        // Browsers request it with responses that are not pages, such as those of the API.
        ...(icon === undefined
          ? []
          : [["/favicon.ico", { ...icon[1], immutable: false }] as const]),
      ]),
    };
  });
  return {
    fetch: async (request, path) => {
      const { page, assets } = await loaded();
      const asset = assets.get(path);
      if (asset !== undefined) return sendAsset(request, asset);
      if (path === "/.well-known/change-password") return toPassword(request);
      const [, first = ""] = path.split("/", 2);
      if (path === "/" || VIEWS.includes(first)) {
        return sendAsset(request, page, { headers: PAGE_HEADERS });
      }
      // Other clients get plain text: a missing file must not look like an existing one.
      return wantsPage(request) && first !== "assets"
        ? sendAsset(request, page, { status: 404, headers: { ...PAGE_HEADERS, vary: VARY } })
        : sendAsset(request, nothing, { status: 404, headers: { vary: VARY } });
    },
  };
}

const ICON = /^\/assets\/icon-\w+\.svg$/;
const VARY = "accept, accept-encoding";

function wantsPage({ headers }: Request): boolean {
  return /text\/html/i.test(headers.get("accept") ?? "");
}

/** Redirects password managers to the form (https://w3c.github.io/webappsec-change-password-url/). */
function toPassword({ method }: Request): Response {
  return method === "GET" || method === "HEAD"
    ? new Response(null, { status: 302, headers: { location: "/profile" } })
    : new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
}

function plainText(text: string): LoadedAsset {
  const bytes = new TextEncoder().encode(text);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return {
    type: "text/plain; charset=utf-8",
    immutable: false,
    bodies: { identity: { bytes, etag } },
  };
}

const nothing: LoadedAsset = plainText(NOTHING);
