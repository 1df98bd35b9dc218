import { PetstoreError } from "./failure.ts";
import { nextLink } from "./link.ts";
import type { PublicOperations } from "../endpoints.ts";
import type { ItemOf, ListsIn } from "../http/operation.ts";
import type { listParameters, SentQueryOf } from "../http/parameters.ts";
import type { Send } from "./send.ts";

/** Options of every call. */
export interface CallOptions {
  /** Cancels the call, even while it waits. An iteration ends with its reason, also in the middle of a page. Default: none. */
  readonly signal?: AbortSignal;
}

/** The query parameters that all lists have. */
export type ListQuery = SentQueryOf<typeof listParameters>;

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of all matching items; only with `count`. */
  readonly total?: number;
  /** The cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/** A list of the service. Items that exist during a whole iteration are returned exactly once, even if others change. */
export interface Listing<Item, Query> {
  /** Returns one page. */
  list(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /** Iterates over the pages, each loaded when it is needed. */
  pages(query?: Query, options?: CallOptions): AsyncIterable<Page<Item>>;
  /** Iterates over the items of all pages. */
  all(query?: Query, options?: CallOptions): AsyncIterable<Item>;
}

/** The operations with lists: `"GET /pets"`. */
type ListName = ListsIn<PublicOperations>;
type ItemIn<Name extends ListName> = ItemOf<PublicOperations[Name]["output"]>;

/** Returns the list of an operation, whose declaration is the type of the query and of the items. */
export function listing<Name extends ListName>(
  send: Send,
  base: string,
  operation: Name,
): Listing<ItemIn<Name>, SentQueryOf<PublicOperations[Name]["query"]>> {
  type Item = ItemIn<Name>;
  type Query = SentQueryOf<PublicOperations[Name]["query"]>;
  const address = base + operation.slice("GET ".length);

  const load = async (
    url: string,
    { signal }: CallOptions = {},
  ): Promise<{ readonly page: Page<Item>; readonly next: URL | undefined }> => {
    const { headers, text } = await send({ method: "GET", url, signal, list: true });
    const items: readonly Item[] = JSON.parse(text);
    const total = headers.get("x-total-count");
    const next = followable(nextLink(headers.get("link")), url);
    const cursor = next?.searchParams.get("cursor");
    const page = {
      items,
      ...(total === null ? {} : { total: Number(total) }),
      ...(cursor ? { next: cursor } : {}),
    };
    return { page, next };
  };

  async function* pages(query?: Query, options?: CallOptions): AsyncGenerator<Page<Item>> {
    let url: string | undefined = address + search(query);
    while (url !== undefined) {
      const { page, next }: Awaited<ReturnType<typeof load>> = await load(url, options);
      yield page;
      url = next?.href;
    }
  }

  async function* all(query?: Query, options?: CallOptions): AsyncGenerator<Item> {
    for await (const { items } of pages(query, options)) {
      for (const item of items) {
        options?.signal?.throwIfAborted();
        yield item;
      }
    }
  }

  return {
    list: async (query, options) => (await load(address + search(query), options)).page,
    pages,
    all,
  };
}

/** Returns a query such as `?status=sold&id=1,2`. Omits undefined members. */
export function search(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const text = String(parameters);
  return text && `?${text}`;
}

/**
 * Checks the link of the page at `address`: the key must not be sent elsewhere, and a list must neither end early without an
 * error nor never.
 */
function followable(link: string | undefined, address: string): URL | undefined {
  if (link === undefined) return undefined;
  const [page, target] = [new URL(address), new URL(link, address)];
  if (target.origin === page.origin && target.href !== page.href) return target;
  throw new PetstoreError({
    code: "unexpected_answer",
    message: `The link to the next page leads to ${target.href}.`,
    status: 200,
  });
}
