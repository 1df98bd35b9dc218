import type { Page } from "../../storage/store.ts";
import { limitParameter, type Parameter } from "../../http/parameters.ts";
import { Reply } from "../../http/endpoint.ts";
import { nextLink } from "../../management/next-link.ts";

const DEFAULT_LIMIT = 100;

/** The `limit` parameter of lists of a catalogue. */
export const catalogueLimit: Parameter<number> = limitParameter({
  maximum: 1_000,
  fallback: DEFAULT_LIMIT,
});

interface PageQuery {
  readonly after?: number;
  readonly limit?: number;
}

/** Returns the page that `after` and `limit` request, with one more row, which shows whether another page follows. */
export function pageIn(
  { after, limit = DEFAULT_LIMIT }: PageQuery,
  order: NonNullable<Page["order"]>,
): Page {
  return { limit: limit + 1, order, ...(after === undefined ? {} : { after }) };
}

/** Returns a page of rows, with `Link` to the next page if there is one. */
export function pageReply<Row extends { readonly id: number }, Shown>(
  { base, query }: { readonly base: string; readonly query: PageQuery },
  {
    path,
    found,
    filters = {},
    show,
  }: {
    /** Below the root, with its parameters filled in. */
    readonly path: string;
    /** The rows of `pageIn`. */
    readonly found: readonly Row[];
    /** The other query parameters of the request. */
    readonly filters?: Readonly<Record<string, string | number | undefined>>;
    readonly show: (row: Row) => Shown;
  },
): Reply<readonly Shown[]> {
  const { limit = DEFAULT_LIMIT } = query;
  const page = found.slice(0, limit);
  const next = { ...filters, after: page.at(-1)?.id, limit };
  return new Reply(page.map(show), {
    headers: found.length > limit ? nextLink({ base }, path, next) : {},
  });
}
