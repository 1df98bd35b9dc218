import { sizedCache } from "../../base/cache.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import type { Store } from "../../storage/store.ts";
import type { Blobs } from "../blobs.ts";
import type { Markdown, Storefront, StorefrontRequest } from "../storefront.ts";
import { keep, responseOf, sizeOf, type Kept, type Made } from "./answers.ts";
import { createBios } from "./bio.ts";
import { createCatalogue } from "./catalogue.ts";
import { createPages } from "./pages.ts";
import { plainText } from "./plain-text.ts";
import { lookOf, presentationOf, type Presentation } from "./presentation.ts";
import { addressOf, routeOf, type Route } from "./route.ts";
import { createStyles } from "./style.ts";

export interface StorefrontOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  /** Default: paragraphs of plain text. */
  readonly markdown?: Markdown;
  /** How much of the pages made is kept, about. Default: 32 MiB. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 32 * 1024 * 1024;

/** The starter of a shelter's site: lists, a page for each animal and feeds, made of the store as it is now. */
export function createStorefront({
  store,
  blobs,
  markdown = plainText,
  cacheBytes = CACHE_BYTES,
}: StorefrontOptions): Storefront {
  const kept = sizedCache<Kept>(cacheBytes, sizeOf);
  /** Being made just now: visitors who come together wait for the same page. */
  const underWay = new Map<string, Promise<Kept>>();
  const styles = createStyles();
  const pages = createPages(store, createCatalogue(store, createBios(blobs, markdown)));

  const present = async (
    request: StorefrontRequest,
    scheme?: "light" | "dark",
  ): Promise<Presentation> => presentationOf(request, await styles(lookOf(request.site, scheme)));

  /** The page under `key`, made at most once at a time. */
  const page = (key: string, make: () => Promise<Made>): Eventual<Kept> => {
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const making = make()
      .then(keep)
      .then((made) => {
        if (made.status === 200) kept.set(key, made);
        return made;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, making);
    return making;
  };

  const found = (request: StorefrontRequest, route: Route): Eventual<Response> => {
    const { site, origin } = request;
    // Asked before the animals are: what is kept under a revision is never older than it.
    return andThen(store.catalogues.revision(site.catalogueId), (revision) => {
      const key = `${site.deploy.id} ${site.project.version} ${revision} ${origin} ${addressOf(route)}`;
      const scheme = route.kind === "embed" ? route.query.scheme : undefined;
      return andThen(
        page(key, async () => pages.make(route, await present(request, scheme), revision)),
        (one) => responseOf(one, request),
      );
    });
  };

  return {
    answer: (request) => {
      if (request.site.manifest.site.storefront === false) return undefined;
      const route = routeOf(request.path, request.search);
      return route === undefined ? undefined : found(request, route);
    },
    notFound: (request) => {
      const { site, origin } = request;
      if (site.manifest.site.storefront === false) return undefined;
      const key = `${site.deploy.id} ${site.project.version} ${origin} 404`;
      return andThen(
        page(key, async () => pages.notFound(await present(request))),
        (one) => responseOf(one, request),
      );
    },
  };
}
