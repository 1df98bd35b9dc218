import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { barriers } from "./axe.ts";
import { sights } from "./browser.ts";

const SCREENSHOTS = join(import.meta.dir, "../browser/screenshots");

/**
 * Looks at what the page shows on a phone and on a desk, by day and by night, and keeps pictures. Gives what keeps
 * people out there, and where it is wider than the window.
 */
export async function wrongIn(
  page: Page,
  name: string,
  {
    text = false,
  }: {
    /** The page is nothing but a long text, the same at every width: axe reads it once by day and once by night. */
    readonly text?: boolean;
  } = {},
): Promise<readonly string[]> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await stopTransitions(page);
  const wrong: string[] = [];
  for (const { width, scheme } of sights) {
    await page.setViewportSize({ width, height: width < 600 ? 640 : 860 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    // By night nothing but the colours is another.
    const sight = `${width}-${scheme}`;
    const rules = scheme === "dark" ? { rules: ["color-contrast"] } : {};
    const found = text && !PICTURED.includes(sight) ? [] : await barriers(page, rules);
    wrong.push(...[...found, ...(await overflow(page))].map((one) => `${sight}: ${one}`));
    if (!PICTURED.includes(sight)) continue;
    const path = join(SCREENSHOTS, `${name}-${sight}.png`);
    await page.screenshot({ path, fullPage: name !== "docs" });
  }
  return wrong;
}

/** Pictures take as long as all the rest: two show both widths and both schemes. */
const PICTURED: readonly string[] = ["1280-light", "320-dark"];

/** Lets colours be others at once, instead of on their way to it. */
function stopTransitions(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition-property: none !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** By how much the page is wider than the window, where it is. */
export async function overflow(page: Page): Promise<readonly string[]> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return wide > 0 ? [`${wide} px wider than the window`] : [];
}

/** From now on the page writes down whenever what it has shown moves without anybody asking for it. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(
    `globalThis.shifts = [];
     const told = (node) => node === null ? "gone" : node.nodeName + " " + (node.textContent ?? "").slice(0, 40);
     new PerformanceObserver((list) => {
       for (const { value, sources, hadRecentInput } of list.getEntries()) {
         if (!hadRecentInput) globalThis.shifts.push({ value, moved: sources.map(({ node }) => told(node)) });
       }
     }).observe({ type: "layout-shift", buffered: true });`,
  );
}

export interface Shift {
  /** The share of the window that moved, times how far: Web Vitals call a sum of up to 0.1 good. */
  readonly value: number;
  readonly moved: readonly string[];
}

/** What has moved since the page was loaded. */
export function shiftsOf(page: Page): Promise<readonly Shift[]> {
  return page.evaluate<readonly Shift[]>("globalThis.shifts");
}
