import { isoTime } from "../../base/clock.ts";
import type { Animal, ListPage } from "./catalogue.ts";
import { entryHtml, feedFacts, feedId } from "./feed.ts";
import { markup, type Markup } from "./markup.ts";
import type { Presentation } from "./presentation.ts";

/** The list as an Atom feed (RFC 4287), paged (RFC 5005 §3). */
export function atomFeed(presentation: Presentation, page: ListPage): string {
  const { id, title, description, author, self, next, updatedAt, ...facts } = feedFacts(
    "/feed.xml",
    presentation,
    page,
  );
  return markup`
    <?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${presentation.language.tag}"><id>${id}
    </id><title>${title}</title>
    ${description !== undefined && markup`<subtitle>${description}</subtitle>`}<updated>
    ${isoTime(updatedAt)}</updated><author><name>${author}</name></author>
    <link rel="self" type="application/atom+xml" href="${self}" />
    <link rel="alternate" type="text/html" href="${facts.page}" />
    ${next !== undefined && markup`<link rel="next" type="application/atom+xml" href="${next}" />`}
    ${page.animals.map((animal) => entry(animal, presentation))}</feed>
  `.toString();
}

function entry(animal: Animal, presentation: Presentation): Markup {
  const { pet, category, photo, bio } = animal;
  const { site, origin } = presentation;
  return markup`
    <entry><id>${feedId(site.project.id, pet.id)}</id><title>${pet.name}</title><updated>
    ${isoTime(pet.updatedAt)}</updated><published>${isoTime(pet.createdAt)}</published>
    <link rel="alternate" type="text/html" href="${origin}/animals/${pet.id}" />${
      photo !== undefined &&
      markup`<link rel="enclosure" type="${photo.plain.type}" length="${photo.plain.size}" href="${origin}${photo.plain.path}" />`
    }<category term="${pet.categoryId}" label="${category}" />
    ${bio !== undefined && bio.summary !== "" && markup`<summary>${bio.summary}</summary>`}
    <content type="html">${entryHtml(animal, presentation).toString()}</content></entry>
  `;
}
