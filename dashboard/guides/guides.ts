import type { Asset } from "../asset.ts";

/** Addresses of the assets of the reference and the help. */
export interface GuideParts {
  readonly style: string;
  /** Runs before the first paint to set the theme. */
  readonly paint: string;
  readonly icon: string;
  readonly referenceScript: string;
  readonly helpScript: string;
  /** Loaded when a search field is used. */
  readonly search: string;
}

/** The prebuilt parts of the reference and the help. */
export interface Guides {
  /** Served below `/docs/assets/` on every host with a reference. */
  readonly assets: readonly Asset[];
  readonly parts: GuideParts;
  /** The pages below `/help` and the files that they link to. */
  readonly help: readonly Asset[];
  /** The help pages in order: English, then German. */
  readonly pages: readonly HelpEntry[];
}

/** An entry in the list of help pages. */
export interface HelpEntry {
  /** `/help/limits` or `/help/de/shelters`. */
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly language: "en" | "de";
}

/** The host on which the reference or the help is shown. */
export interface GuideHost {
  /** The visitor's origin: `https://pets.example.org`. */
  readonly origin: string;
  /** Address of the API, including `/v1`. */
  readonly production: string;
  readonly staging: string;
  /** Origin of `/help`; empty when this host serves it. */
  readonly help: string;
  /** Whether this host serves the dashboard. */
  readonly dashboard: boolean;
}
