import { colorText, mixed, parseColor, readable, type Color } from "./accent.ts";

/** The colours of one scheme, as custom properties of CSS. */
export interface Palette extends Readonly<Record<`--${string}`, string>> {
  readonly "--paper": string;
}

/** Terracotta: what a site has that names no accent. */
const DEFAULT_ACCENT: Color = [0xb0, 0x4a, 0x26];

const light = { paper: [0xfb, 0xf8, 0xf3], card: [0xff, 0xff, 0xff] } as const;
const dark = { paper: [0x18, 0x15, 0x12], card: [0x24, 0x20, 0x1c] } as const;

/** The palettes of an accent (`#rrggbb`): text and buttons of its colour reach AA in both, whatever it is. */
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
