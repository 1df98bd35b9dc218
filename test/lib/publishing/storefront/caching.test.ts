import { expect, test } from "bun:test";

import { currentWhile } from "../../../../lib/base/blob-response.ts";
import { memoryStore } from "../../../../lib/storage/memory.ts";
import type { Store } from "../../../../lib/storage/store.ts";
import { openShop, ORIGIN } from "../../../helpers/storefront.ts";

/** Returns a store that counts how often lists of animals are read. */
function counting(): { readonly store: Store; readonly reads: () => number } {
  const store = memoryStore();
  let reads = 0;
  const list: Store["pets"]["list"] = (...request) => {
    reads++;
    return store.pets.list(...request);
  };
  return { store: { ...store, pets: { ...store.pets, list } }, reads: () => reads };
}

test("a page is rendered once per revision of the catalogue", async () => {
  const { store, reads } = counting();
  const shop = await openShop({}, { store });
  await shop.shelter.addPet();
  const first = await shop.page("/");
  const made = reads();
  expect(await shop.page("/")).toBe(first);
  expect(reads()).toBe(made);
  await shop.shelter.addPet({ name: "Bo" });
  expect(await shop.page("/")).toContain("Bo");
  expect(reads()).toBeGreaterThan(made);
});

test("concurrent visitors share one page", async () => {
  const { store, reads } = counting();
  const shop = await openShop({}, { store });
  await shop.shelter.addPet();
  await shop.page("/");
  const one = reads();
  await shop.shelter.addPet();
  const pages = await Promise.all(Array.from({ length: 50 }, () => shop.page("/")));
  expect(new Set(pages).size).toBe(1);
  expect(reads()).toBe(2 * one);
});

test("unknown query parameters create no distinct pages", async () => {
  const { store, reads } = counting();
  const shop = await openShop({}, { store });
  await shop.shelter.addPet();
  const plain = await shop.page("/");
  const filtered = await shop.page("/?category=1&status=available");
  const made = reads();
  for (const query of [
    "?utm_source=x",
    "?after=x",
    "?after=0",
    "?after=99999999999999999",
    "?category=one",
    "?status=",
    "?status=lost",
    "?scheme=dark",
    `?x=${"y".repeat(5_000)}&category=1`,
  ]) {
    expect(await shop.page(`/${query}`)).toBe(plain);
  }
  expect(await shop.page("/?x=1&status=available&category=1&category=2")).toBe(filtered);
  expect(reads()).toBe(made);
});

test("each deploy, project version and host has its own pages", async () => {
  const shop = await openShop({ siteFile: { title: "One" } });
  expect(await shop.page("/")).toContain("<title>One</title>");
  expect(await shop.page("/", await shop.publish({ siteFile: { title: "Two" } }))).toContain(
    "<title>Two</title>",
  );
  const renamed = {
    ...shop.site,
    project: {
      ...shop.site.project,
      version: 2,
      filter: { categoryIds: [], statuses: ["sold" as const] },
    },
  };
  await shop.shelter.addPet({ name: "Ferdinand" });
  expect(await shop.page("/")).toContain("Ferdinand");
  expect(await shop.page("/", renamed)).not.toContain("Ferdinand");
  const elsewhere = await shop.storefront.answer({
    site: shop.site,
    path: "/",
    search: "",
    headers: new Headers(),
    head: false,
    origin: "https://pets.shelter.test",
  });
  expect(await elsewhere?.text()).toContain(
    '<link rel="canonical" href="https://pets.shelter.test/" />',
  );
  expect(await shop.page("/")).toContain(`<link rel="canonical" href="${ORIGIN}/" />`);
});

test("the page cache is bounded, and larger pages are served uncached", async () => {
  const { store, reads } = counting();
  const shop = await openShop({}, { store, cacheBytes: 40_000 });
  for (let count = 0; count < 60; count++) await shop.shelter.addPet();
  await shop.page("/");
  const one = reads();
  for (let after = 2; after < 40; after++) await shop.page(`/?after=${after}`);
  const before = reads();
  // It was evicted for the others and is rendered again.
  await shop.page("/");
  expect(reads()).toBeGreaterThan(before);
  expect(one).toBeGreaterThan(0);
  const small = await openShop({}, { cacheBytes: 100 });
  expect(await small.page("/")).toContain("</html>");
});

test("an unchanged page is a 304 until it changes", async () => {
  const shop = await openShop();
  await shop.shelter.addPet({ name: "Luna" });
  for (const address of [
    "/",
    "/animals/1",
    "/feed.json",
    "/feed.xml",
    "/sitemap.xml",
    "/embed",
    "/icon.svg",
    "/robots.txt",
  ]) {
    const etag = (await shop.visit(address))?.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await shop.visit(address, { headers: { "if-none-match": etag } });
    expect(again?.status).toBe(304);
    expect(again?.headers.get("etag")).toBe(etag);
    expect(again?.headers.get("cache-control")).toBe("no-cache");
    expect(await again?.text()).toBe("");
  }
  const etag = (await shop.visit("/"))?.headers.get("etag") ?? "";
  await shop.shelter.addPet({ name: "Mio" });
  expect((await shop.visit("/", { headers: { "if-none-match": etag } }))?.status).toBe(200);
});

test("gzip responses have their own ETag", async () => {
  const shop = await openShop();
  const plain = await shop.visit("/", { headers: { "accept-encoding": "gzip;q=0, br" } });
  const packed = await shop.visit("/", { headers: { "accept-encoding": "br, gzip" } });
  expect(plain?.headers.get("content-encoding")).toBeNull();
  expect(packed?.headers.get("content-encoding")).toBe("gzip");
  expect(packed?.headers.get("etag")).not.toBe(plain?.headers.get("etag"));
  expect(packed?.headers.get("vary")).toBe("Accept-Encoding");
  const body = new Uint8Array((await packed?.arrayBuffer()) ?? new ArrayBuffer());
  expect(packed?.headers.get("content-length")).toBe(String(body.length));
  expect(new TextDecoder().decode(Bun.gunzipSync(body))).toBe((await plain?.text()) ?? "");
});

test("HEAD returns the headers of GET without a body", async () => {
  const shop = await openShop();
  for (const address of ["/", "/feed.json", "/animals/77"]) {
    const [head, get] = [await shop.visit(address, { head: true }), await shop.visit(address)];
    expect(head?.status).toBe(get?.status ?? 0);
    expect([...(head?.headers ?? [])]).toEqual([...(get?.headers ?? [])]);
    expect(await head?.text()).toBe("");
  }
});

test("a failed page is not cached", async () => {
  const base = memoryStore();
  let broken = false;
  const store: Store = {
    ...base,
    pets: {
      ...base.pets,
      list: (...request) => {
        if (broken) throw new Error("the disk is gone");
        return base.pets.list(...request);
      },
    },
  };
  const shop = await openShop({}, { store });
  await shop.shelter.addPet({ name: "Luna" });
  broken = true;
  await expect(shop.page("/")).rejects.toThrow("the disk is gone");
  broken = false;
  expect(await shop.page("/")).toContain("Luna");
});

test("a page is cached until the catalogue changes", async () => {
  const shop = await openShop();
  const page = await shop.visit("/");
  const isCurrent = page === undefined ? undefined : currentWhile(page);
  expect(isCurrent?.()).toBe(true);
  await shop.shelter.addPet();
  expect(isCurrent?.()).toBe(false);
});
