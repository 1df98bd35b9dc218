import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { Domain } from "../model/domain.ts";
import { toAscii } from "../model/idna.ts";
import { isOwnHost } from "../model/own-host.ts";
import { viewOf } from "../view/domain.ts";
import { readReport } from "../view/report.ts";
import type { DomainView } from "../view/shapes.ts";
import type { DomainPage, DomainsContext, Owner } from "./context.ts";
import { noSuchDomain } from "./refusals.ts";

/** The most entries of a timeline that are shown. */
const MAX_ENTRIES = 50;
/** Domains read at a time. */
const MAX_READ = 200;

/** Shows a domain of a project; a removed one for 30 days. */
export async function readDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  return found.ok ? done(await showDomain(context, found.value)) : found;
}

/** Shows the domains of a project, without removed ones. */
export async function domainsOfProject(
  context: DomainsContext,
  projectId: string,
): Promise<readonly DomainView[]> {
  return showDomains(context, await context.store.domains.ofProject(projectId));
}

/** Shows a page of the domains of an account, without removed ones. */
export async function domainsOfAccount(
  context: DomainsContext,
  accountId: string,
  page: DomainPage,
): Promise<readonly DomainView[]> {
  return showDomains(context, await context.store.domains.ofAccount(accountId, page));
}

/** Shows a page of the domains of all accounts, without removed ones and without hosts of the service itself. */
export async function allDomains(
  context: DomainsContext,
  { after, limit }: DomainPage,
): Promise<readonly DomainView[]> {
  const found: Domain[] = [];
  for (let last = after; found.length < limit;) {
    const page = await context.store.domains.all({
      after: last,
      limit: MAX_READ,
    });
    found.push(...page.filter((one) => !isOwnHost(one)));
    if (page.length < MAX_READ) break;
    last = page.at(-1)?.id;
  }
  return showDomains(context, found.slice(0, limit));
}

/** Shows the domains with a name, of one account or of all, removed ones last. */
export async function domainsNamed(
  context: DomainsContext,
  domain: string,
  accountId?: string,
): Promise<readonly DomainView[]> {
  const name = normalizedName(domain);
  if (name === undefined) return [];
  const named = await context.store.domains.named(name, MAX_NAMED);
  const visible = named.filter(
    (one) => !isOwnHost(one) && (accountId === undefined || one.accountId === accountId),
  );
  return showDomains(context, visible);
}

/** Returns a number that increases whenever a domain is shown differently; undefined if it does not exist. */
export async function domainVersion(
  { store }: Pick<DomainsContext, "store">,
  id: string,
): Promise<number | undefined> {
  return (await store.domains.byId(id))?.version;
}

/** Shows a domain in its present state. */
export async function showDomain(context: DomainsContext, domain: Domain): Promise<DomainView> {
  const [view] = await showDomains(context, [domain]);
  if (view === undefined) throw new Error("A domain was not shown.");
  return view;
}

/** Shows a domain after a change. */
export async function showChanged(
  context: DomainsContext,
  id: string,
): Promise<Result<DomainView, Problem>> {
  const domain = await context.store.domains.byId(id);
  return domain === undefined ? refused(noSuchDomain) : done(await showDomain(context, domain));
}

async function showDomains(
  context: DomainsContext,
  domains: readonly Domain[],
): Promise<readonly DomainView[]> {
  const { store, gatekeeper, rules, cnameTarget, clock, readBy } = context;
  const { suffixes } = await rules();
  const projectIds = [...new Set(domains.map(({ projectId }) => projectId))];
  const projects = new Map(
    await Promise.all(
      projectIds.map(async (projectId) => {
        const slug = (await gatekeeper.slugOf(projectId)) ?? projectId;
        const attached = await store.domains.ofProject(projectId);
        return [projectId, { slug, attached }] as const;
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
        suffixes,
        cnameTarget,
        now: clock.now(),
        readBy,
      });
    }),
  );
}

/** The most domains with one name that are read: other accounts can add a name that they cannot verify. */
export const MAX_NAMED = 100;
const MAX_TYPED = 512;

/** Finds a domain of a project by its ID or name; if all were removed, the one that was removed last. */
export async function findDomain(
  { store }: Pick<DomainsContext, "store">,
  { projectId }: Pick<Owner, "projectId">,
  typed: string,
): Promise<Result<Domain, Problem>> {
  if (typed.startsWith("dom_")) {
    const domain = await store.domains.byId(typed);
    return domain?.projectId === projectId ? done(domain) : refused(noSuchDomain);
  }
  const name = normalizedName(typed);
  if (name === undefined) return refused(noSuchDomain);
  const attached = await store.domains.ofProject(projectId);
  const found =
    attached.find((domain) => domain.name === name) ??
    (await removedOf({ store }, projectId, name));
  return found === undefined ? refused(noSuchDomain) : done(found);
}

/** Finds a removed domain of the project, within 30 days. */
async function removedOf(
  { store }: Pick<DomainsContext, "store">,
  projectId: string,
  name: string,
): Promise<Domain | undefined> {
  const named = await store.domains.named(name, MAX_NAMED);
  return named.find((domain) => domain.projectId === projectId && domain.removal !== undefined);
}

/** Returns a name as domains are stored, in A-labels; undefined if no domain can have it. */
export function normalizedName(typed: string): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  return toAscii(typed.trim().replace(/[.。]$/u, ""));
}
