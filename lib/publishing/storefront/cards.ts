import type { Animal } from "./catalogue.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import { figureDefinitions, figureImage, figureOf, tintOf } from "./placeholder.ts";
import type { Photo } from "./photo.ts";
import type { Presentation } from "./presentation.ts";

/** Photos above the fold of most screens load eagerly. */
const EAGER = 3;

/** Animals as a grid of cards. The page must include their `figuresOf`. Embedded cards open their pages outside the frame. */
export function cards(
  animals: readonly Animal[],
  presentation: Presentation,
  {
    embedded = false,
    eager = EAGER,
  }: { readonly embedded?: boolean; readonly eager?: number } = {},
): Markup {
  return markup`
    <ul class="grid">
    ${animals.map((animal, index) => card(animal, presentation, { embedded, load: loadOf(index, eager) }))}
    </ul>
  `;
}

/** How a browser loads a photo: before all others, at once, or when it is about to be seen. */
type Load = "first" | "eager" | "lazy";

function loadOf(index: number, eager: number): Load {
  if (index >= eager) return "lazy";
  return index === 0 ? "first" : "eager";
}

function card(
  animal: Animal,
  presentation: Presentation,
  { embedded, load }: { readonly embedded: boolean; readonly load: Load },
): Markup {
  const { pet, category, bio } = animal;
  const { words } = presentation.language;
  const outside = embedded && markup` target="_blank" rel="noopener"`;
  return markup`
    <li class="card"><div class="art ${tintOf(pet.id)}">${picture(animal, presentation, load)}
    <span class="pill ${pet.status}">${words.status[pet.status]}</span></div><div class="about">
    <h2><a href="/animals/${pet.id}"${outside}><bdi>${pet.name}</bdi></a></h2>
    <p class="meta"><bdi>${category}</bdi></p>${
      bio !== undefined &&
      bio.summary !== "" &&
      markup`<p class="teaser" dir="auto">${bio.summary}</p>`
    }</div></li>
  `;
}

/** Returns the animal's photo, or a placeholder figure. `sizes` says how wide it is shown (HTML §4.8.4.2.2). */
export function picture(
  { pet, category, photo }: Animal,
  { language }: Presentation,
  load: Load,
  sizes: string = IN_CARD,
): Part {
  if (photo === undefined) return figureImage(figureOf(category));
  return pictureOf(photo, photo.alt ?? language.words.photoOf(pet.name), { load, sizes });
}

/** The width of a card, in the columns of the style. */
const IN_CARD = "(min-width: 40rem) 20rem, 90vw";

/** Returns a photo, cropped around its focus. */
export function pictureOf(
  photo: Photo,
  alt: string,
  { load, sizes }: { readonly load: Load; readonly sizes: string },
): Markup {
  const { plain, better, focus } = photo;
  // The frame's size: the style crops every photo to 4:3, so nothing moves when it loads.
  const image = markup`
    <img src="${plain.path}" alt="${alt}" width="800" height="600" decoding="async"${load !== "eager" && (load === "lazy" ? markup` loading="lazy"` : markup` fetchpriority="high"`)}${
      focus !== undefined && markup` class="x${tenths(focus.x)} y${tenths(focus.y)}"`
    } />
  `;
  if (better.length === 0) return image;
  const sources = better.map(
    ({ srcset, type, scaled }) => markup`
      <source srcset="${srcset}"${scaled && markup` sizes="${sizes}"`} type="${type}" />
    `,
  );
  return markup`<picture>${sources}${image}</picture>`;
}

/** The style has a class for each tenth, since the policy of the pages allows no style of an element. */
function tenths(percent: number): number {
  return Math.round(percent / 10);
}

/** Returns the figures that the pictures of these animals use, once per page. */
export function figuresOf(animals: readonly Animal[]): Part {
  const lacking = animals.filter(({ photo }) => photo === undefined);
  return figureDefinitions(lacking.map(({ category }) => figureOf(category)));
}
