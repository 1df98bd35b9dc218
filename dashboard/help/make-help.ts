import { makeAsset } from "../make-asset.ts";
import type { GuideParts, Guides, HelpEntry } from "../guides/guides.ts";
import type { Entry } from "../guides/search/entry.ts";
import { helpPath, manualFiles, manualPages, type Language, type ManualPage } from "./manual.ts";
import { indexPage, helpPage, type IndexEntry } from "./page.ts";
import { render, type Rendered } from "./render.ts";

const DOCS = `${import.meta.dir}/../../docs/`;

interface Read extends Rendered, IndexEntry {
  readonly page: ManualPage;
  /** The Markdown source. */
  readonly text: string;
}

/** Makes the help from `docs/`, in English and German. */
export async function makeHelp(parts: GuideParts): Promise<Pick<Guides, "help" | "pages">> {
  const english = await Promise.all(manualPages.map((page) => readPage(page, "en")));
  // A page without translation appears in the German contents as it is.
  const german = await Promise.all(
    manualPages.map(async (page, index): Promise<Read> => {
      const { summary, translated } = page.german;
      const original = english[index];
      if (original === undefined || translated) return readPage(page, "de", original);
      return { ...original, summary };
    }),
  );
  const files = Object.entries(manualFiles).map(async ([file, type]) => {
    const bytes = new Uint8Array(await Bun.file(DOCS + file).arrayBuffer());
    return makeAsset(`/help/${file}`, bytes, false, type);
  });
  return {
    pages: [...english, ...inGerman(german)].map(entryOf),
    help: [
      ...pagesIn("en", english, english, [], parts),
      ...pagesIn("de", german, inGerman(german), english.flatMap(onlyInEnglish), parts),
      ...(await Promise.all(files)),
    ],
  };
}

async function readPage(page: ManualPage, language: Language, original?: Read): Promise<Read> {
  const text = await Bun.file(DOCS + (language === "de" ? "de/" : "") + page.file).text();
  const { summary } = language === "de" ? page.german : page;
  return {
    page,
    path: helpPath(page, language),
    language,
    summary,
    text,
    ...render(text, language, original),
  };
}

function inGerman(pages: readonly Read[]): readonly Read[] {
  return pages.filter(({ language }) => language === "de");
}

function entryOf({ path, title, summary, language }: HelpEntry): HelpEntry {
  return { path, title, summary, language };
}

/**
 * Makes the files of a language: its start page, its `own` pages with their sources for programs, and its search index,
 * which also contains the `more` entries.
 */
function pagesIn(
  language: Language,
  all: readonly Read[],
  own: readonly Read[],
  more: readonly Entry[],
  parts: GuideParts,
): Guides["help"] {
  const home = language === "de" ? "/help/de" : "/help";
  const asset = (path: string, type: string, text: string): ReturnType<typeof makeAsset> =>
    makeAsset(path, new TextEncoder().encode(text), false, type);
  const html = "text/html; charset=utf-8";
  const contents = all.map(entryOf);
  return [
    asset(home, html, indexPage(language, all, parts)),
    ...own.map(({ page, ...read }) =>
      asset(read.path, html, helpPage(page, read, contents, parts)),
    ),
    ...own.map(({ path, text }) => asset(`${path}.md`, "text/markdown; charset=utf-8", text)),
    asset(
      `${home}/search.json`,
      "application/json; charset=utf-8",
      JSON.stringify([...all.flatMap((read) => entriesOf(read, language)), ...more]),
    ),
  ];
}

/** The entries of the sections that a translated page lacks. */
function onlyInEnglish(read: Read): readonly Entry[] {
  const { until } = read.page.german;
  const entries = entriesOf(read, "de");
  const start = entries.findIndex(([, , path]) => path === `${read.path}#${until}`);
  return start === -1 ? [] : entries.slice(start);
}

/** The entries of a page in the search index of a language: one for the page, and one for each heading. */
function entriesOf(
  { path, title, summary, headings, texts, language }: Read,
  indexed: Language,
): readonly Entry[] {
  const [introduction = "", ...sections] = texts;
  const foreign = language !== indexed;
  return [
    [foreign ? "foreign" : "page", title, path, summary, "", introduction],
    ...headings.map(({ id, text }, index): Entry => {
      const kind = foreign ? "foreign" : "text";
      return [kind, text, `${path}#${id}`, title, "", sections[index] ?? ""];
    }),
  ];
}
