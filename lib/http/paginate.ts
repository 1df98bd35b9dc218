import { andThen, type Eventual } from "../base/eventual.ts";
import type { Page } from "../storage/store.ts";
import { problem, type Problem } from "../base/problem.ts";
import { refused, type Result } from "../base/result.ts";
import type { CursorSeal, Place } from "./cursor.ts";
import { encodeList, type AnswerOf, type Encoded } from "./answer.ts";
import type { QueryOf, listParameters } from "./parameters.ts";
import type { PublicCall } from "./public-endpoint.ts";

/** A paginated list. */
export interface List<Row extends { readonly id: number }, Shown> {
  /** The path of the list below the root, such as `pets`. */
  readonly name: string;
  /** The filters of the request, in a fixed order. Links repeat them, and the cursor is bound to them. */
  readonly filters: readonly (readonly [name: string, value: string | number | undefined])[];
  rows(page: Page): Eventual<readonly Row[]>;
  count(): Eventual<number>;
  encode(row: Row): Encoded<Shown>;
  /** Returns the strong ETag of the only row, for a list that was filtered by one id. */
  etag?(rows: readonly Row[]): string | undefined;
}

type ListCall = Pick<PublicCall, "base" | "caller"> & {
  readonly query: QueryOf<typeof listParameters>;
};

/** Returns one page of a list as a bare array, with the first, next and previous pages in `Link` (RFC 8288). */
export function paginate<Row extends { readonly id: number }, Shown>(
  { query, base, caller }: ListCall,
  cursors: CursorSeal,
  list: List<Row, Shown>,
): Eventual<Result<AnswerOf<readonly Shown[]>, Problem>> {
  const { limit = 20, sort = "-id" } = query;
  const filters = list.filters
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const identity = `${caller.key.catalogueId} ${list.name} ${sort} ${filters.join("&")}`;

  const pageFrom = (
    place: Place | undefined,
  ): Eventual<Result<AnswerOf<readonly Shown[]>, Problem>> => {
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
      const [first, last] = [rows[0], rows.at(-1)];
      const next = last !== undefined && (backward || more);
      const prev = first !== undefined && (backward ? more : place !== undefined);
      const link = (cursor: string | undefined, rel: string): string => {
        const parts = [
          ...filters,
          ...(limit === 20 ? [] : [`limit=${limit}`]),
          ...(sort === "-id" ? [] : ["sort=id"]),
          ...(query.count === true ? ["count=true"] : []),
          ...(cursor === undefined ? [] : [`cursor=${cursor}`]),
        ];
        const search = parts.length === 0 ? "" : `?${parts.join("&")}`;
        return `<${base}/${list.name}${search}>; rel="${rel}"`;
      };
      return andThen(
        next ? cursors.seal(identity, { direction: "next", id: last.id }) : undefined,
        (nextCursor) =>
          andThen(
            prev ? cursors.seal(identity, { direction: "prev", id: first.id }) : undefined,
            (prevCursor) =>
              andThen(query.count === true ? list.count() : undefined, (total) => {
                const links = [link(undefined, "first")];
                if (nextCursor !== undefined) links.push(link(nextCursor, "next"));
                if (prevCursor !== undefined) links.push(link(prevCursor, "prev"));
                const etag = list.etag?.(rows);
                return {
                  ok: true,
                  value: {
                    status: 200,
                    body: encodeList(rows.map((row) => list.encode(row))),
                    ...(etag === undefined ? {} : { etag }),
                    headers: {
                      link: links.join(", "),
                      ...(total === undefined ? {} : { "x-total-count": String(total) }),
                    },
                  },
                } as const;
              }),
          ),
      );
    });
  };

  const cursor = query.cursor;
  if (cursor === undefined) return pageFrom(undefined);
  return andThen(cursors.open(identity, cursor), (place) =>
    place === undefined ? refused(foreignCursor) : pageFrom(place),
  );
}

const foreignCursor: Problem = problem(
  "invalid_cursor",
  "The cursor is damaged, or belongs to another list, filter or order. Start again without it.",
);
