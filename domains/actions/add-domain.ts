import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, retried, type Result } from "../../lib/base/result.ts";
import type { DomainView } from "../view/shapes.ts";
import type { Owner } from "../domains.ts";
import { MAX_DOMAINS, MAX_UNVERIFIED, type Domain, type Issuance } from "../model/domain.ts";
import { budgetedAt, recentFailures } from "../model/backoff.ts";
import { newDomain } from "../model/apply-outcome.ts";
import { parseHostname, type ParsedHostname } from "../model/hostname.ts";
import { roleOfAdded } from "../model/redirects.ts";
import { newDomainId, newOwnershipToken, newTargetLabel } from "../model/target.ts";
import { addingDomain } from "../ports/domain-change.ts";
import type { DomainsContext } from "./context.ts";
import { MAX_NAMED, showDomain } from "./show-domain.ts";
import {
  alreadyThere,
  busy,
  deployRequired,
  MAX_REMOVED,
  noSuchProject,
  notADomain,
  planRequired,
  tooManyDomains,
} from "./refusals.ts";

/** Simultaneous additions to one project make each other decide again. */
const ATTEMPTS = 12;

export async function addDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const parsed = parseHostname(typed, context.rules);
  if (!parsed.ok) return refused(notADomain(parsed.failure));
  const { plan, deploy, project } = await context.gatekeeper.gates(owner.projectId);
  if (!project) return refused(noSuchProject);
  if (!plan) return refused(planRequired);
  if (!deploy) return refused(deployRequired);
  return retried(ATTEMPTS, busy, async () => {
    const { domain, change } = await additionOf(context, owner, parsed.value);
    const written = await context.store.commit([change]);
    if (written.ok) {
      const added = (await context.store.domains.byId(domain.id)) ?? domain;
      context.changed(added);
      return done(await showDomain(context, added));
    }
    if (written.failure === "exists") return refused(alreadyThere(domain.unicode));
    return written.failure === "limit" ? refused(tooManyDomains) : undefined;
  });
}

async function additionOf(
  { store, clock, random }: DomainsContext,
  { projectId, accountId }: Owner,
  { hostname: name, unicode }: ParsedHostname,
): Promise<ReturnType<typeof addingDomain>> {
  const at = clock.now();
  const [attached, named, label, attachedBefore] = await Promise.all([
    store.domains.ofProject(projectId),
    store.domains.named(name, MAX_NAMED),
    store.targets.of(projectId, name),
    store.targets.attachedElsewhere(name, accountId),
  ]);
  const added = newDomain(
    {
      id: newDomainId(random),
      name,
      unicode,
      projectId,
      accountId,
      role: roleOfAdded(attached),
      targetLabel: label ?? newTargetLabel(random),
      ownershipToken: newOwnershipToken(random),
      attachedBefore,
    },
    at,
  );
  const fresh = { ...added, issuance: withFailures(added.issuance, named, at) };
  const limits = {
    maxOfProject: MAX_DOMAINS,
    others: attached.length,
    maxUnverified: MAX_UNVERIFIED,
    maxRemoved: MAX_REMOVED,
  };
  return addingDomain(fresh, named, limits, at);
}

/** The CA counts failures by the name, whichever project it was attached to. */
function withFailures(issuance: Issuance, named: readonly Domain[], now: number): Issuance {
  const failedAt = recentFailures(
    named.flatMap((domain) => domain.issuance.failedAt),
    now,
  );
  return { ...issuance, failedAt, notBefore: budgetedAt(failedAt, now) };
}
