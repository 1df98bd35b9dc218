import { sizedCache } from "../../base/cache.ts";
import type { Blobs } from "../blobs.ts";
import type { Site } from "../site.ts";
import type { Markdown } from "../storefront.ts";
import { Markup } from "./markup.ts";
import { firstParagraph } from "./summary.ts";

/** What is told of an animal. */
export interface Bio {
  readonly html: Markup;
  /** Its first paragraph, as text. */
  readonly summary: string;
}

/** The bio of an animal: `/animals/<id>/bio.md` of the deploy, if it is there and not too long. */
export type Bios = (site: Site, id: number) => Promise<Bio | undefined>;

/** In bytes; a longer one is no bio. */
export const MAX_BIO: number = 64 * 1024;

/** Characters of markup that are kept: the text of a few thousand animals. */
const MAX_KEPT = 8 * 1024 * 1024;

export function createBios(blobs: Blobs, markdown: Markdown): Bios {
  // By its content: what a bio is made of never changes.
  const kept = sizedCache<Bio>(
    MAX_KEPT,
    ({ html, summary }) => html.toString().length + summary.length + 200,
  );
  return async ({ files }, id) => {
    const file = files.get(`/animals/${id}/bio.md`);
    if (file === undefined || file.size > MAX_BIO) return undefined;
    const known = kept.get(file.sha256);
    if (known !== undefined) return known;
    const content = await blobs.read(file.sha256);
    if (content === undefined) return undefined;
    const made = markdown(new TextDecoder().decode(content));
    // The port promises markup that can do no harm.
    const bio = { html: new Markup(made), summary: firstParagraph(made) };
    kept.set(file.sha256, bio);
    return bio;
  };
}
