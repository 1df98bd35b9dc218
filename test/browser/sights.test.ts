import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTab, type Tab } from "../helpers/browser.ts";
import { torture } from "../helpers/chance.ts";
import { EXPECTED_FAULT, signedIn, signedOut, type View } from "../helpers/dashboard-views.ts";
import { DESK, follow, openOffice } from "../helpers/desk.ts";
import { richShelter } from "../helpers/rich-shelter.ts";
import { overflow, shiftsOf, thinOut, watchShifts, wrongIn } from "../helpers/sights.ts";

/** The layout shift caused by a scroll bar. */
const TOLERANCE = 0.02;

const { run, browser } = await openOffice(
  ...["--allow-private-networks", "--dns-servers", "127.0.0.1:9"],
);
const shelter = await richShelter(run);

/** Tabs whose page shows an unchanged view, which a link can leave. */
const unchanged = new WeakSet<Tab>();

/**
 * Checks that a view is accessible, does not shift while it loads, and makes no requests to other origins. The short form
 * opens most views of the dashboard as links do, because late-responses.test.ts loads each of them.
 */
async function lookAt(tab: Tab, view: View): Promise<void> {
  const { name, path, shows, first } = view;
  const { page, faults, asked } = tab;
  const address = new URL(path(shelter), run.origin);
  const [faultsBefore, askedBefore] = [faults.length, asked.length];
  const isOther = address.pathname !== new URL(page.url()).pathname;
  const followed = !torture && isOther && unchanged.has(tab);
  await page.setViewportSize({ width: DESK.width, height: 860 });
  if (followed) await follow(page, address.pathname + address.search);
  else await load(tab, address);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  const shifts = followed ? [] : await shiftsOf(page);
  const moved = shifts.filter(({ value }) => value > TOLERANCE);
  await first?.(page);
  await thinOut(page);
  const { origin } = new URL(run.origin);
  const foreign = asked.slice(askedBefore).filter((url) => new URL(url).origin !== origin);
  expect({ moved, foreign, wrong: await wrongIn(page, name) }).toEqual({
    moved: [],
    foreign: [],
    wrong: [],
  });
  expect(faults.slice(faultsBefore).filter((fault) => !EXPECTED_FAULT.test(fault))).toEqual([]);
  if (signedIn.includes(view) && first === undefined) unchanged.add(tab);
  else unchanged.delete(tab);
}

async function load({ page }: Tab, address: URL): Promise<void> {
  // A change of the fragment alone would not load the page.
  if (address.hash !== "") await page.goto("about:blank");
  await page.goto(address.href);
}

describe.each([
  ["an operator", signedIn, () => run.open(browser, DESK, "/profile")],
  ["a signed-out visitor", signedOut, () => openTab(browser, DESK)],
] as const)("%s can use", (_, views, open) => {
  let tab: Tab;

  beforeAll(async () => {
    tab = await open();
    await watchShifts(tab.page);
  });

  afterAll(async () => {
    await tab[Symbol.asyncDispose]();
  });

  test.each(views.map((view) => [view.name, view] as const))("%s", (_name, view) =>
    lookAt(tab, view),
  );
});

test("no page of the help or the reference is wider than a phone: wide content scrolls in its own box", async () => {
  await using tab = await openTab(browser, DESK);
  const { page } = tab;
  const hrefs: (string | null)[] = [];
  for (const start of ["/help", "/help/de"]) {
    await page.goto(run.origin + start);
    hrefs.push(
      ...(await page.evaluate(() =>
        [...document.querySelectorAll("a[href^='/help']")].map((link) => link.getAttribute("href")),
      )),
    );
  }
  const paths = new Set(hrefs.map((href) => (href ?? "").replace(/[#?].*/, "")));
  expect(paths.size).toBeGreaterThan(14);
  // The largest pages.
  for (const group of ["", "/animals", "/domains", "/webhook-messages"])
    paths.add(`/docs/management${group}`);
  paths.add("/docs");
  const wide: string[] = [];
  for (const path of paths) {
    await page.goto(run.origin + path);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 });
      wide.push(...(await overflow(page)).map((one) => `${path} at ${width}: ${one}`));
    }
  }
  expect(wide).toEqual([]);
});
