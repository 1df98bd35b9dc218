import { MAX_ID } from "../../base/id.ts";
import { petStatuses, type PetStatus } from "../../catalogue/model.ts";
import {
  animalSizes,
  companions,
  type AnimalSize,
  type ProfileFilter,
} from "../../catalogue/model-profile.ts";

/** The animals of a site as a table that an adoption portal imports. */
export type PortalList = "rescueGroups" | "adoptAPet";

/** A route of the storefront. */
export type Route =
  | {
      readonly kind: "list" | "embed" | "jsonFeed" | "atomFeed" | "rssFeed";
      readonly query: ListQuery;
    }
  | { readonly kind: "animal"; readonly id: number }
  /** A part of the sitemap, counted from 1; without `part` the whole sitemap or its index. */
  | { readonly kind: "sitemap"; readonly part?: number }
  | { readonly kind: "robots" | "icon" | PortalList };

/** The paths of routes without an id. */
const paths = {
  list: "/",
  embed: "/embed",
  jsonFeed: "/feed.json",
  atomFeed: "/feed.xml",
  rssFeed: "/rss.xml",
  sitemap: "/sitemap.xml",
  robots: "/robots.txt",
  icon: "/icon.svg",
  rescueGroups: "/rescuegroups.csv",
  adoptAPet: "/adoptapet.csv",
} as const;

type FixedKind = keyof typeof paths;

const kinds = new Map<string, FixedKind>(
  Object.keys(paths)
    .filter((name): name is FixedKind => Object.hasOwn(paths, name))
    .map((kind) => [paths[kind], kind]),
);

/** The query parameters of lists. Feeds page forwards only, and only embedded lists force a scheme. */
const parameters = {
  list: ["category", "status", "sex", "size", "age", "with", "after", "before"],
  embed: ["category", "status", "sex", "size", "age", "with", "after", "before", "scheme"],
  jsonFeed: ["category", "status", "after"],
  atomFeed: ["category", "status", "after"],
  rssFeed: ["category", "status", "after"],
} as const;

/** Finds the route of a decoded path and an undecoded query; undefined if the path is not the storefront's. */
export function routeOf(path: string, search: string): Route | undefined {
  const kind = kinds.get(path);
  switch (kind) {
    case "list":
    case "embed":
    case "jsonFeed":
    case "atomFeed":
    case "rssFeed":
      return { kind, query: readListQuery(search, parameters[kind]) };
    case "sitemap":
    case "robots":
    case "icon":
    case "rescueGroups":
    case "adoptAPet":
      return { kind };
    case undefined: {
      const id = readId(/^\/animals\/(\d+)$/.exec(path)?.[1]);
      if (id !== undefined) return { kind: "animal", id };
      const part = readId(/^\/sitemap-(\d+)\.xml$/.exec(path)?.[1]);
      return part === undefined ? undefined : { kind: "sitemap", part };
    }
  }
}

/** Returns the canonical address of a route. */
export function addressOf(route: Route): string {
  if (route.kind === "animal") return `/animals/${route.id}`;
  if (route.kind === "sitemap" && route.part !== undefined) return `/sitemap-${route.part}.xml`;
  return "query" in route ? listAddress(paths[route.kind], route.query) : paths[route.kind];
}

/** A visitor's query of a list. */
export interface ListQuery {
  readonly category?: number;
  readonly status?: PetStatus;
  readonly sex?: (typeof sexesChosen)[number];
  readonly size?: AnimalSize;
  readonly age?: AgeGroup;
  /** Whom the animals get on with, separated by commas. */
  readonly with?: string;
  /** Only animals after this one in the list. */
  readonly after?: number;
  /** The page that ends just before this animal. Excludes `after`. */
  readonly before?: number;
  /** Forces the colour scheme of an embedded list. */
  readonly scheme?: "light" | "dark";
}

/** The sexes that visitors choose between. */
export const sexesChosen = ["female", "male"] as const;

/** The groups of ages that visitors choose between, in full years. */
export const ageGroups = {
  young: { least: undefined, most: 0 },
  adult: { least: 1, most: 7 },
  senior: { least: 8, most: undefined },
} as const;

export type AgeGroup = keyof typeof ageGroups;

/** The part of a query string that is read. */
const MAX_LENGTH = 1_000;

/** The parameters in their canonical order. */
const names = [
  "category",
  "status",
  "sex",
  "size",
  "age",
  "with",
  "after",
  "before",
  "scheme",
] as const;

const readers: { readonly [Name in keyof ListQuery]-?: (text: string) => ListQuery[Name] } = {
  category: readId,
  status: (text) => petStatuses.find((one) => one === text),
  sex: (text) => sexesChosen.find((one) => one === text),
  size: (text) => animalSizes.find((one) => one === text),
  age: (text) => (["young", "adult", "senior"] as const).find((one) => one === text),
  with: readCompanions,
  after: readId,
  before: readId,
  scheme: (text) => (["light", "dark"] as const).find((one) => one === text),
};

/**
 * Parses the `known` parameters of `?category=2&status=pending&after=17`. Ignores unknown and malformed ones, so that
 * clients cannot create distinct pages.
 */
export function readListQuery(
  search: string,
  known: readonly (keyof ListQuery)[] = names,
): ListQuery {
  const given = new URLSearchParams(search.slice(0, MAX_LENGTH));
  const read: { -readonly [Name in keyof ListQuery]: ListQuery[Name] } = {};
  for (const name of known) {
    // Each box of a form adds its own parameter.
    const text = name === "with" ? given.getAll(name).join(",") : given.get(name);
    const value = text === null ? undefined : readers[name](text);
    if (value !== undefined && !(name === "before" && read.after !== undefined)) {
      Object.assign(read, { [name]: value });
    }
  }
  return read;
}

/** Returns the companions of a query. */
export function companionsIn(text: string | undefined): ProfileFilter["goodWith"] {
  return companions.filter((one) => text?.split(",").includes(one));
}

/** Returns the known companions of a list in their order; undefined without any. */
function readCompanions(text: string): string | undefined {
  const words = text.split(",");
  const known = companions.filter((one) => words.includes(one));
  return known.length === 0 ? undefined : known.join(",");
}

/** Parses an id in its canonical form; undefined for any other text. */
function readId(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,15}$/.test(text)) return undefined;
  const id = Number(text);
  return id <= MAX_ID ? id : undefined;
}

/** Returns the address of a list: `path` with the canonical query. */
export function listAddress(path: string, query: ListQuery): string {
  const written = names.flatMap((name) =>
    query[name] === undefined ? [] : [`${name}=${query[name]}`],
  );
  return written.length === 0 ? path : `${path}?${written.join("&")}`;
}
