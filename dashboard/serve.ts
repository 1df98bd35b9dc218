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

interface Loaded {
  readonly page: LoadedAsset;
  readonly assets: ReadonlyMap<string, LoadedAsset>;
}

/** `load` is called when somebody first asks: whoever serves no dashboard holds none in memory. */
export function createDashboard(load: () => Promise<Bundle>): Dashboard {
  const loaded = once(async (): Promise<Loaded> => {
    const { page, assets } = await load();
    return {
      page: loadAsset(page),
      assets: new Map(assets.map((asset) => [asset.path, loadAsset(asset)])),
    };
  });
  return {
    fetch: async (request, path) => {
      const { page, assets } = await loaded();
      const asset = assets.get(path);
      if (asset !== undefined) return sendAsset(request, asset);
      const [, first = ""] = path.split("/", 2);
      const status = path === "/" || VIEWS.includes(first) ? 200 : 404;
      return sendAsset(request, page, { status, headers: PAGE_HEADERS });
    },
  };
}
