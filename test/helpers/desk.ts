import { afterAll } from "bun:test";

import type { Browser, Locator, Page } from "playwright-core";

import { openBrowser, type Sight, type Tab } from "./browser.ts";
import { startDashboard, type DashboardRun } from "./dashboard.ts";

export const DESK: Sight = { width: 1280, scheme: "light" };

/** The dashboard of a new installation, and a browser, for the tests of a file. */
interface Office {
  readonly run: DashboardRun;
  readonly browser: Browser;
}

/** Starts the program with these options, and a browser. Both end after the file's tests. */
export async function openOffice(...args: readonly string[]): Promise<Office> {
  const opening = [startDashboard(...args), openBrowser()] as const;
  afterAll(async () => {
    const [run, browser] = await Promise.all(opening);
    await browser.close();
    await run[Symbol.asyncDispose]();
  });
  const [run, browser] = await Promise.all(opening);
  return { run, browser };
}

interface Desk extends Office {
  /** The operator's tab. */
  readonly tab: Tab;
  /** Opens a page in it, waits for its heading or for `shown`, and collects its faults from now on. */
  readonly openView: (path: string, shown?: (page: Page) => Locator) => Promise<View>;
}

interface View {
  readonly page: Page;
  readonly faults: () => readonly string[];
}

/** Starts the program and a browser, with one tab for all tests of a file: opening a tab takes longer than a test. */
export async function openDesk(...args: readonly string[]): Promise<Desk> {
  const { run, browser } = await openOffice(...args);
  const tab = await run.open(browser, DESK, "/profile");
  const openView: Desk["openView"] = async (
    path,
    shown = (page) => page.getByRole("heading", { level: 1 }),
  ) => {
    const { page, faults } = tab;
    const before = faults.length;
    await page.goto(run.origin + path);
    await shown(page).waitFor();
    return { page, faults: () => faults.slice(before) };
  };
  return { run, browser, tab, openView };
}

/** Opens another view as a link does, without loading the page, which takes several times as long. */
export async function follow(page: Page, view: string): Promise<void> {
  const before = await page.$("h1");
  await page.evaluate((path) => {
    history.pushState(null, "", path);
    dispatchEvent(new PopStateEvent("popstate"));
  }, view);
  await before?.waitForElementState("hidden");
}
