import { markup, type Markup } from "../../lib/publishing/storefront/markup.ts";
import type { GuideParts, HelpEntry } from "../guides/guides.ts";
import { frame } from "./page.ts";
import type { Heading } from "./render.ts";

/** A page with what can be found on it. */
export interface IndexEntry extends HelpEntry {
  readonly headings: readonly Heading[];
}

/** The first page of the help: every page, and a search over all their headings that a script makes work. */
export function indexPage(entries: readonly IndexEntry[], parts: GuideParts): string {
  return frame({
    title: "Help",
    path: "/help",
    pages: entries,
    parts,
    headings: [],
    main: markup`
      <div class="manual"><h1>Help</h1><div class="search" hidden><label for="search">Search the help</label>
      <input id="search" type="search" placeholder="An error code, a finding, a word" autocomplete="off"${SHORTCUT}>
      </div><p class="none" role="status" hidden>Nothing is called that. Try a shorter word.</p>
      <ul class="pages">${entries.map(entry)}</ul></div>
    `,
  });
}

const SHORTCUT = markup` spellcheck="false" aria-keyshortcuts="/"`;

function entry({ path, title, summary, headings }: IndexEntry): Markup {
  return markup`
    <li class="page"><h2><a href="${path}">${title}</a></h2><p>${summary}</p><ul class="headings">${headings.map(
      ({ id, text }) => markup`<li><a href="${path}#${id}">${text}</a></li>`,
    )}</ul></li>
  `;
}
