import { DAY_MS } from "../../base/clock.ts";
import type { PetStatus } from "../../model/pet.ts";

/** How long a deleted project can be restored. */
export const PROJECT_RESTORE_MS: number = DAY_MS;

/** How long a slug that a project had leads to the one it has. */
export const SLUG_REDIRECTS_MS: number = 30 * DAY_MS;

/** Of an account, without the deleted ones. */
export const MAX_PROJECTS = 100;

/** Slugs that a project had and that still redirect; the oldest give way. */
export const MAX_OLD_SLUGS = 20;

/** A published site of an account: its animals at `<slug>.<sites domain>`. */
export interface Project {
  /** `prj_` and 12 characters of base 62. */
  readonly id: string;
  readonly accountId: string;
  /** A DNS label in lower case, unique among all projects, old slugs that still redirect included. */
  readonly slug: string;
  /** For people: 1 to 80 code points. */
  readonly name: string;
  readonly filter: ProjectFilter;
  readonly theme: Theme;
  readonly liveDeployId?: string;
  /** Grows with every change; what a change was decided on. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** It serves nothing since then, and can be restored for `PROJECT_RESTORE_MS`. */
  readonly deletedAt?: number;
}

/** Which animals of the production catalogue the site shows. */
export interface ProjectFilter {
  /** Empty: all of them. At most 100. */
  readonly categoryIds: readonly number[];
  /** At least one. */
  readonly statuses: readonly PetStatus[];
}

/** How the storefront looks, where the site file does not say it. */
export interface Theme {
  /** `#rrggbb`. */
  readonly accent?: string;
  readonly scheme?: "auto" | "light" | "dark";
}
