import { MAX_ID, petStatuses, type PetStatus } from "../../model/pet.ts";

/** What a visitor asks of a list, in its only spelling. */
export interface ListQuery {
  readonly category?: number;
  readonly status?: PetStatus;
  /** Animals beyond this one, in the order of the list. */
  readonly after?: number;
  /** The page that ends just before this animal; not together with `after`. */
  readonly before?: number;
  /** Forces the looks of a list that is embedded. */
  readonly scheme?: "light" | "dark";
}

/** A query string longer than this is not ours, and is not read to its end. */
const MAX_LENGTH = 1_000;

/** The order in which an address names them. */
const names = ["category", "status", "after", "before", "scheme"] as const;

const readers: { readonly [Name in keyof ListQuery]-?: (text: string) => ListQuery[Name] } = {
  category: readId,
  status: (text) => petStatuses.find((one) => one === text),
  after: readId,
  before: readId,
  scheme: (text) => (["light", "dark"] as const).find((one) => one === text),
};

/**
 * Reads what is `known` of `?category=2&status=pending&after=17`. What is not known or not well-formed is as if it were
 * not there, so that a stranger's inventions are no pages of their own.
 */
export function readListQuery(
  search: string,
  known: readonly (keyof ListQuery)[] = names,
): ListQuery {
  const given = new URLSearchParams(search.slice(0, MAX_LENGTH));
  const read: { -readonly [Name in keyof ListQuery]: ListQuery[Name] } = {};
  for (const name of known) {
    const text = given.get(name);
    const value = text === null ? undefined : readers[name](text);
    if (value !== undefined && !(name === "before" && read.after !== undefined)) {
      Object.assign(read, { [name]: value });
    }
  }
  return read;
}

/** An id as an address spells it; undefined for every other text. */
export function readId(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_ID ? id : undefined;
}

/** The address of a list: `path` with the query in its only spelling. */
export function listAddress(path: string, query: ListQuery): string {
  const written = names.flatMap((name) =>
    query[name] === undefined ? [] : [`${name}=${query[name]}`],
  );
  return written.length === 0 ? path : `${path}?${written.join("&")}`;
}
