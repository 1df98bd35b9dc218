/** The colours of one scheme, as CSS custom properties. */
export interface Palette extends Readonly<Record<`--${string}`, string>> {
  readonly "--paper": string;
}

/** The default accent: terracotta. */
const DEFAULT_ACCENT: Color = [0xb0, 0x4a, 0x26];

const light = { paper: [0xfb, 0xf8, 0xf3], card: [0xff, 0xff, 0xff] } as const;
const dark = { paper: [0x18, 0x15, 0x12], card: [0x24, 0x20, 0x1c] } as const;

/** Creates the palettes for an accent (`#rrggbb`). Accented text and buttons reach AA contrast in both. */
export function palettesOf(accent: string | undefined): {
  readonly light: Palette;
  readonly dark: Palette;
} {
  const chosen = (accent === undefined ? undefined : parseColor(accent)) ?? DEFAULT_ACCENT;
  return {
    light: {
      ...surfaces(chosen, light),
      "--on-accent": colorText(light.card),
      "--ink": "#27211b",
      "--muted": "#675d53",
      "--line": "#e7dfd4",
      "--available": "#1d6a3b",
      "--available-soft": "#e4f3e8",
      "--pending": "#7a4b06",
      "--pending-soft": "#fdf0d5",
      "--sold": "#4b5361",
      "--sold-soft": "#e9ecf1",
      "--alert": "#a3201d",
      "--tint-0": "#f3e2d3",
      "--figure-0": "#c79a76",
      "--tint-1": "#dfe9dc",
      "--figure-1": "#8fae86",
      "--tint-2": "#dde7ee",
      "--figure-2": "#86a5bb",
      "--tint-3": "#efe3ec",
      "--figure-3": "#b795ae",
      "--tint-4": "#f4ead0",
      "--figure-4": "#c6aa5d",
    },
    dark: {
      ...surfaces(chosen, dark),
      "--on-accent": colorText(dark.paper),
      "--ink": "#f3ede5",
      "--muted": "#b9aea2",
      "--line": "#3b352f",
      "--available": "#a4dfb7",
      "--available-soft": "#1c3526",
      "--pending": "#f2c878",
      "--pending-soft": "#3c2e13",
      "--sold": "#c5ccd6",
      "--sold-soft": "#2d323a",
      "--alert": "#ff9f97",
      "--tint-0": "#3a2c22",
      "--figure-0": "#8f6a4d",
      "--tint-1": "#273227",
      "--figure-1": "#627d5c",
      "--tint-2": "#233039",
      "--figure-2": "#5b788d",
      "--tint-3": "#352a34",
      "--figure-3": "#86667e",
      "--tint-4": "#373020",
      "--figure-4": "#8c763c",
    },
  };
}

function surfaces(
  chosen: Color,
  { paper, card }: { readonly paper: Color; readonly card: Color },
): { readonly "--paper": string } & Palette {
  const soft = mixed(card, chosen, 0.1);
  return {
    "--paper": colorText(paper),
    "--card": colorText(card),
    "--accent": colorText(readable(chosen, [paper, card, soft])),
    "--accent-soft": colorText(soft),
  };
}

/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** The minimum contrast of text (WCAG 2.2, 1.4.3). */
export const AA_CONTRAST = 4.5;

/** Parses `#rrggbb`; undefined for any other text. */
export function parseColor(text: string): Color | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(text)) return undefined;
  const channel = (at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

/** Formats a colour as `#rrggbb`. */
export function colorText(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
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
 * Darkens or lightens `color` just enough to be readable on each of `backgrounds`, which are all light or all dark.
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

/** The same hue at nearly full brightness, which keeps its warmth on the way to white. */
function bright(color: Color): Color {
  const factor = 255 / Math.max(1, ...color);
  const channel = (at: 0 | 1 | 2): number => Math.min(255, Math.round(color[at] * factor));
  return mixed([channel(0), channel(1), channel(2)], WHITE, 0.25);
}

/** Finer steps are invisible. */
const STEPS = 64;

/** Mixes `share` of `other`, from 0 to 1, into `color`. */
function mixed(color: Color, other: Color, share: number): Color {
  const channel = (at: 0 | 1 | 2): number =>
    Math.round(color[at] + (other[at] - color[at]) * share);
  return [channel(0), channel(1), channel(2)];
}
