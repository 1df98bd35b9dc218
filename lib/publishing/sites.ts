import type { Clock } from "../base/clock.ts";
import { andThen, isPromise, type Eventual } from "../base/eventual.ts";
import type { Store } from "../storage/store.ts";
import { faultOfSlug } from "./model/slug.ts";
import type { ProjectStore } from "./project-store.ts";
import { siteAssembly } from "./site-assembly.ts";
import { createSiteMemory, type SiteMemory } from "./site-memory.ts";
import type { Found, Sites } from "./site.ts";

/** `Sites`, and what must be told to it of changes. */
export interface RememberedSites
  extends Sites, Pick<SiteMemory, "forget" | "forgetAll" | "confirm"> {}

export function createSites({
  store,
  projects,
  clock,
}: {
  readonly store: Store;
  readonly projects: ProjectStore;
  readonly clock: Clock;
}): RememberedSites {
  const memory = createSiteMemory();
  const assemble = siteAssembly(projects);
  // Many ask at once for what is not remembered: the store is asked once.
  const underWay = new Map<string, Promise<Found | undefined>>();

  const look = (slug: string, tries: number): Eventual<Found | undefined> => {
    const now = clock.now();
    const { generation } = memory;
    const nowhere = (): undefined => {
      if (generation === memory.generation) memory.learnNowhere(slug, now);
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
              return look(slug, tries - 1);
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

  return {
    bySlug: (slug) => {
      const known = memory.recall(slug, clock.now());
      if (known !== undefined) return known.found;
      const waiting = underWay.get(slug);
      if (waiting !== undefined) return waiting;
      // No project ever had it: strangers can name any number of these.
      if (faultOfSlug(slug) !== undefined) return undefined;
      const found = look(slug, MAX_TRIES);
      if (isPromise(found)) {
        underWay.set(slug, found);
        const done = (): void => {
          if (underWay.get(slug) === found) underWay.delete(slug);
        };
        found.then(done, done);
      }
      return found;
    },
    forget: (topic, subject) => {
      // What is under way was read before: whoever asks from now on does not wait for it.
      underWay.clear();
      memory.forget(topic, subject);
    },
    forgetAll: () => {
      underWay.clear();
      memory.forgetAll();
    },
    confirm: (at) => {
      memory.confirm(at);
    },
  };
}

/** So often another activation may come in between. */
const MAX_TRIES = 5;
