import { markup, type Markup, type Part } from "../../lib/publishing/storefront/markup.ts";
import type { GuideParts, HelpEntry } from "../guides/guides.ts";
import type { Heading, Rendered } from "./render.ts";

/** A whole page of the help: the text, with all pages and the headings of this one beside it. */
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

/** What pages of the help have in common. */
export interface Framed {
  readonly title: string;
  readonly path: string;
  readonly pages: readonly HelpEntry[];
  readonly parts: GuideParts;
  readonly headings: readonly Heading[];
  readonly main: Markup;
}

/** An HTML document around `main`. */
export function frame({ title, path, pages, parts, headings, main }: Framed): string {
  const { style, paint, icon, helpScript } = parts;
  const entry = pages.find((page) => page.path === path);
  return markup`
    <!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>${title} · Help</title>${
      entry !== undefined && markup`<meta name="description" content="${entry.summary}">`
    }<link rel="icon" type="image/svg+xml" href="${icon}"><link rel="stylesheet" href="${style}">
    <script src="${paint}"></script><script type="module" src="${helpScript}"></script></head><body class="help">
    <a class="skip" href="#content">Skip to the content</a><header class="bar">
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
