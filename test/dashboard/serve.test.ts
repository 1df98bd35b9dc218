import { expect, test } from "bun:test";

import { brotliDecompressSync, gunzipSync } from "node:zlib";

import type { Asset, Bundle } from "../../dashboard/asset.ts";
import { createDashboard } from "../../dashboard/serve.ts";
import { escaped } from "../../lib/publishing/storefront/markup.ts";
import { blobOf } from "../../lib/base/blob-response.ts";
import { watchHeaders } from "../helpers/watch-headers.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const page = "<!doctype html>";
const script: Asset = {
  path: "/assets/main-1a2b.js",
  type: "text/javascript; charset=utf-8",
  etag: '"script"',
  immutable: true,
  body: Buffer.from(Bun.gzipSync("plain")).toString("base64"),
  gzipped: true,
  brotli: base64("as if brotli"),
};

function served(bundle: Bundle = { page, assets: [script] }, program = "petstore") {
  let loads = 0;
  const dashboard = createDashboard(async () => {
    loads++;
    return bundle;
  }, program);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    dashboard.fetch(new Request(`http://localhost${path}`, init), path);
  return { ask, loads: () => loads };
}

test.each(["/", "/sign-in", "/setup", "/accounts/acc_1/animals", "/projects/x/domains/y.org"])(
  "%s is the page, with a policy that allows nothing from other origins",
  async (path) => {
    const answer = await served().ask(path);
    expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html>"]);
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).toStartWith("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
  },
);

test.each(["/nobody", "/assets/main-0000.js", "/assets/", "/accountsx", "//", "/index.html"])(
  "%s is a 404",
  async (path) => {
    expect((await served().ask(path)).status).toBe(404);
  },
);

test("stalled clients share one copy of a file", async () => {
  const { ask } = served();
  const [first, second] = [await ask(script.path), await ask(script.path)].map(blobOf);
  expect(first).toBeInstanceOf(Blob);
  expect(second).toBe(first);
});

const NAVIGATION = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

test.each([
  ["/nobody", NAVIGATION, "text/html; charset=utf-8"],
  ["/nobody", {}, "text/plain; charset=utf-8"],
  [
    "/nobody.png",
    { accept: "image/avif,image/webp,image/*,*/*;q=0.8" },
    "text/plain; charset=utf-8",
  ],
  ["/assets/main-0000.js", { accept: "*/*" }, "text/plain; charset=utf-8"],
  ["/assets/main-0000.js", NAVIGATION, "text/plain; charset=utf-8"],
  ["/sitemap.xml", { accept: "*/*" }, "text/plain; charset=utf-8"],
  ["/apple-touch-icon.png", { accept: "image/*" }, "text/plain; charset=utf-8"],
  ["/favicon.ico", { accept: "image/*" }, "text/plain; charset=utf-8"],
  ["/.well-known/security.txt", {}, "text/plain; charset=utf-8"],
  [
    "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200",
    {},
    "text/plain; charset=utf-8",
  ],
])("the 404 for %s with the headers %j is %s", async (path, headers, type) => {
  const answer = await served().ask(path, { headers });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([404, type]);
  expect(answer.headers.get("vary")).toBe("accept, accept-encoding");
  expect((await answer.text()).includes("<!doctype html>")).toBe(type.startsWith("text/html"));
});

test("robots.txt allows only the reference and the help", async () => {
  const answer = await served().ask("/robots.txt", { headers: NAVIGATION });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  expect(await answer.text()).toBe(
    "User-agent: *\nAllow: /docs\nAllow: /help\nAllow: /llms.txt\nDisallow: /\n",
  );
  const known = { headers: { "if-none-match": answer.headers.get("etag") ?? "" } };
  expect((await served().ask("/robots.txt", known)).status).toBe(304);
  expect((await served().ask("/robots.txt", { method: "POST" })).status).toBe(405);
});

test("/favicon.ico is the icon", async () => {
  const icon: Asset = {
    path: "/assets/icon-1a2b.svg",
    type: "image/svg+xml",
    etag: '"icon"',
    immutable: true,
    body: base64("<svg/>"),
    gzipped: false,
  };
  const answer = await served({ page, assets: [icon] }).ask("/favicon.ico");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(answer.headers.get("cache-control")).toBe("no-cache");
});

test("password managers are redirected to the form that changes the password", async () => {
  const { ask } = served();
  const answer = await ask("/.well-known/change-password");
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/profile"]);
  expect((await ask("/.well-known/change-password", { method: "POST" })).status).toBe(405);
});

test("an asset is immutable, in the encoding that the browser prefers", async () => {
  const { ask } = served();
  const encoding = async (accepted: string): Promise<string | null> => {
    const headers = { "accept-encoding": accepted };
    return (await ask(script.path, { headers })).headers.get("content-encoding");
  };
  expect(await encoding("gzip, br")).toBe("br");
  expect(await encoding("br;q=0, gzip")).toBe("gzip");
  expect(await encoding("identity")).toBeNull();
  const plain = await ask(script.path, { headers: { "accept-encoding": "identity" } });
  expect(await plain.text()).toBe("plain");
  const { headers } = await ask(script.path);
  expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(headers.get("vary")).toBe("accept-encoding");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("an unchanged file is a 304, and each encoding has its own ETag", async () => {
  const { ask } = served();
  const etag = (await ask(script.path, { headers: { "accept-encoding": "gzip" } })).headers.get(
    "etag",
  );
  expect(etag).toBe('"script-gz"');
  const again = { "accept-encoding": "gzip", "if-none-match": etag ?? "" };
  const same = await ask(script.path, { headers: again });
  expect([same.status, await same.text()]).toEqual([304, ""]);
  const other = await ask(script.path, { headers: { "if-none-match": etag ?? "" } });
  expect(other.status).toBe(200);
});

test("a 404 page is never a 304", async () => {
  const { ask } = served();
  const headers = { "if-none-match": (await ask("/")).headers.get("etag") ?? "" };
  expect((await ask("/", { headers })).status).toBe(304);
  expect((await ask("/nobody", { headers })).status).toBe(404);
});

test.each(["npm -s start --", "'/srv/\"><b>&/petstore'"])(
  "the page names the program %s in each encoding, as text",
  async (program) => {
    const named = served({ page: bundled.page, assets: [] }, program);
    const pages = new Set<string>();
    for (const encoding of ["identity", "gzip", "br"]) {
      const answer = await named.ask("/", { headers: { "accept-encoding": encoding } });
      expect(answer.headers.get("content-encoding") ?? "identity").toBe(encoding);
      const bytes = Buffer.from(await answer.arrayBuffer());
      const decode = { gzip: gunzipSync, br: brotliDecompressSync }[encoding] ?? Buffer.from;
      pages.add(decode(bytes).toString());
    }
    expect(pages.size).toBe(1);
    const [text = ""] = pages;
    expect(text).toContain(`<html lang="en" data-program="${escaped(program)}">`);
    expect(text).toContain(`<code>${escaped(program)} --help</code>`);
    const other = await served({ page: bundled.page, assets: [] }).ask("/");
    expect((await named.ask("/")).headers.get("etag")).not.toBe(other.headers.get("etag"));
  },
);

test("HEAD has the size, and only GET and HEAD are allowed", async () => {
  const { ask } = served();
  const head = await ask("/", { method: "HEAD" });
  expect([head.headers.get("content-length"), await head.text()]).toEqual(["15", ""]);
  expect((await ask("/", { method: "OPTIONS" })).status).toBe(204);
  const posted = await ask("/", { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("the bundle is loaded once, on the first request", async () => {
  const { ask, loads } = served();
  expect(loads()).toBe(0);
  await Promise.all([ask("/"), ask("/setup"), ask(script.path)]);
  expect(loads()).toBe(1);
});

test("a failed load is retried", async () => {
  let tries = 0;
  const dashboard = createDashboard(async () => {
    if (++tries === 1) throw new Error("not yet");
    return { page, assets: [] };
  }, "petstore");
  const ask = (): Promise<Response> => dashboard.fetch(new Request("http://localhost/"), "/");
  await expect(ask()).rejects.toThrow("not yet");
  expect((await ask()).status).toBe(200);
});

const { bundled } = await import("../../dashboard/bundled.ts");
const sizeOf = ({ body }: Asset): number => Buffer.from(body, "base64").length;
const bytesIn = ({ body, gzipped }: Asset): Uint8Array => {
  const stored = Buffer.from(body, "base64");
  return gzipped ? gunzipSync(stored) : stored;
};
const textOf = (asset: Asset): string => new TextDecoder().decode(bytesIn(asset));

/** Returns the paths of a script and of all its static imports. */
function closure(path: string, seen = new Set<string>()): ReadonlySet<string> {
  const asset = bundled.assets.find((one) => one.path === path);
  if (asset === undefined || seen.has(path)) return seen;
  seen.add(path);
  for (const [, next = ""] of textOf(asset).matchAll(/(?:from|import)"([^"]+)"/g)) {
    closure(next, seen);
  }
  return seen;
}

function bytesOf(paths: Iterable<string>): number {
  const wanted = new Set(paths);
  return bundled.assets
    .filter(({ path }) => wanted.has(path))
    .reduce((sum, asset) => sum + sizeOf(asset), 0);
}

/** Returns the paths of a module's files that export that name. */
function exporting(module: string, name: string): readonly string[] {
  return bundled.assets
    .filter(({ path }) => path.startsWith(`/assets/${module}-`))
    .filter((asset) => new RegExp(`\\bas ${name}\\b`).test(textOf(asset)))
    .map(({ path }) => path);
}

test("the first page costs at most 45 KB of script and 10 KB of style, compressed", () => {
  const html = bundled.page;
  const scripts = Array.from(html.matchAll(/src="([^"]+)"/g), ([, path = ""]) => path);
  const styles = Array.from(html.matchAll(/stylesheet" href="([^"]+)"/g), ([, path = ""]) => path);
  expect([scripts.length, styles.length]).toEqual([2, 1]);
  // The first view, and its texts in the larger language.
  const views = exporting("overview", "Overview");
  const words = [exporting("index", "words"), exporting("overview", "overview")];
  const app = new URL("../../dashboard/app/words/", import.meta.url).pathname;
  const languages = Array.from(new Bun.Glob("*/index.ts").scanSync(app)).length;
  expect([views.length, ...words.map((one) => one.length)]).toEqual([1, languages, languages]);
  const code = new Set([...scripts, ...views].flatMap((path) => [...closure(path)]));
  const heaviest = words.map((one) => Math.max(...one.map((path) => bytesOf([path]))));
  expect(bytesOf(code) + heaviest.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(45_000);
  expect(bytesOf(styles)).toBeLessThanOrEqual(10_000);
});

test("the Brotli and identity encodings have the same content", () => {
  const both = bundled.assets.filter(({ brotli }) => brotli !== undefined);
  expect(both.length).toBeGreaterThan(0);
  for (const asset of both) {
    const plain = brotliDecompressSync(Buffer.from(asset.brotli ?? "", "base64"));
    expect(plain.equals(bytesIn(asset)), asset.path).toBeTrue();
  }
});

test("responses do not share their headers", async () => {
  const { ask } = served();
  using watch = watchHeaders();
  for (const path of ["/", "/", "/nobody", script.path, script.path]) {
    for (const method of ["GET", "HEAD", "OPTIONS", "POST"]) {
      await ask(path, { method });
      await ask(path, { method, headers: { "if-none-match": "*", "accept-encoding": "br" } });
    }
  }
  expect(watch.responses()).toBe(40);
  expect([...watch.shared]).toEqual([]);
});
