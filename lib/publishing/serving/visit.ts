import { currentWhile, mayBeKept } from "../../base/blob-response.ts";
import { systemClock, type Clock } from "../../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../../base/eventual.ts";
import { photoNamed } from "../../catalogue/photo-address.ts";
import type { StoredPet } from "../../catalogue/model.ts";
import type { Log } from "../../base/log.ts";
import type { Problem } from "../../base/problem.ts";
import type { BodyReader } from "../../http/body.ts";
import { MAX_URL_LENGTH } from "../../http/refusals.ts";
import type { PhotoFiles } from "../../photos/files.ts";
import { StoreUnavailable } from "../../sql/sql.ts";
import { logFailure } from "../../storage/log-failure.ts";
import type { Blobs } from "../blobs.ts";
import type { Previews } from "../previews.ts";
import type { SiteLanguage } from "../model/project.ts";
import { settingsOf } from "../model/site-settings.ts";
import type { Found, Site, Sites } from "../site.ts";
import { writtenIn } from "../storefront/language.ts";
import { valuesOf } from "../storefront/presentation.ts";
import { isShown, shownBy } from "../storefront/shown.ts";
import type { Storefront, StorefrontRequest } from "../storefront.ts";
import { enquiryRouteOf } from "../storefront/enquiries.ts";
import { plainPage, unknownPage } from "./plain-page.ts";
import { plainPageIn, type PlainName } from "./plain-words.ts";
import { preparedSites } from "./prepared-site.ts";
import { decodePath, encodePath, requestTarget } from "./request-target.ts";
import { sendFile } from "./send-file.ts";
import type { Redirection } from "./site-redirects.ts";

export interface VisitsOptions {
  /** Reads the forms that visitors send. Default: none are taken. */
  readonly bodies?: BodyReader;
  readonly sites: Sites;
  /** Default: no previews. */
  readonly previews?: Previews;
  readonly blobs: Blobs;
  /** The photos of animals. Default: none are served. */
  readonly photos?: Pick<PhotoFiles, "answer">;
  readonly storefront: Storefront;
  readonly log: Log;
  readonly clock?: Pick<Clock, "now">;
  /** Memory for the cache of small files. Default 64 MiB. */
  readonly cacheBytes?: number;
}

/** Responds to visitors of projects. Never rejects and never throws. */
export type Visits = (request: Request, context: VisitContext) => Eventual<Response>;

const CACHE_BYTES = 64 * 1_024 * 1_024;
const ALLOW = "GET, HEAD, OPTIONS";

/** Served by the storefront, if enabled, even if the deploy contains these files. */
const FEEDS: ReadonlySet<string> = new Set(["/feed.json", "/feed.xml"]);

/** Creates the handler for visitors of projects. Each response uses one `Site`, so that no two deploys mix. */
export function createVisits(options: VisitsOptions): Visits {
  const {
    sites,
    previews,
    blobs,
    photos,
    storefront,
    bodies,
    log,
    cacheBytes = CACHE_BYTES,
  } = options;
  const { clock = systemClock } = options;
  const prepared = preparedSites();
  const send = sendFile(blobs, cacheBytes);

  const answerOf = (
    site: Site,
    request: Request,
    origin: string,
    say: (name: PlainName) => Response,
  ): Eventual<Response> => {
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
        ? (storefront.notFound(asked()) ?? say("notHere"))
        : send.notFound(request, notFound);

    if (path === undefined) return missing();
    const photo = photoNamed(path);
    if (photo !== undefined && photos !== undefined) {
      const { catalogueId } = site;
      const shown = shownBy(site);
      const isVisible = (pet: StoredPet): boolean => isShown(shown, pet);
      return andThen(
        photos.answer(request, photo, { isVisible, catalogueId }),
        (found) => found ?? missing(),
      );
    }
    const feed = FEEDS.has(path) ? storefront.answer(asked()) : undefined;
    if (feed !== undefined) return feed;
    const redirection = redirects(path, search);
    if (redirection !== undefined) return redirect(redirection);
    const located = at(path);
    if (located === undefined) {
      const route = enquiryRouteOf(path);
      const form = route && storefront.enquiry?.(asked(), route);
      return form ?? storefront.answer(asked()) ?? missing();
    }
    if (located !== "directory") return andThen(send.found(request, located), keepable);
    return redirect({ location: `${encodePath(path)}/${search}`, status: 308 });
  };

  /** Returns the answer to a form that a visitor sent; undefined if nothing at its path takes one. */
  const answerForm = (
    site: Site,
    request: Request,
    { origin, address }: VisitContext,
    say: (name: PlainName) => Response,
  ): Promise<Response> | undefined => {
    const { url, headers } = request;
    const path = decodePath(requestTarget(url).rawPath);
    const route = path === undefined ? undefined : enquiryRouteOf(path);
    if (path === undefined || route === undefined || route.sent) return undefined;
    if (prepared(site).at(path) !== undefined) return undefined;
    const asked = { site, path, search: "", headers, head: false, origin };
    if (bodies === undefined || storefront.takesEnquiries?.(site) !== true) return undefined;
    if (isForeign(headers, origin)) return Promise.resolve(say("foreignForm"));
    if (!isForm(headers)) return Promise.resolve(say("noForm"));
    return bodies.read(request).then(async (body) => {
      if (!body.ok) return say(faultOfBody(body.failure));
      const posted = { body: body.value, address: address?.() };
      return storefront.enquiry?.(asked, route, posted) ?? say("notHere");
    });
  };

  const answer = (
    found: Found | undefined,
    request: Request,
    context: VisitContext,
  ): Eventual<Response> => {
    const { origin, addressOf } = context;
    const { url, method } = request;
    // Checked first, so that an unknown project looks like an unknown host.
    if (found === undefined) return unknownPage(method);
    const say = (name: PlainName, extra?: Readonly<Record<string, string>>): Response =>
      plainPage(plainPageIn(name, languageIn(found)), method, extra);
    if (url.length > MAX_URL_LENGTH) return say("tooLong");
    if (found.kind === "moved") {
      const { rawPath, search } = requestTarget(url);
      return redirect({ location: addressOf(found.slug) + rawPath + search, status: 308 });
    }
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: { allow: ALLOW } });
    // Previews only show the form.
    if (method === "POST" && found.kind === "site" && context.deployId === undefined) {
      const form = answerForm(found.site, request, context, say);
      if (form !== undefined) return form;
    }
    if (method !== "GET" && method !== "HEAD") return say("readOnly", { allow: ALLOW });
    if (found.kind === "empty") return say("nothingYet");
    return answerOf(found.site, request, origin, say);
  };

  const failed = (
    error: unknown,
    { method }: Request,
    { slug }: VisitContext,
    language: SiteLanguage,
  ): Response => {
    logFailure(log, "a visitor's request failed", error, { now: clock.now(), slug });
    return error instanceof StoreUnavailable
      ? plainPage(plainPageIn("later", language), method, { "retry-after": "5" })
      : plainPage(plainPageIn("broken", language), method);
  };

  const find = ({ slug, deployId, isReady }: VisitContext): Eventual<Found | undefined> => {
    if (deployId !== undefined) return previews?.(slug, deployId);
    return andThen(sites.bySlug(slug), (found) =>
      found?.kind === "moved" && isReady?.(found.slug) === false ? sites.bySlug(found.slug) : found,
    );
  };

  return (request, context) => {
    let known: Found | undefined;
    try {
      const reply = andThen(find(context), (found) => {
        known = found;
        const answered = answer(found, request, context);
        if (context.deployId !== undefined) return andThen(answered, asPreview);
        return andThen(answered, (response) => {
          const isCurrent = currentWhile(response);
          if (isCurrent === undefined) return response;
          return mayBeKept(response, () => sites.bySlug(context.slug) === found && isCurrent());
        });
      });
      if (!isPromise(reply)) return reply;
      return reply.catch((error: unknown) => failed(error, request, context, languageIn(known)));
    } catch (error) {
      return failed(error, request, context, languageIn(known));
    }
  };
}

/** A file is the same for everybody as long as its site is. */
function keepable(response: Response): Response {
  return mayBeKept(response, () => true);
}

/** Keeps the secret address of a preview out of search engines and referrers. */
function asPreview(response: Response): Response {
  response.headers.set("x-robots-tag", "noindex, nofollow");
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function redirect({ location, status }: Redirection): Response {
  // The next deploy may change the redirect.
  return new Response(null, { status, headers: { location, "cache-control": "no-cache" } });
}

/**
 * Tells whether a form was sent from a page of another site: browsers name the origin of the page (Fetch §3.2). It is "null"
 * where a visitor's settings hide it.
 */
function isForeign(headers: Headers, own: string): boolean {
  const from = headers.get("origin");
  if (from === null || from === "null") return headers.get("sec-fetch-site") === "cross-site";
  // A proxy may have changed the scheme.
  return !URL.canParse(from) || new URL(from).host !== new URL(own).host;
}

/** A form as browsers send it, unless it has files. */
function isForm(headers: Headers): boolean {
  const type = (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  return type === "application/x-www-form-urlencoded" && !headers.has("content-encoding");
}

function faultOfBody({ code }: Problem): PlainName {
  return code === "payload_too_large" ? "tooLarge" : "tooSlow";
}

/** Returns the language in which plain pages of a site speak: the site's, or English where it is not known. */
function languageIn(found: Found | undefined): SiteLanguage {
  if (found === undefined || found.kind === "moved") return "en";
  const { language } = found.kind === "site" ? valuesOf(found.site) : settingsOf(found.project);
  return writtenIn(language ?? "en") ?? "en";
}

/** The host's information about a visitor's request. */
export interface VisitContext {
  /** The project at this host. */
  readonly slug: string;
  /** The deploy of a preview's host, live or not. */
  readonly deployId?: string;
  /** The visitor's origin: `https://brave-otter-1f2e.example.org`. */
  readonly origin: string;
  /** Returns the address of a project by its slug, for redirects of renamed projects. */
  readonly addressOf: (slug: string) => string;
  /**
   * Returns whether visitors reach the host of a project, by its slug. While they do not reach the new host of a renamed
   * project, the old one shows the site. Default: they do.
   */
  readonly isReady?: (slug: string) => boolean;
  /** Returns the IP address of the visitor, if the host knows it: forms are limited by it. */
  readonly address?: (() => string | undefined) | undefined;
}
