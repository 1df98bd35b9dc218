import { sizedCache } from "../../lib/base/cache.ts";
import { once } from "../../lib/base/eventual.ts";
import { unknownPage } from "../../lib/publishing/index.ts";
import { HELP_POLICY } from "../help/policy.ts";
import { referenceOf, type Reference } from "../reference/model/reference.ts";
import { ourDescription } from "../reference/our-description.ts";
import { referencePolicy } from "../reference/policy.ts";
import { llmsText } from "../reference/text/llms.ts";
import { operationText } from "../reference/text/operation.ts";
import { referencePage } from "../reference/view/page.ts";
import { loadAsset, sendAsset, type LoadedAsset } from "../send-asset.ts";
import type { Guides } from "./guides.ts";
import { hostTemplates } from "./host-templates.ts";
import type { GuideHost } from "./host.ts";
import { liveAsset } from "./live-asset.ts";

/** What is there to be read: the API reference and the help. `path` begins with a slash and has no query. */
export interface GuideSite {
  /** `/docs` and below, on every host that has the API. */
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

/** Whoever may call us by any name can have no more of our memory than this. */
const MAX_MADE_BYTES = 8 * 1_024 * 1_024;

const MARKDOWN = "text/markdown; charset=utf-8";

const PAGE_HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
} as const;

/** `load` is called when somebody first asks. */
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
  /** What depends on the host is made when it is first asked for there. */
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
            // One of the many is enough to be found: that of the base domain.
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
