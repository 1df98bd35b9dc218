import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainView } from "../view/shapes.ts";
import type { Domain } from "../model/domain.ts";
import { viewOf } from "../view/domain.ts";
import { readReport } from "../view/report.ts";
import type { DomainsContext } from "./context.ts";
import { noSuchDomain } from "./refusals.ts";
import { toAscii } from "../model/idna.ts";
import type { Owner } from "../domains.ts";

/** Of what happened to a domain, so much is shown. */
const MAX_ENTRIES = 50;

/** A domain with everything that is told of it, as it is now. */
export async function showDomain(context: DomainsContext, domain: Domain): Promise<DomainView> {
  const [view] = await showDomains(context, [domain]);
  // One goes in, one comes out.
  if (view === undefined) throw new Error("A domain was not shown.");
  return view;
}

/** What is shown of a domain once it was changed. */
export async function showChanged(
  context: DomainsContext,
  id: string,
): Promise<Result<DomainView, Problem>> {
  const domain = await context.store.domains.byId(id);
  return domain === undefined ? refused(noSuchDomain) : done(await showDomain(context, domain));
}

/** The same of several, in their order. */
export async function showDomains(
  context: DomainsContext,
  domains: readonly Domain[],
): Promise<readonly DomainView[]> {
  const { store, gatekeeper, rules, cnameTarget, clock } = context;
  const projectIds = [...new Set(domains.map(({ projectId }) => projectId))];
  const projects = new Map(
    await Promise.all(
      projectIds.map(async (projectId) => {
        const slug = (await gatekeeper.slugOf(projectId)) ?? projectId;
        const attached = await store.domains.ofProject(projectId);
        return [projectId, { slug, attached: attached.map(({ name }) => name) }] as const;
      }),
    ),
  );
  return Promise.all(
    domains.map(async (domain) => {
      const { id, projectId } = domain;
      const { slug = projectId, attached = [] } = projects.get(projectId) ?? {};
      const [report, timeline] = await Promise.all([
        store.reports.of(id),
        store.timeline.of(id, MAX_ENTRIES),
      ]);
      return viewOf({
        domain,
        project: slug,
        report: readReport(report),
        timeline,
        attached,
        suffixes: rules.suffixes,
        cnameTarget,
        now: clock.now(),
      });
    }),
  );
}

/** Of one name, so many of all accounts are looked at: strangers may attach it without being able to verify it. */
export const MAX_NAMED = 100;
const MAX_TYPED = 512;

/** The domain of the project that a person or a program means, the one that was removed last when all were. */
export async function findDomain(
  { store }: Pick<DomainsContext, "store">,
  { projectId }: Pick<Owner, "projectId">,
  typed: string,
): Promise<Result<Domain, Problem>> {
  if (typed.startsWith("dom_")) {
    const domain = await store.domains.byId(typed);
    return domain?.projectId === projectId ? done(domain) : refused(noSuchDomain);
  }
  const name = nameTyped(typed);
  if (name === undefined) return refused(noSuchDomain);
  const attached = await store.domains.ofProject(projectId);
  const found =
    attached.find((domain) => domain.name === name) ??
    (await removedOf({ store }, projectId, name));
  return found === undefined ? refused(noSuchDomain) : done(found);
}

/** What the project had and removed, while it is remembered. */
async function removedOf(
  { store }: Pick<DomainsContext, "store">,
  projectId: string,
  name: string,
): Promise<Domain | undefined> {
  const named = await store.domains.named(name, MAX_NAMED);
  return named.find((domain) => domain.projectId === projectId && domain.removal !== undefined);
}

/** A-labels of what was typed to name a domain that is there already; undefined when no domain is called like that. */
export function nameTyped(typed: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  return toAscii(typed.trim().replace(/[.。]$/u, ""));
}
