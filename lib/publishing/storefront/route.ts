import { listAddress, readId, readListQuery, type ListQuery } from "./query.ts";

/** What a path of the storefront leads to. */
export type Route =
  | { readonly kind: "list" | "embed" | "jsonFeed" | "atomFeed"; readonly query: ListQuery }
  | { readonly kind: "animal"; readonly id: number }
  /** Without a number the whole, or the list of its parts; parts count from 1. */
  | { readonly kind: "sitemap"; readonly part?: number }
  | { readonly kind: "robots" | "icon" };

/** Feeds are read forwards only. */
const FEED = ["category", "status", "after"] as const;

/** The route of a decoded path and its undecoded query; undefined: none of ours. */
export function routeOf(path: string, search: string): Route | undefined {
  switch (path) {
    case "/":
      return {
        kind: "list",
        query: readListQuery(search, ["category", "status", "after", "before"]),
      };
    case "/embed":
      return { kind: "embed", query: readListQuery(search) };
    case "/feed.json":
      return { kind: "jsonFeed", query: readListQuery(search, FEED) };
    case "/feed.xml":
      return { kind: "atomFeed", query: readListQuery(search, FEED) };
    case "/sitemap.xml":
      return { kind: "sitemap" };
    case "/robots.txt":
      return { kind: "robots" };
    case "/icon.svg":
      return { kind: "icon" };
  }
  const id = readId(/^\/animals\/(\d+)$/.exec(path)?.[1]);
  if (id !== undefined) return { kind: "animal", id };
  const part = readId(/^\/sitemap-(\d+)\.xml$/.exec(path)?.[1]);
  return part === undefined ? undefined : { kind: "sitemap", part };
}

/** The one address of what is found there. */
export function addressOf(route: Route): string {
  switch (route.kind) {
    case "list":
      return listAddress("/", route.query);
    case "embed":
      return listAddress("/embed", route.query);
    case "jsonFeed":
      return listAddress("/feed.json", route.query);
    case "atomFeed":
      return listAddress("/feed.xml", route.query);
    case "animal":
      return `/animals/${route.id}`;
    case "sitemap":
      return route.part === undefined ? "/sitemap.xml" : `/sitemap-${route.part}.xml`;
    case "robots":
      return "/robots.txt";
    case "icon":
      return "/icon.svg";
  }
}
