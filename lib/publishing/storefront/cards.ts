import type { Animal, Photo } from "./catalogue.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import { figureDefinitions, figureImage, figureOf, tintOf } from "./placeholder.ts";
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
    ${animals.map((animal, index) => card(animal, presentation, { embedded, eager: index < eager }))}
    </ul>
  `;
}

function card(
  animal: Animal,
  presentation: Presentation,
  { embedded, eager }: { readonly embedded: boolean; readonly eager: boolean },
): Markup {
  const { pet, category, bio } = animal;
  const { words } = presentation.language;
  const outside = embedded && markup` target="_blank" rel="noopener"`;
  return markup`
    <li class="card"><div class="art ${tintOf(pet.id)}">${picture(animal, presentation, eager)}
    <span class="pill ${pet.status}">${words.status[pet.status]}</span></div><div class="about">
    <h2><a href="/animals/${pet.id}"${outside}><bdi>${pet.name}</bdi></a></h2>
    <p class="meta"><bdi>${category}</bdi></p>${
      bio !== undefined &&
      bio.summary !== "" &&
      markup`<p class="teaser" dir="auto">${bio.summary}</p>`
    }</div></li>
  `;
}

/** Returns the animal's photo, or a placeholder figure. */
export function picture(
  { pet, category, photo }: Animal,
  { language }: Presentation,
  eager: boolean,
): Part {
  if (photo === undefined) return figureImage(figureOf(category));
  const alt = language.words.photoOf(pet.name);
  // The frame's size: the style crops every photo to 4:3, so nothing moves when it loads.
  const image = markup`
    <img src="${photo.plain.path}" alt="${alt}" width="800" height="600" decoding="async"${!eager && markup` loading="lazy"`} />
  `;
  return photo.better.length === 0 ? image : markup`<picture>${sources(photo)}${image}</picture>`;
}

function sources({ better }: Photo): Part {
  return better.map(({ path, type }) => markup`<source srcset="${path}" type="${type}" />`);
}

/** Returns the figures that the pictures of these animals use, once per page. */
export function figuresOf(animals: readonly Animal[]): Part {
  const lacking = animals.filter(({ photo }) => photo === undefined);
  return figureDefinitions(lacking.map(({ category }) => figureOf(category)));
}
