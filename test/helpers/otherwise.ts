import { join } from "node:path";

import type { Browser, Page } from "playwright-core";

import { openBrowser } from "./browser.ts";

/** Opens a browser without the pages' preferred fonts, like most machines. */
export function openBrowserInOtherFonts(): Promise<Browser> {
  return openBrowser([], { FONTCONFIG_FILE: join(import.meta.dir, "other-fonts.conf") });
}

/** Returns whether a page has the font, by comparing the width of text with the fallback font. */
export function hasFont(page: Page, family: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const context = document.createElement("canvas").getContext("2d");
    const widthIn = (font) => ((context.font = "40px " + font), context.measureText("Wile i").width);
    return widthIn('"${family}", monospace') !== widthIn("monospace");
  })()`);
}

/** Longer than a local server takes, but common for a distant one. */
const LATEST_MS = 500;

/**
 * Delays each response to a view, reproducibly by seed and address. Runs in the page, because intercepting requests
 * outside of it takes time for each of them.
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
    globalThis.fetch = async (...args) => {
      globalThis.underWay++;
      try {
        const answer = await soon(...args);
        await new Promise((resolve) => setTimeout(resolve, chance() * ${LATEST_MS}));
        return answer;
      } finally {
        // Requests triggered by a response are sent before it counts as received.
        setTimeout(() => globalThis.underWay--, 50);
      }
    };
  }`);
}

/** Waits until all responses have arrived and been rendered. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (globalThis.underWay === 0 ? requestAnimationFrame(() => resolve()) : setTimeout(look, 20));
    look();
  })`);
}
