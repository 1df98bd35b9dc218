import { searchField } from "../../guides/search-field.ts";
import { markup, type Markup, type Part } from "../../../lib/publishing/storefront/markup.ts";
import {
  managementApi,
  publicApi,
  type Api,
  type Group,
  type Reference,
  type ReferenceOperation,
} from "../model/reference.ts";
import { appendix, introduction } from "./introduction.ts";
import { operationOf, methodMark } from "./operation.ts";
import type { Place } from "./place.ts";
import { schemaId } from "./schema.ts";
import { credentials, credentialsState } from "./try-panel.ts";

/** Writes the reference of the public API. It works without scripts; a script adds the try-it panels. */
export function referencePage(reference: Reference, place: Place): string {
  const { info } = reference.description;
  return frame({
    title: `${info.title} · API reference`,
    api: publicApi,
    summary: info.summary,
    place,
    navigation: navigation(reference),
    main: markup`
      ${introduction(reference, place)}${reference.groups.map((one) => groupSections(one, reference, place))}
      ${appendix(reference, place)}
    `,
  });
}

/** The parts of a page of the reference. */
export interface Framed {
  readonly title: string;
  readonly api: Api;
  readonly summary: string;
  readonly place: Place;
  /** Groups of links. */
  readonly navigation: Part;
  readonly main: Markup;
}

/** Writes the HTML document around `main`. */
export function frame({ title, api, summary, place, navigation: groups, main }: Framed): string {
  const { style, script, paint, icon, help, dashboard, search } = place;
  return markup`
    <!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>${title}</title>
    <meta name="description" content="${summary}"><link rel="icon" type="image/svg+xml" href="${icon}">
    <link rel="stylesheet" href="${style}"><script src="${paint}"></script>
    <script type="module" src="${script}"></script></head><body class="reference" data-help="${help}" data-secret="${api.secret}">
    <a class="skip" href="#content">Skip to content</a><header class="bar">
    <a class="brand" href="${api.page}" aria-label="Petstore, API reference"><img src="${icon}" alt="" width="28" height="28"><span>Petstore</span></a>
    <span class="where">API reference</span><button type="button" class="menu" popovertarget="contents">Contents</button>
    ${searchField({ language: "en", label: "Search the reference", script: search, index: "/docs/search.json" })}
    <span class="links">${dashboard && markup`<a href="/">Dashboard</a>`}<a href="${help}/help">Help</a></span>
    <button type="button" class="credentials-state" popovertarget="credentials" hidden>${credentialsState(api)}</button></header>
    ${credentials(api, place)}<div class="layout"><nav id="contents" popover aria-label="Contents">
    <ul class="narrow">${dashboard && markup`<li><a href="/">Dashboard</a></li>`}
    <li><a href="${help}/help">Help</a></li></ul>${dashboard && choice(api)}${groups}</nav>
    <main id="content" tabindex="-1">${main}</main></div></body></html>
  `.toString();
}

/** Switches between the two APIs. Only the base domain has both. */
function choice(current: Api): Markup {
  return markup`
    <ul class="apis" aria-label="API">${[publicApi, managementApi].map(
      (api) =>
        markup`<li><a href="${api.page}"${api === current && markup` aria-current="true"`}>${api.short}</a></li>`,
    )}</ul>
  `;
}

function groupSections({ name, sections }: Group, reference: Reference, place: Place): Markup {
  return markup`${sections.map(
    ({ name: tag, description, operations }) => markup`
      <section class="group" id="${groupId(tag)}">${tag !== name && markup`<p class="eyebrow">${name}</p>`}
      <h2>${tag}</h2><p>${description}</p></section>
      ${operations.map((operation) => operationOf(operation, reference, place))}
    `,
  )}`;
}

/** The anchor of a group's description. */
function groupId(name: string): string {
  return `group-${name.toLowerCase()}`;
}

/** The table of contents. */
function navigation({ groups, schemas }: Reference): Part {
  return [
    list("Overview", OVERVIEW),
    groups.map(group),
    list("Details", [
      ["errors", "Errors"],
      ["headers", "Response headers"],
      ...Object.keys(schemas).map((name) => [schemaId(name), name] as const),
    ]),
  ];
}

const OVERVIEW = [
  ["introduction", "Introduction"],
  ["environments", "Environments"],
  ["authentication", "Authentication"],
] as const;

/** A titled list of links to anchors; `page` is their page, by default the same one. */
export function list(
  title: string,
  entries: readonly (readonly [id: string, text: string])[],
  page = "",
): Markup {
  return markup`
    <div class="group"><p>${title}</p><ul>${entries.map(
      ([id, text]) => markup`<li><a href="${page}#${id}">${text}</a></li>`,
    )}</ul></div>
  `;
}

function group({ name, sections }: Group): Markup {
  return markup`<div class="group"><p>${name}</p>${sections.map(({ name: tag, operations }) =>
    operations.length === 0
      ? markup`<ul><li class="empty"><a href="#${groupId(tag)}">No operations</a></li></ul>`
      : markup`<p class="tag"><a href="#${groupId(tag)}">${tag}</a></p><ul>${operations.map(entry)}</ul>`,
  )}</div>`;
}

/** An operation in the table of contents. */
export function entry({ id, method, summary, deprecated }: ReferenceOperation): Markup {
  return markup`
    <li><a href="#${id}"${deprecated && markup` class="ending"`}>
    <span>${summary}</span>${methodMark(method)}</a></li>
  `;
}
