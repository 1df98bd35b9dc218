import type { AccountCall, ManagementAnswer } from "./endpoint.ts";
import { nextLink } from "./next-link.ts";

export interface PageOf<Row> {
  /** Below the root, with what the path names. */
  readonly path: string;
  /** One more than `limit` where there is more. */
  readonly found: readonly Row[];
  readonly limit: number;
  /** What else was asked for, to be asked for again. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly show: (row: Row) => unknown;
}

/** A page of rows by their ids, with `Link` to the next one where there is one. */
export function pageAnswer<Row extends { readonly id: number }>(
  call: Pick<AccountCall, "base">,
  { path, found, limit, query = {}, show }: PageOf<Row>,
): ManagementAnswer {
  const page = found.slice(0, limit);
  const next = { ...query, after: page.at(-1)?.id, limit };
  return {
    status: 200,
    value: page.map(show),
    headers: found.length > limit ? nextLink(call, path, next) : {},
  };
}
