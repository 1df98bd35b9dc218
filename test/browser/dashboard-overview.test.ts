import { expect, test } from "bun:test";

import type { Page } from "playwright-core";

import type { ProjectView } from "../../lib/publishing/shapes/projects.ts";
import type { Account } from "../../lib/model/account.ts";
import { operator } from "../helpers/dashboard.ts";
import { DESK, openDesk } from "../helpers/desk.ts";

// Each test has its own account.
const { run, tab, openView } = await openDesk("--dns-servers", "127.0.0.1:9");

/** Creates an account with animals of these statuses. */
async function shelter(...statuses: readonly string[]) {
  const { id } = await run.ask<Account>("POST", "/accounts", { name: "Brightside", plan: "pro" });
  const at = `/accounts/${id}/production`;
  for (const [index, status] of statuses.entries()) {
    await run.ask("POST", `${at}/pets`, { name: `Pet ${index + 1}`, categoryId: 1, status });
  }
  return { id, at };
}

/** Creates and publishes a site of the account. */
async function site(accountId: string): Promise<ProjectView> {
  const project = await run.ask<ProjectView>("POST", `/accounts/${accountId}/projects`, {
    name: "Our site",
  });
  await run.ask("POST", `/projects/${project.slug}/deploys`, { source: "starter" });
  return project;
}

const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a new account is guided through the first steps until they are done or hidden", async () => {
  const { id, at } = await shelter();
  const { page } = await openView(`/accounts/${id}/overview`);
  const steps = card(page, "First steps");
  const next = () => steps.locator(".next h3").innerText();
  await steps.getByRole("link", { name: "Add animals" }).waitFor();
  expect(await next()).toBe("Add animals");
  await run.ask("POST", `${at}/pets`, { name: "Rex", categoryId: 1 });
  await steps.locator(".next", { hasText: "Publish a storefront" }).waitFor();
  await site(id);
  await run.ask("POST", `/accounts/${id}/keys`, { environment: "production", name: "Web" });
  await steps.locator(".next", { hasText: "Use your own domain" }).waitFor();
  expect(await steps.getByRole("link", { name: "Add domain" }).getAttribute("href")).toMatch(
    /^\/projects\/.*\/domains$/,
  );
  await steps.getByRole("button", { name: "Hide" }).click();
  await page.reload();
  await card(page, "Recent activity").waitFor();
  expect(await steps.count()).toBe(0);
});

test("deleted projects, their domains and revoked keys do not count, and a live project is shown with its address", async () => {
  const { id } = await shelter("available");
  const { slug } = await site(id);
  await run.ask("POST", `/projects/${slug}/domains`, { domain: "gone.shelter.org" });
  await run.ask("DELETE", `/projects/${slug}`);
  // Without a project to show, the domain needs attention.
  await run.ask("POST", `/projects/${slug}/domains/gone.shelter.org/verify`);
  const key = await run.ask<{ id: string }>("POST", `/accounts/${id}/keys`, { name: "Web" });
  await run.ask("DELETE", `/accounts/${id}/keys/${key.id}`);
  const { page } = await openView(`/accounts/${id}/overview`);
  await card(page, "Projects").getByText("No projects yet").waitFor();
  const done = card(page, "First steps").locator("li.done");
  expect(await done.locator("h3").allInnerTexts()).toEqual(["Add animals"]);
  expect(await page.getByText("needs attention").count()).toBe(0);
  const next = card(page, "First steps").getByRole("link", { name: "Create project" });
  expect(await next.getAttribute("href")).toBe(`/accounts/${id}/projects`);

  const { slug: live } = await site(id);
  await card(page, "Projects").getByText("Live").waitFor();
  expect(await card(page, "Projects").getByRole("listitem").count()).toBe(1);
  const link = card(page, "Projects").getByRole("link", { name: `${live}.localhost` });
  expect(await link.getAttribute("href")).toContain(`//${live}.localhost`);
  expect(await link.getAttribute("target")).toBe("_blank");
});

test("the numbers are those of Production, link to their animals and update live; requests count against the plan's limit", async () => {
  const { id, at } = await shelter("available", "available", "pending", "sold");
  const staging = at.replace("production", "staging");
  await run.ask("POST", `${staging}/pets`, { name: "Trial", categoryId: 1 });
  await run.ask("POST", `${staging}/categories`, { name: "Trials" });
  const { key } = await run.ask<{ key: string }>("POST", `/accounts/${id}/keys`, {
    environment: "production",
  });
  for (let count = 0; count < 3; count++) {
    await fetch(`${run.origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  }
  const { page } = await openView(`/accounts/${id}/overview`);
  const numbers = () => card(page, "Animals").locator("strong").allInnerTexts();
  await card(page, "Animals").getByRole("link", { name: "1 adoption" }).waitFor();
  expect(await numbers()).toEqual(["2", "1", "1"]);
  await card(page, "API requests").getByText("3 of 10,000 daily requests used").waitFor();
  const meter = card(page, "API requests").getByRole("meter").first();
  expect(await meter.getAttribute("aria-valuenow")).toBe("3");
  await card(page, "Recent activity").getByText("Live").waitFor();
  expect(await card(page, "Recent activity").innerText()).not.toContain("Trial");
  await run.ask("PATCH", `${at}/pets/1`, { status: "sold" });
  await card(page, "Animals").getByRole("link", { name: "2 adoptions" }).waitFor();
  expect(await numbers()).toEqual(["1", "1", "2"]);
  await card(page, "Recent activity").getByText("Pet 1 was adopted").waitFor();
  await card(page, "Animals").getByRole("link", { name: "Adopted 2" }).click();
  await page.getByText("2 animals").waitFor();
  await page.waitForURL(({ search }) => search === "?status=sold");
});

test("the activity is shown in words, an import in one line that does not hide the rest", async () => {
  const { id, at } = await shelter();
  await run.ask("POST", `/accounts/${id}/members`, { email: "kim@example.org", role: "staff" });
  await site(id);
  const rows = Array.from({ length: 300 }, (_, index) => ({ name: `P${index}`, categoryId: 1 }));
  await run.ask("POST", `${at}/pets/import`, { rows });
  const { page } = await openView(`/accounts/${id}/overview`);
  const lines = card(page, "Recent activity").locator("ol.news > li > span:nth-of-type(1)");
  await lines.first().waitFor();
  const texts = (await lines.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "));
  expect(texts[0]).toStartWith("P299 was added +99");
  expect(texts.slice(1)).toEqual([
    "Now live: the storefront by Olga",
    "The project Our site was created by Olga",
    "Someone was invited by Olga",
    "The account was created by Olga",
  ]);
});

test("every page of a suspended account says so, and none of its projects is live", async () => {
  const { id } = await shelter();
  const { slug } = await site(id);
  await run.ask("POST", `/accounts/${id}/suspend`);
  const own = `/accounts/${id}`;
  for (const path of [`${own}/keys`, `/projects/${slug}`, `${own}/overview`, `${own}/projects`]) {
    const { page } = await openView(path);
    await page.getByText("This account is suspended.").waitFor();
    if (!/(?:overview|projects)$/.test(path)) continue;
    await page.locator(".badge", { hasText: "Suspended" }).waitFor();
    const live = page.locator(".badge", { hasText: "Live" });
    // The activity of the overview is live.
    if (path.endsWith("overview")) await live.waitFor();
    else expect(await live.count()).toBe(0);
  }
  const { page } = tab;
  const picker = page.getByRole("combobox", { name: "Account" });
  expect(await picker.locator("option:checked").innerText()).toBe("Brightside (suspended)");
});

test("adoptions appear without a reload, name their animals, link to them, and can be filtered by one", async () => {
  const { id, at } = await shelter("available", "available");
  const { page } = await openView(`/accounts/${id}/orders`);
  await page.getByText("No adoptions yet").waitFor();
  const become = (pet: number, status: string) => run.ask("PATCH", `${at}/pets/${pet}`, { status });
  await become(1, "sold");
  await page.getByRole("link", { name: "Pet 1" }).waitFor();

  await become(2, "sold");
  await run.ask("DELETE", `${at}/pets/2`);
  await become(1, "available");
  await become(1, "sold");
  await openView(`/accounts/${id}/orders`);
  const names = page.locator("tbody .lead");
  await page.getByText("Animal 2 (deleted)").waitFor();
  expect(await names.allInnerTexts()).toEqual(["Pet 1", "Animal 2 (deleted)", "Pet 1"]);
  await names.first().getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Pet 1" }).waitFor();
  await page.getByRole("button", { name: "More for Pet 1" }).click();
  await page.getByRole("menuitem", { name: "Show adoptions" }).click();
  await page.getByText("2 adoptions").waitFor();
  await page.getByText("Adoptions of Pet 1").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByText("3 adoptions").waitFor();
});

test("going back closes an unanswered confirmation", async () => {
  const { id } = await shelter();
  const { page } = await openView(`/accounts/${id}/overview`);
  await page.getByRole("link", { name: "Plan and settings" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Brightside" }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.goForward();
  await page.getByRole("button", { name: "Delete account" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("on a phone Escape closes the topmost layer first, and a menu moves with its row", async () => {
  const { id } = await shelter("available", "available", "available");
  const { page } = await openView(`/accounts/${id}/animals`);
  await page.setViewportSize({ width: 320, height: 640 });
  const focused = page.locator(":focus");
  await page.getByRole("button", { name: "Menu" }).press("Enter");
  const mine = page.getByRole("button", { name: operator.email });
  await mine.press("Enter");
  await page.getByRole("menuitem", { name: "Your profile" }).and(focused).waitFor();
  await page.keyboard.press("Escape");
  await mine.and(focused).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Menu" }).and(focused).waitFor();
  await mine.waitFor({ state: "hidden" });

  const dots = page.getByRole("button", { name: "More for Pet 2" });
  await dots.click();
  const menu = page.getByRole("menu", { name: "More for Pet 2" });
  await page.getByRole("menuitem", { name: "Edit" }).and(focused).waitFor();
  const apart = async () =>
    ((await menu.boundingBox())?.y ?? 0) - ((await dots.boundingBox())?.y ?? 0);
  const before = await apart();
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        window.addEventListener("scroll", resolve, { once: true });
        window.scrollBy(0, 40);
      }),
  );
  expect(await apart()).toBeCloseTo(before, 0);
  await page.setViewportSize({ width: DESK.width, height: 860 });
});

test("an address that begins with two slashes is read as if it had one", async () => {
  const { id } = await shelter();
  const { page, faults } = tab;
  const before = faults.length;
  await page.goto(`${run.origin}//accounts/${id}/animals?status=sold`);
  await page.getByRole("heading", { name: "Animals", level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/accounts/${id}/animals`);
  await page.goto(`${run.origin}//`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  // The address does not exist, and the response says so to programs.
  expect(faults.slice(before).filter((fault) => !/status of 404/.test(fault))).toEqual([]);
});

test("a page whose scripts do not load says what to do, in the language of the page", async () => {
  const { page } = await openView("/profile");
  await page.route("**/assets/main-*.js", (route) => route.abort());
  await page.reload();
  const english = page.getByText("This is taking longer than expected.");
  expect(await english.isVisible()).toBe(false);
  // Skips the ten seconds of waiting.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) {
        animation.finish();
      }
    }
  });
  await english.waitFor();
  expect(await page.getByText("Das dauert").isVisible()).toBe(false);
  await page.unroute("**/assets/main-*.js");
});

test("a view or a language that cannot be loaded says so, leaves the rest usable, and loads once it can", async () => {
  const { id } = await shelter();
  const { page } = tab;
  // Forgets the code of the views that earlier tests opened.
  await page.goto(`${run.origin}/accounts/${id}/overview`);
  await page.getByRole("heading", { level: 1, name: "Brightside" }).waitFor();
  const menu = page.getByRole("navigation", { name: "Main" });
  const language = page.getByRole("combobox", { name: "Language" });
  await page.route("**/assets/*.js", (route) => route.abort());
  await language.selectOption("de");
  await page.getByText("The service is unreachable.").waitFor();
  expect(await language.inputValue()).toBe("en");
  await menu.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { name: "Something went wrong" }).waitFor();
  await menu.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("heading", { level: 1, name: "Brightside" }).waitFor();
  await page.unroute("**/assets/*.js");

  // A view that is loading says so.
  const { promise: allowed, resolve: allow } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await allowed;
    await route.continue();
  });
  await menu.getByRole("link", { name: "Activity" }).click();
  await page.locator("main[aria-busy=true]").waitFor();
  allow();
  await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  await page.locator("main[aria-busy=false]").waitFor();
  await page.unroute("**/assets/*.js");

  await menu.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("button", { name: "Reload page" }).click();
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  expect(await language.inputValue()).toBe("en");
});
