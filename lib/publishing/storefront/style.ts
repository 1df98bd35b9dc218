import { sizedCache } from "../../base/cache.ts";
import { utf8, webDigest } from "../../base/digest.ts";
import { markup, Markup } from "./markup.ts";
import { palettesOf } from "./palette.ts";
import { stylesheet, type Look } from "./stylesheet.ts";

/** The looks of a page: what stands in its head, and what lets it stand there. */
export interface Style {
  readonly head: Markup;
  /** Its SHA-256 as a source of a Content-Security-Policy. */
  readonly source: string;
}

/** Makes the style of a look, and remembers those of the looks that were asked for last. */
export function createStyles(): (look: Look) => Promise<Style> {
  const made = sizedCache<Style>(MAX_LOOKS, () => 1);
  return async (look) => {
    const name = `${look.scheme} ${look.accent ?? ""}`;
    const known = made.get(name);
    if (known !== undefined) return known;
    const css = stylesheet(look);
    const digest = await webDigest.sha256(utf8(css));
    const style = {
      // It holds no text of others: the accent went through numbers.
      head: markup`${themeColors(look)}${new Markup(`<style>${css}</style>`)}`,
      source: `'sha256-${btoa(String.fromCharCode(...digest))}'`,
    };
    made.set(name, style);
    return style;
  };
}

const MAX_LOOKS = 200;

/** Tells the browser how to paint what lies around the page. */
function themeColors({ accent, scheme }: Look): Markup {
  const { light, dark } = palettesOf(accent);
  if (scheme !== "auto") {
    const paper = (scheme === "light" ? light : dark)["--paper"];
    return markup`
      <meta name="color-scheme" content="${scheme}" />
      <meta name="theme-color" content="${paper}" />
    `;
  }
  return markup`
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" media="(prefers-color-scheme: light)" content="${light["--paper"]}" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark["--paper"]}" />
  `;
}
