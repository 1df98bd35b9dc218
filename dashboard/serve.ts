import { createHash } from "node:crypto";

import { once } from "../lib/base/eventual.ts";
import type { Bundle } from "./asset.ts";
import { loadAsset, sendAsset, type LoadedAsset } from "./send-asset.ts";

/** The dashboard as a web site: one page and what it is made of. */
export interface Dashboard {
  /** Answers for the host of the base domain; `path` begins with a slash and has no query. */
  fetch(request: Request, path: string): Promise<Response>;
}

/** What the page may do: nothing but talk to the origin that it came from. */
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

/** The first part of every address that has a view; the views themselves are chosen in `app/`. */
const VIEWS: readonly string[] = [
  "sign-in",
  "setup",
  "reset",
  "profile",
  "accounts",
  "projects",
  "system",
];

/** Crawlers may find the reference and the help; everything else needs a sign-in. */
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

/** `load` is called when somebody first asks: whoever serves no dashboard holds none in memory. */
export function createDashboard(load: () => Promise<Bundle>): Dashboard {
  const loaded = once(async (): Promise<Loaded> => {
    const { page, assets } = await load();
    const files = assets.map((asset) => [asset.path, loadAsset(asset)] as const);
    const icon = files.find(([path]) => ICON.test(path));
    return {
      page: loadAsset(page),
      assets: new Map([
        ...files,
        ["/robots.txt", plainText(ROBOTS)],
        // Browsers ask for it beside answers without a page, such as those of the API.
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
      // The page only where a page is asked for: a missing file must not look like an existing one.
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

/** Where a password manager finds the form (https://w3c.github.io/webappsec-change-password-url/). */
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
