import {
  chromium,
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from "playwright-core";

/** A viewport and a color scheme. */
export interface Sight {
  readonly width: number;
  readonly scheme: "light" | "dark";
}

/** A tab and its errors. */
export interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** Policy violations and failed requests. */
  readonly faults: readonly string[];
  /** Every requested URL. */
  readonly asked: readonly string[];
}

/**
 * Disabled features of Chromium. The last such switch replaces earlier ones, so this list repeats those that Playwright
 * disables on Linux. Chromium ignores unknown names.
 */
const DISABLED_FEATURES: readonly string[] = [
  // Prerendering of the address bar's suggestions, which takes almost half of a short test's time.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  // Contacts external hosts.
  "AimEnabled",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PreconnectToSearch",
  // Upgrades http:// to https://.
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  // Interferes with tests that hold or abort requests.
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  // Not needed here.
  "LensOverlay",
  "MediaRouter",
];

/** Starts Chromium without its windows, which take a fifth of the CPU time. `flags` are passed on; `environment` is added to this process's. */
export function openBrowser(
  flags: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  return chromium.launch({
    env: { ...process.env, ...environment },
    executablePath: Bun.which("chromium-headless-shell") ?? "chromium-headless-shell",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      `--disable-features=${DISABLED_FEATURES.join(",")}`,
      ...flags,
    ],
  });
}

/** The limit of every wait: longer than a busy machine needs, shorter than a test's own limit, which has a worse message. */
const PATIENCE_MS = 60_000;

/** Opens a new tab without stored data. */
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

/** Gives a page an authenticator that approves every request, until the returned session is detached. */
export async function giveAuthenticator(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable", { enableUI: false });
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return devtools;
}
