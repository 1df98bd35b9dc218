import { markup, type Markup, type Part } from "../../lib/publishing/storefront/markup.ts";
import type { GuideParts, HelpEntry } from "../guides/guides.ts";
import { searchField } from "../guides/search-field.ts";
import { helpPath, type Language, type ManualPage } from "./manual.ts";
import type { Heading, Rendered } from "./render.ts";

interface Words {
  readonly help: string;
  /** Describes the start page. */
  readonly about: string;
  readonly skip: string;
  readonly contents: string;
  readonly reference: string;
  readonly search: string;
  /** Names the help itself in the link of the brand. */
  readonly brand: string;
  /** The name of the other language, in that language. */
  readonly other: string;
  /** Marks a page in the other language. */
  readonly foreign: string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    help: "Help",
    about: "All pages of the Petstore manual, and a search over them.",
    skip: "Skip to content",
    contents: "Contents",
    reference: "API reference",
    search: "Search the help",
    brand: "Petstore, help",
    other: "Deutsch",
    foreign: "in German",
  },
  de: {
    help: "Hilfe",
    about: "Alle Seiten des Handbuchs von Petstore, und eine Suche darin.",
    skip: "Zum Inhalt springen",
    contents: "Inhalt",
    reference: "API-Referenz",
    search: "Hilfe durchsuchen",
    brand: "Petstore, Hilfe",
    other: "English",
    foreign: "auf Englisch",
  },
};

/** Writes a help page with the navigation. */
export function helpPage(
  page: ManualPage,
  { title, body, headings, language }: Rendered & Pick<HelpEntry, "language">,
  pages: readonly HelpEntry[],
  parts: GuideParts,
): string {
  return frame({
    title,
    language,
    path: helpPath(page, language),
    ...(page.german.translated ? { en: helpPath(page, "en"), de: helpPath(page, "de") } : {}),
    pages,
    parts,
    headings,
    main: markup`<article class="manual"><h1>${title}</h1>${body}</article>`,
  });
}

/** The contents of a help page. */
export interface Framed {
  readonly title: string;
  readonly language: Language;
  readonly path: string;
  /** The addresses of a page that both languages have. */
  readonly en?: string;
  readonly de?: string;
  readonly pages: readonly HelpEntry[];
  readonly parts: GuideParts;
  readonly headings: readonly Heading[];
  readonly main: Markup;
}

/** Writes the HTML document around `main`. */
function frame({ title, language, path, en, de, pages, parts, headings, main }: Framed): string {
  const { style, paint, icon, helpScript, search } = parts;
  const words = WORDS[language];
  const home = homeOf(language);
  const entry = pages.find((page) => page.path === path);
  const other =
    en === undefined || de === undefined
      ? undefined
      : // The query remembers the choice, where the browser's language would choose otherwise.
        language === "en"
        ? markup`<a href="${de}" hreflang="de" lang="de">${words.other}</a>`
        : markup`<a href="${en}?language=en" hreflang="en" lang="en">${words.other}</a>`;
  return markup`
    <!doctype html><html lang="${language}"${language === "en" && de !== undefined && markup` data-german="${de}"`}><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>${title === words.help ? title : `${title} · ${words.help}`}</title>${markup`<meta name="description" content="${entry?.summary ?? words.about}">`}<link rel="icon" type="image/svg+xml" href="${icon}"><link rel="stylesheet" href="${style}">
    <script src="${paint}"></script><script type="module" src="${helpScript}"></script></head><body class="help">
    <a class="skip" href="#content">${words.skip}</a><header class="bar">
    <a class="brand" href="${home}" aria-label="${words.brand}"><img src="${icon}" alt="" width="28" height="28"><span>Petstore</span></a>
    <span class="where">${words.help}</span><button type="button" class="menu" popovertarget="contents">${words.contents}</button>
    ${searchField({ language, label: words.search, script: search, index: `${home}/search.json` })}
    <span class="links"><a href="/">Dashboard</a><a href="/docs">${words.reference}</a>${other}</span>
    </header><div class="layout"><nav id="contents" popover aria-label="${words.contents}"><div class="group narrow"><ul>
    <li><a href="/">Dashboard</a></li><li><a href="/docs">${words.reference}</a></li>${
      other !== undefined && markup`<li>${other}</li>`
    }</ul></div><div class="group"><ul>
    ${pages.map((page) => item(page, path, headings, language))}</ul></div></nav>
    <main id="content" tabindex="-1">${main}</main></div></body></html>
  `.toString();
}

function homeOf(language: Language): string {
  return language === "de" ? "/help/de" : "/help";
}

/** The attribute and the mark of a link to a page in another language. */
function foreignness(page: HelpEntry, language: Language): readonly [attribute: Part, mark: Part] {
  if (page.language === language) return [false, false];
  return [
    markup` hreflang="${page.language}"`,
    markup` <span class="foreign">${WORDS[language].foreign}</span>`,
  ];
}

function item(
  page: HelpEntry,
  path: string,
  headings: readonly Heading[],
  language: Language,
): Part {
  if (page.path !== path) {
    const [attribute, mark] = foreignness(page, language);
    return markup`<li><a href="${page.path}"${attribute}><span>${page.title}</span>${mark}</a></li>`;
  }
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

/** Writes the start page of the help in a language: all pages. */
export function indexPage(
  language: Language,
  entries: readonly IndexEntry[],
  parts: GuideParts,
): string {
  const { help } = WORDS[language];
  return frame({
    title: help,
    language,
    path: homeOf(language),
    en: homeOf("en"),
    de: homeOf("de"),
    pages: entries,
    parts,
    headings: [],
    main: markup`
      <div class="manual"><h1>${help}</h1><ul class="pages">${entries.map((entry) =>
        indexItem(entry, language),
      )}</ul></div>
    `,
  });
}

function indexItem(page: IndexEntry, language: Language): Markup {
  const [attribute, mark] = foreignness(page, language);
  const { path, title, summary } = page;
  return markup`
    <li class="page"><h2><a href="${path}"${attribute}>${title}</a>${mark}</h2><p>${summary}</p></li>
  `;
}
