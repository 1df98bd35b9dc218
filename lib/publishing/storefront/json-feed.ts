import { isoTime } from "../../base/clock.ts";
import type { Animal, ListPage } from "./catalogue.ts";
import { entryHtml, feedFacts, feedId } from "./feed.ts";
import type { Presentation } from "./presentation.ts";

/** The list as a JSON Feed (version 1.1), with what aggregators need of each animal under `_petstore`. */
export function jsonFeed(presentation: Presentation, page: ListPage): string {
  const { self, title, description, author, next, ...facts } = feedFacts(
    "/feed.json",
    presentation,
    page,
  );
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: facts.page,
    feed_url: self,
    description,
    next_url: next,
    authors: [{ name: author, url: `${presentation.origin}/` }],
    language: presentation.language.tag,
    items: page.animals.map((animal) => item(animal, presentation)),
  });
}

function item(animal: Animal, presentation: Presentation): Readonly<Record<string, unknown>> {
  const { pet, category, photo, bio } = animal;
  const { site, origin } = presentation;
  return {
    id: feedId(site.project.id, pet.id),
    url: `${origin}/animals/${pet.id}`,
    title: pet.name,
    content_html: entryHtml(animal, presentation).toString(),
    summary: bio?.summary === "" ? undefined : bio?.summary,
    image: photo && `${origin}${photo.plain.path}`,
    date_published: isoTime(pet.createdAt),
    date_modified: isoTime(pet.updatedAt),
    tags: [category, pet.status],
    _petstore: { id: pet.id, status: pet.status, categoryId: pet.categoryId, category },
  };
}
