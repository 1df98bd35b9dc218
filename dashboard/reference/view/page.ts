import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import type { Group, Reference, ReferenceOperation } from "../model/reference.ts";
import { appendix, introduction } from "./introduction.ts";
import { operationOf, methodMark } from "./operation.ts";
import type { Place } from "./place.ts";
import { schemaId } from "./schema.ts";
import { credentials } from "./try-panel.ts";

/** Writes the reference as an HTML document. It works without scripts; a script adds the try-it panels. */
export function referencePage(reference: Reference, place: Place): string {
  const { info } = reference.description;
  const { style, script, paint, icon, help, dashboard } = place;
  return markup`
    <!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>${info.title} · API reference</title>
    <meta name="description" content="${info.summary}"><link rel="icon" type="image/svg+xml" href="${icon}">
    <link rel="stylesheet" href="${style}"><script src="${paint}"></script>
    <script type="module" src="${script}"></script></head><body class="reference" data-help="${help}">
    <a class="skip" href="#content">Skip to content</a><header class="bar">
    <button type="button" class="menu" popovertarget="contents">Contents</button>
    <a class="brand" href="/docs" aria-label="${info.title}, API reference"><img src="${icon}" alt="" width="28" height="28"><span>${info.title}</span></a>
    <span class="where">API reference</span><span class="links">${
      dashboard && markup`<a href="/">Dashboard</a>`
    }<a href="${help}/help">Help</a></span>
    <button type="button" class="credentials-state" popovertarget="credentials" hidden></button></header>
    ${credentials(place)}<div class="layout">${navigation(reference, place)}
    <main id="content" tabindex="-1">${introduction(reference, place)}
    ${reference.groups.map((one) => groupSections(one, reference, place))}${appendix(reference, place)}
    </main></div></body></html>
  `.toString();
}

function groupSections({ name, sections }: Group, { schemas }: Reference, place: Place): Markup {
  return markup`${sections.map(
    ({ name: tag, description, operations }) => markup`
      <section class="group" id="${groupId(tag)}">${tag !== name && markup`<p class="eyebrow">${name}</p>`}
      <h2>${tag}</h2><p>${description}</p></section>
      ${operations.map((operation) => operationOf(operation, schemas, place))}
    `,
  )}`;
}

/** The anchor of a group's description. */
function groupId(name: string): string {
  return `group-${name.toLowerCase()}`;
}

/** The table of contents, which a script can filter. */
function navigation({ groups, schemas }: Reference, { help, dashboard }: Place): Markup {
  return markup`
    <nav id="contents" popover aria-label="Contents"><div class="search" hidden>
    <label for="search">Search the reference</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
    </div><p class="none" role="status" hidden>No matches.</p>
    <ul class="narrow">${dashboard && markup`<li><a href="/">Dashboard</a></li>`}
    <li><a href="${help}/help">Help</a></li></ul>
    ${list("Overview", OVERVIEW)}${groups.map(group)}${list("Details", [
      ["errors", "Errors"],
      ["headers", "Response headers"],
      ...Object.keys(schemas).map((name) => [schemaId(name), name] as const),
    ])}</nav>
  `;
}

const OVERVIEW = [
  ["introduction", "Introduction"],
  ["environments", "Environments"],
  ["authentication", "Authentication"],
] as const;

function list(title: string, entries: readonly (readonly [id: string, text: string])[]): Markup {
  return markup`
    <div class="group"><p>${title}</p><ul>${entries.map(
      ([id, text]) => markup`<li><a href="#${id}">${text}</a></li>`,
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

function entry({ id, method, path, summary, deprecated }: ReferenceOperation): Markup {
  return markup`
    <li><a href="#${id}" data-words="${`${method} ${path} ${id}`}"${deprecated && markup` class="ending"`}>
    <span>${summary}</span>${methodMark(method)}</a></li>
  `;
}
