import type { PetFilter, PetStatus, StoredPet } from "../../model/pet.ts";
import { petStatuses } from "../../model/pet.ts";
import type { StorefrontSettings } from "../model/site-file.ts";
import type { Site } from "../site.ts";

/** Which animals of one catalogue are shown. */
export interface Shown {
  readonly catalogueId: number;
  /** Empty: all of them. */
  readonly categoryIds: readonly number[];
  /** In the order of `petStatuses`. Empty: nothing is shown. */
  readonly statuses: readonly PetStatus[];
}

/** What the project's filter lets through, narrowed by its site file. */
export function shownBy({ project, catalogueId, manifest }: Site): Shown {
  const { storefront } = manifest.site;
  const narrowed = (storefront === false ? undefined : storefront)?.statuses ?? petStatuses;
  return {
    catalogueId,
    categoryIds: [...new Set(project.filter.categoryIds)],
    statuses: petStatuses.filter(
      (status) => project.filter.statuses.includes(status) && narrowed.includes(status),
    ),
  };
}

/** True when the animal may be seen: in no list and at no address otherwise. */
export function isShown({ categoryIds, statuses }: Shown, pet: StoredPet): boolean {
  return (
    statuses.includes(pet.status) &&
    (categoryIds.length === 0 || categoryIds.includes(pet.categoryId))
  );
}

/** The part of it that a visitor asks for; undefined for what is not shown at all. */
export function narrow(
  shown: Shown,
  { category, status }: { readonly category?: number; readonly status?: PetStatus },
): Shown | undefined {
  const { categoryIds, statuses } = shown;
  if (status !== undefined && !statuses.includes(status)) return undefined;
  if (category !== undefined && categoryIds.length > 0 && !categoryIds.includes(category)) {
    return undefined;
  }
  return {
    ...shown,
    ...(category !== undefined && { categoryIds: [category] }),
    ...(status !== undefined && { statuses: [status] }),
  };
}

/** Filters of the store that together let through what is shown, and none of it twice. */
export function filtersOf({ categoryIds, statuses }: Shown): readonly PetFilter[] {
  const byStatus: readonly PetFilter[] =
    statuses.length === petStatuses.length ? [{}] : statuses.map((status) => ({ status }));
  if (categoryIds.length === 0) return byStatus;
  return categoryIds.flatMap((categoryId) => byStatus.map((filter) => ({ ...filter, categoryId })));
}

/** What the site file says of the storefront; nothing where it is turned off. */
export function settingsOf({ manifest }: Site): StorefrontSettings {
  return manifest.site.storefront === false ? {} : (manifest.site.storefront ?? {});
}
