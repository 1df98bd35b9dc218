import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

/** How a page is looked at. */
export interface Sight {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** On a phone and on a desk, by day and by night. */
export const sights: readonly Sight[] = [320, 1280].flatMap((width) =>
  (["light", "dark"] as const).map((scheme) => ({ width, scheme })),
);

/** A tab, and what went wrong in it. */
export interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** What the page was not allowed to do, and what it failed to get. */
  readonly faults: readonly string[];
  /** Every address that it asked for. */
  readonly asked: readonly string[];
}

/**
 * What Chromium is not to do. The last such switch replaces those before it, so that what Playwright turns off on
 * Linux is named once more; a version of Chromium that lacks one ignores its name.
 */
const DISABLED_FEATURES: readonly string[] = [
  // What the address bar would suggest is drawn ahead for each window: almost half of the work of a short test.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // It would ask hosts outside.
  "AimEnabled",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
  // It would take http:// for https://.
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  // It comes between a page and a test that holds its requests or closes it.
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  // Nothing here needs it.
  "LensOverlay",
  "MediaRouter",
];

/** `flags` are Chromium's own; `environment` is added to ours. */
export function openBrowser(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  return chromium.launch({
    env: { ...process.env, ...environment },
    executablePath: Bun.which("chromium") ?? "chromium",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      `--disable-features=${DISABLED_FEATURES.join(",")}`,
      ...flags,
    ],
  });
}

/** For whatever a test waits for: more than a busy machine needs, and less than a test has, which says then what did not come. */
const PATIENCE_MS = 60_000;

/** Returns a tab of its own, with nothing remembered. */
export async function openTab(browser: Browser, { width, scheme }: Sight): Promise<Tab> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: width < 600 ? 640 : 860 },
    colorScheme: scheme,
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  return { page, faults, asked, [Symbol.asyncDispose]: () => context.close() };
}
