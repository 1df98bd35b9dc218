import type { Asset } from "../asset.ts";

/** Addresses of what the pages of the reference and of the help are made of. */
export interface GuideParts {
  readonly style: string;
  /** Runs before anything is painted: it sets the theme. */
  readonly paint: string;
  readonly icon: string;
  readonly referenceScript: string;
  readonly helpScript: string;
}

/** All that the reference and the help are made of, as it was made when the program was built. */
export interface Guides {
  /** Below `/docs/assets/`, on every host that has a reference. */
  readonly assets: readonly Asset[];
  readonly parts: GuideParts;
  /** The pages below `/help`, and files that they lead to. */
  readonly help: readonly Asset[];
  /** What the pages of the help are called, in the order in which they are listed. */
  readonly pages: readonly HelpEntry[];
}

/** A page of the help in a list. */
export interface HelpEntry {
  /** `/help/limits`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
}
