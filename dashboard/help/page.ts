import { markup, type Markup, type Part } from "../../lib/publishing/storefront/markup.ts";
import type { GuideParts, HelpEntry } from "../guides/guides.ts";
import type { Heading, Rendered } from "./render.ts";

/** Writes a help page with the navigation. */
export function helpPage(
  path: string,
  { title, body, headings }: Rendered,
  pages: readonly HelpEntry[],
  parts: GuideParts,
): string {
  return frame({
    title,
    path,
    pages,
    parts,
    headings,
    main: markup`<article class="manual"><h1>${title}</h1>${body}</article>`,
  });
}

/** The contents of a help page. */
export interface Framed {
  readonly title: string;
  readonly path: string;
  readonly pages: readonly HelpEntry[];
  readonly parts: GuideParts;
  readonly headings: readonly Heading[];
  readonly main: Markup;
}

/** Writes the HTML document around `main`. */
function frame({ title, path, pages, parts, headings, main }: Framed): string {
  const { style, paint, icon, helpScript } = parts;
  const entry = pages.find((page) => page.path === path);
  return markup`
    <!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>${title} · Help</title>${
      entry !== undefined && markup`<meta name="description" content="${entry.summary}">`
    }<link rel="icon" type="image/svg+xml" href="${icon}"><link rel="stylesheet" href="${style}">
    <script src="${paint}"></script><script type="module" src="${helpScript}"></script></head><body class="help">
    <a class="skip" href="#content">Skip to content</a><header class="bar">
    <button type="button" class="menu" popovertarget="contents">Contents</button>
    <a class="brand" href="/help" aria-label="Petstore, help"><img src="${icon}" alt="" width="28" height="28"><span>Petstore</span></a>
    <span class="where">Help</span><span class="links"><a href="/">Dashboard</a><a href="/docs">API reference</a></span>
    </header><div class="layout"><nav id="contents" popover aria-label="Contents"><div class="group narrow"><ul>
    <li><a href="/">Dashboard</a></li><li><a href="/docs">API reference</a></li></ul></div><div class="group"><ul>
    ${pages.map((page) => item(page, path, headings))}</ul></div></nav>
    <main id="content" tabindex="-1">${main}</main></div></body></html>
  `.toString();
}

function item(page: HelpEntry, path: string, headings: readonly Heading[]): Part {
  if (page.path !== path) return markup`<li><a href="${page.path}">${page.title}</a></li>`;
  const top = Math.min(...headings.map(({ level }) => level));
  const within = headings.filter(({ level }) => level === top);
  return markup`
    <li><a href="${page.path}" aria-current="page">${page.title}</a>${
      within.length > 0 &&
      markup`<ul>${within.map(({ id, text }) => markup`<li><a href="#${id}">${text}</a></li>`)}</ul>`
    }</li>
  `;
}

/** A help page and its headings. */
export interface IndexEntry extends HelpEntry {
  readonly headings: readonly Heading[];
}

/** Writes the start page of the help: all pages, and a scripted search over their headings. */
export function indexPage(entries: readonly IndexEntry[], parts: GuideParts): string {
  return frame({
    title: "Help",
    path: "/help",
    pages: entries,
    parts,
    headings: [],
    main: markup`
      <div class="manual"><h1>Help</h1><div class="search" hidden><label for="search">Search the help</label>
      <input id="search" type="search" placeholder="Error code, finding or keyword" autocomplete="off"${SHORTCUT}>
      </div><p class="none" role="status" hidden>No matches. Try a shorter word.</p>
      <ul class="pages">${entries.map(indexItem)}</ul></div>
    `,
  });
}

const SHORTCUT = markup` spellcheck="false" aria-keyshortcuts="/"`;

function indexItem({ path, title, summary, headings }: IndexEntry): Markup {
  return markup`
    <li class="page"><h2><a href="${path}">${title}</a></h2><p>${summary}</p><ul class="headings">${headings.map(
      ({ id, text }) => markup`<li><a href="${path}#${id}">${text}</a></li>`,
    )}</ul></li>
  `;
}
