import { httpTime, isoTime } from "../../base/clock.ts";
import type { Animal, ListPage } from "./catalogue.ts";
import { markup, type Markup } from "./markup.ts";
import type { Presentation } from "./presentation.ts";
import { listAddress, type ListQuery } from "./route.ts";

/** Animals per page of a feed. */
export const FEED_SIZE = 50;

/** What both feed formats contain. */
export interface FeedFacts {
  /** Permanent. */
  readonly id: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly author: string;
  /** Absolute URLs. */
  readonly self: string;
  readonly page: string;
  readonly next: string | undefined;
  /** The latest change of its contents. */
  readonly updatedAt: number;
}

function feedFacts(
  path: string,
  { site, origin, title, description, settings }: Presentation,
  { query, next, animals }: ListPage,
): FeedFacts {
  const whole = (to: string, asked: ListQuery): string => `${origin}${listAddress(to, asked)}`;
  const { after: _, ...filter } = query;
  const published = site.deploy.activatedAt ?? site.deploy.createdAt;
  return {
    id: feedId(site.project.id),
    title,
    description,
    author: settings.contact?.name ?? title,
    self: whole(path, query),
    page: whole("/", filter),
    next: next && whole(path, next),
    // The project changes with its settings, such as the title.
    updatedAt: Math.max(
      published,
      site.project.updatedAt,
      ...animals.map(({ pet }) => pet.updatedAt),
    ),
  };
}

/** Creates the id of a feed or of an animal in it, which survives a change of host. */
function feedId(projectId: string, petId?: number): string {
  return `urn:petstore:${projectId}${petId === undefined ? "" : `:${petId}`}`;
}

/** Returns the content of an animal's entry. */
function entryHtml({ pet, category, bio }: Animal, { language }: Presentation): Markup {
  const { status } = language.words;
  return markup`<p>${category} · ${status[pet.status]}</p>${bio?.html}`;
}

/** Writes the list as a JSON Feed (version 1.1), with data for aggregators under `_petstore`. */
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

/** Writes the list as a paged Atom feed (RFC 4287, RFC 5005 §3). */
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

/** Writes the list as a paged RSS 2.0 feed (RFC 5005 §3), for readers and portals that know no other format. */
export function rssFeed(presentation: Presentation, page: ListPage): string {
  const { title, description, self, next, updatedAt, ...facts } = feedFacts(
    "/rss.xml",
    presentation,
    page,
  );
  const { language } = presentation;
  const heading = presentation.settings.texts?.heading ?? language.words.heading;
  return markup`
    <?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${title}</title>
    <link>${facts.page}</link><description>${description ?? heading}</description>
    <language>${language.tag}</language><lastBuildDate>${httpTime(updatedAt)}</lastBuildDate>
    <atom:link rel="self" type="application/rss+xml" href="${self}" />
    ${next !== undefined && markup`<atom:link rel="next" type="application/rss+xml" href="${next}" />`}
    ${page.animals.map((animal) => rssItem(animal, presentation))}</channel></rss>
  `.toString();
}

function rssItem(animal: Animal, presentation: Presentation): Markup {
  const { pet, category, photo } = animal;
  const { site, origin } = presentation;
  return markup`
    <item><title>${pet.name}</title><link>${origin}/animals/${pet.id}</link>
    <guid isPermaLink="false">${feedId(site.project.id, pet.id)}</guid>
    <pubDate>${httpTime(pet.createdAt)}</pubDate><category>${category}</category>
    <description>${entryHtml(animal, presentation).toString()}</description>${
      photo !== undefined &&
      markup`<enclosure url="${origin}${photo.plain.path}" length="${photo.plain.size}" type="${photo.plain.type}" />`
    }</item>
  `;
}
