import { PetstoreError } from "./failure.ts";
import { nextLink } from "./link.ts";
import type { PublicOperations } from "../endpoints.ts";
import type { ItemOf, ListsIn } from "../http/operation.ts";
import type { listParameters, SentQueryOf } from "../http/parameters.ts";
import type { Send } from "./send.ts";

export interface CallOptions {
  /** Ends waiting, backing off and the request itself. */
  readonly signal?: AbortSignal;
}

/** The query parameters that all lists have. */
export type ListQuery = SentQueryOf<typeof listParameters>;

export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of all items that match, if it was asked for. */
  readonly total?: number;
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/** A list of the service. What exists throughout a walk is seen exactly once, whatever is written meanwhile. */
export interface Listing<Item, Query> {
  /** One page. */
  list(query?: Query, options?: CallOptions): Promise<Page<Item>>;
  /** Page after page, each asked for when it is wanted. */
  pages(query?: Query, options?: CallOptions): AsyncIterable<Page<Item>>;
  /** Item after item, over all pages. */
  all(query?: Query, options?: CallOptions): AsyncIterable<Item>;
}

/** The lists of the public API: `"GET /pets"`. */
type ListName = ListsIn<PublicOperations>;
type ItemIn<Name extends ListName> = ItemOf<PublicOperations[Name]["output"]>;

/** The list of an operation. Its declaration is the type of the query and of the items. */
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
  ): Promise<{ readonly page: Page<Item>; readonly next: string | undefined }> => {
    const { headers, text } = await send({ method: "GET", url, signal });
    const items: readonly Item[] = JSON.parse(text);
    const total = headers.get("x-total-count");
    const next = followable(nextLink(headers.get("link")), address);
    const cursor = next === undefined ? null : new URL(next).searchParams.get("cursor");
    const page = {
      items,
      ...(total === null ? {} : { total: Number(total) }),
      ...(cursor === null ? {} : { next: cursor }),
    };
    return { page, next };
  };

  async function* pages(query?: Query, options?: CallOptions): AsyncGenerator<Page<Item>> {
    let url: string | undefined = address + search(query);
    while (url !== undefined) {
      const { page, next }: Awaited<ReturnType<typeof load>> = await load(url, options);
      yield page;
      url = next;
    }
  }

  async function* all(query?: Query, options?: CallOptions): AsyncGenerator<Item> {
    for await (const { items } of pages(query, options)) yield* items;
  }

  return {
    list: async (query, options) => (await load(address + search(query), options)).page,
    pages,
    all,
  };
}

/** `?status=sold&id=1,2`: what is undefined is left out. */
export function search(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The key must not follow a link to anywhere else, and a list must not seem to end where it does not. */
function followable(link: string | undefined, address: string): string | undefined {
  if (link === undefined) return undefined;
  const target = new URL(link, address);
  if (target.origin === new URL(address).origin) return target.href;
  throw new PetstoreError({
    code: "unexpected_answer",
    message: `The next page is said to be at ${target.origin}, which is not where the client was told to ask.`,
    status: 200,
  });
}
