import type { Eventual } from "../base/eventual.ts";
import type { Deploy, Manifest, ManifestFile } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";

/** A consistent snapshot of a project as visitors see it, so that no response mixes two deploys. */
export interface Site {
  readonly project: Project;
  /** The project's production catalogue. */
  readonly catalogueId: number;
  readonly deploy: Deploy;
  readonly manifest: Manifest;
  /** The manifest's files by path. */
  readonly files: ReadonlyMap<string, ManifestFile>;
  /**
   * Immutable files, by path, of deploys that were live in the last 24 hours and that this deploy lacks. A page loaded just
   * before a new deploy still finds its styles and scripts.
   */
  readonly supersededFiles: ReadonlyMap<string, ManifestFile>;
}

/** The target of a slug. Unknown, deleted and suspended projects are `undefined`. */
export type Found =
  | { readonly kind: "site"; readonly site: Site }
  /** The project has no live deploy. */
  | { readonly kind: "empty"; readonly project: Project }
  /** The project has a new slug. */
  | { readonly kind: "moved"; readonly slug: string };

/** Sites by slug, cached. */
export interface Sites {
  /** Sees commits of this process immediately and those of others within a second. Returns a plain value on a cache hit. */
  bySlug(slug: string): Eventual<Found | undefined>;
}
