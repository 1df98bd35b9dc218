import { sizedCache } from "../base/cache.ts";
import { countedCache } from "../base/counted-cache.ts";
import { SECOND_MS } from "../base/clock.ts";
import type { Project } from "./model/project.ts";
import type { Found } from "./site.ts";

/** A cached site of a project, and when the store was last queried for it. */
export interface Seen {
  readonly project: Project;
  readonly found: Found;
  readonly checkedAt: number;
}

/** A bounded cache of slugs and projects. */
export interface SiteMemory {
  /**
   * Returns the cached target of a slug; undefined if it is not cached, or was last confirmed more than `maxAgeMs` ago
   * (default: a second). `found` is undefined for an unused slug.
   */
  recall(
    slug: string,
    now: number,
    maxAgeMs?: number,
  ): { readonly found: Found | undefined } | undefined;
  /** Returns the cached site of a project, however old. */
  seen(projectId: string): Seen | undefined;
  /** Increases with every invalidation. The result of a query that began earlier must not be cached. */
  readonly generation: number;
  learn(slug: string, seen: Seen, redirectsUntil: number | undefined): void;
  learnUnused(slug: string, checkedAt: number): void;
  forget(topic: "project" | "account", subject: string): void;
  forgetAll(): void;
  /** Confirms that all entries cached before `at` were up to date then. */
  confirm(at: number): void;
}

/** How long an entry stays valid without confirmation from the store. Changes take effect within a second. */
const VALID_MS = SECOND_MS;

/** Files of all cached sites together, a few hundred bytes each. */
const MAX_FILES = 100_000;
const MAX_SLUGS = 20_000;

/** The target of a slug: a version of a project, or none. */
type Lead =
  | {
      readonly projectId: string;
      readonly version: number;
      readonly redirectsUntil: number | undefined;
    }
  | { readonly projectId: undefined; readonly generation: number; readonly checkedAt: number };

export function createSiteMemory(): SiteMemory {
  const leads = countedCache<Lead>(MAX_SLUGS, () => undefined);
  const remembered = sizedCache<Seen>(MAX_FILES, ({ found }) => weightOf(found));
  let confirmedAt = -Infinity;
  let generation = 0;

  // `now` before `trueAt` means that the clock was set back, so the entry's age is unknown.
  const isValid = (checkedAt: number, now: number, maxAgeMs: number): boolean => {
    const trueAt = Math.max(checkedAt, confirmedAt);
    return now >= trueAt && now < trueAt + maxAgeMs;
  };

  return {
    recall: (slug, now, maxAgeMs = VALID_MS) => {
      const lead = leads.get(slug);
      if (lead === undefined) return undefined;
      if (lead.projectId === undefined) {
        const known = lead.generation === generation && isValid(lead.checkedAt, now, maxAgeMs);
        return known ? UNUSED : undefined;
      }
      const seen = remembered.get(lead.projectId);
      if (seen === undefined || seen.project.version !== lead.version) return undefined;
      if (!isValid(seen.checkedAt, now, maxAgeMs)) return undefined;
      if (lead.redirectsUntil === undefined) return seen;
      if (lead.redirectsUntil <= now) return undefined;
      return { found: { kind: "moved", slug: seen.project.slug } };
    },
    seen: (projectId) => remembered.get(projectId),
    get generation() {
      return generation;
    },
    learn: (slug, seen, redirectsUntil) => {
      const { id, version } = seen.project;
      remembered.set(id, seen);
      leads.set(slug, { projectId: id, version, redirectsUntil });
    },
    learnUnused: (slug, checkedAt) => {
      leads.set(slug, { projectId: undefined, generation, checkedAt });
    },
    forget: (topic, subject) => {
      generation++;
      if (topic === "project") {
        remembered.delete(subject);
        return;
      }
      for (const [id, { project }] of remembered.entries()) {
        if (project.accountId === subject) remembered.delete(id);
      }
    },
    forgetAll: () => {
      generation++;
      for (const [id] of [...remembered.entries()]) remembered.delete(id);
    },
    confirm: (at) => {
      confirmedAt = at;
    },
  };
}

const UNUSED = { found: undefined } as const;

function weightOf(found: Found): number {
  if (found.kind === "moved") return 1;
  if (found.kind === "empty") return weightOfProject(found.project);
  const { project, files, supersededFiles } = found.site;
  return weightOfProject(project) + files.size + supersededFiles.size;
}

/** The memory of a file's entry in a manifest, in characters. */
const FILE_CHARACTERS = 300;

/** Returns the memory of a project and its settings, in files. */
export function weightOfProject({ site }: Pick<Project, "site">): number {
  return 1 + (site === undefined ? 0 : Math.ceil(JSON.stringify(site).length / FILE_CHARACTERS));
}
