import { markup, type Markup } from "./markup.ts";
import { TINTS } from "./style.ts";

type Figure = "paw" | "dog" | "cat" | "rabbit" | "bird" | "small" | "horse";

/** Category names in the most common languages of shelters. */
const names: readonly (readonly [Figure, RegExp])[] = [
  ["dog", /dog|pupp|hund|welpe|perro|chien|cane|cani/],
  ["cat", /\bcat|kitten|katze|kater|kätzchen|gato|gata|\bchat|gatt/],
  ["rabbit", /rabbit|bunn|kaninchen|hase|conejo|lapin|conigli/],
  ["bird", /bird|parrot|parakeet|budg|vogel|vögel|sittich|papagei|pájaro|oiseau|uccell/],
  ["small", /rodent|hamster|guinea|mouse|mice|\brat|nager|meerschwein|maus|mäuse|kleintier/],
  ["horse", /horse|pony|ponies|donkey|pferd|esel|caballo|cheval|cavall/],
];

/** Chooses the figure for a category by its name; a paw by default. */
export function figureOf(category: string): Figure {
  const name = category.toLowerCase();
  return names.find(([, pattern]) => pattern.test(name))?.[0] ?? "paw";
}

/** Returns the class of an animal's placeholder tint, always the same one. */
export function tintOf(id: number): string {
  return `t${(id * 7) % TINTS}`;
}

/** Draws a figure that `figureDefinitions` has defined on the page. */
export function figureImage(figure: Figure): Markup {
  return markup`<svg viewBox="-20 -15 160 120" aria-hidden="true"><use href="#${figure}" width="120" height="90" /></svg>`;
}

/** Defines the used figures, once per page. */
export function figureDefinitions(used: Iterable<Figure>): Markup | undefined {
  const symbols = [...new Set(used)].map(
    (figure) => markup`<symbol id="${figure}" viewBox="0 0 120 90">${drawings[figure]}</symbol>`,
  );
  if (symbols.length === 0) return undefined;
  return markup`<svg width="0" height="0" aria-hidden="true">${symbols}</svg>`;
}

/** Returns the drawing of a paw. */
export function paw(): Markup {
  return markup`<svg viewBox="30 20 60 55" aria-hidden="true">${pawDrawing}</svg>`;
}

/** The view box of all drawings is 120 by 90. */
export const pawDrawing: Markup = markup`
  <path d="M60 45c-10 0-20 11-20 20 0 6 4 8 9 8 4 0 7-2 11-2s7 2 11 2c5 0 9-2 9-8 0-9-10-20-20-20z" />
  <ellipse cx="38" cy="43" rx="5.5" ry="8" transform="rotate(-24 38 43)" />
  <ellipse cx="51" cy="31" rx="6" ry="9" transform="rotate(-8 51 31)" />
  <ellipse cx="69" cy="31" rx="6" ry="9" transform="rotate(8 69 31)" />
  <ellipse cx="82" cy="43" rx="5.5" ry="8" transform="rotate(24 82 43)" />
`;

/** Two eyes in the background colour. */
const face = markup`
  <g class="cut" stroke="none"><circle cx="52" cy="46" r="2.6" />
  <circle cx="68" cy="46" r="2.6" /></g>
`;

const drawings: Readonly<Record<Figure, Markup>> = {
  paw: pawDrawing,
  dog: markup`
    <path d="M60 17c14 0 23 8 23 21v9c0 16-9 27-23 27S37 63 37 47v-9c0-13 9-21 23-21z" />
    <g class="line" stroke-width="3"><path d="M45 19c-9-5-19 0-22 12-3 11-2 25 5 26 8 1 13-9 15-21z" />
    <path d="M75 19c9-5 19 0 22 12 3 11 2 25-5 26-8 1-13-9-15-21z" /></g>${face}
    <g class="cut" stroke="none"><path d="M54 56c0-3 3-4 6-4s6 1 6 4-4 6-6 6-6-3-6-6z" /></g>
    <path class="cut" d="M60 61v4m-5 2c2 0 5-1 5-2 0 1 3 2 5 2" fill="none" stroke-width="1.8" stroke-linecap="round" />
  `,
  cat: markup`
    <path d="M35 50c0-5 1-9 2-13l1-18c0-3 3-4 5-2l11 10c4-1 8-1 12 0l11-10c2-2 5-1 5 2l1 18c1 4 2 8 2 13 0 15-11 24-25 24S35 65 35 50z" />
    ${face}<g class="cut" stroke="none"><path d="M56.5 55h7l-3.5 4z" /></g>
    <path class="cut" d="M60 59c0 3-4 4-6 2m6-2c0 3 4 4 6 2M42 54l-14-3m14 7-13 3m49-7 14-3m-14 7 13 3" fill="none" stroke-width="1.6" stroke-linecap="round" />
  `,
  rabbit: markup`
    <ellipse cx="50" cy="27" rx="6.5" ry="20" transform="rotate(-9 50 27)" />
    <ellipse cx="70" cy="27" rx="6.5" ry="20" transform="rotate(9 70 27)" />
    <ellipse cx="60" cy="56" rx="21" ry="19" /><g class="cut" stroke="none">
    <circle cx="51" cy="52" r="2.6" /><circle cx="69" cy="52" r="2.6" />
    <path d="M57 59h6l-3 3.5z" /></g>
    <path class="cut" d="M60 62v4" stroke-width="1.6" stroke-linecap="round" />
  `,
  bird: markup`
    <path d="M34 62 20 70l13 1c5 4 11 5 17 5 17 0 29-12 30-27l12-6-13-4c-3-9-10-15-19-15-15 0-23 13-24 27z" />
    <circle class="cut" cx="69" cy="36" r="2.6" stroke="none" />
    <path class="cut" d="M42 58c9 4 18 2 22-7" fill="none" stroke-width="2" stroke-linecap="round" />
  `,
  small: markup`
    <circle cx="43" cy="30" r="9" /><circle cx="77" cy="30" r="9" />
    <path d="M60 24c16 0 27 11 27 27S75 75 60 75 33 67 33 51s11-27 27-27z" />${face}
    <g class="cut" stroke="none"><ellipse cx="60" cy="56" rx="3.2" ry="2.4" /></g>
    <path class="cut" d="M60 58v4m-4 2c2 0 4-1 4-2 0 1 2 2 4 2" fill="none" stroke-width="1.6" stroke-linecap="round" />
  `,
  horse: markup`
    <path d="M72 14c-2 3-3 5-3 8-16 4-25 15-28 28-2 8-7 10-8 15s3 9 8 9c5 0 8-3 13-5 4-2 9-2 13-5v12h23c2-26-2-45-15-54 0-3-1-6-3-8z" />
    <circle class="cut" cx="60" cy="40" r="2.4" stroke="none" />
    <circle class="cut" cx="41" cy="65" r="1.6" stroke="none" />
  `,
};
