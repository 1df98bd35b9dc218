import { animalPlace } from "./animal-files.ts";
import { SITE_FILE } from "./site-file.ts";

/** A file as far as its loss is concerned. */
export interface LosableFile {
  readonly path: string;
  /** The name contains a hash of the content: builds replace such files in every deploy, so their loss is none. */
  readonly immutable: boolean;
}

/** What visitors no longer find once a deploy replaces another. Counts are 0 for nothing. */
export interface Gone {
  readonly files: number;
  /** Animals that lose their photo. */
  readonly photosOf: number;
  /** Animals that lose their text. */
  readonly textsOf: number;
  /** `petstore.site.json` disappears, and its settings with it. */
  readonly siteFile: boolean;
}

/** Finds what disappears when a site with the files `before` is replaced by one with the paths `after`. */
export function goneBetween(before: readonly LosableFile[], after: ReadonlySet<string>): Gone {
  const lost = before.filter(({ path, immutable }) => !immutable && !after.has(path));
  const left = new Set(Array.from(after, thingOf));
  const losers = lost.map(({ path }) => thingOf(path)).filter((thing) => !left.has(thing));
  const count = (kind: string): number =>
    new Set(losers.filter((thing) => thing?.startsWith(kind))).size;
  return {
    files: lost.length,
    photosOf: count("photo"),
    textsOf: count("bio"),
    siteFile: lost.some(({ path }) => path === SITE_FILE),
  };
}

/** Returns what the file is of which animal, such as `photo 7`: a photo may be there in several formats. */
function thingOf(path: string): string | undefined {
  const place = animalPlace(path);
  return place === undefined || place.kind === "unused" ? undefined : `${place.kind} ${place.id}`;
}
