import { afterAll, beforeAll, expect, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { openTab, type Sight } from "../helpers/browser.ts";
import { runSeed } from "../helpers/chance.ts";
import { EXPECTED_FAULT, signedIn, signedOut, type View } from "../helpers/dashboard-views.ts";
import { startDashboard, type DashboardRun } from "../helpers/dashboard.ts";
import { answerLate, hasFont, openBrowserInOtherFonts, settled } from "../helpers/otherwise.ts";
import { richShelter, type RichShelter } from "../helpers/rich-shelter.ts";
import { overflow, shiftsOf, SIZE_RULES, thinOut, watchShifts } from "../helpers/sights.ts";

const DESK: Sight = { width: 1280, scheme: "light" };

let browser: Browser;
let run: DashboardRun;
let shelter: RichShelter;

beforeAll(async () => {
  [browser, run] = await Promise.all([
    openBrowserInOtherFonts(),
    startDashboard("--allow-private-networks", "--dns-servers", "127.0.0.1:9"),
  ]);
  shelter = await richShelter(run);
});

afterAll(async () => {
  await browser?.close();
  await run?.[Symbol.asyncDispose]();
});

/** Returns one view for each address. */
function onePerAddress(views: readonly View[]): readonly View[] {
  return [...new Map(views.map((view) => [view.path(shelter), view])).values()];
}

/** The largest total layout shift that Web Vitals call good. */
const GOOD = 0.1;
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

/** Views checked in parallel, because most of the time is waiting. */
const PARALLEL = 4;

test.each([
  [
    "an operator",
    signedIn,
    (other: Browser) => run.open(other, DESK, "/profile"),
    ["in the head, 53 from the right, 32 down"],
  ],
  ["a signed-out visitor", signedOut, (other: Browser) => openTab(other, DESK), []],
] as const)(
  "for %s every view keeps its layout with other fonts and late responses, and its button is in the usual place",
  async (_, views, open, shown) => {
    const wrong: unknown[] = [];
    const places = new Set<string>();
    const waiting = [...onePerAddress(views)];
    const look = async (): Promise<void> => {
      await using tab = await open(browser);
      const { page, faults } = tab;
      expect(await hasFont(page, "Noto Sans")).toBe(false);
      await watchShifts(page);
      await answerLate(page, runSeed);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { name, path, shows } = next;
        const before = faults.length;
        const address = new URL(path(shelter), run.origin);
        // A change of the fragment alone would not load the page. Otherwise its process continues, which takes half the time.
        if (address.pathname === new URL(page.url()).pathname) await page.goto("about:blank");
        await page.goto(address.href);
        await page.getByText(shows).filter({ visible: true }).first().waitFor();
        await settled(page);
        const primary = await primaryButtons(page);
        for (const place of primary) places.add(place);
        const shifts = await shiftsOf(page);
        const moved = shifts.reduce((sum, { value }) => sum + value, 0);
        const said = faults.slice(before).filter((fault) => !EXPECTED_FAULT.test(fault));
        const wide = await overflow(page);
        await thinOut(page);
        const tight = await barriers(page, { rules: SIZE_RULES });
        const out = [...said, ...tight, ...wide];
        if (moved > GOOD || out.length > 0 || primary.length > 1) {
          wrong.push({ name, moved, shifts, out, primary });
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, look));
    expect({ seed: runSeed, wrong }).toEqual({ seed: runSeed, wrong: [] });
    expect([...places]).toEqual([...shown]);
  },
);
