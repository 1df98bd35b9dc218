import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import type { Group, Reference } from "../model/reference.ts";
import { credentials } from "./credentials.ts";
import { appendix, introduction } from "./introduction.ts";
import { groupId, navigation } from "./navigation.ts";
import { operationOf } from "./operation.ts";
import type { Place } from "./place.ts";

/** The whole reference as an HTML document. It is read without a script; with one, operations can be tried. */
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
    <a class="skip" href="#content">Skip to the content</a><header class="bar">
    <button type="button" class="menu" popovertarget="contents">Contents</button>
    <a class="brand" href="/docs" aria-label="${info.title}, API reference"><img src="${icon}" alt="" width="28" height="28"><span>${info.title}</span></a>
    <span class="where">API reference</span><span class="links">${
      dashboard && markup`<a href="/">Dashboard</a>`
    }<a href="${help}/help">Help</a></span>
    <button type="button" class="credentials-state" popovertarget="credentials" hidden></button></header>
    ${credentials(place)}<div class="layout">${navigation(reference, place)}
    <main id="content" tabindex="-1">${introduction(reference, place)}
    ${reference.groups.map((group) => groupSections(group, reference, place))}${appendix(reference, place)}
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
