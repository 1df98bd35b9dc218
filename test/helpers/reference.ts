import type { Description } from "../../dashboard/reference/model/description.ts";
import {
  managementApi,
  referenceOf,
  type Reference,
} from "../../dashboard/reference/model/reference.ts";
import { ourDescription } from "../../dashboard/guides/serve.ts";
import type { Place } from "../../dashboard/reference/view/place.ts";
import { describeManagement } from "../../lib/management/describe.ts";
import { everyEndpoint } from "./every-endpoint.ts";

/** The reference of the public API. */
export const reference: Reference = referenceOf(ourDescription());

/** The description of the management API. */
export const managementDescription: unknown = describeManagement(everyEndpoint);

/** The reference of the management API. */
export const management: Reference = referenceOf(
  managementDescription as Description,
  managementApi,
);

/** A host of the base domain. */
export const place: Place = {
  origin: "https://pets.example.org",
  production: "https://pets.example.org/v1",
  staging: "https://staging.pets.example.org/v1",
  help: "",
  dashboard: true,
  style: "/docs/assets/guides-1.css",
  script: "/docs/assets/reference-1.js",
  paint: "/docs/assets/paint-1.js",
  icon: "/docs/assets/icon.svg",
  search: "/docs/assets/search-1.js",
};

/** Returns the markup of one operation in a page of the reference. */
export function operationIn(page: string, id: string): string {
  const start = page.indexOf(`<section class="operation" id="${id}"`);
  if (start === -1) throw new Error(`The page has no operation ${id}.`);
  return page.slice(start, page.indexOf("</section>", start));
}

/** Returns the visible text of markup. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");
}

/** Returns the texts of a description without backticks, like `wordsOf` returns them. */
export function unmarked(text: string): string {
  return text.replaceAll("`", " ").replaceAll(/\s+/g, " ").trim();
}

/**
 * Returns what the strict policy of a page of the reference would refuse, what it loads from elsewhere, and tags with
 * attributes that no space separates.
 */
export function faultsOf(html: string): readonly string[] {
  const inline = html.match(/<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)/g) ?? [];
  const loaded = Array.from(
    html.matchAll(/(?:src|<link [^>]*href)="([^"]*)"/g),
    ([, to = ""]) => to,
  ).filter((to) => !to.startsWith("/docs/assets/"));
  // Removes the values: `a="b" c="d"` becomes `a=" c="`.
  const tags = (html.match(/<[a-z][^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '"'));
  return [...inline, ...loaded, ...tags.filter((tag) => /"[a-z]/.test(tag))];
}
