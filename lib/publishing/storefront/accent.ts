/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** WCAG 2.2, 1.4.3: text on its background. */
export const AA_CONTRAST = 4.5;

/** Reads `#rrggbb`; undefined for anything else. */
export function parseColor(text: string): Color | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const channel = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** `#rrggbb`. */
export function colorText(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** From 1, the same lightness, to 21, black on white (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Color, other: Color): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance(color: Color): number {
  const [red, green, blue] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];

/**
 * `color`, darkened or lightened as little as it takes to be read on each of `backgrounds`, which are all light or all dark.
 */
export function readable(color: Color, backgrounds: readonly [Color, ...Color[]]): Color {
  const reads = (candidate: Color): boolean =>
    backgrounds.every((background) => contrast(candidate, background) >= AA_CONTRAST);
  const darken = contrast(BLACK, backgrounds[0]) > contrast(WHITE, backgrounds[0]);
  let from = color;
  for (const to of darken ? [BLACK] : [bright(color), WHITE]) {
    for (let step = 0; step < STEPS; step++) {
      const candidate = mixed(from, to, step / STEPS);
      if (reads(candidate)) return candidate;
    }
    from = to;
  }
  return from;
}

/** The same hue at nearly full brightness: on the way to white it keeps its warmth as long as it can. */
function bright(color: Color): Color {
  const factor = 255 / Math.max(1, ...color);
  const channel = (at: 0 | 1 | 2): number => Math.min(255, Math.round(color[at] * factor));
  return mixed([channel(0), channel(1), channel(2)], WHITE, 0.25);
}

/** Finer steps cannot be seen. */
const STEPS = 64;

/** `share` of `other` in `color`, from 0 to 1. */
export function mixed(color: Color, other: Color, share: number): Color {
  const channel = (at: 0 | 1 | 2): number =>
    Math.round(color[at] + (other[at] - color[at]) * share);
  return [channel(0), channel(1), channel(2)];
}
