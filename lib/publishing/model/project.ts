import { DAY_MS } from "../../base/clock.ts";
import { type PetStatus, petStatuses } from "../../model/pet.ts";

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

export const MAX_FILTER_CATEGORIES = 100;

export const schemes = ["auto", "light", "dark"] as const;

/** What a project shows that was told nothing: every animal that waits for a home. */
export const defaultFilter: ProjectFilter = { categoryIds: [], statuses: ["available", "pending"] };

const COLOUR = /^#[0-9a-f]{6}$/i;

/** Why a project cannot show that; undefined when it can. Whether the categories exist is not asked here. */
export function faultOfFilter({ categoryIds, statuses }: ProjectFilter): string | undefined {
  if (!Array.isArray(categoryIds) || categoryIds.length > MAX_FILTER_CATEGORIES) {
    return `The filter takes at most ${MAX_FILTER_CATEGORIES} categories.`;
  }
  if (!categoryIds.every((id) => Number.isSafeInteger(id) && id > 0)) {
    return "The categories of the filter are ids: whole numbers from 1.";
  }
  if (!Array.isArray(statuses) || statuses.length === 0) {
    return "The filter needs at least one status.";
  }
  if (!statuses.every((status) => petStatuses.includes(status))) {
    return `The statuses of the filter are ${petStatuses.join(", ")}.`;
  }
  return undefined;
}

/** The same without repetitions, statuses in the order in which an animal goes through them. */
export function normalFilter({ categoryIds, statuses }: ProjectFilter): ProjectFilter {
  return {
    categoryIds: [...new Set(categoryIds)],
    statuses: petStatuses.filter((status) => statuses.includes(status)),
  };
}

/** Why a site cannot look like that; undefined when it can. */
export function faultOfTheme({ accent, scheme }: Theme): string | undefined {
  if (accent !== undefined && (typeof accent !== "string" || !COLOUR.test(accent))) {
    return "The accent must be a colour such as #1f6feb.";
  }
  if (scheme !== undefined && !schemes.includes(scheme)) {
    return `The scheme must be one of ${schemes.join(", ")}.`;
  }
  return undefined;
}

/** The same in one way of writing it. */
export function normalTheme({ accent, scheme }: Theme): Theme {
  return {
    ...(accent === undefined ? {} : { accent: accent.toLowerCase() }),
    ...(scheme === undefined ? {} : { scheme }),
  };
}
