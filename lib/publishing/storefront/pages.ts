import { sizedCache } from "../../base/cache.ts";
import type { Store } from "../../storage/store.ts";
import { animalPage } from "./animal-page.ts";
import type { Animal, Catalogue, ListPage } from "./catalogue.ts";
import { document } from "./document.ts";
import { atomFeed, FEED_SIZE, jsonFeed, rssFeed } from "./feeds.ts";
import { embedPage, listPage } from "./list-page.ts";
import { markup } from "./markup.ts";
import { overviewOf, type Overview } from "./overview.ts";
import { palettesOf } from "./palette.ts";
import { paw, pawDrawing } from "./placeholder.ts";
import { lookOf, type Presentation } from "./presentation.ts";
import { portalList } from "./portal-lists.ts";
import type { ListQuery, Route } from "./route.ts";
import { sitemap } from "./sitemap.ts";

/** The response to a route, before encoding. */
export interface Made {
  readonly status: 200 | 404 | 422 | 429;
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the response to a route. */
export interface Pages {
  make(route: Route, presentation: Presentation, revision: number): Promise<Made>;
  notFound(presentation: Presentation): Made;
  /** Returns an HTML document as a response. */
  html(presentation: Presentation, text: string, status: Made["status"]): Made;
}

/** The formats of feeds. */
const feeds = {
  jsonFeed: { type: "application/feed+json; charset=utf-8", write: jsonFeed },
  atomFeed: { type: "application/atom+xml; charset=utf-8", write: atomFeed },
  rssFeed: { type: "application/rss+xml; charset=utf-8", write: rssFeed },
} as const;

/** Sites whose counts are cached. */
const MAX_OVERVIEWS = 500;

/** The most animals of a table for a portal, which removes those that a table lacks: a longer one is not offered. */
const MAX_LISTED = 2_000;
const AT_ONCE = 500;

export function createPages(store: Store, catalogue: Catalogue): Pages {
  const overviews = sizedCache<Overview>(MAX_OVERVIEWS, () => 1);
  const overview = async (presentation: Presentation, revision: number): Promise<Overview> => {
    const { site, shown, language } = presentation;
    const key = `${site.deploy.id} ${site.project.version} ${revision}`;
    const known = overviews.get(key);
    if (known !== undefined) return known;
    const looked = await overviewOf(store, shown, language.tag);
    overviews.set(key, looked);
    return looked;
  };

  /** Returns all visible animals; undefined if they are too many. */
  const everyAnimal = async (
    presentation: Presentation,
  ): Promise<readonly Animal[] | undefined> => {
    const found: Animal[] = [];
    let query: ListQuery | undefined = {};
    while (query !== undefined) {
      const page: ListPage | undefined = await catalogue.page(query, presentation, AT_ONCE);
      found.push(...(page?.animals ?? []));
      if (found.length > MAX_LISTED) return undefined;
      query = page?.next;
    }
    return found;
  };

  const make: Pages["make"] = async (route, presentation, revision) => {
    const { site, origin, shown } = presentation;
    switch (route.kind) {
      case "list":
      case "embed": {
        const page = await catalogue.page(route.query, presentation);
        if (page === undefined) return notFound(presentation);
        const seen = await overview(presentation, revision);
        return route.kind === "list"
          ? htmlPage(presentation, listPage(presentation, page, seen))
          : htmlPage(presentation, embedPage(presentation, page, seen), { framed: true });
      }
      case "animal": {
        const animal = await catalogue.animal(route.id, presentation);
        if (animal === undefined) return notFound(presentation);
        const others = await catalogue.others(animal, presentation);
        return htmlPage(presentation, animalPage(presentation, animal, others));
      }
      case "jsonFeed":
      case "atomFeed":
      case "rssFeed": {
        const page = await catalogue.page(route.query, presentation, FEED_SIZE);
        if (page === undefined) return notFound(presentation);
        const { type, write } = feeds[route.kind];
        return plain(type, write(presentation, page));
      }
      case "sitemap": {
        const text = await sitemap(store, shown, origin, route.part);
        if (text === undefined) return notFound(presentation);
        return plain("application/xml; charset=utf-8", text);
      }
      case "rescueGroups":
      case "adoptAPet": {
        const animals = await everyAnimal(presentation);
        if (animals === undefined) return notFound(presentation);
        const text = portalList(route.kind, animals, presentation);
        return plain("text/csv; charset=utf-8", text);
      }
      case "robots":
        return plain("text/plain; charset=utf-8", robots(origin));
      case "icon":
        return plain("image/svg+xml", icon(lookOf(site, undefined).accent));
    }
  };
  const notFound = (presentation: Presentation): Made =>
    htmlPage(presentation, notFoundPage(presentation), { status: 404 });
  return {
    make,
    notFound,
    html: (presentation, text, status) => htmlPage(presentation, text, { status }),
  };
}

function htmlPage(
  { style }: Presentation,
  text: string,
  {
    status = 200,
    framed = false,
  }: { readonly status?: Made["status"]; readonly framed?: boolean } = {},
): Made {
  const policy = [
    "default-src 'none'",
    "img-src 'self'",
    // The page has no script; tools that check it, such as Lighthouse, read robots.txt with its policy.
    "connect-src 'self'",
    `style-src ${style.source}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framed ? "*" : "'none'"}`,
  ];
  return {
    status,
    type: "text/html; charset=utf-8",
    text,
    headers: { "content-security-policy": policy.join("; ") },
  };
}

/** Returns a response for programs and scripts of any origin. */
function plain(type: string, text: string): Made {
  return {
    status: 200,
    type,
    text,
    headers: {
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "access-control-allow-origin": "*",
    },
  };
}

/** Returns the 404 page, the same for hidden and nonexistent animals. */
function notFoundPage(presentation: Presentation): string {
  const { words } = presentation.language;
  return document(presentation, {
    title: words.notFoundTitle,
    main: markup`
      <div class="empty t0">${paw()}<h1>${words.notFoundTitle}</h1><p>${words.notFound}</p>
      <a class="button solid" href="/">${words.showAll}</a></div>
    `,
  });
}

/** `robots.txt`: allows everything but the API, and names the sitemap. */
function robots(origin: string): string {
  return `User-agent: *\nDisallow: /v1/\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** Returns the icon of a site without a logo: a paw on its accent. */
function icon(accent: string | undefined): string {
  const { light } = palettesOf(accent);
  return markup`
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">
    <rect width="120" height="120" rx="28" fill="${light["--accent"]}" />
    <g fill="${light["--on-accent"]}" transform="translate(-2 6) scale(1.03)">${pawDrawing}</g>
    </svg> 
  `.toString();
}
