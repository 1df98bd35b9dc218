import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { createHash, X509Certificate } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

import type { Browser, Page } from "playwright-core";

import { openBrowser, openTab, type Tab } from "../helpers/browser.ts";
import { demoGround, type DemoGround, type RunningDemo, type ShownDemo } from "../helpers/demo.ts";

// All steps run in one tab; each continues where the previous one ended.
describe("the demo, by clicking", () => {
  let ground: DemoGround;
  let demo: RunningDemo;
  let shown: ShownDemo;
  let browser: Browser;
  let tab: Tab;
  let page: Page;

  beforeAll(async () => {
    ground = await demoGround();
    demo = ground.start();
    shown = await demo.shown;
    const root = new X509Certificate(await readFile(shown.root));
    const key = root.publicKey.export({ type: "spki", format: "der" });
    const pin = createHash("sha256").update(key).digest("base64");
    // Trusts the demo's CA, as a person who clicks through the warning does.
    browser = await openBrowser([`--ignore-certificate-errors-spki-list=${pin}`]);
    tab = await openTab(browser, { width: 1280, scheme: "light" });
    ({ page } = tab);
  });
  afterAll(async () => {
    await browser?.close();
    await ground?.[Symbol.asyncDispose]();
  });

  test("the link signs a browser in, once", async () => {
    await page.goto(shown.link);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(page.url()).toStartWith(shown.dashboard);
    const again = await page.request.get(shown.link);
    expect(again.status()).toBe(410);
    expect(demo.errors()).toMatch(/Another link that signs you in: http:\S+\n/);
  });

  test("a domain is added, and Petstore says which record is missing", async () => {
    await page.goto(shown.domainsPage);
    await page.getByRole("button", { name: "Add domain" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Domain or subdomain").fill(shown.domain);
    await dialog.getByRole("button", { name: "Add domain" }).click();
    await page.waitForURL(new RegExp(`/domains/${shown.domain}$`));
    await page
      .getByText(/\.cname\.petstore\.localhost/)
      .first()
      .waitFor();
  });

  test("a mistake at the registrar is explained", async () => {
    const domainPage = page.url();
    await page.goto(shown.registrar);
    await page.getByText("Make a mistake").first().click();
    await page
      .getByRole("button", { name: /domain is in it twice/ })
      .first()
      .click();
    await page.getByText("The mistake is entered.").waitFor();
    await page.goto(domainPage);
    await page.getByRole("button", { name: "Verify", exact: true }).first().click();
    await page
      .getByText(/www\.brightside\.localhost\.brightside\.localhost/)
      .first()
      .waitFor();
  });

  test("the copied record makes the domain live", async () => {
    const domainPage = page.url();
    await page.goto(shown.registrar);
    const row = page.getByRole("row", { name: /www\.brightside\.localhost/ });
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Copy into the form" }).first().click();
    await page.getByRole("button", { name: "Add record" }).click();
    await page.getByText("The record is saved.").waitFor();
    await page.goto(domainPage);
    await page.getByRole("button", { name: "Verify", exact: true }).first().click();
    await page
      .locator(".badge", { hasText: /^Live$/ })
      .first()
      .waitFor();
  });

  test("the site is at its own domain, with a certificate of the demo's CA", async () => {
    await page.goto(shown.registrar);
    const link = page.getByRole("link", { name: "Visit the site" }).first();
    const visited = await page.goto((await link.getAttribute("href")) ?? "");
    expect(page.url()).toBe(shown.site);
    expect(visited?.status()).toBe(200);
    await page.getByText("Bruno").first().waitFor();
  });

  test("nothing but this machine was asked, and nothing remains after Ctrl-C", async () => {
    const hosts = new Set(tab.asked.map((address) => new URL(address).hostname));
    expect([...hosts].filter((host) => !/(?:^|\.)localhost$/.test(host))).toEqual([]);
    expect(tab.faults).toEqual([]);
    expect(await demo.end("SIGINT")).toBe(0);
    expect(await readdir(ground.path)).toEqual([]);
  });
});
