import { isoTime } from "../../base/clock.ts";
import type { StoredPet } from "../../catalogue/model.ts";
import type { Store } from "../../storage/store.ts";
import { escaped, markup, Markup } from "./markup.ts";
import { listShown, type Shown } from "./shown.ts";

/**
 * Ids per part. A sitemap may hold 50,000 addresses (sitemaps.org); fewer make each part fast. Parts are ranges of ids,
 * so an animal stays in its part, and every part costs the same.
 */
export const PART_SIZE = 10_000;

/** The most parts in an index. */
const MAX_PARTS = 50_000;

/** Rows per query. */
const CHUNK = 1_000;

/** Writes the whole sitemap, or an index when ids exceed one part; undefined for an empty part. */
export async function sitemap(
  store: Store,
  shown: Shown,
  origin: string,
  part?: number,
): Promise<string | undefined> {
  if (part !== undefined) {
    const animals = part > MAX_PARTS ? [] : await animalsOf(store, shown, part);
    return animals.length === 0 ? undefined : addresses(origin, animals);
  }
  const [newest] = await listShown(store, shown, { limit: 1, order: "desc" });
  const parts = Math.min(MAX_PARTS, Math.ceil((newest?.id ?? 1) / PART_SIZE));
  return parts === 1
    ? addresses(origin, await animalsOf(store, shown, 1))
    : indexOf(origin, await nonEmpty(store, shown, parts));
}

async function animalsOf(store: Store, shown: Shown, part: number): Promise<readonly StoredPet[]> {
  const last = part * PART_SIZE;
  const found: StoredPet[] = [];
  for (let after = last - PART_SIZE; ;) {
    const rows = await listShown(store, shown, { limit: CHUNK, order: "asc", after });
    const within = rows.filter(({ id }) => id <= last);
    found.push(...within);
    const end = within.at(-1);
    if (end === undefined || within.length < CHUNK) return found;
    after = end.id;
  }
}

async function nonEmpty(store: Store, shown: Shown, parts: number): Promise<readonly number[]> {
  const found: number[] = [];
  for (let part = 1; part <= parts;) {
    const after = (part - 1) * PART_SIZE;
    const [next] = await listShown(store, shown, { limit: 1, order: "asc", after });
    if (next === undefined) break;
    part = Math.ceil(next.id / PART_SIZE);
    found.push(part++);
  }
  return found;
}

const XMLNS = "http://www.sitemaps.org/schemas/sitemap/0.9";

function addresses(origin: string, animals: readonly StoredPet[]): string {
  const site = escaped(origin);
  // Thousands of entries, in which only the origin could need escaping.
  const entries = animals.map(
    ({ id, updatedAt }) =>
      `<url><loc>${site}/animals/${id}</loc><lastmod>${isoTime(updatedAt)}</lastmod></url>`,
  );
  return markup`
    <?xml version="1.0" encoding="utf-8"?><urlset xmlns="${XMLNS}">
    <url><loc>${origin}/</loc></url>${new Markup(entries.join(""))}</urlset>
  `.toString();
}

function indexOf(origin: string, parts: readonly number[]): string {
  return markup`<?xml version="1.0" encoding="utf-8"?><sitemapindex xmlns="${XMLNS}">${parts.map(
    (part) => markup`<sitemap><loc>${origin}/sitemap-${part}.xml</loc></sitemap>`,
  )}</sitemapindex>`.toString();
}
