import { sizedCache } from "../base/cache.ts";
import { DAY_MS } from "../base/clock.ts";
import { andThen, type Eventual } from "../base/eventual.ts";
import type { Manifest, ManifestFile } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";
import type { ProjectStore } from "./project-store.ts";
import type { Found } from "./site.ts";

/** How long immutable files of a deploy that is no longer live are still served. */
const DEPARTED_MS: number = DAY_MS;

/** Of no more deploys than that, and no more once they are so many files. */
const MAX_DEPARTED = 10;
const ENOUGH_FILES = 5_000;

/** Files of all remembered manifests together. */
const MAX_FILES = 50_000;

/** What visitors meet at a project; undefined when what it points to went away meanwhile: by now it points elsewhere. */
export type Assemble = (
  project: Project,
  catalogueId: number,
  now: number,
) => Eventual<Found | undefined>;

/** Puts sites together, and remembers what never changes: the manifests of the deploys that it met last. */
export function siteAssembly({ deploys }: Pick<ProjectStore, "deploys">): Assemble {
  const manifests = sizedCache<Manifest>(MAX_FILES, ({ files }) => 1 + files.length);

  const manifestOf = (projectId: string, deployId: string): Eventual<Manifest | undefined> => {
    const known = manifests.get(deployId);
    if (known !== undefined) return known;
    return andThen(deploys.manifest(projectId, deployId), (manifest) => {
      if (manifest !== undefined) manifests.set(deployId, manifest);
      return manifest;
    });
  };

  const departedFrom = (
    projectId: string,
    files: ReadonlyMap<string, ManifestFile>,
    now: number,
  ): Eventual<ReadonlyMap<string, ManifestFile>> =>
    andThen(deploys.superseded(projectId, now - DEPARTED_MS, MAX_DEPARTED), (superseded) => {
      const departed = new Map<string, ManifestFile>();
      const addFrom = (index: number): Eventual<ReadonlyMap<string, ManifestFile>> => {
        const deploy = superseded[index];
        if (deploy === undefined || departed.size >= ENOUGH_FILES) return departed;
        return andThen(manifestOf(projectId, deploy.id), (manifest) => {
          for (const file of manifest?.files ?? []) {
            const { path } = file;
            // Of two under one path, the one that was there last.
            if (file.immutable && !files.has(path) && !departed.has(path)) {
              departed.set(path, file);
            }
          }
          return addFrom(index + 1);
        });
      };
      return addFrom(0);
    });

  return (project, catalogueId, now) => {
    const { id, liveDeployId } = project;
    if (liveDeployId === undefined) return { kind: "empty", project };
    return andThen(deploys.byId(id, liveDeployId), (deploy) =>
      andThen(manifestOf(id, liveDeployId), (manifest) => {
        if (deploy === undefined || manifest === undefined) return undefined;
        const files = new Map(manifest.files.map((file) => [file.path, file]));
        return andThen(departedFrom(id, files, now), (departed) => {
          const site = { project, catalogueId, deploy, manifest, files, departed };
          return { kind: "site", site };
        });
      }),
    );
  };
}
