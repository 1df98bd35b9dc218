import type { Clock } from "../base/clock.ts";
import type { StoredPet } from "../catalogue/model.ts";
import type { StoreReads } from "../storage/store.ts";
import { MAX_PROJECTS } from "./model/project.ts";
import type { ProjectStore } from "./project-store.ts";
import type { Sites } from "./site.ts";
import { isShown, shownBy } from "./storefront/shown.ts";

/** Returns the function that finds out whether any site of an animal's account shows it; true if the account has no site. */
export function shownAnywhere({
  store,
  projects,
  sites,
  clock,
}: {
  readonly store: StoreReads;
  readonly projects: ProjectStore["projects"];
  readonly sites: Sites;
  readonly clock: Pick<Clock, "now">;
}): (pet: StoredPet, catalogueId: number) => Promise<boolean> {
  return async (pet, catalogueId) => {
    const catalogue = await store.catalogues.byId(catalogueId);
    if (catalogue?.environment !== "production") return false;
    const { accountId } = catalogue;
    const all = await projects.list({ accountId, deletedAfter: clock.now(), limit: MAX_PROJECTS });
    let hasSite = false;
    for (const { slug } of all) {
      const found = await sites.bySlug(slug);
      if (found?.kind !== "site") continue;
      if (isShown(shownBy(found.site), pet)) return true;
      hasSite = true;
    }
    return !hasSite;
  };
}
