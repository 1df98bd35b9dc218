import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import type { Page } from "playwright-core";

import { barriers } from "./axe.ts";
import type { Sight } from "./browser.ts";
import { torture } from "./chance.ts";

const SCREENSHOTS = join(import.meta.dir, "../browser/screenshots");

/** Rules that depend on the size of the window or of text. */
export const SIZE_RULES: readonly string[] = ["target-size", "scrollable-region-focusable"];

interface Look {
  readonly sight: Sight;
  /** The rules to check; absent: all. */
  readonly rules?: readonly string[];
}

const LOOKS: readonly Look[] = torture
  ? [
      { sight: { width: 320, scheme: "light" } },
      { sight: { width: 1280, scheme: "light" } },
      { sight: { width: 320, scheme: "dark" }, rules: ["color-contrast"] },
      { sight: { width: 1280, scheme: "dark" }, rules: ["color-contrast"] },
    ]
  : [
      { sight: { width: 1280, scheme: "light" } },
      { sight: { width: 320, scheme: "dark" }, rules: ["color-contrast", ...SIZE_RULES] },
    ];

/**
 * Checks the page on phone and desktop, light and dark: all rules in each light window in the long form; in the short form
 * each rule once. The long form saves screenshots. Returns accessibility violations and widths at which the page overflows.
 */
export async function wrongIn(page: Page, name: string): Promise<readonly string[]> {
  await stopTransitions(page);
  const wrong: string[] = [];
  for (const { sight, rules } of LOOKS) {
    const { width, scheme } = sight;
    await page.setViewportSize({ width, height: width < 600 ? 640 : 860 });
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    const found = await barriers(page, rules === undefined ? {} : { rules });
    const label = `${width}-${scheme}`;
    wrong.push(...[...found, ...(await overflow(page))].map((one) => `${label}: ${one}`));
    if (!torture) continue;
    const path = join(SCREENSHOTS, `${name}-${label}.png`);
    await mkdir(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path, fullPage: name !== "docs" });
  }
  return wrong;
}

/** What a page of the reference or the help has many of, which look alike. */
const ALIKE: readonly string[] = [".operation", ".tag-summary", ".manual tbody tr"];

/** Removes four of five elements that look alike, except in the long form: the time of axe grows with the page. */
export async function thinOut(page: Page): Promise<void> {
  if (torture) return;
  await page.evaluate((selectors) => {
    for (const selector of selectors) {
      const alike = Array.from(document.querySelectorAll(selector));
      for (const [index, element] of alike.entries()) if (index % 5 !== 0) element.remove();
    }
  }, ALIKE);
}

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
