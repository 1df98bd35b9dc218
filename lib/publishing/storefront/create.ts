import { blobResponse, mayBeKept } from "../../base/blob-response.ts";
import { DAY_MS, isoTime, systemClock, type Clock } from "../../base/clock.ts";
import { sizedCache } from "../../base/cache.ts";
import { base64url, utf8, webDigest } from "../../base/digest.ts";
import { andThen, type Eventual } from "../../base/eventual.ts";
import { likesGzip, gzipped } from "../../http/gzip.ts";
import { isFresh } from "../../http/conditional.ts";
import type { Store } from "../../storage/store.ts";
import type { Blobs } from "../blobs.ts";
import type { EnquiryDesk } from "../enquiry-desk.ts";
import type { Site } from "../site.ts";
import type {
  EnquiryRoute,
  Markdown,
  PostedForm,
  Storefront,
  StorefrontRequest,
} from "../storefront.ts";
import { createBios, plainText } from "./bio.ts";
import { createCatalogue } from "./catalogue.ts";
import { makeEnquiry } from "./enquiries.ts";
import { createPages, type Made } from "./pages.ts";
import { lookOf, presentationOf, wantsEnquiries, type Presentation } from "./presentation.ts";
import { addressOf, routeOf, type Route } from "./route.ts";
import { createStyles } from "./style.ts";

export interface StorefrontOptions {
  readonly store: Store;
  readonly blobs: Blobs;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
  /** Default: plain text paragraphs. */
  readonly markdown?: Markdown | undefined;
  /** Default: sites have no enquiry form. */
  readonly enquiries?: EnquiryDesk | undefined;
  /** Approximate memory for cached pages. Default: 32 MiB. */
  readonly cacheBytes?: number | undefined;
}

const CACHE_BYTES = 32 * 1024 * 1024;

/** Creates the storefront of a shelter: lists, animal pages and feeds, made from the store's current contents. */
export function createStorefront({
  store,
  blobs,
  clock = systemClock,
  markdown = plainText,
  enquiries: desk,
  cacheBytes = CACHE_BYTES,
}: StorefrontOptions): Storefront {
  const kept = sizedCache<Kept>(cacheBytes, sizeOf);
  /** Pages being rendered, shared by concurrent visitors. */
  const underWay = new Map<string, Promise<Kept>>();
  const styles = createStyles();
  const pages = createPages(store, createCatalogue(store, createBios(blobs, markdown)));

  // Pages show ages.
  let remembered = { day: -1, text: "" };
  const day = (): string => {
    const now = Math.floor(clock.now() / DAY_MS);
    if (remembered.day !== now) remembered = { day: now, text: isoTime(now * DAY_MS).slice(0, 10) };
    return remembered.text;
  };

  const takesEnquiries = (site: Site): boolean =>
    desk !== undefined && site.manifest.site.storefront !== false && wantsEnquiries(site);

  const present = async (
    request: StorefrontRequest,
    today: string,
    { scheme, form = false }: { readonly scheme?: "light" | "dark"; readonly form?: boolean } = {},
  ): Promise<Presentation> => ({
    ...presentationOf(request, await styles({ ...lookOf(request.site, scheme), form }), today),
    asks: takesEnquiries(request.site),
  });

  /** Returns the page of `key`, which is rendered at most once at a time. */
  const page = (key: string, make: () => Promise<Made>): Eventual<Kept> => {
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const rendering = make()
      .then(keep)
      .then((made) => {
        if (made.status === 200) kept.set(key, made);
        return made;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, rendering);
    return rendering;
  };

  const found = (request: StorefrontRequest, route: Route): Eventual<Response> => {
    const { site, origin } = request;
    // Read before the animals, so that a cached page is never older than its revision.
    return andThen(store.catalogues.revision(site.catalogueId), (revision) => {
      const today = day();
      const key = `${site.deploy.id} ${site.project.version} ${revision} ${today} ${origin} ${addressOf(route)}`;
      const scheme = route.kind === "embed" ? route.query.scheme : undefined;
      return andThen(
        page(key, async () =>
          pages.make(route, await present(request, today, scheme && { scheme }), revision),
        ),
        (one) =>
          mayBeKept(
            responseOf(one, request),
            () => store.catalogues.revision(site.catalogueId) === revision && day() === today,
          ),
      );
    });
  };

  const answerEnquiry = async (
    taking: EnquiryDesk,
    request: StorefrontRequest,
    route: EnquiryRoute,
    posted: PostedForm | undefined,
  ): Promise<Response> => {
    const presentation = await present(request, day(), { form: true });
    const { status, text, headers } = await makeEnquiry(
      { store, desk: taking },
      presentation,
      route,
      posted,
    );
    // The address of a form must reach no cache and no other site.
    const personal = { "cache-control": "no-store", "referrer-policy": "no-referrer" };
    if (status === 303) return new Response(null, { status, headers: { ...personal, ...headers } });
    const made =
      text === undefined ? pages.notFound(presentation) : pages.html(presentation, text, status);
    return blobResponse(request.head ? null : made.text, {
      status: made.status,
      headers: {
        ...made.headers,
        "content-type": made.type,
        "x-content-type-options": "nosniff",
        ...personal,
        ...headers,
      },
    });
  };

  return {
    answer: (request) => {
      if (request.site.manifest.site.storefront === false) return undefined;
      const route = routeOf(request.path, request.search);
      return route === undefined ? undefined : found(request, route);
    },
    takesEnquiries,
    enquiry: (request, route, posted) =>
      desk === undefined || !takesEnquiries(request.site)
        ? undefined
        : answerEnquiry(desk, request, route, posted),
    notFound: (request) => {
      const { site, origin } = request;
      if (site.manifest.site.storefront === false) return undefined;
      const key = `${site.deploy.id} ${site.project.version} ${origin} 404`;
      return andThen(
        page(key, async () => pages.notFound(await present(request, day()))),
        (one) => responseOf(one, request),
      );
    },
  };
}

/** A cached, encoded response. Large ones also have compressed bytes. */
interface Kept extends Omit<Made, "text"> {
  readonly body: Blob;
  readonly gzip: Blob | undefined;
  readonly tag: string;
}

/** Smaller responses are not compressed. */
const MIN_COMPRESSED = 600;

async function keep({ text, ...made }: Made): Promise<Kept> {
  // The encoder creates its own buffer.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const body = utf8(text) as Uint8Array<ArrayBuffer>;
  const hash = await webDigest.sha256(body);
  return {
    ...made,
    // A Response would copy bytes.
    body: new Blob([body]),
    gzip: body.length < MIN_COMPRESSED ? undefined : new Blob([await gzipped(body)]),
    tag: base64url(hash).slice(0, 22),
  };
}

/** Returns the approximate size in memory. */
function sizeOf({ body, gzip }: Kept): number {
  return body.size + (gzip?.size ?? 0) + OVERHEAD;
}

const OVERHEAD = 1_000;

/** Returns the response to one visitor. */
function responseOf(kept: Kept, { headers: asked, head }: StorefrontRequest): Response {
  const { status, type, body, gzip, tag } = kept;
  const compressed = gzip !== undefined && likesGzip(asked.get("accept-encoding"));
  // Strong, so that it differs between the encodings (RFC 9110 §8.8.3).
  const etag = `"${tag}${compressed ? "-gzip" : ""}"`;
  const headers: Record<string, string> = {
    ...kept.headers,
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    vary: "Accept-Encoding",
  };
  const ifNoneMatch = asked.get("if-none-match");
  if (status === 200) {
    headers["etag"] = etag;
    if (ifNoneMatch !== null && isFresh(ifNoneMatch, etag)) {
      return new Response(null, { status: 304, headers });
    }
  }
  const content = compressed ? gzip : body;
  headers["content-type"] = type;
  headers["content-length"] = String(content.size);
  if (compressed) headers["content-encoding"] = "gzip";
  return blobResponse(head ? null : content, { status, headers });
}
