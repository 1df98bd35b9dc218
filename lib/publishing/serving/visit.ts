import { StoreUnavailable } from "../../sql/sql.ts";
import { systemClock, type Clock } from "../../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../../base/eventual.ts";
import type { Log } from "../../base/log.ts";
import { MAX_URL_LENGTH } from "../../http/refusals.ts";
import { logFailure } from "../../storage/log-failure.ts";
import type { Blobs } from "../blobs.ts";
import type { Previews } from "../previews.ts";
import type { Found, Site, Sites } from "../site.ts";
import type { Storefront, StorefrontRequest } from "../storefront.ts";
import { plainPage, unknownPage, type PlainPage } from "./plain-page.ts";
import { preparedSites } from "./prepared-site.ts";
import { decodePath, encodePath, requestTarget } from "./request-target.ts";
import { sendFile } from "./send-file.ts";
import type { Redirection } from "./site-redirects.ts";

export interface VisitsOptions {
  readonly sites: Sites;
  /** Default: only what is live can be seen. */
  readonly previews?: Previews;
  readonly blobs: Blobs;
  readonly storefront: Storefront;
  readonly log: Log;
  readonly clock?: Pick<Clock, "now">;
  /** What small files may take in memory. Default 64 MiB. */
  readonly cacheBytes?: number;
}

/** Answers visitors of projects. Never rejects and never throws. */
export type Visits = (request: Request, context: VisitContext) => Eventual<Response>;

const CACHE_BYTES = 64 * 1_024 * 1_024;
const ALLOW = "GET, HEAD, OPTIONS";

/** Ours on every site whose storefront is on, whatever its deploy holds. */
const FEEDS: ReadonlySet<string> = new Set(["/feed.json", "/feed.xml"]);

/** Makes what answers visitors of projects. All of an answer comes from one `Site`, so that no two deploys mix. */
export function createVisits(options: VisitsOptions): Visits {
  const { sites, previews, blobs, storefront, log, cacheBytes = CACHE_BYTES } = options;
  const { clock = systemClock } = options;
  const prepared = preparedSites();
  const send = sendFile(blobs, cacheBytes);

  const answerOf = (site: Site, request: Request, origin: string): Eventual<Response> => {
    const { url, method, headers } = request;
    const { rawPath, search } = requestTarget(url);
    const { redirects, at, notFound } = prepared(site);
    const path = decodePath(rawPath);
    const asked = (): StorefrontRequest => ({
      site,
      path: path ?? rawPath,
      search: search.slice(1),
      headers,
      head: method === "HEAD",
      origin,
    });
    const missing = (): Eventual<Response> =>
      notFound === undefined
        ? (storefront.notFound(asked()) ?? plainPage(NOT_HERE, method))
        : send.notFound(request, notFound);

    if (path === undefined) return missing();
    const feed = FEEDS.has(path) ? storefront.answer(asked()) : undefined;
    if (feed !== undefined) return feed;
    const redirection = redirects(path, search);
    if (redirection !== undefined) return redirect(redirection);
    const located = at(path);
    if (located === undefined) return storefront.answer(asked()) ?? missing();
    if (located !== "directory") return send.found(request, located);
    return redirect({ location: `${encodePath(path)}/${search}`, status: 308 });
  };

  const answer = (
    found: Found | undefined,
    request: Request,
    { origin, addressOf }: VisitContext,
  ): Eventual<Response> => {
    const { url, method } = request;
    // First of all, so that nothing tells a project that is not there from a host that is none.
    if (found === undefined) return unknownPage(method);
    if (url.length > MAX_URL_LENGTH) return plainPage(TOO_LONG, method);
    if (found.kind === "moved") {
      const { rawPath, search } = requestTarget(url);
      return redirect({ location: addressOf(found.slug) + rawPath + search, status: 308 });
    }
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: ALLOW } });
    if (method !== "GET" && method !== "HEAD")
      return plainPage(READ_ONLY, method, { allow: ALLOW });
    if (found.kind === "empty") return plainPage(NOTHING_YET, method);
    return answerOf(found.site, request, origin);
  };

  const failed = (error: unknown, { method }: Request, { slug }: VisitContext): Response => {
    logFailure(log, "a visitor could not be answered", error, { now: clock.now(), slug });
    const later = error instanceof StoreUnavailable;
    return later ? plainPage(LATER, method, { "retry-after": "5" }) : plainPage(BROKEN, method);
  };

  const find = ({ slug, deployId }: VisitContext): Eventual<Found | undefined> =>
    deployId === undefined ? sites.bySlug(slug) : previews?.(slug, deployId);

  return (request, context) => {
    try {
      const reply = andThen(find(context), (found) => {
        const answered = answer(found, request, context);
        return context.deployId === undefined ? answered : andThen(answered, secretive);
      });
      if (!isPromise(reply)) return reply;
      return reply.catch((error: unknown) => failed(error, request, context));
    } catch (error) {
      return failed(error, request, context);
    }
  };
}

/** Of a preview: its address is known to whoever was given it, and is told to nobody else. */
function secretive(response: Response): Response {
  response.headers.set("x-robots-tag", "noindex, nofollow");
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function redirect({ location, status }: Redirection): Response {
  // Not for ever: the next deploy may lead elsewhere.
  return new Response(null, { status, headers: { location, "cache-control": "no-cache" } });
}

const NOT_HERE: PlainPage = {
  status: 404,
  title: "This page is not here",
  text: "The address may have a typo, or the page has moved.",
  link: { href: "/", text: "To the start page" },
};
const NOTHING_YET: PlainPage = {
  status: 404,
  title: "Nothing is published here yet",
  text: "Whoever this address belongs to has not put a site up so far.",
};
const TOO_LONG: PlainPage = { status: 414, title: "This address is too long" };
const READ_ONLY: PlainPage = { status: 405, title: "Pages here can only be read" };
const LATER: PlainPage = {
  status: 503,
  title: "This page cannot be shown right now",
  text: "Please try again in a moment.",
};
const BROKEN: PlainPage = {
  status: 500,
  title: "Something went wrong on our side",
  text: "It has been noted. Trying again may help.",
};

/** What the host knows of a visitor's request. */
export interface VisitContext {
  /** Which project the host leads to. */
  readonly slug: string;
  /** The host leads to this deploy of it, live or not. */
  readonly deployId?: string;
  /** `https://brave-otter-1f2e.example.org`: what the visitor typed. */
  readonly origin: string;
  /** Address of a project by its slug: where a renamed one redirects to. */
  readonly addressOf: (slug: string) => string;
}
