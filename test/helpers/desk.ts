import { afterAll } from "bun:test";

import type { Browser, Locator, Page } from "playwright-core";

import { openBrowser, type Sight, type Tab } from "./browser.ts";
import { startDashboard, type DashboardRun } from "./dashboard.ts";

export const DESK: Sight = { width: 1280, scheme: "light" };

/** Paths of the accounts, which the dashboard loads once. */
const ACCOUNTS = /^\/accounts(?:\/\w+(?:\/(?:suspend|resume))?)?$/;

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
  /**
   * Opens a view in it, waits for its heading or for `shown`, and collects its faults from now on. Opens it as a link does,
   * without loading the page, unless the tab shows another document, or a dialog, a toast or unsaved changes are left there.
   */
  readonly openView: (path: string, shown?: (page: Page) => Locator) => Promise<View>;
}

interface View {
  readonly page: Page;
  readonly faults: () => readonly string[];
}

/** Starts the program and a browser, with one tab for all tests of a file: opening a tab takes longer than a test. */
export async function openDesk(...args: readonly string[]): Promise<Desk> {
  const { run: office, browser } = await openOffice(...args);
  let areAccountsStale = false;
  const ask: DashboardRun["ask"] = (method, path, body) => {
    areAccountsStale ||= method !== "GET" && ACCOUNTS.test(path);
    return office.ask(method, path, body);
  };
  const run = { ...office, ask };
  const tab = await run.open(browser, DESK, "/profile");
  const openView: Desk["openView"] = async (
    path,
    shown = (page) => page.getByRole("heading", { level: 1 }),
  ) => {
    const { page, faults } = tab;
    const before = faults.length;
    const isHere = new URL(page.url()).pathname === path.replace(/\?.*/, "");
    if (!(await isClear(page))) await page.goto(run.origin + path);
    else if (isHere || areAccountsStale) await followAnew(page, path);
    else await follow(page, path);
    areAccountsStale = false;
    await shown(page).waitFor();
    return { page, faults: () => faults.slice(before) };
  };
  return { run, browser, tab, openView };
}

/** Returns true if the tab shows the dashboard, and nothing that asks to stay or outlives the view. */
function isClear(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      document.querySelector(".shell h1") !== null &&
      document.querySelector("dialog[open], :popover-open, .toast") === null &&
      dispatchEvent(new Event("beforeunload", { cancelable: true })),
  );
}

/** Opens a view by way of a page for signed-out users: after it, the dashboard loads the accounts and draws everything anew. */
async function followAnew(page: Page, view: string): Promise<void> {
  const accounts = page.waitForResponse(/\/manage\/v1\/accounts\?/);
  await follow(page, "/reset");
  await (await accounts).finished();
  await follow(page, view);
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
