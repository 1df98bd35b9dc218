import { describe, expect, test } from "bun:test";
import { Glob } from "bun";

import { bundled } from "../../../dashboard/guides/bundled.ts";
import { manualPages, type ManualPage } from "../../../dashboard/help/manual.ts";
import { render } from "../../../dashboard/help/render.ts";
import { loadAsset } from "../../../dashboard/send-asset.ts";
import { findingCodes } from "../../../domains/model/finding-facts.ts";
import { problems } from "../../../lib/base/problem.ts";

const docs = new URL("../../../docs/", import.meta.url);
const sourceOf = (file: string): Promise<string> => Bun.file(new URL(file, docs)).text();

/** Returns both texts of a page, without the sections that are only in English and the reference to them. */
async function textsOf({
  file,
  german: { until },
}: ManualPage): Promise<readonly [string, string]> {
  const [english, german] = await Promise.all([sourceOf(file), sourceOf(`de/${file}`)]);
  if (until === undefined) return [english, german];
  const { headings } = render(english);
  const first = headings.find(({ id }) => id === until)?.text ?? "";
  const start = english.indexOf(`\n## ${first}\n`);
  const end = german.lastIndexOf("\n## ");
  expect([file, start > 0, german.slice(end)]).toEqual([
    file,
    true,
    expect.stringContaining(`(../${file}#${until})`),
  ]);
  return [english.slice(0, start), german.slice(0, end)];
}
const translations = manualPages.filter(({ german }) => german.translated);
const html = new Map(
  bundled.help.map((asset) => [
    asset.path,
    new TextDecoder().decode(loadAsset(asset).bodies.identity?.bytes),
  ]),
);

/** The kinds of blocks in each section, with the numbers of their rows and items: `p p ul3 pre`. */
function structureOf(markdown: string): readonly string[] {
  const { body } = render(markdown);
  return body
    .toString()
    .split(/<h[1-6] [^>]*>.*?<\/h[1-6]>/s)
    .map((section) =>
      Array.from(section.matchAll(/<(p|ul|ol|li|tr|pre|blockquote)\b/g), ([, tag]) => tag).join(
        " ",
      ),
    );
}

describe.each(translations.map((page) => [page.file, page] as const))("%s in German", (_, page) => {
  test("has the sections, paragraphs, list items and table rows of the English page", async () => {
    const [english, german] = await textsOf(page);
    const levels = (text: string): readonly number[] =>
      render(text).headings.map(({ level }) => level);
    expect(levels(german)).toEqual(levels(english));
    expect(structureOf(german)).toEqual(structureOf(english));
  });

  test("has the same anchors, code and links", async () => {
    const [english, german] = await textsOf(page);
    const anchors = (path: string): readonly string[] =>
      Array.from((html.get(path) ?? "").matchAll(/<h[2-6] id="([^"]*)"/g), ([, id = ""]) => id);
    const all = anchors(`/help/${page.slug}`);
    const { until } = page.german;
    // The section that refers to the English ones has the anchor of the first of them.
    const own = until === undefined ? all : all.slice(0, all.indexOf(until) + 1);
    expect(anchors(`/help/de/${page.slug}`)).toEqual(own);
    const code = (text: string): readonly string[] =>
      Array.from(text.matchAll(/`([^`]*)`/g), ([, words = ""]) =>
        words.replaceAll(/\s+/g, " "),
      ).toSorted();
    expect(code(german)).toEqual(code(english));
    const links = (text: string): readonly string[] =>
      Array.from(text.matchAll(/\]\(([^)]*)\)/g), ([, to = ""]) =>
        to.replace("../", ""),
      ).toSorted();
    expect(links(german)).toEqual(links(english));
  });

  test("and the English page link to each other", () => {
    const english = html.get(`/help/${page.slug}`) ?? "";
    const german = html.get(`/help/de/${page.slug}`) ?? "";
    expect(english).toContain(
      `<a href="/help/de/${page.slug}" hreflang="de" lang="de">Deutsch</a>`,
    );
    expect(german).toContain(
      `<a href="/help/${page.slug}?language=en" hreflang="en" lang="en">English</a>`,
    );
    // A script opens it for readers of German.
    expect(english).toContain(`<html lang="en" data-german="/help/de/${page.slug}">`);
    expect(german).toStartWith('<!doctype html><html lang="de">');
  });
});

test("the pages that the dashboard links to are in German", () => {
  const linked = ["errors", "findings", "custom-domains", "dashboard", "shelters"];
  expect(translations.map(({ slug }) => slug).toSorted()).toEqual(linked.toSorted());
});

test("every error code and finding is explained in German", () => {
  for (const code of Object.keys(problems)) {
    expect(html.get("/help/de/errors")).toContain(`<h2 id="${code}">`);
  }
  for (const code of Object.keys(findingCodes)) {
    expect(html.get("/help/de/findings")).toContain(`<h2 id="${code}">`);
  }
});

test("the German start page lists all pages, and marks those in English", () => {
  const [, main = ""] = (html.get("/help/de") ?? "").split('<main id="content"');
  const items = main.split('<li class="page">').slice(1);
  expect(items).toHaveLength(manualPages.length);
  for (const [index, { slug, german }] of manualPages.entries()) {
    const item = items[index] ?? "";
    const path = german.translated ? `/help/de/${slug}` : `/help/${slug}`;
    expect(item).toContain(`<a href="${path}"`);
    expect([slug, item.includes("auf Englisch")]).toEqual([slug, !german.translated]);
    expect(item).toContain(german.summary);
  }
});

/** Names in the control panel of Cloudflare. */
const FOREIGN_LABELS: ReadonlySet<string> = new Set(["Flexible", "Full (strict)"]);

test("every label in the German help is one of the dashboard in German", async () => {
  const root = new URL("../../../", import.meta.url).pathname;
  const files = await Array.fromAsync(new Glob("dashboard/app/words/de/**/*.ts").scan(root));
  const texts = [...files, "lib/catalogue/status-words.ts"].map((file) =>
    Bun.file(root + file).text(),
  );
  const catalogue = (await Promise.all(texts)).join("\n");
  const labels = new Set<string>();
  for (const { file } of translations) {
    const text = (await sourceOf(`de/${file}`)).replaceAll(/`[^`]*`|\*\*[^*]*\*\*/g, "");
    for (const [, label = ""] of text.matchAll(/\*([^*]+)\*/g)) {
      labels.add(label.replaceAll(/\s+/g, " "));
    }
  }
  expect(labels.size).toBeGreaterThan(40);
  const unknown = [...labels].filter(
    (label) => !FOREIGN_LABELS.has(label) && !catalogue.includes(`"${label}"`),
  );
  expect(unknown).toEqual([]);
});

test("German pages have no untranslated labels", () => {
  for (const { slug } of translations) {
    const page = html.get(`/help/de/${slug}`) ?? "";
    expect(page).not.toMatch(/>(?:Contents|Help|Search the help|Skip to content|API reference)</);
    expect(page).not.toMatch(/aria-label="(?:Table|Example|Contents|Search results)"/);
  }
});
