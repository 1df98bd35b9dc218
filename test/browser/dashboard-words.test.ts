import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Browser } from "playwright-core";

import { openBrowser } from "../helpers/browser.ts";
import { operator, startDashboard, type DashboardRun } from "../helpers/dashboard.ts";
import { speakPseudo, strayTexts } from "../helpers/pseudo-locale.ts";

interface Sample {
  readonly account: { readonly id: string };
  readonly project: { readonly slug: string };
}

let browser: Browser;
let run: DashboardRun;
let views: readonly string[];

beforeAll(async () => {
  [browser, run] = await Promise.all([
    openBrowser(),
    startDashboard("--allow-private-networks", "--dns-servers", "127.0.0.1:9"),
  ]);
  const { account, project } = await run.ask<Sample>("POST", "/accounts/sample");
  await run.ask("POST", `/accounts/${account.id}/keys`, { environment: "production", name: "k1" });
  await run.ask("POST", `/projects/${project.slug}/domains`, { domain: "pets.shelter.org" });
  const own = `/accounts/${account.id}`;
  const site = `/projects/${project.slug}`;
  views = [
    ...["overview", "animals", "categories", "import", "orders", "keys", "usage", "people"].map(
      (view) => `${own}/${view}`,
    ),
    ...[own, `${own}/projects`, "/accounts", "/system", "/profile", "/nowhere"],
    ...[site, `${site}/settings`, `${site}/domains`, `${site}/domains/pets.shelter.org`],
  ];
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await run?.[Symbol.asyncDispose]();
});

test("every word of every view comes from the catalogue, and one and a half times as long still fits on a phone", async () => {
  await using tab = await run.open(browser, { width: 320, scheme: "light" });
  const { page } = tab;
  await speakPseudo(page);
  const stray: Record<string, readonly string[]> = {};
  const wide: Record<string, number> = {};
  for (const view of views) {
    await page.goto(run.origin + view);
    await page.locator("h1").first().waitFor();
    await page.locator(".bone").first().waitFor({ state: "detached" });
    const texts = await strayTexts(page, isData);
    if (texts.length > 0) stray[view] = texts;
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 320) wide[view] = width;
  }
  expect({ stray, wide }).toEqual({ stray: {}, wide: {} });
}, 90_000);

/** What people typed, what is counted, and what is called the same everywhere. */
const DATA =
  /^(?:Sample shelter|Olga|English|Deutsch|k1|A|AAAA|CNAME|TXT|[\d.,\s]+(?:kB|MB|GB)?|[\w.-]+@[\w.-]+|(?:[\w-]+\.)+[\w-]+(?::\d+)?)$/;

function isData(text: string): boolean {
  return DATA.test(text) || text === operator.email || ANIMALS.has(text);
}

/** Of the sample shelter. */
const ANIMALS: ReadonlySet<string> = new Set([
  ..."Sheldon Pearl Kiwi Cleo Pippa Hubert Otto Shadow Clover Skye Mimi Bruno".split(" "),
  ..."Dogs Cats Other Birds".split(" "),
  "Small animals",
]);
