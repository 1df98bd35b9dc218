import { markup } from "./markup.ts";
import { palettesOf } from "./palette.ts";
import { pawDrawing } from "./placeholder.ts";

/** What crawlers are told: everything but the API, and where to find it. */
export function robots(origin: string): string {
  return `User-agent: *\nDisallow: /v1/\n\nSitemap: ${origin}/sitemap.xml\n`;
}

/** The sign of a site without a logo: a paw on its accent. */
export function icon(accent: string | undefined): string {
  const { light } = palettesOf(accent);
  return markup`
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">
    <rect width="120" height="120" rx="28" fill="${light["--accent"]}" />
    <g fill="${light["--on-accent"]}" transform="translate(-2 6) scale(1.03)">${pawDrawing}</g>
    </svg> 
  `.toString();
}
