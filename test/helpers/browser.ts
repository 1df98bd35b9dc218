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

/** `flags` are Chromium's own. */
export function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: Bun.which("chromium") ?? "chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", ...flags],
  });
}

/** A tab of its own, with nothing remembered. */
export async function openTab(browser: Browser, { width, scheme }: Sight): Promise<Tab> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: width < 600 ? 640 : 860 },
    colorScheme: scheme,
    deviceScaleFactor: 1,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  return { page, faults, asked, [Symbol.asyncDispose]: () => context.close() };
}
