import { cards, figuresOf } from "./cards.ts";
import type { Animal, ListPage } from "./catalogue.ts";
import { document, type Page } from "./document.ts";
import { markup, type Markup, type Part } from "./markup.ts";
import { sum, type Overview, type CountedCategory } from "./overview.ts";
import { paw } from "./placeholder.ts";
import type { Presentation } from "./presentation.ts";
import { profileForm, profileQueryOf } from "./profile-filters.ts";
import { listAddress, type ListQuery } from "./route.ts";

/** Returns the list of animals: the site's home page, filtered or paged. */
export function listPage(presentation: Presentation, page: ListPage, overview: Overview): string {
  const { settings, language, description } = presentation;
  const { heading = language.words.heading, intro = description } = settings.texts ?? {};
  const { category } = page.query;
  const name = overview.categories.find(({ id }) => id === category)?.name;
  return document(presentation, {
    ...(name !== undefined && { title: name }),
    ...canonicalOf(page.query),
    ...neighbours("/", page),
    image: sharedImage(page.animals, presentation),
    main: markup`
      <h1 dir="auto">${heading}</h1>
      ${intro !== undefined && markup`<p class="intro" dir="auto">${intro}</p>`}
      ${filters("/", page.query, overview, presentation)}
      ${list("/", presentation, page, overview)}
    `,
  });
}

/** Returns the canonical address of a list, unless visitors narrowed it by profiles: there are hundreds of such lists. */
function canonicalOf(query: ListQuery): Pick<Page, "canonical"> {
  return Object.keys(profileQueryOf(query)).length > 0
    ? {}
    : { canonical: listAddress("/", query) };
}

/** The same list for a frame in another site's page. */
export function embedPage(presentation: Presentation, page: ListPage, overview: Overview): string {
  const { settings, language, title } = presentation;
  const { heading = language.words.heading } = settings.texts ?? {};
  return document(presentation, {
    canonical: "/",
    embedded: true,
    main: markup`
      <h1>${heading}</h1>${filters("/embed", page.query, overview, presentation)}
      ${list("/embed", presentation, page, overview)}<p class="pages">
      <a href="/" target="_blank" rel="noopener">${language.words.seeAllAt(title)}</a></p>
    `,
  });
}

function list(
  path: "/" | "/embed",
  presentation: Presentation,
  page: ListPage,
  { counted, categories, byStatus }: Overview,
): Markup {
  const { words, number } = presentation.language;
  const { category, status } = page.query;
  if (page.animals.length === 0) return emptyList(path, presentation, page.query);
  const counts =
    category === undefined ? byStatus : categories.find(({ id }) => id === category)?.byStatus;
  // The counts are those of all animals.
  const narrowed = Object.keys(profileQueryOf(page.query)).length > 0;
  const total = counts === undefined || narrowed ? 0 : sum(counts, status);
  return markup`
    ${counted && total > 0 ? markup`<p class="count">${words.count(total, number(total))}</p>` : markup`<p class="count"></p>`}
    ${figuresOf(page.animals)}
    ${cards(page.animals, presentation, { embedded: path === "/embed" })}
    ${pages(path, presentation, page)}
  `;
}

function emptyList(path: string, { settings, language }: Presentation, query: ListQuery): Markup {
  const { words } = language;
  const { scheme, ...narrowing } = query;
  const everything = Object.keys(narrowing).length === 0;
  const text = everything ? (settings.texts?.empty ?? words.empty) : words.emptyHere;
  return markup`
    <div class="empty t0">${paw()}<p dir="auto">${text}</p>${
      !everything &&
      markup`<a class="button" href="${listAddress(path, scheme === undefined ? {} : { scheme })}">${words.showAll}</a>`
    }</div>
  `;
}

function pages(path: string, { language }: Presentation, page: ListPage): Part {
  const { previous, next } = neighbours(path, page);
  if (previous === undefined && next === undefined) return undefined;
  const { words } = language;
  return markup`
    <nav class="pages" aria-label="${words.pages}">${
      previous !== undefined &&
      markup`<a class="button" rel="prev" href="${previous}">${words.newer}</a>`
    }
    ${next !== undefined && markup`<a class="button" rel="next" href="${next}">${words.older}</a>`}
    </nav>
  `;
}

function neighbours(
  path: string,
  { previous, next, query: { scheme } }: ListPage,
): Pick<Page, "previous" | "next"> {
  const kept = scheme === undefined ? {} : { scheme };
  return {
    previous: previous && listAddress(path, { ...previous, ...kept }),
    next: next && listAddress(path, { ...next, ...kept }),
  };
}

/** Returns the list's first photo, for social media previews. */
function sharedImage(animals: readonly Animal[], { language }: Presentation): Page["image"] {
  const first = animals.find(({ photo }) => photo !== undefined);
  return (
    first?.photo && {
      path: first.photo.plain.path,
      alt: first.photo.alt ?? language.words.photoOf(first.pet.name),
    }
  );
}

/** Further categories are collapsed. */
const MAX_OPEN = 10;

/** Links that filter the list at `path`; undefined if there is nothing to choose. */
function filters(
  path: string,
  query: ListQuery,
  overview: Overview,
  presentation: Presentation,
): Markup | undefined {
  const { category, status, scheme } = query;
  const { language, shown } = presentation;
  const { words, number } = language;
  const narrowed = profileQueryOf(query);
  const kept: ListQuery = { ...(scheme === undefined ? {} : { scheme }), ...narrowed };
  // The counts are those of all animals.
  const counted = overview.counted && Object.keys(narrowed).length === 0;
  const chip = (narrowing: ListQuery, text: string, count: number, current: boolean): Part =>
    markup`
      <li>
      <a href="${listAddress(path, { ...kept, ...narrowing })}"${current && markup` aria-current="true"`}>
      <bdi>${text}</bdi>${counted && markup` <small>${number(count)}</small>`}</a></li>
    `;

  const ofStatus = status === undefined ? {} : { status };
  const categoryChip = ({ id, name, byStatus }: CountedCategory): Part =>
    chip({ category: id, ...ofStatus }, name, sum(byStatus, status), id === category);
  const all = chip(
    ofStatus,
    words.everyCategory,
    sum(overview.byStatus, status),
    category === undefined,
  );
  const open = overview.categories.slice(0, MAX_OPEN);
  const rest = overview.categories.slice(MAX_OPEN);
  const drawer =
    rest.length > 0 &&
    markup`
      <details${rest.some(({ id }) => id === category) && markup` open`}><summary>
      ${words.moreCategories}</summary><ul class="chips">${rest.map(categoryChip)}</ul></details>
    `;

  const ofCategory = category === undefined ? {} : { category };
  const counts =
    overview.categories.find(({ id }) => id === category)?.byStatus ?? overview.byStatus;
  const statuses = shown.statuses.map((one) =>
    chip({ ...ofCategory, status: one }, words.status[one], sum(counts, one), one === status),
  );

  const byCategory =
    overview.categories.length > 1 &&
    markup`<ul class="chips">${all}${open.map(categoryChip)}</ul>${drawer}`;
  const byStatus =
    statuses.length > 1 &&
    markup`
      <ul class="chips">${chip(ofCategory, words.everyStatus, sum(counts), status === undefined)}
      ${statuses}</ul>
    `;
  const form = profileForm(path, query, overview.profiles, presentation);
  if (byCategory === false && byStatus === false && form === undefined) return undefined;
  return markup`
    <nav class="filters" aria-label="${words.filters}">${byCategory}${byStatus}${form}</nav> 
  `;
}
