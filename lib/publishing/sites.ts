import { sizedCache } from "../base/cache.ts";
import { type Clock, DAY_MS, SECOND_MS } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import { StoreUnavailable } from "../sql/sql.ts";
import type { Store } from "../storage/store.ts";
import type { Manifest, ManifestFile } from "./model/deploy.ts";
import type { Project } from "./model/project.ts";
import { faultOfSlug } from "./model/slug.ts";
import type { ProjectStore } from "./project-store.ts";
import { createSiteMemory, type SiteMemory } from "./site-memory.ts";
import type { Found, Sites } from "./site.ts";

/** `Sites` with a cache, which must be notified of changes. */
export interface RememberedSites
  extends Sites, Pick<SiteMemory, "forget" | "forgetAll" | "confirm"> {}

export function createSites({
  store,
  projects,
  staleForMs = 0,
  clock,
}: {
  readonly store: Store;
  readonly projects: ProjectStore;
  /** How long cached sites are served while the store cannot be read. */
  readonly staleForMs?: number;
  readonly clock: Clock;
}): RememberedSites {
  const memory = createSiteMemory();
  const assemble = siteAssembly(projects);
  // Concurrent requests for an uncached slug share one query.
  const underWay = new Map<string, Promise<Found | undefined>>();
  /** The store could not be read since the last confirmation. */
  let unread = false;

  const find = (slug: string, tries: number): Eventual<Found | undefined> => {
    const now = clock.now();
    const { generation } = memory;
    const nowhere = (): undefined => {
      if (generation === memory.generation) memory.learnUnused(slug, now);
    };
    return andThen(projects.projects.bySlug(slug, now), (addressed) => {
      if (addressed === undefined || addressed.project.deletedAt !== undefined) return nowhere();
      const { project, redirectsUntil } = addressed;
      return andThen(store.accounts.byId(project.accountId), (account) => {
        if (account === undefined || account.suspendedAt !== undefined) return nowhere();
        return andThen(store.catalogues.of(account.id, "production"), (catalogue) => {
          if (catalogue === undefined) return nowhere();
          const seen = memory.seen(project.id);
          const same = seen?.project.version === project.version ? seen.found : undefined;
          return andThen(same ?? assemble(project, catalogue.id, now), (found) => {
            if (found === undefined) {
              if (tries <= 1) throw new Error(`Project ${project.id} points to no deploy.`);
              return find(slug, tries - 1);
            }
            if (generation === memory.generation) {
              memory.learn(slug, { project, found, checkedAt: now }, redirectsUntil);
            }
            return redirectsUntil === undefined ? found : { kind: "moved", slug: project.slug };
          });
        });
      });
    });
  };

  /** Returns the cached target of a slug if the store cannot be read, or does not answer in time. */
  const orKept = (
    slug: string,
    found: Eventual<Found | undefined>,
  ): Eventual<Found | undefined> => {
    const kept = staleForMs === 0 ? undefined : memory.recall(slug, clock.now(), staleForMs);
    if (kept === undefined || !isPromise(found)) return found;
    const over = new AbortController();
    const useKept = (): Found | undefined => {
      unread = true;
      return kept.found;
    };
    const late = clock.sleep(PATIENCE_MS, over.signal).then(useKept, () => kept.found);
    return Promise.race([found, late])
      .catch((error: unknown) => {
        if (error instanceof StoreUnavailable) return useKept();
        throw error;
      })
      .finally(() => over.abort());
  };

  return {
    bySlug: (slug) => {
      const known = memory.recall(slug, clock.now(), unread ? staleForMs : undefined);
      if (known !== undefined) return known.found;
      const waiting = underWay.get(slug);
      if (waiting !== undefined) return orKept(slug, waiting);
      // No project can have this slug, and clients can send any number of such slugs.
      if (faultOfSlug(slug) !== undefined) return undefined;
      const found = find(slug, MAX_TRIES);
      if (isPromise(found)) {
        underWay.set(slug, found);
        const done = (): void => {
          if (underWay.get(slug) === found) underWay.delete(slug);
        };
        found.then(done, done);
      }
      return orKept(slug, found);
    },
    forget: (topic, subject) => {
      // Pending queries may have read the old state, so later requests do not share them.
      underWay.clear();
      memory.forget(topic, subject);
    },
    forgetAll: () => {
      underWay.clear();
      memory.forgetAll();
    },
    confirm: (at) => {
      unread = false;
      memory.confirm(at);
    },
  };
}

/** How long the store may take to answer if the site is cached. */
const PATIENCE_MS = SECOND_MS;

/** Attempts while other requests activate deploys. */
const MAX_TRIES = 5;

/** How long immutable files of a superseded deploy are still served. */
const SUPERSEDED_MS: number = DAY_MS;

/** Bounds on the superseded deploys whose files are still served. */
const MAX_SUPERSEDED = 10;
const ENOUGH_FILES = 5_000;

/** Files of all cached manifests together. */
const MAX_FILES = 50_000;

/** Builds the site of a project; undefined if its live deploy was removed because the project has changed again. */
export type Assemble = (
  project: Project,
  catalogueId: number,
  now: number,
) => Eventual<Found | undefined>;

/** Assembles sites and caches the manifests of recent deploys, which never change. */
function siteAssembly({ deploys }: Pick<ProjectStore, "deploys">): Assemble {
  const manifests = sizedCache<Manifest>(MAX_FILES, ({ files }) => 1 + files.length);

  const manifestOf = (projectId: string, deployId: string): Eventual<Manifest | undefined> => {
    const known = manifests.get(deployId);
    if (known !== undefined) return known;
    return andThen(deploys.manifest(projectId, deployId), (manifest) => {
      if (manifest !== undefined) manifests.set(deployId, manifest);
      return manifest;
    });
  };

  const supersededFilesOf = (
    projectId: string,
    files: ReadonlyMap<string, ManifestFile>,
    now: number,
  ): Eventual<ReadonlyMap<string, ManifestFile>> =>
    andThen(deploys.superseded(projectId, now - SUPERSEDED_MS, MAX_SUPERSEDED), (superseded) => {
      const supersededFiles = new Map<string, ManifestFile>();
      const addFrom = (index: number): Eventual<ReadonlyMap<string, ManifestFile>> => {
        const deploy = superseded[index];
        if (deploy === undefined || supersededFiles.size >= ENOUGH_FILES) return supersededFiles;
        return andThen(manifestOf(projectId, deploy.id), (manifest) => {
          for (const file of manifest?.files ?? []) {
            const { path } = file;
            // Of several files with one path, the latest wins.
            if (file.immutable && !files.has(path) && !supersededFiles.has(path)) {
              supersededFiles.set(path, file);
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
        return andThen(supersededFilesOf(id, files, now), (supersededFiles) => {
          const site = { project, catalogueId, deploy, manifest, files, supersededFiles };
          return { kind: "site", site };
        });
      }),
    );
  };
}
