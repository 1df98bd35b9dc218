import { DAY_MS } from "../../base/clock.ts";
import { type PetStatus, petStatuses } from "../../catalogue/model.ts";
import { withoutUndefined } from "../../base/without-undefined.ts";

/** How long a deleted project can be restored. */
export const PROJECT_RESTORE_MS: number = DAY_MS;

/** How long a project's old slug redirects to the current one. */
export const SLUG_REDIRECTS_MS: number = 30 * DAY_MS;

/** Projects per account, excluding deleted ones. */
export const MAX_PROJECTS = 100;

/** Old slugs of a project that still redirect. The oldest are dropped first. */
export const MAX_OLD_SLUGS = 20;

/** A published site of an account, at `<slug>.<sites domain>`. Instants are in milliseconds since the Unix epoch. */
export interface Project {
  /** `prj_` and 12 characters of base 62. */
  readonly id: string;
  readonly accountId: string;
  /** A DNS label in lower case, unique among the current and the redirecting slugs of all projects. */
  readonly slug: string;
  /** Display name, 1 to 80 code points. */
  readonly name: string;
  readonly filter: ProjectFilter;
  readonly theme: Theme;
  /** How the site looks and what it says, without the colours, which are the theme's. Absent: nothing was set. */
  readonly site?: Omit<SiteSettings, "accent" | "scheme">;
  readonly liveDeployId?: string;
  /** Increases with every change, for optimistic concurrency. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The site is offline since then, and can be restored for `PROJECT_RESTORE_MS`. */
  readonly deletedAt?: number;
}

/** Selects the animals of the production catalogue that the site shows. */
export interface ProjectFilter {
  /** The ids of at most 100 categories. Empty: all categories. */
  readonly categoryIds: readonly number[];
  /** The statuses that are shown, at least one. */
  readonly statuses: readonly PetStatus[];
}

/** The storefront's theme. The site file overrides it. */
export interface Theme {
  /** `#rrggbb`. */
  readonly accent?: string;
  readonly scheme?: "auto" | "light" | "dark";
}

/** The languages of the storefront's own texts. */
export const siteLanguages = ["en", "de", "es", "fr"] as const;
/** A language of the storefront's own texts. */
export type SiteLanguage = (typeof siteLanguages)[number];

/** The values of a setting that is a switch. */
export const onOrOff = ["on", "off"] as const;
/** The value of a setting that is a switch. */
export type OnOrOff = (typeof onOrOff)[number];

/** How a site looks and what it says about the shelter, as a project keeps it. A setting that is absent was never made. */
export interface SiteSettings {
  /** BCP 47. Settings have one of `siteLanguages`, and a site file any language. */
  readonly language?: string;
  readonly title?: string;
  readonly heading?: string;
  readonly intro?: string;
  readonly contactName?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly address?: string;
  readonly hours?: string;
  readonly website?: string;
  /** An https, http or mailto address. */
  readonly donate?: string;
  /** An https, http, mailto or tel address. */
  readonly visit?: string;
  /** The path of an image in the live deploy. Ignored while the deploy lacks it. */
  readonly logo?: string;
  /** Whether each animal's page leads to an enquiry form. */
  readonly enquiries?: OnOrOff;
  readonly accent?: string;
  readonly scheme?: Theme["scheme"];
}

export const MAX_FILTER_CATEGORIES = 100;

/** The schemes of a theme. */
export const schemes = ["auto", "light", "dark"] as const;

/** The default filter: every animal that is waiting for a home. */
export const defaultFilter: ProjectFilter = { categoryIds: [], statuses: ["available", "pending"] };

const COLOUR = /^#[0-9a-f]{6}$/i;

/** Returns why the filter is invalid; undefined if valid. Does not check that the categories exist. */
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

/** Removes duplicates and sorts the statuses. */
export function normalFilter({ categoryIds, statuses }: ProjectFilter): ProjectFilter {
  return {
    categoryIds: [...new Set(categoryIds)],
    statuses: petStatuses.filter((status) => statuses.includes(status)),
  };
}

/** Returns why the theme is invalid; undefined if valid. */
export function faultOfTheme({ accent, scheme }: Theme): string | undefined {
  if (accent !== undefined && (typeof accent !== "string" || !COLOUR.test(accent))) {
    return "The accent must be a colour such as #1f6feb.";
  }
  if (scheme !== undefined && !schemes.includes(scheme)) {
    return `The scheme must be one of ${schemes.join(", ")}.`;
  }
  return undefined;
}

/** Converts the accent to lower case. */
export function normalTheme({ accent, scheme }: Theme): Theme {
  return withoutUndefined({ accent: accent?.toLowerCase(), scheme });
}
