import { sizedCache } from "../base/cache.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Store } from "../storage/store.ts";
import { previewLabel } from "./hosts.ts";
import { type Deploy, isWhole } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";
import type { ProjectStore } from "./project-store.ts";
import { weightOfProject } from "./site-memory.ts";
import type { Found, Site, Sites } from "./site.ts";

/** Finds a deploy as visitors would see it if it were live; undefined if it is unknown or incomplete, or if its project is hidden. */
export type Previews = (slug: string, deployId: string) => Eventual<Found | undefined>;

/** The most files of all cached previews together. */
const MAX_FILES = 20_000;

/**
 * Creates previews of a project's complete deploys, live or not, for visitors who know the unguessable id. Reads the deploy from the
 * store on each request, so that a deleted one disappears at once; caches only what never changes.
 */
export function createPreviews({
  sites,
  store,
  deploys,
}: {
  readonly sites: Sites;
  readonly store: Store;
  readonly deploys: ProjectStore["deploys"];
}): Previews {
  const remembered = sizedCache<Site>(
    MAX_FILES,
    ({ project, files }) => weightOfProject(project) + files.size,
  );

  const assemble = (project: Project, deploy: Deploy): Eventual<Found | undefined> => {
    const known = remembered.get(deploy.id);
    if (known?.project.version === project.version) return { kind: "site", site: known };
    return andThen(deploys.manifest(project.id, deploy.id), (manifest) =>
      andThen(store.catalogues.of(project.accountId, "production"), (catalogue) => {
        if (manifest === undefined || catalogue === undefined) return undefined;
        const files = new Map(manifest.files.map((file) => [file.path, file]));
        // A preview serves no files of other deploys.
        const supersededFiles = new Map();
        const site = {
          project,
          catalogueId: catalogue.id,
          deploy,
          manifest,
          files,
          supersededFiles,
        };
        remembered.set(deploy.id, site);
        return { kind: "site", site } as const;
      }),
    );
  };

  return (slug, deployId) =>
    andThen(sites.bySlug(slug), (found): Eventual<Found | undefined> => {
      if (found === undefined) return undefined;
      if (found.kind === "moved")
        return { kind: "moved", slug: previewLabel(found.slug, deployId) };
      const { project } = found.kind === "site" ? found.site : found;
      return andThen(deploys.byId(project.id, deployId), (deploy) =>
        deploy === undefined || !isWhole(deploy.state) ? undefined : assemble(project, deploy),
      );
    });
}
