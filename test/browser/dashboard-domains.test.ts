import { afterAll, describe, expect, test } from "bun:test";

import type { Page } from "playwright-core";

import { openDesk } from "../helpers/desk.ts";
import { changingZone } from "../helpers/dns/changing.ts";

const dns = await changingZone({
  apex: "shelter.org",
  hosts: { "cname.petstore.example": "127.0.0.1" },
});
afterAll(() => dns[Symbol.asyncDispose]());
// Each test has its own project.
const { run, openView } = await openDesk(
  `--dns-servers=${dns.resolver}`,
  "--allow-private-networks",
  "--cname-target=cname.petstore.example",
);

/** Creates a project on that plan, opens its domains, and collects the page's faults from now on. */
async function openDomains({
  plan = "pro",
  published = true,
}: {
  readonly plan?: "free" | "pro";
  readonly published?: boolean;
} = {}) {
  const account = await run.ask<{ id: string }>("POST", "/accounts", { name: "Shelter", plan });
  const path = `/accounts/${account.id}/projects`;
  const project = await run.ask<{ id: string; slug: string }>("POST", path, { name: "Our pets" });
  const deploy = { source: "starter" };
  if (published) await run.ask("POST", `/projects/${project.id}/deploys`, deploy);
  const address = `/projects/${project.slug}/domains`;
  const view = await openView(address, (page) =>
    page.getByRole("heading", { name: "Our pets", level: 1 }),
  );
  return {
    ...project,
    accountId: account.id,
    address,
    ...view,
  };
}

/** Moves the focus with Tab to the control of that name. */
async function walkTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    const label = await page.evaluate(() => {
      const { activeElement: focused } = document;
      return focused?.getAttribute("aria-label") ?? focused?.textContent;
    });
    if (label?.trim() === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${name}.`);
}

async function press(page: Page, name: string): Promise<void> {
  await walkTo(page, name);
  await page.keyboard.press("Enter");
}

const standing = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Status" }).getByText(text);

/** Returns the record's value from the table. */
function valueIn(page: Page): Promise<string> {
  return page
    .getByRole("cell", { name: /cname\.petstore\.example/ })
    .locator("code")
    .innerText();
}

test("a shared link shows the records to people without an account, in German too", async () => {
  dns.become([]);
  const { id, address, page } = await openDomains();
  await run.ask("POST", `/projects/${id}/domains`, { domain: "shared.shelter.org" });
  await openView(`${address}/shared.shelter.org`);
  await page.getByRole("button", { name: "More for shared.shelter.org" }).click();
  await page.getByRole("menuitem", { name: "Share the records" }).click();
  const dialog = page.getByRole("dialog", { name: "Share the records of shared.shelter.org" });
  const link = (await dialog.locator("code").innerText()).trim();
  expect(new URL(link).hash).toStartWith("#pet_share_");
  const context = await page.context().browser()?.newContext({ locale: "de-DE" });
  const visitor = await context?.newPage();
  if (visitor === undefined) throw new Error("no browser");
  await visitor.goto(link);
  await visitor.getByRole("heading", { name: "DNS-Einträge für shared.shelter.org" }).waitFor();
  expect(await valueIn(visitor)).toMatch(/^[\da-f]{32}\.cname\.petstore\.example$/);
  expect(await visitor.locator("body").innerText()).not.toContain("Our pets");
  const wide = await visitor.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await visitor.goto(`${link}x`);
  await visitor.reload();
  await visitor.getByRole("heading", { name: "Dieser Link gilt nicht mehr" }).waitFor();
  await context?.close();
});

test("by keyboard alone and without a reload, a domain is added, goes live, is removed and added again", async () => {
  dns.become([]);
  const tab = await openDomains();
  const { page } = tab;
  await page.evaluate(() => Reflect.set(globalThis, "unloaded", false));

  await press(page, "Add domain");
  await page.keyboard.type("https://Pets.Shelter.org/animals");
  await page.getByText("This is the domain pets.shelter.org.").waitFor();
  await page.getByText("DNS is ready.").waitFor();
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "pets.shelter.org", level: 1 }).waitFor();
  await press(page, "Verify");
  await standing(page, "There is no record for pets.shelter.org.").waitFor();
  const value = await valueIn(page);
  expect(value).toMatch(/^[\da-f]{32}\.cname\.petstore\.example$/);
  await page.getByText("Missing").waitFor();

  dns.become(["pets A 203.0.113.9"]);
  await press(page, "Verify");
  await standing(page, /has the A record 203\.0\.113\.9/).waitFor();
  await page.getByText("Found instead").waitFor();

  dns.become([`pets CNAME ${value}`]);
  await press(page, "Verify");
  await standing(page, "https://pets.shelter.org is live.").waitFor();
  expect(await page.getByRole("list", { name: "Progress" }).innerText()).not.toContain("pending");
  await page.getByRole("link", { name: "Open site" }).waitFor();

  await press(page, "More for pets.shelter.org");
  await page.locator("[role=menuitem]:focus").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Remove pets.shelter.org?" }).waitFor();
  await page.keyboard.type("pets.shelter.org");
  await page.keyboard.press("Enter");
  await standing(page, /was removed .* and is no longer served/).waitFor();
  const cleanup = page.getByRole("region", { name: "Records to delete at your DNS provider" });
  expect(await cleanup.innerText()).toContain(`CNAME pets.shelter.org → ${value}`);

  await press(page, "Add domain again");
  await standing(page, "https://pets.shelter.org is live.").waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, "unloaded"))).toBe(false);
  expect(tab.faults()).toEqual([]);
});

test("changes made elsewhere appear immediately, in the list and on the domain's page", async () => {
  dns.become([]);
  const tab = await openDomains();
  const { page, id } = tab;
  await run.ask("POST", `/projects/${id}/domains`, { domain: "cats.shelter.org" });
  await page.getByRole("link", { name: "cats.shelter.org" }).click();
  const value = await valueIn(page);
  dns.become([`cats CNAME ${value}`]);
  await run.ask("POST", `/projects/${id}/domains/cats.shelter.org/verify`);
  await standing(page, "https://cats.shelter.org is live.").waitFor();
  await page.getByRole("link", { name: "Domains", exact: true }).click();
  await run.ask("DELETE", `/projects/${id}/domains/cats.shelter.org`);
  await page.getByText("No domains yet").waitFor();
  await page
    .getByRole("region", { name: "Recently removed" })
    .getByText("cats.shelter.org")
    .waitFor();
  expect(tab.faults()).toEqual([]);
});

test("a record with a missing letter is shown next to the correct one, with the difference marked", async () => {
  dns.become([]);
  const tab = await openDomains();
  const { page, id } = tab;
  await run.ask("POST", `/projects/${id}/domains`, { domain: "dogs.shelter.org" });
  await page.getByRole("link", { name: "dogs.shelter.org" }).click();
  const value = await valueIn(page);
  dns.become([`dogs CNAME x${value.slice(1)}`]);
  await page.getByRole("button", { name: "Verify", exact: true }).click();
  await page.getByText("Different value").waitFor();
  expect(await page.locator("mark").allInnerTexts()).toEqual(["x", value[0] ?? ""]);
});

describe("the prerequisite", () => {
  test("of a plan is shown on Free, with a link to the plans, and adding is disabled", async () => {
    const tab = await openDomains({ plan: "free" });
    const { page } = tab;
    const gates = page.getByRole("region", { name: "Prerequisites" });
    expect(await gates.innerText()).toContain("Pro plan or higher (missing)");
    await gates.getByRole("link", { name: "Change plan" }).waitFor();
    expect(await page.getByRole("button", { name: "Add domain" }).isDisabled()).toBe(true);
  });

  test("of a live deploy is met by publishing the storefront with one click", async () => {
    const tab = await openDomains({ published: false });
    const { page } = tab;
    await page.getByRole("button", { name: "Publish storefront" }).click();
    await page.getByText("Live deploy (ready)").waitFor();
    const add = page.getByRole("button", { name: "Add domain" });
    expect(await add.isEnabled()).toBe(true);
  });
});

describe("a typed domain", () => {
  test("is shown in both spellings, with a warning if it looks like another one", async () => {
    dns.become([]);
    const tab = await openDomains();
    const { page } = tab;
    await page.getByRole("button", { name: "Add domain" }).click();
    const dialog = page.getByRole("dialog", { name: "Add domain" });
    const field = dialog.getByLabel("Domain or subdomain");
    await field.fill("tierheim-münchen.shelter.org");
    await dialog.getByText("In DNS: xn--tierheim-mnchen-8vb.shelter.org").waitFor();
    await field.fill("рets.shelter.org");
    await dialog.getByText("letters of several alphabets").waitFor();
    await field.fill("*.shelter.org");
    await dialog.getByText("Wildcards are not supported.").waitFor();
    await field.fill("shelter");
    await page.keyboard.press("Enter");
    await dialog.getByText("The domain needs an ending").waitFor();
    await field.fill("co.uk");
    await dialog.getByText("co.uk is a registry for other domains").waitFor();
  });

  test("can be added together with its www name, which redirects to it", async () => {
    dns.become([]);
    const tab = await openDomains();
    const { page } = tab;
    await page.getByRole("button", { name: "Add domain" }).click();
    const dialog = page.getByRole("dialog", { name: "Add domain" });
    await dialog.getByLabel("Domain or subdomain").fill("shelter.org");
    const pair = dialog.getByLabel("Also add www.shelter.org and redirect it here");
    await pair.waitFor();
    expect(await pair.isChecked()).toBe(true);
    await dialog.getByRole("button", { name: "Add domain" }).click();
    await page.getByRole("heading", { name: "shelter.org", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Domains", exact: true }).click();

    const row = page.getByRole("row", { name: /^www\.shelter\.org .*Redirects to shelter\.org/ });
    await row.waitFor();
    await page.getByLabel("Status code: www.shelter.org").selectOption("302");
    await page.getByText("Saved.").waitFor();
    await row.getByText("(302)").waitFor();
    await page.getByLabel("Primary domain", { exact: true }).selectOption("www.shelter.org");
    await page.getByRole("button", { name: "Make primary" }).click();
    await page
      .getByRole("row", { name: /^shelter\.org .*Redirects to www\.shelter\.org/ })
      .waitFor();
    expect(tab.faults()).toEqual([]);
  });
});
