import { sizedCache } from "../../base/cache.ts";
import type { Blobs } from "../blobs.ts";
import { animalFilesIn } from "../model/animal-files.ts";
import type { Site } from "../site.ts";
import type { Markdown } from "../storefront.ts";
import { Markup, markup } from "./markup.ts";

/** The description of an animal. */
export interface Bio {
  readonly html: Markup;
  /** Its first paragraph as plain text. */
  readonly summary: string;
}

/** Finds an animal's bio: `/animals/<id>/bio.md` of the deploy, unless it is too long or not UTF-8, else the text of its profile. */
export type Bios = (
  site: Site,
  id: number,
  profileText: string | undefined,
) => Promise<Bio | undefined>;

/** Cached characters of markup: the bios of a few thousand animals. */
const MAX_KEPT = 8 * 1024 * 1024;

export function createBios(blobs: Blobs, markdown: Markdown): Bios {
  // Keyed by content, so entries never expire.
  const kept = sizedCache<Bio>(
    MAX_KEPT,
    ({ html, summary }, key) => html.toString().length + summary.length + key.length + 200,
  );
  const bioOf = async (key: string, text: string): Promise<Bio> => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = await markdown(text);
    // `Markdown` promises safe markup.
    const bio = { html: new Markup(made), summary: firstParagraph(made) };
    kept.set(key, bio);
    return bio;
  };
  return async ({ files }, id, profileText) => {
    const file = animalFilesIn(files).get(id)?.bio;
    if (file === undefined) {
      return profileText === undefined ? undefined : bioOf(profileText, profileText);
    }
    const known = kept.get(file.sha256);
    if (known !== undefined) return known;
    const content = await blobs.read(file.sha256);
    return content && bioOf(file.sha256, new TextDecoder().decode(content));
  };
}

/** The length of a summary in UTF-16 code units. */
const MAX_LENGTH = 240;

/** Made on first use: it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined;

/** Extracts the first paragraph of rendered Markdown as text, shortened between words; empty without one. */
export function firstParagraph(html: string): string {
  const inner = /<p>(.*?)<\/p>/s.exec(html)?.[1] ?? "";
  const text = inner
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
  return shortened(text);
}

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

function shortened(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  // Do not split a grapheme.
  graphemes ??= new Intl.Segmenter("en");
  const character = graphemes.segment(text).containing(MAX_LENGTH);
  const cut = text.slice(0, character?.index ?? MAX_LENGTH);
  const space = cut.lastIndexOf(" ");
  // Scripts without spaces are cut anywhere.
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.–-]+$/u, "")}…`;
}

/** Renders plain text paragraphs, for hosts without a Markdown renderer. */
export function plainText(text: string): string {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => markup`<p>${paragraph}</p>`.toString())
    .join("\n");
}
