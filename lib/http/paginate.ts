import { andThen, type Eventual } from "../base/eventual.ts";
import type { Page } from "../base/page.ts";
import { problem, type Problem } from "../base/problem.ts";
import { done, refused, type Result } from "../base/result.ts";
import type { Cursors, CursorSeal, Place } from "./cursor.ts";
import { encodedList, encodeList, type AnswerOf, type Encoded } from "./answer.ts";
import { listParameters, type QueryOf } from "./parameters.ts";
import type { PublicCall } from "./public-endpoint.ts";

/** The value of a filter. The texts in lists need no encoding in a link. */
export type Filter = string | number | boolean | readonly (number | string)[];

/** A paginated list. */
export interface List<Row extends { readonly id: number }, Shown> {
  /** The path of the list below the root, such as `pets`. */
  readonly name: string;
  /** The filters of the request, in a fixed order. Links repeat them, and the cursor is bound to them. */
  readonly filters: readonly (readonly [name: string, value: Filter | undefined])[];
  rows(page: Page): Eventual<readonly Row[]>;
  /** At most `limit` rows below the id `before`, newest first, where the store has their JSON in memory. */
  texts?(part: { readonly before: number; readonly limit: number }): Eventual<Texts | undefined>;
  /** The number of all rows. Absent: the list has no total. */
  count?(): Eventual<number>;
  encode(row: Row): Encoded<Shown>;
  /** The day on which the rows depend besides the catalogue: the page is not cached. Absent: none. */
  readonly day?: string | undefined;
  /** Returns the strong ETag of the only row, for a list that was filtered by one id. */
  etag?(rows: readonly Row[]): string | undefined;
}

/** A page of rows as JSON. */
interface Texts {
  /** Those that `encode` would make, with commas between. */
  readonly text: string;
  readonly newest: number;
  readonly oldest: number;
  /** Whether an older row follows. */
  readonly more: boolean;
}

const defaults = { limit: listParameters.limit.fallback, sort: listParameters.sort.fallback };

type ListCall = Pick<PublicCall, "base" | "caller"> & {
  readonly query: QueryOf<typeof listParameters>;
};

/** A page, before its links. */
interface Found<Shown> {
  readonly body: Encoded<readonly Shown[]>;
  /** The id that the next page begins after, if there is a next page. */
  readonly next: number | undefined;
  /** The id that the previous page ends before, if there is one. */
  readonly prev: number | undefined;
  readonly etag?: string | undefined;
  readonly fleeting?: true;
}

/** Returns one page of a list as a bare array, with the first, next and previous pages in `Link` (RFC 8288). */
export function paginate<Row extends { readonly id: number }, Shown>(
  { query, base, caller }: ListCall,
  seal: CursorSeal,
  list: List<Row, Shown>,
): Eventual<Result<AnswerOf<readonly Shown[]>, Problem>> {
  const { limit, sort, count, cursor } = query;
  let filters = "";
  for (const [name, value] of list.filters) {
    if (value !== undefined)
      filters += `${filters === "" ? "" : "&"}${name}=${typeof value === "string" ? encodeURIComponent(value) : String(value)}`;
  }

  const find = (place: Place | undefined): Eventual<Found<Shown>> => {
    if (place?.direction !== "next" || sort !== "-id") return read(place);
    return andThen(list.texts?.({ before: place.id, limit }), (texts) => {
      if (texts === undefined) return read(place);
      const { text, newest, oldest, more } = texts;
      const next = more ? oldest : undefined;
      return { body: encodedList(text), next, prev: newest, fleeting: true };
    });
  };

  const read = (place: Place | undefined): Eventual<Found<Shown>> => {
    const backward = place?.direction === "prev";
    const page: Page = {
      limit: limit + 1,
      order: (sort === "id") === backward ? "desc" : "asc",
      ...(place === undefined ? {} : { after: place.id }),
    };
    return andThen(list.rows(page), (found) => {
      const more = found.length > limit;
      const kept = more ? found.slice(0, limit) : found;
      const rows = backward ? kept.toReversed() : kept;
      return {
        body: encodeList(rows.map((row) => list.encode(row))),
        next: backward || more ? rows.at(-1)?.id : undefined,
        prev: (backward ? more : place !== undefined) ? rows[0]?.id : undefined,
        etag: list.etag?.(rows),
      };
    });
  };

  const linksTo = ({ next, prev }: Found<Shown>, cursors: Cursors): string => {
    let first = `<${base}/${list.name}`;
    let mark = "?";
    const add = (parameter: string): void => {
      first += mark + parameter;
      mark = "&";
    };
    if (filters !== "") add(filters);
    if (limit !== defaults.limit) add(`limit=${limit}`);
    if (sort !== defaults.sort) add("sort=id");
    if (count) add("count=true");
    let links = `${first}>; rel="first"`;
    const further = `, ${first}${mark}cursor=`;
    if (next !== undefined) {
      links += `${further}${cursors.seal({ direction: "next", id: next })}>; rel="next"`;
    }
    if (prev !== undefined) {
      links += `${further}${cursors.seal({ direction: "prev", id: prev })}>; rel="prev"`;
    }
    return links;
  };

  return andThen(seal(`${caller.catalogueId} ${list.name} ${sort} ${filters}`), (cursors) => {
    return andThen(cursor === undefined ? undefined : cursors.open(cursor), (place) => {
      if (cursor !== undefined && place === undefined) return refused(foreignCursor);
      return andThen(find(place), (found) =>
        andThen(count ? list.count?.() : undefined, (total) => {
          const { day } = list;
          const { body, etag, fleeting = day === undefined ? undefined : true } = found;
          const link = linksTo(found, cursors);
          const headers = total === undefined ? { link } : { link, "x-total-count": String(total) };
          return done({ status: 200, body, etag, headers, fleeting, day });
        }),
      );
    });
  });
}

const foreignCursor: Problem = problem(
  "invalid_cursor",
  "The cursor is damaged, or belongs to another list, filter or order. Start again without it.",
);
