import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Browser, Page } from "playwright-core";

import { barriers } from "../helpers/axe.ts";
import { openBrowser, openTab, type Sight, type Tab } from "../helpers/browser.ts";
import { runSeed } from "../helpers/chance.ts";
import { startDashboard, type DashboardRun } from "../helpers/dashboard.ts";
import { answerLate, hasFont, openBrowserInOtherFonts, settled } from "../helpers/otherwise.ts";
import { DOMAIN, richShelter, type RichShelter } from "../helpers/rich-shelter.ts";
import { overflow, shiftsOf, watchShifts, wrongIn } from "../helpers/sights.ts";

const DESK: Sight = { width: 1280, scheme: "light" };
/** Console messages of a request that is refused before sign-in, and of a missing page. */
const EXPECTED = /status of 40[14]/;

/** The layout shift caused by a scroll bar. */
const TOLERANCE = 0.02;

let browser: Browser;
let inOtherFonts: Browser;
let run: DashboardRun;
let shelter: RichShelter;

beforeAll(async () => {
  [browser, inOtherFonts, run] = await Promise.all([
    openBrowser(),
    openBrowserInOtherFonts(),
    startDashboard("--allow-private-networks", "--dns-servers", "127.0.0.1:9"),
  ]);
  shelter = await richShelter(run);
}, 120_000);

afterAll(async () => {
  await Promise.all([browser?.close(), inOtherFonts?.close()]);
  await run?.[Symbol.asyncDispose]();
});

interface View {
  readonly name: string;
  readonly path: () => string;
  /** A text that is visible once the view is loaded. */
  readonly shows: string | RegExp;
  /** The view is a long text. */
  readonly text?: boolean;
  /** Runs before the checks. */
  readonly first?: (page: Page) => Promise<unknown>;
}

const inAccount = (
  name: string,
  view: string,
  shows: View["shows"],
  first?: View["first"],
): View => ({
  name,
  path: () => `${shelter.account}${view}`,
  shows,
  ...(first === undefined ? {} : { first }),
});
const empty = (view: string, shows: string): View => ({
  name: `empty-${view}`,
  path: () => `${shelter.empty}/${view}`,
  shows,
});
const inProject = (
  name: string,
  view: string,
  shows: View["shows"],
  first?: View["first"],
): View => ({
  ...inAccount(name, "", shows, first),
  path: () => `${shelter.project}${view}`,
});
const press = (name: string) => (page: Page) => page.getByRole("button", { name }).first().click();
const dialog = (name: string) => async (page: Page) => {
  await press(name)(page);
  await page.getByRole("dialog").waitFor();
};

async function previewFile(page: Page): Promise<void> {
  const buffer = Buffer.from("name,category\nRex,dogs\nHoppel,Hamsters\n,Cats\n");
  await page.setInputFiles("input[type=file]", { name: "a.csv", mimeType: "text/csv", buffer });
  await page.getByRole("region", { name: "Preview" }).waitFor();
}

const signedIn: readonly View[] = [
  inAccount("overview", "/overview", /^\d+ of 10,000 daily requests used$/),
  inAccount("animals", "/animals", /^\d+ animals$/),
  inAccount("animals-add", "/animals", /^\d+ animals$/, dialog("Add animal")),
  inAccount("animals-change", "/animals?animal=2", "Save"),
  inAccount("categories", "/categories", "Other"),
  inAccount("deleted", "/deleted", "Gone"),
  inAccount("import", "/import", "Choose file"),
  inAccount("import-preview", "/import", "Choose file", previewFile),
  inAccount("import-done", "/import", "Choose file", async (page) => {
    await previewFile(page);
    await press("Add 2 animals")(page);
    await page.getByText("2 animals added").waitFor();
  }),
  inAccount("orders", "/orders", /^\d+ adoptions?$/),
  inAccount("keys", "/keys", "greedy"),
  inAccount("keys-create", "/keys", "greedy", dialog("Create key")),
  inAccount("keys-issued", "/keys", "greedy", async (page) => {
    await dialog("Create key")(page);
    await page.getByLabel("Name", { exact: true }).fill("app");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your new API key" }).waitFor();
  }),
  inAccount("usage", "/usage", "Show as table", (page) => page.getByRole("slider").waitFor()),
  inAccount("people", "/people", "a.very.long.name.of.somebody@shelter.example"),
  inAccount("people-add", "/people", "Invited", dialog("Add person")),
  inAccount("projects", "/projects", /You can restore it until/),
  inAccount("projects-add", "/projects", /You can restore it until/, dialog("Create project")),
  inAccount("account", "", "nightly import"),
  inProject("deploys", "", "Pinned"),
  inProject("deploys-refused", "", "Pinned", async (page) => {
    const file = { name: "a.tgz", mimeType: "application/gzip", buffer: Buffer.from("no archive") };
    await page.setInputFiles("input[accept]", file);
    await page.getByRole("button", { name: "Upload site" }).click();
    await page.getByRole("alert").waitFor();
  }),
  inProject("project-settings", "/settings", "Delete project"),
  inProject("domains", "/domains", DOMAIN),
  inProject("domains-add", "/domains", DOMAIN, async (page) => {
    await dialog("Add domain")(page);
    await page.getByLabel("Domain or subdomain").fill("www.shelter.org");
    await page.getByText("DNS is ready.").or(page.getByText("did not respond")).first().waitFor();
  }),
  inProject("domain", `/domains/${DOMAIN}`, "Timeline"),
  empty("overview", "The account was created"),
  empty("animals", "No animals yet"),
  empty("orders", "No adoptions yet"),
  empty("keys", "No production keys yet"),
  empty("usage", "No requests yet"),
  empty("people", "No people yet"),
  empty("projects", "No projects yet"),
  { name: "accounts", path: () => "/accounts", shows: "Asleep" },
  {
    name: "accounts-add",
    path: () => "/accounts",
    shows: "Asleep",
    first: dialog("Create account"),
  },
  { name: "system", path: () => "/system", shows: "Database" },
  { name: "profile", path: () => "/profile", shows: "This browser" },
  { name: "not-found", path: () => "/nowhere", shows: "Page not found" },
];

const signedOut: readonly View[] = [
  { name: "sign-in", path: () => "/sign-in", shows: "Forgot your password?" },
  { name: "reset", path: () => shelter.link, shows: "Welcome, Ursula." },
  { name: "reset-over", path: () => "/reset#pet_reset_nonsense", shows: /no longer valid/ },
  { name: "setup-no-link", path: () => "/setup", shows: "This page needs a setup link" },
  { name: "docs", path: () => "/docs", shows: "List animals", text: true },
  { name: "help", path: () => "/help", shows: "Operating" },
  { name: "help-page", path: () => "/help/operating", shows: "Starting", text: true },
];

/** Returns one view for each address. */
function onePerAddress(views: readonly View[]): readonly View[] {
  return [...new Map(views.map((view) => [view.path(), view])).values()];
}

/** Checks that a view is accessible, does not shift while it loads, and makes no requests to other origins. */
async function lookAt(tab: Tab, { name, path, shows, text = false, first }: View): Promise<void> {
  const { page, faults, asked } = tab;
  const address = new URL(path(), run.origin);
  // A change of the fragment alone would not load the page.
  if (address.hash !== "") await page.goto("about:blank");
  await page.setViewportSize({ width: DESK.width, height: 860 });
  const [faultsBefore, askedBefore] = [faults.length, asked.length];
  await page.goto(address.href);
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  const moved = (await shiftsOf(page)).filter(({ value }) => value > TOLERANCE);
  await first?.(page);
  const { origin } = new URL(run.origin);
  const foreign = asked.slice(askedBefore).filter((url) => new URL(url).origin !== origin);
  expect({ moved, foreign, wrong: await wrongIn(page, name, { text }) }).toEqual({
    moved: [],
    foreign: [],
    wrong: [],
  });
  expect(faults.slice(faultsBefore).filter((fault) => !EXPECTED.test(fault))).toEqual([]);
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

  test.each(views.map((view) => [view.name, view] as const))(
    "%s",
    (_name, view) => lookAt(tab, view),
    120_000,
  );
});

test("no page of the help or the reference is wider than a phone: wide content scrolls in its own box", async () => {
  await using tab = await openTab(browser, DESK);
  const { page } = tab;
  await page.goto(`${run.origin}/help`);
  const hrefs = await page.evaluate(() =>
    [...document.querySelectorAll("a[href^='/help']")].map((link) => link.getAttribute("href")),
  );
  const paths = new Set(hrefs.map((href) => (href ?? "").replace(/#.*/, "")));
  expect(paths.size).toBeGreaterThan(8);
  const wide: string[] = [];
  for (const path of [...paths, "/docs"]) {
    await page.goto(run.origin + path);
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 });
      wide.push(...(await overflow(page)).map((one) => `${path} at ${width}: ${one}`));
    }
  }
  expect(wide).toEqual([]);
}, 120_000);

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
      await using tab = await open(inOtherFonts);
      const { page, faults } = tab;
      expect(await hasFont(page, "Noto Sans")).toBe(false);
      await watchShifts(page);
      await answerLate(page, runSeed);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { name, path, shows } = next;
        const before = faults.length;
        await page.goto("about:blank");
        await page.goto(new URL(path(), run.origin).href);
        await page.getByText(shows).filter({ visible: true }).first().waitFor();
        await settled(page);
        const primary = await primaryButtons(page);
        for (const place of primary) places.add(place);
        const shifts = await shiftsOf(page);
        const moved = shifts.reduce((sum, { value }) => sum + value, 0);
        const said = faults.slice(before).filter((fault) => !EXPECTED.test(fault));
        // Of axe's rules, only these depend on the size of text.
        const tight = await barriers(page, {
          rules: ["target-size", "scrollable-region-focusable"],
        });
        const out = [...said, ...tight, ...(await overflow(page))];
        if (moved > GOOD || out.length > 0 || primary.length > 1) {
          wrong.push({ name, moved, shifts, out, primary });
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, look));
    expect({ seed: runSeed, wrong }).toEqual({ seed: runSeed, wrong: [] });
    expect([...places]).toEqual([...shown]);
  },
  120_000,
);
