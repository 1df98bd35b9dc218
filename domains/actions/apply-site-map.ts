import type { Problem } from "../../lib/base/problem.ts";
import { done, type Result } from "../../lib/base/result.ts";
import type { DomainSuggestionView } from "../view/shapes.ts";
import type { Domain } from "../model/domain.ts";
import { unicodeOf } from "../model/idna.ts";
import { type DomainsConfig, missingNames, namesIn, effectiveRoles } from "../model/redirects.ts";
import type { News } from "../model/timeline.ts";
import type { DomainsContext } from "./context.ts";
import { changesTo, normalised } from "./domains-config.ts";
import { saveDomains, type Saving } from "./save-domains.ts";

/** What `applySiteMap` needs. */
export type SiteMapContext = Pick<
  DomainsContext,
  "store" | "commit" | "siteMaps" | "clock" | "changed"
>;

/**
 * Gives the domains of a project the roles that its live deploy asks for: once when it goes live, and again when a
 * domain that it names is verified. Manual changes are kept until then. Idempotent.
 */
export function applySiteMap(
  context: SiteMapContext,
  projectId: string,
): Promise<Result<undefined, Problem>> {
  const { store, siteMaps } = context;
  return saveDomains(context, async () => {
    const live = await siteMaps.live(projectId);
    if (live === undefined) return done([]);
    const activation = `${live.deployId}@${live.activatedAt}`;
    const attached = await store.domains.ofProject(projectId);
    const fresh = attached.filter(
      (one) => one.heldSince !== undefined && one.siteMap !== activation,
    );
    if (fresh.length === 0) return done([]);
    const map = await siteMaps.map(projectId, live.deployId);
    const changes = map === undefined ? [] : changesUnder(normalised(map), attached, fresh);
    return done(remembered(changes, fresh, activation));
  });
}

/** `fresh` are the domains to which the map has not been applied. */
function changesUnder(
  map: DomainsConfig,
  attached: readonly Domain[],
  fresh: readonly Domain[],
): readonly Saving[] {
  const named = new Set(namesIn(map));
  const meant = fresh.filter(({ name }) => named.has(name));
  if (meant.length === 0) return [];
  const roles = effectiveRoles(map, attached);
  if (roles.ok) return changesTo(attached, roles.value);
  const { code, message } = roles.failure;
  const news: readonly News[] = [
    {
      kind: "refused",
      code,
      message: `The domains in petstore.site.json were not applied: ${message}`,
    },
  ];
  return meant.map((domain) => ({ from: domain, to: domain, news }));
}

/** Adds to the changes that the map of this activation was applied. */
function remembered(
  changes: readonly Saving[],
  fresh: readonly Domain[],
  siteMap: string,
): readonly Saving[] {
  const ids = new Set(fresh.map(({ id }) => id));
  const changed = new Set(changes.map(({ from }) => from.id));
  return [
    ...changes.map((one) => (ids.has(one.from.id) ? { ...one, to: { ...one.to, siteMap } } : one)),
    ...fresh
      .filter(({ id }) => !changed.has(id))
      .map((from) => ({ from, to: { ...from, siteMap }, news: [] })),
  ];
}

/** Lists the domains in the live deploy's `petstore.site.json` that the project cannot use yet, in their order. */
export async function suggestDomains(
  { store, siteMaps }: Pick<SiteMapContext, "store" | "siteMaps">,
  projectId: string,
): Promise<readonly DomainSuggestionView[]> {
  const live = await siteMaps.live(projectId);
  const map = live === undefined ? undefined : await siteMaps.map(projectId, live.deployId);
  if (map === undefined) return [];
  const attached = await store.domains.ofProject(projectId);
  return missingNames(normalised(map), attached).map(({ name, step }) => ({
    domain: name,
    unicode: unicodeOf(name),
    step,
  }));
}
