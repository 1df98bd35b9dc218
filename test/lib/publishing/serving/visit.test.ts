import { StoreUnavailable } from "../../../../lib/sql/sql.ts";
import { expect, test } from "bun:test";

import { problem } from "../../../../lib/base/problem.ts";
import { refused } from "../../../../lib/base/result.ts";
import { blobResponse, currentWhile, mayBeKept } from "../../../../lib/base/blob-response.ts";
import type { Log } from "../../../../lib/base/log.ts";
import { memoryBlobs } from "../../../../lib/publishing/memory-blobs.ts";
import { unknownPage } from "../../../../lib/publishing/serving/plain-page.ts";
import { createVisits } from "../../../../lib/publishing/serving/visit.ts";
import type { Found } from "../../../../lib/publishing/site.ts";
import type { Storefront, StorefrontRequest } from "../../../../lib/publishing/storefront.ts";
import { closed, shopWindow, siteOf, visitsOf } from "./shop-window.ts";

const files = {
  "/index.html": "start",
  "/about.html": "about us",
  "/dogs/index.html": "all dogs",
  "/dogs/rex.html": "rex",
  "/both": "a file",
  "/both/index.html": "a directory",
  "/café/ä b.html": "coffee",
  "/petstore.site.json": "{}",
  "/.env": "secret",
  "/a/.git/config": "secret",
  "/.well-known/security.txt": "contact",
  "/.well-known/acme-challenge/x": "stolen",
  "/docs/index.html": "not ours",
  "/v1/pets": "not ours",
  "/manage.html": "fine",
  "/setup": "a page of theirs",
};

test.each([
  ["/", "start"],
  ["/index.html", "start"],
  ["/?page=2", "start"],
  ["/about", "about us"],
  ["/about.html", "about us"],
  ["/%61bout", "about us"],
  ["/dogs/", "all dogs"],
  ["/dogs/rex", "rex"],
  ["/both", "a file"],
  ["/both/", "a directory"],
  ["/caf%C3%A9/%C3%A4%20b.html", "coffee"],
  ["/cafe%CC%81/a%CC%88%20b", "coffee"],
  ["/.well-known/security.txt", "contact"],
  ["/manage.html", "fine"],
  ["/setup", "a page of theirs"],
])("%s serves %p", async (path, text) => {
  const ask = await shopWindow(files);
  const answer = await ask(path);
  expect([answer.status, await answer.text()]).toEqual([200, text]);
});

test.each([
  "/nothing",
  "/About",
  "/about/",
  "/dogs/rex/",
  "/petstore.site.json",
  "/petstore%2Esite.json",
  "/.env",
  "/%2eenv",
  "/a/.git/config",
  "/.well-known/acme-challenge/x",
  "/%64ocs/",
  "/docs/index.html",
  "/%761/pets",
  "/index.html/",
  "/dogs%2findex.html",
  "//",
  "/dogs//rex",
  "/%ff",
  "/%00",
])("%s is 404", async (path) => {
  const ask = await shopWindow(files);
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("Page not found");
});

test.each([
  ["/dogs", "/dogs/"],
  ["/dogs?a=1", "/dogs/?a=1"],
  ["/%64ogs", "/dogs/"],
])("%s redirects to %s", async (path, location) => {
  const ask = await shopWindow(files);
  const answer = await ask(path);
  expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
});

test("redirects precede files", async () => {
  const siteFile = { redirects: [{ from: "/about", to: "/dogs/rex", status: 302 as const }] };
  const ask = await shopWindow(files, { siteFile });
  const answer = await ask("/about?x=1");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/dogs/rex?x=1"]);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
});

test.each([
  ["/404.html", {}],
  ["/lost/index.html", { notFound: "/lost/index.html" }],
])("a site with %s serves it for missing pages", async (path, siteFile) => {
  const ask = await shopWindow({ [path]: { content: "lost?", br: "br" } }, { siteFile });
  const answer = await ask("/nothing", { headers: { range: "bytes=0-1", "if-none-match": "*" } });
  expect([answer.status, await answer.text()]).toEqual([404, "lost?"]);
  expect(answer.headers.get("etag")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const compressed = await ask("/nothing", { headers: { "accept-encoding": "br" } });
  expect([compressed.status, compressed.headers.get("content-encoding")]).toEqual([404, "br"]);
  const head = await ask("/nothing", { method: "HEAD" });
  expect([head.status, head.headers.get("content-length")]).toEqual([404, "5"]);
});

test("the 404 page is always revalidated, whatever its name", async () => {
  const drafts = { "/lost.3f2a9c1b.html": { content: "lost?", immutable: true } };
  const ask = await shopWindow(drafts, { siteFile: { notFound: "/lost.3f2a9c1b.html" } });
  expect((await ask("/nothing")).headers.get("cache-control")).toBe("no-cache");
});

test("immutable files of the previous deploy are served unless the new one has them", async () => {
  const supersededFiles = {
    "/app.11111111.css": { content: "old style", immutable: true },
    "/app.js": { content: "old script", immutable: true },
  };
  const ask = await shopWindow({ "/app.js": "new script" }, { supersededFiles });
  expect(await (await ask("/app.11111111.css")).text()).toBe("old style");
  expect(await (await ask("/app.js")).text()).toBe("new script");
});

/** Returns a storefront that reports its requests. */
function telling(paths: readonly string[]): {
  readonly storefront: Storefront;
  readonly storefrontRequests: StorefrontRequest[];
} {
  const storefrontRequests: StorefrontRequest[] = [];
  const answer = (request: StorefrontRequest): Response | undefined => {
    storefrontRequests.push(request);
    return paths.includes(request.path) ? new Response("storefront") : undefined;
  };
  return { storefront: { ...closed, answer }, storefrontRequests };
}

test("files precede the storefront, but not its feeds", async () => {
  const { storefront } = telling(["/", "/animals/7", "/feed.json", "/feed.xml"]);
  const drafts = { "/index.html": "file", "/feed.json": "file", "/feed.xml": "file" };
  const ask = await shopWindow(drafts, { options: { storefront } });
  const texts = ["/", "/animals/7", "/feed.json", "/feed.xml"].map(async (path) =>
    (await ask(path)).text(),
  );
  expect(await Promise.all(texts)).toEqual(["file", "storefront", "storefront", "storefront"]);
});

test("with the storefront off, a file can be a feed", async () => {
  const ask = await shopWindow({ "/feed.json": "their own" });
  expect(await (await ask("/feed.json")).text()).toBe("their own");
});

test("the storefront receives the decoded path, the query and the origin", async () => {
  const { storefront, storefrontRequests } = telling([]);
  const ask = await shopWindow({}, { options: { storefront } });
  await ask("/animals/%37?page=2&x=%20", { method: "HEAD" });
  expect(
    storefrontRequests.map(({ path, search, head, origin }) => ({ path, search, head, origin })),
  ).toEqual([
    {
      path: "/animals/7",
      search: "page=2&x=%20",
      head: true,
      origin: "http://happy-cat.example.org",
    },
  ]);
});

test("the 404 page is the site's, else the storefront's, else the plain one", async () => {
  const storefront: Storefront = {
    ...closed,
    notFound: () => new Response("theirs", { status: 404 }),
  };
  const none = await shopWindow({}, { options: { storefront } });
  const own = await shopWindow({ "/404.html": "own" }, { options: { storefront } });
  expect(await (await none("/nothing")).text()).toBe("theirs");
  expect(await (await none("/%ff")).text()).toBe("theirs");
  expect(await (await own("/nothing")).text()).toBe("own");
});

test.each(["POST", "PUT", "DELETE", "PATCH"])(
  "%s is refused, with the allowed methods",
  async (method) => {
    const ask = await shopWindow(files);
    const answer = await ask("/", { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  },
);

test("OPTIONS returns the allowed methods", async () => {
  const ask = await shopWindow(files);
  const answer = await ask("/nothing", { method: "OPTIONS" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
});

test("an address over 8 KiB is a 414", async () => {
  const ask = await shopWindow(files);
  const length = 8 * 1_024 - "http://happy-cat.example.org/?".length;
  expect((await ask(`/?${"a".repeat(length)}`)).status).toBe(200);
  expect((await ask(`/?${"a".repeat(length + 1)}`)).status).toBe(414);
});

test.each([
  ["GET", "/"],
  ["HEAD", "/"],
  ["POST", "/x"],
  ["OPTIONS", "/"],
  ["GET", `/${"a".repeat(9_000)}`],
])("without a project, %s gets the response of an unknown host", async (method, path) => {
  const ask = visitsOf(undefined);
  const [answer, unknown] = [await ask(path, { method }), unknownPage(method)];
  expect([answer.status, [...answer.headers], await answer.text()]).toEqual([
    unknown.status,
    [...unknown.headers],
    await unknown.text(),
  ]);
});

test("a renamed project redirects with path and query", async () => {
  const ask = visitsOf({ kind: "moved", slug: "brave-cat" });
  const answer = await ask("/a%20b//c?d=e", { method: "POST" });
  expect([answer.status, answer.headers.get("location")]).toEqual([
    308,
    "http://brave-cat.example.org/a%20b//c?d=e",
  ]);
});

test("a project without a deploy has a plain page", async () => {
  const empty = (site?: object): Found => ({ kind: "empty", project: { site } }) as Found;
  const answer = await visitsOf(empty())("/");
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("Nothing published yet");
  const german = await visitsOf(empty({ language: "de" }))("/");
  expect(await german.text()).toContain("Noch nichts veröffentlicht");
});

test.each([
  ["en", "en", ["Page not found", "read-only", "too long", "not a form", "is too long", "arrive"]],
  [
    "de-AT",
    "de",
    ["nicht gefunden", "nur lesen", "zu lang", "kein Formular", "zu lang", "angekommen"],
  ],
  [
    "es",
    "es",
    ["no encontrada", "solo lectura", "larga", "no es un formulario", "largo", "completo"],
  ],
  ["fr", "fr", ["introuvable", "lecture seule", "longue", "pas un formulaire", "long", "arrivé"]],
  ["pt", "en", ["Page not found", "read-only", "too long", "not a form", "is too long", "arrive"]],
] as const)(
  "plain pages of a site in %s are in the language %s, and HEAD has their size",
  async (language, written, [missing, readOnly, long, noForm, large, slow]) => {
    const blobs = memoryBlobs();
    const site = await siteOf(blobs, {}, { siteFile: { language } });
    const storefront: Storefront = { ...closed, takesEnquiries: () => true };
    const failing = (code: "payload_too_large" | "request_timeout") =>
      visitsOf(
        { kind: "site", site },
        {
          blobs,
          storefront,
          bodies: {
            read: async () => refused(problem(code, "")),
            dropRest: () => Promise.resolve(),
          },
        },
      );
    const ask = failing("payload_too_large");
    const form = (type: string) => ({ method: "POST", headers: { "content-type": type } }) as const;
    const sent = form("application/x-www-form-urlencoded");
    for (const [answer, status, text] of [
      [await ask("/nothing"), 404, missing],
      [await ask("/nothing", { method: "DELETE" }), 405, readOnly],
      [await ask(`/?${"a".repeat(9_000)}`), 414, long],
      [await ask("/animals/1/enquiry", form("text/plain")), 415, noForm],
      [await ask("/animals/1/enquiry", sent), 413, large],
      [await failing("request_timeout")("/animals/1/enquiry", sent), 408, slow],
    ] as const) {
      const page = await answer.text();
      expect([answer.status, page.includes(text)]).toEqual([status, true]);
      expect(page).toContain(`<html lang="${written}">`);
    }
    const [get, head] = [await ask("/nothing"), await ask("/nothing", { method: "HEAD" })];
    expect(head.headers.get("content-length")).toBe(String((await get.bytes()).length));
    const { log } = listening();
    const broken = { ...closed, answer: () => Promise.reject(new StoreUnavailable("full")) };
    const later = await visitsOf({ kind: "site", site }, { blobs, log, storefront: broken })("/");
    expect(later.status).toBe(503);
    expect(await later.text()).toContain(`<html lang="${written}">`);
  },
);

/** Collects the log lines. */
function listening(): { readonly log: Log; readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const nothing = (): void => {};
  const error = (_message: string, cause: unknown): void => {
    errors.push(cause);
  };
  return { log: { debug: nothing, info: nothing, warn: nothing, error }, errors };
}

test.each([
  ["later", () => Promise.reject(new StoreUnavailable("full")), 503],
  [
    "thrown",
    () => {
      throw new Error("secret of the disk");
    },
    500,
  ],
  ["rejected", () => Promise.reject(new Error("secret of the disk")), 500],
] as const)(
  "a server error (%s) is logged for the operator and not revealed",
  async (_name, bySlug, status) => {
    const { log, errors } = listening();
    const answer = await visitsOf(bySlug, { log })("/");
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toContain("secret");
    expect(errors.length).toBe(1);
  },
);

test.each(["0123456789", "0123456789".repeat(220_000)])(
  "a missing blob is a server error",
  async (content) => {
    const { log, errors } = listening();
    const site = await siteOf(memoryBlobs(), { "/a.png": content });
    const ask = visitsOf({ kind: "site", site }, { log });
    const answer = await ask("/a.png");
    expect([answer.status, answer.headers.get("etag")]).toEqual([500, null]);
    expect(errors.map(String).join()).toContain("is missing");
  },
);

test("each response comes from one deploy, also during an activation", async () => {
  const blobs = memoryBlobs();
  const drafts = (name: string) => ({ "/index.html": name, "/only.html": name, "/404.html": name });
  const [a, b] = [await siteOf(blobs, drafts("a")), await siteOf(blobs, drafts("b"))];
  let live = a;
  const ask = visitsOf(() => ({ kind: "site", site: live }), { blobs });
  const before = ask("/");
  live = b;
  expect(await (await before).text()).toBe("a");
  expect(await (await ask("/")).text()).toBe("b");
  expect(await (await ask("/nothing")).text()).toBe("b");
});

test("a cached file is served synchronously", async () => {
  const blobs = memoryBlobs();
  const site = await siteOf(blobs, { "/index.html": "start" });
  const { log } = listening();
  const visit = createVisits({
    sites: { bySlug: () => ({ kind: "site", site }) },
    blobs,
    storefront: closed,
    log,
  });
  const context = { slug: "x", origin: "http://x", addressOf: (slug: string) => slug };
  await visit(new Request("http://x/"), context);
  expect(visit(new Request("http://x/"), context)).toBeInstanceOf(Response);
});

test("a file is cached until its site changes, and a storefront page until its site or its animals change", async () => {
  const blobs = memoryBlobs();
  const siteNow = async (): Promise<Found> => ({
    kind: "site",
    site: await siteOf(blobs, { "/index.html": "start" }),
  });
  const state = { found: await siteNow(), animals: true };
  const storefront: Storefront = {
    answer: ({ path }) =>
      path === "/animals" ? mayBeKept(blobResponse("animals", {}), () => state.animals) : undefined,
    notFound: () => new Response("none", { status: 404 }),
  };
  const { log } = listening();
  const visit = createVisits({ sites: { bySlug: () => state.found }, blobs, storefront, log });
  const context = { slug: "x", origin: "http://x", addressOf: (slug: string) => slug };
  const kept = async (path: string, more = {}) =>
    currentWhile(await visit(new Request(`http://x${path}`), { ...context, ...more }));
  const [file, page] = [await kept("/"), await kept("/animals")];
  expect([file?.(), page?.()]).toEqual([true, true]);
  state.animals = false;
  expect([file?.(), page?.()]).toEqual([true, false]);
  state.animals = true;
  state.found = await siteNow();
  expect([file?.(), page?.()]).toEqual([false, false]);
  expect(await kept("/nothing")).toBeUndefined();
  expect(await kept("/", { deployId: "d1" })).toBeUndefined();
});
