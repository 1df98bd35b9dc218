import { expect, test } from "bun:test";
import * as fc from "fast-check";

import {
  AA_CONTRAST,
  colorText,
  contrast,
  parseColor,
  readable,
  type Color,
  palettesOf,
  type Palette,
} from "../../../../lib/publishing/storefront/palette.ts";
import { runSeed } from "../../../helpers/chance.ts";

const colors = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((channels): Color => channels);

function color(palette: Palette, name: `--${string}`): Color {
  return parseColor(palette[name] ?? "") ?? [-1, -1, -1];
}

/** The combinations of text and background in the style. */
const pairs = [
  ["--accent", "--paper"],
  ["--accent", "--card"],
  ["--accent", "--accent-soft"],
  ["--on-accent", "--accent"],
  ["--ink", "--paper"],
  ["--ink", "--card"],
  ["--ink", "--accent-soft"],
  ["--muted", "--paper"],
  ["--muted", "--card"],
  ["--available", "--available-soft"],
  ["--pending", "--pending-soft"],
  ["--sold", "--sold-soft"],
] as const;

test("with any accent, all text reaches AA contrast in both schemes", () => {
  fc.assert(
    fc.property(colors, (accent) => {
      const { light, dark } = palettesOf(colorText(accent));
      for (const palette of [light, dark]) {
        for (const [text, ground] of pairs) {
          expect(contrast(color(palette, text), color(palette, ground))).toBeGreaterThanOrEqual(
            AA_CONTRAST,
          );
        }
      }
    }),
    { seed: runSeed, numRuns: 500 },
  );
});

test("a readable accent stays unchanged", () => {
  expect(colorText(readable([0xb0, 0x4a, 0x26], [[255, 255, 255]]))).toBe("#b04a26");
});

test("a darkened accent keeps its hue", () => {
  const [red, green, blue] = readable([255, 200, 0], [[255, 255, 255]]);
  expect(blue).toBe(0);
  expect(green / red).toBeCloseTo(200 / 255, 1);
});

test("contrast follows WCAG", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21);
  expect(contrast([255, 255, 255], [255, 255, 255])).toBe(1);
  expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2);
});

test("other texts are not colours", () => {
  for (const text of ["", "red", "#fff", "#12345g", "#1234567", "url(x)", "#123456;}"]) {
    expect(parseColor(text)).toBeUndefined();
    expect(palettesOf(text)).toEqual(palettesOf(undefined));
  }
});
