import type { Animal, ListPage } from "./catalogue.ts";
import { markup, type Markup } from "./markup.ts";
import type { Presentation } from "./presentation.ts";
import { listAddress, type ListQuery } from "./query.ts";

/** How many animals one document of a feed holds; the next one is linked. */
export const FEED_SIZE = 50;

/** What both feeds say of the list. */
export interface FeedFacts {
  /** For ever the same. */
  readonly id: string;
  readonly title: string;
  readonly description: string | undefined;
  readonly author: string;
  /** Whole addresses. */
  readonly self: string;
  readonly page: string;
  readonly next: string | undefined;
  /** When something that it holds changed last. */
  readonly updatedAt: number;
}

export function feedFacts(
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
    updatedAt: Math.max(published, ...animals.map(({ pet }) => pet.updatedAt)),
  };
}

/** A feed's id, or that of an animal in it: it stays when the site moves to another host. */
export function feedId(projectId: string, petId?: number): string {
  return `urn:petstore:${projectId}${petId === undefined ? "" : `:${petId}`}`;
}

/** What is told of an animal in a feed. */
export function entryHtml({ pet, category, bio }: Animal, { language }: Presentation): Markup {
  const { status } = language.words;
  return markup`<p>${category} · ${status[pet.status]}</p>${bio?.html}`;
}
