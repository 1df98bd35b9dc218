import { sizedCache } from "../base/cache.ts";
import { SECOND_MS, type Clock } from "../base/clock.ts";
import type { Eventual } from "../base/eventual.ts";
import { crc32 } from "../base/digest.ts";
import type { PhotoHost } from "../catalogue/photo-address.ts";
import type { StoreReads } from "../storage/store.ts";
import { MAX_PROJECTS, type Project } from "./model/project.ts";
import type { ProjectStore } from "./project-store.ts";
import type { Sites } from "./site.ts";
import { isShown, shownBy } from "./storefront/shown.ts";

/** Returns the address at which visitors reach a project, such as `https://pets.shelter.org`; undefined if they cannot. */
export type AddressOfProject = (
  project: Pick<Project, "id" | "slug">,
) => Eventual<string | undefined>;

/** How long a host is remembered. */
const REMEMBERED_MS = 1 * SECOND_MS;
const MOST_REMEMBERED = 10_000;

/**
 * Returns the function that finds the host of the photos of a catalogue: that of the account's oldest project with a site.
 * Undefined for Staging, and for an account without a site.
 */
export function photoHosts({
  store,
  projects,
  sites,
  addressOfProject,
  clock,
}: {
  readonly store: StoreReads;
  readonly projects: ProjectStore["projects"];
  readonly sites: Sites;
  readonly addressOfProject: AddressOfProject;
  readonly clock: Pick<Clock, "now">;
}): (catalogueId: number) => Eventual<PhotoHost | undefined> {
  const known = sizedCache<{ readonly host: PhotoHost | undefined; readonly at: number }>(
    MOST_REMEMBERED,
    () => 1,
  );
  const find = async (catalogueId: number): Promise<PhotoHost | undefined> => {
    const catalogue = await store.catalogues.byId(catalogueId);
    if (catalogue?.environment !== "production") return undefined;
    const { accountId } = catalogue;
    const own = await projects.list({ accountId, deletedAfter: clock.now(), limit: MAX_PROJECTS });
    for (const { id, slug } of own) {
      const found = await sites.bySlug(slug);
      const base = found?.kind === "site" ? await addressOfProject({ id, slug }) : undefined;
      if (found?.kind !== "site" || base === undefined) continue;
      const shown = shownBy(found.site);
      const key = crc32(JSON.stringify([base, shown])).toString(36);
      return { base, key, shows: (pet) => isShown(shown, pet) };
    }
    return undefined;
  };
  return (catalogueId) => {
    const now = clock.now();
    const last = known.get(String(catalogueId));
    if (last !== undefined && Math.abs(now - last.at) < REMEMBERED_MS) return last.host;
    return find(catalogueId).then((host) => {
      known.set(String(catalogueId), { host, at: now });
      return host;
    });
  };
}
