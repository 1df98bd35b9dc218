import { describe, expect, test } from "bun:test";

import type { SiteFile } from "../../../../lib/publishing/model/site-file.ts";
import { openShop, ORIGIN } from "../../../helpers/storefront.ts";
import { newPet } from "../../../../testing/shelter.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`;

test("every untrusted text is escaped on every page", async () => {
  const texts = {
    heading: hostile,
    intro: hostile,
    empty: hostile,
    adopt: hostile,
    footer: hostile,
  };
  const contact = {
    name: hostile,
    email: hostile,
    phone: hostile,
    address: hostile,
    hours: hostile,
    url: `javascript:${hostile}`,
  };
  const shop = await openShop({
    siteFile: {
      title: hostile,
      description: hostile,
      language: hostile,
      theme: { accent: hostile, logo: "/logo.svg" },
      storefront: { texts, contact, links: { donate: contact.url, visit: hostile } },
    },
    project: { name: hostile, site: { contactName: hostile, donate: contact.url } },
    files: { "/animals/1/bio.md": hostile, "/logo.svg": "x" },
  });
  const { production, commit, addPet } = shop.shelter;
  for (const address of ["/", "/embed"])
    expect(await shop.page(address)).not.toMatch(
      /<script(?! type="application\/ld\+json">\{)|<img src=x/i,
    );
  await commit({ kind: "category.create", catalogueId: production, name: hostile, at: 1 });
  await addPet({ name: hostile, categoryId: 4 });
  for (const address of ["/", "/embed", "/animals/1", "/animals/2", "/feed.xml"]) {
    expect(await shop.page(address)).not.toMatch(
      /<script(?! type="application\/ld\+json">\{)|<img src=x|javascript:[^"]*" *>|href="javascript/i,
    );
  }
});

test("a logo can have any characters in its name", async () => {
  const logo = "/img/our logo 100%#1?.svg";
  const shop = await openShop({ siteFile: { theme: { logo } }, files: { [logo]: "x" } });
  const page = await shop.page("/");
  const sources = [...page.matchAll(/(?:<img src|rel="icon" href)="([^"]*)"/g)];
  expect(sources.map(([, source]) => source)).toEqual([
    "/img/our%20logo%20100%25%231%3F.svg",
    "/img/our%20logo%20100%25%231%3F.svg",
  ]);
});

test("the policy allows the page's own style by its hash and nothing external", async () => {
  const shop = await openShop({ siteFile: { theme: { accent: "#00c2ff" } } });
  await shop.shelter.addPet();
  for (const address of ["/", "/animals/1", "/embed", "/embed?scheme=dark", "/animals/2"]) {
    const response = await shop.visit(address);
    const styles = [...((await response?.text()) ?? "").matchAll(/<style>([^]*?)<\/style>/g)];
    expect(styles).toHaveLength(1);
    const css = styles[0]?.[1] ?? "";
    expect(css.length).toBeLessThanOrEqual(10 * 1_024);
    const hash = new Bun.CryptoHasher("sha256").update(css).digest("base64");
    const framed = address.startsWith("/embed") ? "*" : "'none'";
    expect(response?.headers.get("content-security-policy")).toBe(
      `default-src 'none'; img-src 'self'; connect-src 'self'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors ${framed}`,
    );
    expect(response?.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("a page has no script, no inline style and no external requests", async () => {
  const shop = await openShop({
    files: { "/animals/1/photo.png": "x", "/animals/1/bio.md": "![p](https://spy.test/p.png)" },
  });
  await shop.shelter.addPet();
  await shop.shelter.addPet();
  for (const address of ["/", "/animals/1", "/animals/2", "/embed"]) {
    const page = await shop.page(address);
    expect(page).not.toMatch(
      /<script(?! type="application\/ld\+json">)| style=| on[a-z]+=|<iframe|<object|url\(|@import/i,
    );
    for (const [, source = ""] of page.matchAll(/(?:src|srcset)="([^"]*)"/g))
      expect(source).toStartWith("/");
  }
});

test("an animal's page has social media tags with its name, summary and photo", async () => {
  const shop = await openShop({
    files: {
      "/animals/1/photo.jpg": "x",
      "/animals/1/photo.avif": "y",
      "/animals/1/bio.md": "Kind & **calm**.\n\nMore.",
    },
  });
  await shop.shelter.addPet({ name: "Luna" });
  const page = await shop.page("/animals/1");
  for (const tag of [
    "<title>Luna · Brightside Animal Shelter</title>",
    '<meta name="description" content="Kind &amp; calm." />',
    `<link rel="canonical" href="${ORIGIN}/animals/1" />`,
    '<meta property="og:title" content="Luna" />',
    '<meta property="og:description" content="Kind &amp; calm." />',
    `<meta property="og:image" content="${ORIGIN}/animals/1/photo.jpg" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
    '<source srcset="/animals/1/photo.avif" type="image/avif" />',
    '<img src="/animals/1/photo.jpg" alt="Photo of Luna" width="800" height="600"',
  ]) {
    expect(page).toContain(tag);
  }
});

test("every list has a canonical address and links to its neighbours and the feeds", async () => {
  const shop = await openShop({ siteFile: { storefront: { pageSize: 2 } } });
  for (let count = 0; count < 6; count++) await shop.shelter.addPet();
  const page = await shop.page("/?after=5&category=1&junk=1");
  for (const tag of [
    `<link rel="canonical" href="${ORIGIN}/?category=1&amp;after=5" />`,
    `<link rel="prev" href="${ORIGIN}/?category=1&amp;before=4" />`,
    `<link rel="next" href="${ORIGIN}/?category=1&amp;after=3" />`,
    `type="application/atom+xml" title="Brightside Animal Shelter" href="${ORIGIN}/feed.xml"`,
    `type="application/feed+json" title="Brightside Animal Shelter" href="${ORIGIN}/feed.json"`,
  ]) {
    expect(page).toContain(tag);
  }
});

test("an embedded list keeps its scheme while paging, opens animals outside the frame, and is not indexed", async () => {
  const shop = await openShop({ siteFile: { storefront: { pageSize: 2 } } });
  for (let count = 0; count < 3; count++) await shop.shelter.addPet();
  const page = await shop.page("/embed?scheme=dark");
  expect(page).toContain('href="/embed?after=2&amp;scheme=dark"');
  expect(page).toContain('<meta name="color-scheme" content="dark" />');
  expect(page).toContain('<a href="/animals/3" target="_blank" rel="noopener">');
  expect(page).toContain('<meta name="robots" content="noindex" />');
  expect(page).not.toContain("<footer");
});

test("the 404 page has the site's theme and is not indexed", async () => {
  const shop = await openShop({ siteFile: { title: "Paws", language: "de" } });
  const response = await shop.storefront.notFound({
    site: shop.site,
    path: "/x",
    search: "",
    headers: new Headers(),
    head: false,
    origin: ORIGIN,
  });
  expect(response?.status).toBe(404);
  expect(response?.headers.get("etag")).toBeNull();
  const page = await response?.text();
  expect(page).toContain("<title>Seite nicht gefunden · Paws</title>");
  expect(page).toContain('<meta name="robots" content="noindex" />');
  expect(page).not.toContain("canonical");
});

describe("an animal's page", () => {
  const adoptOn = async (site: SiteFile, status?: "pending" | "sold"): Promise<string> => {
    const filter = { categoryIds: [], statuses: ["available", "pending", "sold"] as const };
    const shop = await openShop({ siteFile: site, project: { filter } });
    await shop.shelter.addPet({ name: "Luna", ...(status !== undefined && { status }) });
    const page = await shop.page("/animals/1");
    return /<section class="adopt".*?<\/section>/s.exec(page)?.[0] ?? "";
  };
  const contact = { email: "hello@shelter.example" };

  test("invites visitors to get in touch if the shelter has published a contact", async () => {
    const site = { storefront: { contact } };
    expect(await adoptOn(site)).toContain('<p dir="auto">Get in touch to arrange a visit.</p>');
    expect(await adoptOn(site, "pending")).toContain(
      "Someone has already asked about this animal. Get in touch if you would like to be next.",
    );
    const german = { language: "de", storefront: { contact: { phone: "+49 30 1" } } };
    expect(await adoptOn(german)).toContain("Melden Sie sich, und wir finden einen Termin.");
  });

  test("does not mention a contact that the shelter has not published", async () => {
    expect(await adoptOn({})).toBe("");
    expect(await adoptOn({ storefront: { contact: { hours: "9 to 5" } } })).toBe("");
    expect(await adoptOn({}, "pending")).toContain(
      '<p dir="auto">Someone has already asked about this animal.</p>',
    );
    expect(await adoptOn({}, "pending")).not.toContain("Meet Luna");
    expect(await adoptOn({ language: "de" }, "pending")).toContain(
      '<p dir="auto">Für dieses Tier gibt es schon eine Anfrage.</p>',
    );
    const texts = { adopt: "Ring the bell at the gate." };
    expect(await adoptOn({ storefront: { texts } })).toContain(texts.adopt);
  });

  test("says that an adopted animal has found a home instead of inviting to meet it", async () => {
    const adopted = await adoptOn({ storefront: { contact } }, "sold");
    expect(adopted).toContain("This animal has found a home.");
    expect(adopted).not.toMatch(/Meet Luna|Get in touch/);
  });
});

describe("language", () => {
  test("German words for a German site, with its numbers and dates", async () => {
    const shop = await openShop({ siteFile: { language: "de-AT" } });
    await shop.shelter.addPet({ name: "Mio" });
    expect(await shop.page("/")).toContain('<html lang="de-AT" dir="ltr">');
    expect(await shop.page("/")).toContain("1 Tier<");
    expect(await shop.page("/animals/1")).toContain("Bei uns seit dem 1. Jänner 2026");
  });

  test("English words for other languages, in their direction", async () => {
    const shop = await openShop({ siteFile: { language: "ar" } });
    expect(await shop.page("/")).toContain('<html lang="ar" dir="rtl">');
    expect(await shop.page("/")).toContain("Looking for a home");
  });

  test("English for an invalid language", async () => {
    const shop = await openShop({ siteFile: { language: "not a tag!" } });
    expect(await shop.page("/")).toContain('<html lang="en" dir="ltr">');
  });
});

test("a forced scheme is the only one in the style", async () => {
  const shop = await openShop({ project: { theme: { scheme: "light", accent: "#123456" } } });
  expect(await shop.page("/")).not.toContain("prefers-color-scheme");
  const dark = await shop.publish({
    project: { theme: { scheme: "light" } },
    siteFile: { theme: { scheme: "dark" } },
  });
  expect(await shop.page("/", dark)).toContain(":root{color-scheme:dark;");
  expect(await shop.page("/")).toContain("--accent:#123456");
});

test("filters show nonempty categories with counts, unless only one exists", async () => {
  const shop = await openShop();
  await shop.shelter.addPet();
  expect(await shop.page("/")).not.toContain("?category=");
  await shop.shelter.addPet({ categoryId: 2 });
  await shop.shelter.addPet({ categoryId: 2, status: "pending" });
  const page = await shop.page("/?status=available&category=2");
  expect(page).toContain(
    '<a href="/?category=1&amp;status=available"><bdi>Dogs</bdi> <small>1</small></a>',
  );
  expect(page).toContain(
    '<a href="/?category=2&amp;status=available" aria-current="true"><bdi>Cats</bdi> <small>1</small></a>',
  );
  expect(page).toContain('<a href="/?category=2"><bdi>All statuses</bdi> <small>2</small></a>');
  expect(page).not.toContain("Other");
  expect(page).toContain('<p class="count">1 animal</p>');
});

test("filters of a large catalogue have no counts", async () => {
  const shop = await openShop();
  const { production, commit } = shop.shelter;
  await shop.shelter.addPet({ categoryId: 2 });
  const add = {
    kind: "pet.create",
    catalogueId: production,
    at: 1,
    pet: newPet(),
  } as const;
  await commit(...Array.from({ length: 20_000 }, () => add));
  const page = await shop.page("/");
  expect(page).toContain('<a href="/?category=2"><bdi>Cats</bdi></a>');
  expect(page).not.toMatch(/<small>|class="count">\d/);
});

test("an animal without a photo always has the same figure of its category", async () => {
  const shop = await openShop();
  await shop.shelter.addPet({ categoryId: 2 });
  const figure = /<div class="art (t\d)"><svg[^>]*><use href="#cat"/;
  const tint = figure.exec(await shop.page("/animals/1"))?.[1] ?? "none";
  await shop.shelter.addPet();
  expect(figure.exec(await shop.page("/"))?.[1]).toBe(tint);
});
