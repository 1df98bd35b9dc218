import type { Animal } from "./catalogue.ts";
import type { Facts } from "./facts.ts";
import { Markup } from "./markup.ts";
import type { Presentation } from "./presentation.ts";

/** Returns what search engines read about the page of an animal (JSON-LD 1.1, schema.org). */
export function linkedData(
  { origin, title, settings, language }: Presentation,
  { pet, category, photo, bio }: Animal,
  facts: Facts,
): Markup {
  const { name = title, phone, email, address, url } = settings.contact ?? {};
  const path = `${origin}/animals/${pet.id}`;
  const image = photo && origin + photo.plain.path;
  const data = {
    "@context": "https://schema.org",
    "@type": "ItemPage",
    url: path,
    name: pet.name,
    inLanguage: language.tag,
    about: {
      "@type": "Thing",
      "@id": `${path}#animal`,
      name: pet.name,
      description: [category, ...facts.map(([term, said]) => `${term}: ${said}`)].join(". "),
      ...(bio === undefined || bio.summary === ""
        ? {}
        : { disambiguatingDescription: bio.summary }),
      image,
    },
    publisher: {
      "@type": "AnimalShelter",
      name,
      telephone: phone,
      email,
      address,
      url: url !== undefined && /^https?:\/\//i.test(url) ? url : origin,
    },
  };
  // A closing tag within the data would end the element (HTML §13.2.5.15).
  const text = JSON.stringify(data).replaceAll("<", "\\u003c");
  return new Markup(`<script type="application/ld+json">${text}</script>`);
}
