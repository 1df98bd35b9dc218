// Shared parts of the drawn animals: a frontal head on 960 × 720 with a hill and light behind it.
import { openChromium } from "./chromium.mjs";

export const WIDTH = 960;
export const HEIGHT = 720;

export const eye = (x, y, size = 15, iris = "#241a15") =>
  `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${size * 1.12}" fill="${iris}"/>
   <circle cx="${x + size * 0.34}" cy="${y - size * 0.4}" r="${size * 0.3}" fill="#fff"/>`;

/** Draws on both sides, mirrored. */
export const both = (draw) => `${draw}<g transform="translate(${WIDTH} 0) scale(-1 1)">${draw}</g>`;

export const nose = (y, width = 34, fill = "#2b1f1a") =>
  `<path d="M${480 - width} ${y}c0-${width * 0.62} ${width * 2}-${width * 0.62} ${width * 2} 0 0 ${width * 0.7}-${width * 0.7} ${width}-${width} ${width}s-${width}-${width * 0.3}-${width}-${width}z" fill="${fill}"/>`;

export const mouth = (y, stroke = "#4a342a") =>
  `<path d="M480 ${y}v22m-54 14c22 22 54 10 54-14 0 24 32 36 54 14" fill="none" stroke="${stroke}" stroke-width="7" stroke-linecap="round"/>`;

export const picture = ({ sky: [high, low], hill, body }) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${high}"/><stop offset="1" stop-color="${low}"/></linearGradient>
<radialGradient id="light" cx="0.3" cy="0.2" r="0.9"><stop offset="0" stop-color="#fff" stop-opacity="0.45"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
<rect width="960" height="720" fill="url(#sky)"/><circle cx="740" cy="180" r="96" fill="#fff" opacity="0.28"/>
<path d="M0 560c160-90 300-70 460-20s320 40 500-50v230H0z" fill="${hill}" opacity="0.55"/>
<path d="M0 640c200-60 330-30 520 0s300 10 440-30v110H0z" fill="${hill}"/>
<rect width="960" height="720" fill="url(#light)"/>${body}</svg>`;

/** Calls `draw` with an empty Chromium page of the picture's size. */
export async function withPage(draw) {
  const browser = await openChromium();
  try {
    await draw(await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } }));
  } finally {
    await browser.close();
  }
}
