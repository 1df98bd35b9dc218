import type { Eventual } from "../base/eventual.ts";
import type { Deploy, Manifest, ManifestFile } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";

/** A project as visitors meet it: all of it of one instant, so that nothing of two deploys is ever mixed. */
export interface Site {
  readonly project: Project;
  /** Of the project's production catalogue. */
  readonly catalogueId: number;
  readonly deploy: Deploy;
  readonly manifest: Manifest;
  /** The manifest's files by path. */
  readonly files: ReadonlyMap<string, ManifestFile>;
  /**
   * Immutable files of deploys that were live in the last 24 h and are not part of this one: a page that was
   * read just before a swap still finds its own style and script. By path.
   */
  readonly departed: ReadonlyMap<string, ManifestFile>;
}

/** What a slug leads to; undefined: nothing that may be seen (unknown, deleted, suspended). */
export type Found =
  | { readonly kind: "site"; readonly site: Site }
  /** There is a project and nothing is published. */
  | { readonly kind: "empty"; readonly project: Project }
  /** The project has another slug now. */
  | { readonly kind: "moved"; readonly slug: string };

/** Sites by slug, remembered. */
export interface Sites {
  /** What the last commit made of it: at once in this process, within a second in others. At hand when it was asked before. */
  bySlug(slug: string): Eventual<Found | undefined>;
}
