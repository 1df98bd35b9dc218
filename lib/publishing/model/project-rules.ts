import { petStatuses } from "../../model/pet.ts";
import type { ProjectFilter, Theme } from "./project.ts";

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
