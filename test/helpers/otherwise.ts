import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { openBrowser } from "./browser.ts";

/** Returns a browser that has every font of the machine but those that the pages ask for first, as most machines do. */
export function openBrowserInOtherFonts(): Promise<Browser> {
  return openBrowser([], { FONTCONFIG_FILE: join(import.meta.dir, "other-fonts.conf") });
}

/** Returns whether a page can have that font: text in it is as wide as in what stands in for it, where it cannot. */
export function hasFont(page: Page, family: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const context = document.createElement("canvas").getContext("2d");
    const widthIn = (font) => ((context.font = "40px " + font), context.measureText("Wile i").width);
    return widthIn('"${family}", monospace') !== widthIn("monospace");
  })()`);
}

/** Longer than a server beside the browser ever takes, and no longer than one far away often does. */
const LATEST_MS = 500;

/**
 * From now on each answer to a view comes late, the same way for the same seed and address. It is done in the page:
 * to hold requests outside of it is work for each of them.
 */
export async function answerLate(page: Page, seed: number): Promise<void> {
  await page.addInitScript(`{
    let state = [...location.pathname].reduce((sum, one) => sum * 31 + one.charCodeAt(0), ${seed}) >>> 0;
    // mulberry32
    const chance = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const soon = globalThis.fetch;
    globalThis.underWay = 0;
    globalThis.fetch = async (...asked) => {
      globalThis.underWay++;
      try {
        const answer = await soon(...asked);
        await new Promise((resolve) => setTimeout(resolve, chance() * ${LATEST_MS}));
        return answer;
      } finally {
        // What follows from an answer is asked before it counts as come.
        setTimeout(() => globalThis.underWay--, 50);
      }
    };
  }`);
}

/** Waits until every answer has come, and what came has been drawn. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (globalThis.underWay === 0 ? requestAnimationFrame(() => resolve()) : setTimeout(look, 20));
    look();
  })`);
}
