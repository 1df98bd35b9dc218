import type { Page } from "../base/page.ts";
import type { AccountCall, ManagementAnswer, ManagementParameter } from "./endpoint.ts";
import { nextLink } from "./next-link.ts";
import { limitParameter, numberIn } from "./parameters.ts";

const DEFAULT_LIMIT = 100;

/** How many rows of a catalogue come at a time. */
export const catalogueLimit: ManagementParameter = limitParameter({
  maximum: 1_000,
  fallback: DEFAULT_LIMIT,
});

/** The part of a list that is asked for by `after` and `limit`, and one row more: it tells whether there is more. */
export function pageIn(query: AccountCall["query"], order: Page["order"]): Page {
  const after = numberIn(query, "after");
  return { limit: limitIn(query) + 1, order, ...(after === undefined ? {} : { after }) };
}

export interface PageOf<Row> {
  /** Below the root, with what the path names. */
  readonly path: string;
  /** What there is of the part that `pageIn` told. */
  readonly found: readonly Row[];
  /** What else was asked for, to be asked for again. */
  readonly again?: Readonly<Record<string, string | number | undefined>>;
  readonly show: (row: Row) => unknown;
}

/** A page of rows by their ids, with `Link` to the next one where there is one. */
export function pageAnswer<Row extends { readonly id: number }>(
  { base, query }: Pick<AccountCall, "base" | "query">,
  { path, found, again = {}, show }: PageOf<Row>,
): ManagementAnswer {
  const limit = limitIn(query);
  const page = found.slice(0, limit);
  const next = { ...again, after: page.at(-1)?.id, limit };
  return {
    status: 200,
    value: page.map(show),
    headers: found.length > limit ? nextLink({ base }, path, next) : {},
  };
}

function limitIn(query: AccountCall["query"]): number {
  return numberIn(query, "limit") ?? DEFAULT_LIMIT;
}
