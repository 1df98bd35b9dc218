import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { openBrowser, openTab, type Tab } from "../helpers/browser.ts";
import { runSeed, torture } from "../helpers/chance.ts";
import { EXPECTED_FAULT, signedIn, signedOut, type View } from "../helpers/dashboard-views.ts";
import { startDashboard, type DashboardRun } from "../helpers/dashboard.ts";
import { DESK } from "../helpers/desk.ts";
import { answerLate, hasFont, openBrowserInOtherFonts, settled } from "../helpers/otherwise.ts";
import { richShelter, type RichShelter } from "../helpers/rich-shelter.ts";
import { overflow, shiftsOf, thinOut, watchShifts, wrongIn } from "../helpers/sights.ts";
import type { Shift } from "../helpers/sights.ts";

/** What a visitor's machine and network are like. */
interface Conditions {
  readonly name: string;
  readonly openBrowser: () => Promise<Browser>;
  /** Whether the browser has the font that the pages prefer. */
  readonly preferredFont: boolean;
  /** Prepares a tab. */
  readonly prepare: (page: Page) => Promise<void>;
  /** Waits until a view that shows its text is complete. */
  readonly complete: (page: Page) => Promise<void>;
  readonly shiftsTooMuch: (shifts: readonly Shift[]) => boolean;
}

/** The conditions of most visitors. */
const distant: Conditions = {
  name: "with other fonts and late responses",
  openBrowser: openBrowserInOtherFonts,
  preferredFont: false,
  prepare: (page) => answerLate(page, runSeed),
  complete: settled,
  // The largest sum that Web Vitals call good.
  shiftsTooMuch: (shifts) => shifts.reduce((sum, { value }) => sum + value, 0) > 0.1,
};

const near: Conditions = {
  name: "with the preferred fonts and prompt responses",
  openBrowser,
  preferredFont: true,
  prepare: async () => undefined,
  complete: async () => undefined,
  // More than a scroll bar causes.
  shiftsTooMuch: (shifts) => shifts.some(({ value }) => value > 0.02),
};

/** Tabs for the views that change nothing, because most of the time is waiting. */
const PARALLEL = 4;

let run: DashboardRun;
let shelter: RichShelter;

beforeAll(async () => {
  run = await startDashboard("--allow-private-networks", "--dns-servers", "127.0.0.1:9");
  shelter = await richShelter(run);
});

afterAll(async () => {
  await run?.[Symbol.asyncDispose]();
});

/** Returns the positions of a page's primary buttons, as distances from the right and top of the window. */
function primaryButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".shell main .button.primary")]
      .filter((button) => button.closest("dialog") === null)
      .map((button) => {
        const { right, top } = button.getBoundingClientRect();
        const place = button.closest(".page-head") === null ? "elsewhere" : "in the head";
        return `${place}, ${Math.round(innerWidth - right)} from the right, ${Math.round(top)} down`;
      }),
  );
}

/** What is wrong with a view, and where its primary button is. */
interface Finding {
  readonly wrong: readonly unknown[];
  readonly primary: readonly string[];
}

/** Loads a view and looks at it. */
async function lookAt(tab: Tab, view: View, { name, ...conditions }: Conditions): Promise<Finding> {
  const { page, faults, asked } = tab;
  const [faultsBefore, askedBefore] = [faults.length, asked.length];
  const address = new URL(view.path(shelter), run.origin);
  await page.setViewportSize({ width: DESK.width, height: 860 });
  await page.emulateMedia({ colorScheme: DESK.scheme, reducedMotion: null });
  // A change of the fragment alone would not load the page. Otherwise its process continues, which takes half the time.
  if (address.pathname === new URL(page.url()).pathname) await page.goto("about:blank");
  await page.goto(address.href);
  await page.getByText(view.shows).filter({ visible: true }).first().waitFor();
  await conditions.complete(page);
  const primary = await primaryButtons(page);
  const shifts = await shiftsOf(page);
  const wide = await overflow(page);
  await view.first?.(page);
  await thinOut(page);
  const pictures = conditions.preferredFont ? view.name : `${view.name}-distant`;
  const wrong = [
    // A view that something is done to is one of its address, whose shifts are those of another view.
    ...(view.first === undefined && conditions.shiftsTooMuch(shifts) ? shifts : []),
    ...(primary.length > 1 ? primary : []),
    ...wide,
    ...(await wrongIn(page, pictures)),
    ...faults.slice(faultsBefore).filter((fault) => !EXPECTED_FAULT.test(fault)),
    ...asked
      .slice(askedBefore)
      .filter((url) => !/^(?:about|blob|data):/.test(url) && new URL(url).origin !== run.origin),
  ];
  return { wrong: wrong.map((one) => ({ view: view.name, [name]: one })), primary };
}

describe.each([distant, ...(torture ? [near] : [])])("$name", (conditions) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await conditions.openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** Looks at views in several tabs. */
  async function lookAtAll(
    views: readonly View[],
    tabs: number,
    open: (browser: Browser) => Promise<Tab>,
  ): Promise<readonly Finding[]> {
    const waiting = [...views];
    const findings: Finding[] = [];
    const look = async (): Promise<void> => {
      await using tab = await open(browser);
      expect(await hasFont(tab.page, "Noto Sans")).toBe(conditions.preferredFont);
      await watchShifts(tab.page);
      await conditions.prepare(tab.page);
      for (let view = waiting.shift(); view !== undefined; view = waiting.shift()) {
        findings.push(await lookAt(tab, view, conditions));
      }
    };
    await Promise.all(Array.from({ length: Math.min(tabs, views.length) }, look));
    return findings;
  }

  test.each([
    [
      "an operator",
      signedIn,
      (other: Browser) => run.open(other, DESK, "/profile"),
      ["in the head, 53 from the right, 32 down"],
    ],
    ["a signed-out visitor", signedOut, (other: Browser) => openTab(other, DESK), []],
  ] as const)(
    "for %s every view is accessible, keeps its layout, fits a phone, asks no other server, and has its button in the usual place",
    async (_, views, open, places) => {
      const [untouched, touched] = [
        views.filter(({ first }) => first === undefined),
        views.filter(({ first }) => first !== undefined),
      ];
      const findings = [
        ...(await lookAtAll(untouched, PARALLEL, open)),
        // One after the other, because some change what the others show.
        ...(await lookAtAll(touched, 1, open)),
      ];
      const wrong = findings.flatMap((finding) => finding.wrong);
      expect({ seed: runSeed, wrong }).toEqual({ seed: runSeed, wrong: [] });
      expect([...new Set(findings.flatMap(({ primary }) => primary))]).toEqual([...places]);
    },
  );

  test("no page of the help or the reference is wider than a phone: wide content scrolls in its own box", async () => {
    await using tab = await openTab(browser, DESK);
    const { page } = tab;
    const hrefs: (string | null)[] = [];
    for (const start of ["/help", "/help/de"]) {
      await page.goto(run.origin + start);
      hrefs.push(
        ...(await page.evaluate(() =>
          [...document.querySelectorAll("a[href^='/help']")].map((link) =>
            link.getAttribute("href"),
          ),
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
});
