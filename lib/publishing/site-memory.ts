import { countedCache, sizedCache } from "../base/cache.ts";
import { SECOND_MS } from "../base/clock.ts";
import type { Project } from "./model/project.ts";
import type { Found } from "./site.ts";

/** A project as visitors meet it, and when the store was last asked. */
export interface Seen {
  readonly project: Project;
  readonly found: Found;
  readonly checkedAt: number;
}

/** What is remembered of slugs and projects between requests; bounded, whatever strangers ask for. */
export interface SiteMemory {
  /** What the slug leads to: undefined when that is not known now, `found` undefined when it leads nowhere. */
  recall(slug: string, now: number): { readonly found: Found | undefined } | undefined;
  /** What is remembered of a project, however old. */
  seen(projectId: string): Seen | undefined;
  /** Grows when something is forgotten: what was read before may not be learned after. */
  readonly generation: number;
  learn(slug: string, seen: Seen, redirectsUntil: number | undefined): void;
  learnNowhere(slug: string, checkedAt: number): void;
  forget(topic: "project" | "account", subject: string): void;
  forgetAll(): void;
  /** All that was remembered before `at` is known to be still true then. */
  confirm(at: number): void;
}

/** How long what is remembered is believed without word from the store: the promise is "within a second". */
const BELIEF_MS = SECOND_MS;

/** Files of all remembered sites together: some hundred bytes each. */
const MAX_FILES = 100_000;
const MAX_SLUGS = 20_000;

/** Where a slug leads: to a project as it was in that version, or nowhere. */
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

  // Before `trueAt` is after a clock was put back: how old the knowledge is cannot be told.
  const isBelieved = (checkedAt: number, now: number): boolean => {
    const trueAt = Math.max(checkedAt, confirmedAt);
    return now >= trueAt && now < trueAt + BELIEF_MS;
  };

  return {
    recall: (slug, now) => {
      const lead = leads.get(slug);
      if (lead === undefined) return undefined;
      if (lead.projectId === undefined) {
        const known = lead.generation === generation && isBelieved(lead.checkedAt, now);
        return known ? NOWHERE : undefined;
      }
      const seen = remembered.get(lead.projectId);
      if (seen === undefined || seen.project.version !== lead.version) return undefined;
      if (!isBelieved(seen.checkedAt, now)) return undefined;
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
    learnNowhere: (slug, checkedAt) => {
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

const NOWHERE = { found: undefined } as const;

function weightOf(found: Found): number {
  return found.kind === "site" ? 1 + found.site.files.size + found.site.departed.size : 1;
}
