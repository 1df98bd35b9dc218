import { markup, type Markup, type Part } from "./markup.ts";
import { sum, type CountedCategory, type Overview } from "./overview.ts";
import type { Presentation } from "./presentation.ts";
import { listAddress, type ListQuery } from "./query.ts";

/** More categories than these lie in a drawer. */
const MAX_OPEN = 10;

/** The ways to narrow the list at `path`, as links; undefined where there is nothing to choose. */
export function filters(
  path: string,
  { category, status, scheme }: ListQuery,
  overview: Overview,
  { language, shown }: Presentation,
): Markup | undefined {
  const { words, number } = language;
  const kept: ListQuery = scheme === undefined ? {} : { scheme };
  const chip = (query: ListQuery, text: string, count: number, current: boolean): Part =>
    markup`
      <li>
      <a href="${listAddress(path, { ...kept, ...query })}"${current && markup` aria-current="true"`}>
      <bdi>${text}</bdi>${overview.counted && markup` <small>${number(count)}</small>`}</a></li>
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
  if (byCategory === false && byStatus === false) return undefined;
  return markup`<nav class="filters" aria-label="${words.filters}">${byCategory}${byStatus}</nav> `;
}
