import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { openBrowser, openTab, type Sight, type Tab } from "../helpers/browser.ts";
import { torture } from "../helpers/chance.ts";
import { wrongIn } from "../helpers/sights.ts";
import { exampleSite, listen, type Listening } from "../helpers/storefront-server.ts";
import { deskOver, openShop } from "../helpers/storefront.ts";
import { MINUTE_MS } from "../../lib/base/clock.ts";
import { memoryStore } from "../../lib/storage/memory.ts";
import { manualClock } from "../../testing/clock.ts";
import { START, newPet } from "../../testing/shelter.ts";

const phone: Sight = { width: 320, scheme: "light" };
const desk: Sight = { width: 1280, scheme: "light" };

let browser: Browser;
let tab: Tab;
/** The clock of the example's enquiries. */
const clock = manualClock(START);
let example: Listening;
let crowded: Listening;
let empty: Listening;

beforeAll(async () => {
  browser = await openBrowser();
  tab = await openTab(browser, desk);
  const { siteFile, files } = await exampleSite();
  const store = memoryStore();
  const shop = await openShop({ siteFile, files }, { store, enquiries: deskOver(store, clock) });
  const { production, commit, addPet } = shop.shelter;
  await commit(
    { kind: "category.create", catalogueId: production, name: "Rabbits", at: START },
    { kind: "category.create", catalogueId: production, name: "Birds", at: START },
  );
  await addPet({ name: "Luna" });
  await addPet({ name: "Mio", categoryId: 2 });
  await addPet({ name: "Pepper & Salt", categoryId: 4 });
  await addPet({ name: "Bruno", status: "pending" });
  await addPet({ name: "Kiwi", categoryId: 5 });
  await addPet({ name: "Tiger", categoryId: 2 });
  await addPet({ name: "Olive", categoryId: 3 });
  example = listen(shop, files);
  crowded = listen(await crowdedShop());
  empty = listen(await openShop());
});

afterAll(async () => {
  await browser?.close();
  for (const server of [example, crowded, empty]) await server?.[Symbol.asyncDispose]();
});

/** Loads a page in the window of a size. */
async function visit(address: string, { width, scheme }: Sight = desk): Promise<Page> {
  const { page } = tab;
  await page.setViewportSize({ width, height: width < 600 ? 640 : 860 });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: null });
  await page.goto(address);
  return page;
}

const names = [
  "Bo",
  "مشمش الصغير",
  "小さな猫のタマちゃん",
  "🐶🐾",
  "Maximilian-Alexander von und zu Hohenlohe-Waldenburg-Schillingsfürst der Dritte",
  "Donaudampfschifffahrtsgesellschaftskapitänsmützenhund",
  "W".repeat(120),
];

/** Creates 5,000 animals with unusual names, no photos, and sixteen categories. */
async function crowdedShop() {
  const store = memoryStore();
  const shop = await openShop(
    {
      siteFile: { language: "de", theme: { accent: "#ffe000" } },
      project: { name: `Tierschutzverein ${"Donaudampfschifffahrt".repeat(3)} e. V.` },
    },
    { store, enquiries: deskOver(store) },
  );
  const { production, commit } = shop.shelter;
  for (const name of [...names, "A", "B", "C", "D", "E", "F"]) {
    await commit({
      kind: "category.create",
      catalogueId: production,
      name: name.slice(0, 80),
      at: START,
    });
  }
  await commit(
    ...Array.from({ length: 5_000 }, (_, index) => ({
      kind: "pet.create" as const,
      catalogueId: production,
      at: START,
      pet: newPet({
        name: names[index % names.length] ?? "",
        categoryId: (index % 16) + 1,
        status: index % 5 === 0 ? "pending" : "available",
      }),
    })),
  );
  return shop;
}

/** Pages with different content. */
const pages: readonly (readonly [name: string, address: () => string])[] = [
  ["list", () => `${example.origin}/`],
  ["filtered", () => `${example.origin}/?category=2&status=available`],
  ["animal", () => `${example.origin}/animals/1`],
  ["animal-without-photo", () => `${example.origin}/animals/7`],
  ["not-found", () => `${example.origin}/animals/4711`],
  ["embed", () => `${example.origin}/embed`],
  ["empty", () => `${empty.origin}/`],
  ["crowded", () => `${crowded.origin}/`],
  ["crowded-animal", () => `${crowded.origin}/animals/4998`],
  ["enquiry", () => `${example.origin}/animals/1/enquiry`],
  ["enquiry-sent", () => `${example.origin}/animals/1/enquiry/sent`],
  ["crowded-enquiry", () => `${crowded.origin}/animals/4998/enquiry`],
  ...(torture ? ([["crowded-second-page", () => `${crowded.origin}/?after=4977`]] as const) : []),
];

describe("on phone and desktop, light and dark,", () => {
  test("an enquiry that cannot be sent yet is accessible, fits, and keeps what was typed", async () => {
    const { page } = tab;
    await page.goto(`${example.origin}/animals/1/enquiry`);
    await page.getByLabel("Your name").fill("Kim");
    await page.getByLabel("Your email address").fill("kim");
    await page.getByLabel("Your message").fill("Hello");
    for (const told of ["again in a few seconds", "correct the marked fields"]) {
      // People are told by their browser first; others get the same from the page.
      await page.evaluate("document.querySelector('form').noValidate = true");
      await page.getByRole("button", { name: "Send enquiry" }).click();
      await page.getByRole("alert").filter({ hasText: told }).waitFor();
      clock.advance(MINUTE_MS);
    }
    expect(await page.getByLabel("Your name").inputValue()).toBe("Kim");
    expect(await page.getByText("Enter an email address such as").isVisible()).toBe(true);
    expect(await wrongIn(page, "enquiry-faulty")).toEqual([]);
  });

  test.each(pages)(
    'the page "%s" is accessible, fits, and makes no requests to other origins',
    async (name, address) => {
      const { page, asked, faults } = tab;
      const [askedBefore, faultsBefore] = [asked.length, faults.length];
      const response = await page.goto(address());
      // Data for search engines is in an element for scripts, and is not run.
      const scripts =
        "document.querySelectorAll('script:not([type=\"application/ld+json\"])').length";
      expect(await page.evaluate<number>(scripts)).toBe(0);
      expect(await wrongIn(page, name)).toEqual([]);
      const { origin } = new URL(address());
      const foreign = asked.slice(askedBefore).filter((url) => new URL(url).origin !== origin);
      expect(foreign).toEqual([]);
      // Browsers report a 404 page as a fault.
      const reported = faults.slice(faultsBefore);
      expect(reported.filter((fault) => response?.ok() ?? !fault.includes("404"))).toEqual([]);
    },
  );
});

test("nothing moves while the photos of a list arrive", async () => {
  // Its own tab, whose cache is empty.
  await using fresh = await openTab(browser, desk);
  const { page } = fresh;
  await page.addInitScript(
    `globalThis.shift = 0;
     new PerformanceObserver((list) => {
       for (const entry of list.getEntries()) globalThis.shift += entry.value;
     }).observe({ type: "layout-shift", buffered: true });`,
  );
  await page.goto(`${example.origin}/`, { waitUntil: "networkidle" });
  expect(await page.evaluate<number>("document.images.length")).toBeGreaterThan(3);
  expect(await page.evaluate<number>("globalThis.shift")).toBe(0);
});

test("the keyboard alone suffices to skip to the content, filter, and open an animal", async () => {
  const page = await visit(`${example.origin}/`);
  const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
  const press = async (key: string): Promise<string> => {
    await page.keyboard.press(key);
    return focused();
  };
  expect(await press("Tab")).toBe("Skip to content");
  expect(
    await page.evaluate<number>("document.activeElement.getBoundingClientRect().top"),
  ).toBeGreaterThanOrEqual(0);
  expect(await press("Tab")).toBe("Brightside Animal Shelter");
  expect(await press("Tab")).toBe("All animals 7");
  expect(await press("Tab")).toBe("Birds 1");
  expect(await press("Tab")).toBe("Cats 2");
  await Promise.all([page.waitForURL("**/?category=2"), page.keyboard.press("Enter")]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  // The first animal follows the skip link, the header and the filters.
  expect(await press("Tab")).toBe("All animals 7");
  for (let chips = 0; chips < 8; chips++) await page.keyboard.press("Tab");
  expect(await press("Tab")).toBe("Mio");
  await Promise.all([page.waitForURL("**/animals/2"), page.keyboard.press("Enter")]);
  expect(await page.title()).toBe("Mio · Brightside Animal Shelter");
});

test("links alone reach all of 5,000 animals", async () => {
  const page = await visit(`${crowded.origin}/`, phone);
  const first = await page.title();
  for (const after of [4977, 4953]) {
    await Promise.all([
      page.waitForURL(`**/?after=${after}`),
      page.getByRole("link", { name: "Weiter" }).click(),
    ]);
  }
  for (const relation of ["before=4952", "before=4976"]) {
    await Promise.all([
      page.waitForURL(`**/?${relation}`),
      page.getByRole("link", { name: "Zurück" }).click(),
    ]);
  }
  expect(await page.title()).toBe(first);
  expect(await page.getByRole("link", { name: "Zurück" }).count()).toBe(0);
});

test("a browser can parse the feeds", async () => {
  const before = tab.faults.length;
  const page = await visit(`${example.origin}/`);
  for (const path of ["/feed.xml", "/sitemap.xml", "/icon.svg"]) {
    const text = await (await fetch(example.origin + path)).text();
    const root = await page.evaluate(
      (xml) => new DOMParser().parseFromString(xml, "application/xml").documentElement.nodeName,
      text,
    );
    expect(root).toBe(
      { "/feed.xml": "feed", "/sitemap.xml": "urlset", "/icon.svg": "svg" }[path] ?? "",
    );
  }
  const response = await page.goto(`${example.origin}/feed.json`);
  expect(await response?.json()).toMatchObject({ version: "https://jsonfeed.org/version/1.1" });
  expect(tab.faults.slice(before)).toEqual([]);
});

test("another site can frame the embedded list, and nothing else", async () => {
  await using host = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      new Response(
        `<!doctype html><title>Host</title><iframe name="list" src="${example.origin}/embed"></iframe><iframe name="page" src="${example.origin}/"></iframe>`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  const before = tab.faults.length;
  const page = await visit(host.url.href);
  await page.waitForLoadState("networkidle");
  expect(await page.frame("list")?.locator(".card").count()).toBe(7);
  expect(await page.frame("page")?.locator(".card").count()).toBe(0);
  expect(tab.faults.slice(before).join()).toContain("frame-ancestors");
});

test("reduced motion disables animations", async () => {
  const page = await visit(`${example.origin}/`);
  const duration = "getComputedStyle(document.querySelector('.card')).transitionDuration";
  expect(await page.evaluate<string>(duration)).not.toBe("0s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await page.evaluate<string>(duration)).toBe("0s");
});
