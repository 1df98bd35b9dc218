import { expect, test } from "bun:test";
import { hostname } from "node:os";

import type { Page } from "playwright-core";

import { openTab, type Sight } from "../helpers/browser.ts";
import { operator } from "../helpers/dashboard.ts";
import { follow, openOffice } from "../helpers/desk.ts";
import { speakPseudo, strayTexts } from "../helpers/pseudo-locale.ts";

const PHONE: Sight = { width: 320, scheme: "light" };

interface Sample {
  readonly account: { readonly id: string };
  readonly project: { readonly slug: string };
}

interface Views {
  readonly signedIn: readonly string[];
  readonly signedOut: readonly string[];
  /** Signed-in views whose primary button opens a dialog. */
  readonly withDialog: readonly string[];
}

const { run, browser } = await openOffice(
  ...["--allow-private-networks", "--dns-servers", "127.0.0.1:9"],
);
const views = await openViews();

/** Creates an example of everything, and returns the views of it. */
async function openViews(): Promise<Views> {
  const { account, project } = await run.ask<Sample>("POST", "/accounts/sample");
  const own = `/accounts/${account.id}`;
  const site = `/projects/${project.slug}`;
  const { key } = await run.ask<{ readonly key: string }>("POST", `${own}/keys`, { name: "k1" });
  await fetch(`${run.origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } });
  await run.ask("DELETE", `${own}/production/pets/1`);
  await run.ask("POST", `${own}/tokens`, { name: "k1", role: "staff" });
  await run.ask("POST", `${site}/domains`, { domain: "pets.shelter.org" });
  const shared = await run.ask<{ readonly token: string }>(
    "POST",
    `${site}/domains/pets.shelter.org/share`,
    {},
  );
  // A deploy that can be published, because its row has the most buttons.
  await run.ask("POST", `${site}/deploys`, { source: "starter", activate: false });
  const member = { email: "ada@example.org", name: "Ada" };
  const { link } = await run.ask<{ readonly link: { readonly url: string } }>(
    "POST",
    `${own}/members`,
    { ...member, role: "staff" },
  );
  const withDialog = [
    ...["animals", "categories", "keys", "people", "projects", "webhooks"].map(
      (view) => `${own}/${view}`,
    ),
    ...["/accounts", `${site}/domains`],
  ];
  return {
    signedIn: [
      ...["overview", "deleted", "import", "orders", "usage", "activity", "requests"].map(
        (view) => `${own}/${view}`,
      ),
      ...[own, "/system", "/profile", "/nowhere"],
      ...[site, `${site}/site`, `${site}/settings`, `${site}/domains/pets.shelter.org`],
      ...withDialog,
    ],
    // No path follows itself: a change of the fragment alone would open nothing.
    signedOut: [
      ...["/sign-in", "/setup", "/reset", "/share"],
      ...[link.url.slice(run.origin.length), `/share#${shared.token}`],
    ],
    withDialog,
  };
}

test("every text is translated, and fits on a phone at one and a half times its length, in every view, in the dialogs, and before sign-in", async () => {
  await using tab = await openTab(browser, PHONE);
  const { page } = tab;
  await speakPseudo(page);
  const amiss: Record<string, readonly string[]> = {};
  for (const view of views.signedOut) {
    if (view === views.signedOut[0]) await page.goto(run.origin + view);
    else await follow(page, view);
    const found = await defectsIn(page);
    if (found.length > 0) amiss[view] = found;
  }
  await run.signIn(tab, operator, "/profile");
  await page.locator("h1").waitFor();
  for (const view of views.signedIn) {
    await follow(page, view);
    const found = await defectsIn(page);
    if (views.withDialog.includes(view)) {
      const primary = page.locator("main button.primary");
      const any = page.locator("main button.button");
      await ((await primary.count()) > 0 ? primary : any).first().click();
      await page.getByRole("dialog").waitFor();
      found.push(...(await defectsOn(page)));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    if (found.length > 0) amiss[view] = found;
  }
  expect(amiss).toEqual({});
}, 600_000);

/** Waits until the view is loaded. */
async function defectsIn(page: Page): Promise<string[]> {
  await page.locator("h1").first().waitFor();
  await page.locator(".bone").first().waitFor({ state: "detached" });
  return defectsOn(page);
}

/** Returns texts that are in no catalogue, and elements that overflow the page. */
async function defectsOn(page: Page): Promise<string[]> {
  const stray = await strayTexts(page, isData);
  return [...stray, ...(await overflowing(page)), ...(await cutInTables(page))];
}

/** Returns elements beyond the right edge of a page that is wider than its window. */
function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return Array.from(document.querySelectorAll("main *"))
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

/** Returns controls to the left of their table, which scrolling cannot reach. */
function cutInTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("main .table-wrap")).flatMap((wrap) => {
      const { left } = wrap.getBoundingClientRect();
      return Array.from(wrap.querySelectorAll("a, button, .badge"))
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().left < left)
        .map((one) => `cut: ${one.outerHTML.slice(0, 120)}`);
    }),
  );
}

/** Without `node-name`, a node is named after its host. */
const isData = (text: string): boolean =>
  text === hostname() || DATA.test(text) || ANIMALS.has(text);

/** User input, numbers, and names that are the same in every language. */
const DATA = new RegExp(
  `^(?:${[
    "Sample shelter|Olga|Ada|k1|A|AAAA|CNAME|TXT",
    String.raw`Bun/[\d.]+`,
    String.raw`Mozilla/5\.0 .*`,
    String.raw`[\d.,\s]+(?:kB|MB|GB)?`,
    String.raw`[\w.-]+@[\w.-]+`,
    String.raw`(?:[\w-]+\.)+[\w-]+(?::\d+)?`,
    String.raw`(?:[A-Z][a-z]{2} \d{1,2}, \d{4}(?:, )?)?(?:\d{1,2}:\d\d\s[AP]M)?`,
  ].join("|")})$`,
);

/** Names in the sample shelter. */
const ANIMALS: ReadonlySet<string> = new Set([
  ..."Sheldon Pearl Kiwi Cleo Pippa Hubert Otto Shadow Clover Skye Mimi Bruno".split(" "),
  ..."Dogs Cats Other Birds".split(" "),
  "Small animals",
]);
