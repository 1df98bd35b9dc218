import { expect, test } from "bun:test";

import { START, newPet } from "../../../../testing/shelter.ts";
import { openShop, ORIGIN, type Shop } from "../../../helpers/storefront.ts";
import { all, wellFormed, type Element } from "../../../helpers/well-formed.ts";

const HOUR = 3_600_000;

/** Two animals, of which one has a photo and a bio, and one that is sold. */
async function shopWithTwo(): Promise<Shop> {
  const shop = await openShop({
    siteFile: { title: "Paws & Co", description: "Homes <wanted>", language: "de" },
    files: {
      "/animals/1/photo.jpg": "jpeg!",
      "/animals/1/bio.md": "Luna is **kind** & quiet.\n\n<script>alert(1)</script>",
    },
  });
  await shop.shelter.addPet({ name: 'Luna "the <b>" & co' }, START);
  await shop.shelter.addPet({ name: "Mio", categoryId: 2, status: "pending" }, START + HOUR);
  await shop.shelter.addPet({ name: "Gone", status: "sold" }, START + 2 * HOUR);
  return shop;
}

function one(element: Element, name: string): Element {
  const found = element.children.filter((child) => child.name === name);
  if (found.length !== 1) throw new Error(`${found.length} of <${name}> in <${element.name}>`);
  return found[0] as Element;
}

test("the Atom feed is well-formed and complete (RFC 4287)", async () => {
  const shop = await shopWithTwo();
  const response = await shop.visit("/feed.xml");
  expect(response?.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const feed = wellFormed((await response?.text()) ?? "");
  expect(feed.name).toBe("feed");
  expect(feed.attributes).toEqual({ xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "de" });
  expect(one(feed, "id").text).toBe("urn:petstore:prj_000000000001");
  expect(one(feed, "title").text).toBe("Paws & Co");
  expect(one(feed, "subtitle").text).toBe("Homes <wanted>");
  expect(one(feed, "updated").text).toBe("2026-01-01T01:00:00.000Z");
  expect(one(one(feed, "author"), "name").text).toBe("Paws & Co");
  const links = feed.children.filter(({ name }) => name === "link");
  expect(links.map(({ attributes }) => [attributes["rel"], attributes["href"]])).toEqual([
    ["self", `${ORIGIN}/feed.xml`],
    ["alternate", `${ORIGIN}/`],
  ]);
  const entries = feed.children.filter(({ name }) => name === "entry");
  expect(entries.map((entry) => one(entry, "title").text)).toEqual(["Mio", 'Luna "the <b>" & co']);
  for (const entry of entries) {
    for (const name of ["id", "updated", "published", "content"]) one(entry, name);
  }
  expect(new Set(entries.map((entry) => one(entry, "id").text)).size).toBe(2);
});

test("an Atom entry contains the photo and the escaped bio", async () => {
  const shop = await shopWithTwo();
  const luna = all(wellFormed(await shop.page("/feed.xml")), "entry")[1] as Element;
  const links = luna.children.filter(({ name }) => name === "link");
  expect(links.map(({ attributes }) => attributes)).toEqual([
    { rel: "alternate", type: "text/html", href: `${ORIGIN}/animals/1` },
    { rel: "enclosure", type: "image/jpeg", length: "5", href: `${ORIGIN}/animals/1/photo.jpg` },
  ]);
  expect(one(luna, "summary").text).toBe("Luna is kind & quiet.");
  const content = one(luna, "content");
  expect(content.attributes).toEqual({ type: "html" });
  expect(content.text).toContain("<p>Luna is <strong>kind</strong> &amp; quiet.</p>");
  expect(content.text).not.toContain("<script");
});

test("the RSS feed is well-formed and complete, with the photo and the bio", async () => {
  const shop = await shopWithTwo();
  const response = await shop.visit("/rss.xml?category=1");
  expect(response?.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
  const rss = wellFormed((await response?.text()) ?? "");
  expect([rss.name, rss.attributes["version"]]).toEqual(["rss", "2.0"]);
  const channel = one(rss, "channel");
  expect(one(channel, "title").text).toBe("Paws & Co");
  expect(one(channel, "link").text).toBe(`${ORIGIN}/?category=1`);
  expect(one(channel, "description").text).toBe("Homes <wanted>");
  expect(one(channel, "language").text).toBe("de");
  expect(one(channel, "atom:link").attributes["href"]).toBe(`${ORIGIN}/rss.xml?category=1`);
  const items = all(rss, "item");
  expect(items.map((item) => one(item, "title").text)).toEqual(['Luna "the <b>" & co']);
  const [luna] = items;
  if (luna === undefined) throw new Error("no item");
  expect(one(luna, "link").text).toBe(`${ORIGIN}/animals/1`);
  expect(one(luna, "guid")).toMatchObject({
    attributes: { isPermaLink: "false" },
    text: "urn:petstore:prj_000000000001:1",
  });
  expect(one(luna, "pubDate").text).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
  expect(one(luna, "description").text).toContain("<strong>kind</strong>");
  expect(one(luna, "description").text).not.toContain("<script");
  expect(one(luna, "enclosure").attributes).toEqual({
    url: `${ORIGIN}/animals/1/photo.jpg`,
    length: "5",
    type: "image/jpeg",
  });
});

test("a long RSS feed leads to its next page", async () => {
  const shop = await openShop({});
  for (let count = 0; count < 51; count++) await shop.shelter.addPet();
  const first = wellFormed(await shop.page("/rss.xml"));
  const links = one(first, "channel").children.filter(({ name }) => name === "atom:link");
  const next = links.find(({ attributes }) => attributes["rel"] === "next")?.attributes["href"];
  expect(next).toBe(`${ORIGIN}/rss.xml?after=2`);
  expect(all(wellFormed(await shop.page("/rss.xml?after=2")), "item")).toHaveLength(1);
});

test("the JSON Feed has version 1.1 and data for aggregators", async () => {
  const shop = await shopWithTwo();
  const response = await shop.visit("/feed.json");
  expect(response?.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
  expect(response?.headers.get("access-control-allow-origin")).toBe("*");
  const feed = (await response?.json()) as { readonly items: readonly unknown[] };
  expect(feed).toMatchObject({
    version: "https://jsonfeed.org/version/1.1",
    title: "Paws & Co",
    home_page_url: `${ORIGIN}/`,
    feed_url: `${ORIGIN}/feed.json`,
    description: "Homes <wanted>",
    language: "de",
    authors: [{ name: "Paws & Co" }],
  });
  expect(feed).not.toHaveProperty("next_url");
  expect(feed.items).toEqual([
    {
      id: "urn:petstore:prj_000000000001:2",
      url: `${ORIGIN}/animals/2`,
      title: "Mio",
      content_html: "<p>Cats · Reserviert</p>",
      date_published: "2026-01-01T01:00:00.000Z",
      date_modified: "2026-01-01T01:00:00.000Z",
      tags: ["Cats", "pending"],
      _petstore: { id: 2, status: "pending", categoryId: 2, category: "Cats" },
    },
    expect.objectContaining({
      summary: "Luna is kind & quiet.",
      image: `${ORIGIN}/animals/1/photo.jpg`,
    }),
  ]);
});

test("both feeds can be paged and filtered", async () => {
  const shop = await openShop();
  for (let count = 0; count < 230; count++) {
    await shop.shelter.addPet({ categoryId: (count % 2) + 1 });
  }
  const wanted = Array.from({ length: 115 }, (_, index) => 229 - 2 * index);

  const json: number[] = [];
  for (let at: string | undefined = "/feed.json?category=1"; at !== undefined;) {
    const feed = JSON.parse(await shop.page(at)) as {
      readonly next_url?: string;
      readonly items: readonly { readonly _petstore: { readonly id: number } }[];
    };
    json.push(...feed.items.map(({ _petstore }) => _petstore.id));
    at = feed.next_url;
  }
  expect(json).toEqual(wanted);

  const atom: number[] = [];
  for (let at: string | undefined = "/feed.xml?category=1"; at !== undefined;) {
    const feed: Element = wellFormed(await shop.page(at));
    for (const entry of all(feed, "entry")) {
      atom.push(Number(one(entry, "id").text.split(":").at(-1)));
    }
    const links: readonly Element[] = feed.children.filter(({ name }) => name === "link");
    at = links.find(({ attributes }) => attributes["rel"] === "next")?.attributes["href"];
  }
  expect(atom).toEqual(wanted);
});

test("a feed without animals is valid", async () => {
  const shop = await openShop();
  expect(wellFormed(await shop.page("/feed.xml")).name).toBe("feed");
  expect(JSON.parse(await shop.page("/feed.json"))).toMatchObject({ items: [] });
});

test("the sitemap lists the home page and every visible animal", async () => {
  const shop = await shopWithTwo();
  const sitemap = wellFormed(await shop.page("/sitemap.xml"));
  expect(sitemap.name).toBe("urlset");
  expect(all(sitemap, "loc").map(({ text }) => text)).toEqual([
    `${ORIGIN}/`,
    `${ORIGIN}/animals/1`,
    `${ORIGIN}/animals/2`,
  ]);
  expect(await shop.page("/robots.txt")).toContain(`\nSitemap: ${ORIGIN}/sitemap.xml\n`);
});

test("a large sitemap is an index of parts that contain each animal once", async () => {
  const shop = await openShop();
  const { production, commit } = shop.shelter;
  const add = (status: "available" | "sold", count: number) =>
    commit(
      ...Array.from({ length: count }, () => ({
        kind: "pet.create" as const,
        catalogueId: production,
        at: START,
        pet: newPet({ status }),
      })),
    );
  await add("available", 10_000);
  // A whole part of hidden animals.
  await add("sold", 10_000);
  await add("available", 5);
  const index = wellFormed(await shop.page("/sitemap.xml"));
  expect(index.name).toBe("sitemapindex");
  const parts = all(index, "loc").map(({ text }) => text);
  expect(parts).toEqual([`${ORIGIN}/sitemap-1.xml`, `${ORIGIN}/sitemap-3.xml`]);
  const listed: string[] = [];
  for (const part of parts) {
    const text = await shop.page(part);
    listed.push(...Array.from(text.matchAll(/\/animals\/(\d+)</g), ([, id = ""]) => id));
  }
  expect(listed).toHaveLength(10_005);
  expect(new Set(listed).size).toBe(10_005);
  for (const nothing of ["/sitemap-2.xml", "/sitemap-4.xml", "/sitemap-9007199254740991.xml"]) {
    expect((await shop.visit(nothing))?.status).toBe(404);
  }
});
