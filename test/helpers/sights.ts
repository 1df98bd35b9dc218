import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { barriers } from "./axe.ts";
import { sights } from "./browser.ts";

const SCREENSHOTS = join(import.meta.dir, "../browser/screenshots");

/**
 * Checks the page on phone and desktop, light and dark, and saves screenshots. Returns accessibility violations and
 * widths at which the page overflows.
 */
export async function wrongIn(
  page: Page,
  name: string,
  {
    text = false,
  }: {
    /** True for a page of plain text: axe checks it only once per scheme. */
    readonly text?: boolean;
  } = {},
): Promise<readonly string[]> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await stopTransitions(page);
  const wrong: string[] = [];
  for (const { width, scheme } of sights) {
    await page.setViewportSize({ width, height: width < 600 ? 640 : 860 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    // In the dark scheme only the colors differ.
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

/** Screenshots take as long as all the rest, so two cover both widths and both schemes. */
const PICTURED: readonly string[] = ["1280-light", "320-dark"];

/** Disables color transitions. */
function stopTransitions(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, ::before, ::after { transition-property: none !important }");
    document.adoptedStyleSheets.push(sheet);
  });
}

/** Returns by how much the page overflows the window, if it does. */
export async function overflow(page: Page): Promise<readonly string[]> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  return wide > 0 ? [`${wide} px wider than the window`] : [];
}

/** Records layout shifts that the user did not cause. */
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
  /** The layout shift score; Web Vitals call a sum of up to 0.1 good. */
  readonly value: number;
  readonly moved: readonly string[];
}

/** Returns the layout shifts since the page loaded. */
export function shiftsOf(page: Page): Promise<readonly Shift[]> {
  return page.evaluate<readonly Shift[]>("globalThis.shifts");
}
