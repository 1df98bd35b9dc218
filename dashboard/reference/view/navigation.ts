import { markup, type Markup } from "../../../lib/publishing/storefront/markup.ts";
import type { Group, Reference, ReferenceOperation } from "../model/reference.ts";
import { methodMark } from "./operation.ts";
import type { Place } from "./place.ts";
import { schemaId } from "./schema.ts";

/** Where a group that has no operations is explained. */
export function groupId(name: string): string {
  return `group-${name.toLowerCase()}`;
}

/** All there is on the page, as a list that a script can narrow down. */
export function navigation({ groups, schemas }: Reference, { help, dashboard }: Place): Markup {
  return markup`
    <nav id="contents" popover aria-label="Contents"><div class="search" hidden>
    <label for="search">Search the reference</label>
    <input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
    </div><p class="none" role="status" hidden>Nothing here is called that.</p>
    <ul class="narrow">${dashboard && markup`<li><a href="/">Dashboard</a></li>`}
    <li><a href="${help}/help">Help</a></li></ul>
    ${list("Overview", OVERVIEW)}${groups.map(group)}${list("Details", [
      ["errors", "Errors"],
      ["headers", "Headers of answers"],
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
