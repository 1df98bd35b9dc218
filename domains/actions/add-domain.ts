import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, retried, type Result } from "../../lib/base/result.ts";
import { MAX_DOMAINS, MAX_UNVERIFIED, type Domain, type Issuance } from "../model/domain.ts";
import { budgetedAt, recentFailures } from "../model/backoff.ts";
import { applyOutcome, newDomain } from "../model/apply-outcome.ts";
import { parseHostname, type ParsedHostname } from "../model/hostname.ts";
import { roleOfAdded } from "../model/redirects.ts";
import { newDomainId, newOwnershipToken, newTargetLabel } from "../model/target.ts";
import { addingDomain } from "../ports/domain-change.ts";
import type { DomainView } from "../view/shapes.ts";
import type { DomainsContext, Owner } from "./context.ts";
import { saveDomain } from "./save-domains.ts";
import { findDomain, MAX_NAMED, showChanged, showDomain } from "./show-domain.ts";
import {
  alreadyThere,
  busy,
  accountSuspended,
  deployRequired,
  MAX_REMOVED,
  noSuchProject,
  notADomain,
  planRequired,
  tooManyDomains,
} from "./refusals.ts";

/** The same name may be removed from the project, or added to it, at the same time. */
const ATTEMPTS = 8;

/**
 * Adds a host name to a project. The first one is primary, others redirect to it. One that the project had in the last
 * 30 days is restored with its certificate. `plan_required`, `deploy_required`, `domain_exists`, `limit_reached`, and
 * `invalid_value` for a name that cannot be a custom domain of this service.
 */
export async function addDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const parsed = parseHostname(typed, await context.rules());
  if (!parsed.ok) return refused(notADomain(parsed.failure));
  const { plan, deploy, project, suspended } = await context.gatekeeper.gates(owner.projectId);
  if (!project) return refused(noSuchProject);
  if (suspended === true) return refused(accountSuspended);
  if (!plan) return refused(planRequired);
  if (!deploy) return refused(deployRequired);
  return retried(ATTEMPTS, busy, async () => {
    const { domain, change } = await additionOf(context, owner, parsed.value);
    const written = await context.commit([change]);
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
  const [named, label, attachedBefore] = await Promise.all([
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
      role: roleOfAdded([]),
      targetLabel: label ?? newTargetLabel(random),
      ownershipToken: newOwnershipToken(random),
      attachedBefore,
    },
    at,
  );
  const fresh = { ...added, issuance: withFailures(added.issuance, named, at) };
  const limits: Parameters<typeof addingDomain>[2] = {
    maxOfProject: MAX_DOMAINS,
    roleByOthers: true,
    maxUnverified: MAX_UNVERIFIED,
    maxRemoved: MAX_REMOVED,
  };
  return addingDomain(fresh, named, limits, at);
}

/** CAs count failures by name, whichever project had it. */
function withFailures(issuance: Issuance, named: readonly Domain[], now: number): Issuance {
  const failedAt = recentFailures(
    named.flatMap((domain) => domain.issuance.failedAt),
    now,
  );
  return { ...issuance, failedAt, notBefore: budgetedAt(failedAt, now) };
}

/** Removes a domain, which is no longer served at once, whatever its state or the account's plan. Idempotent. */
export async function removeDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  const { id } = found.value;
  const saved = await saveDomain(context, id, (from) => {
    if (from.removal !== undefined) return done(undefined);
    const { domain, news } = applyOutcome(
      from,
      { kind: "removed", reason: "removed" },
      context.clock.now(),
    );
    return done({ to: domain, news });
  });
  return saved.ok ? showChanged(context, id) : saved;
}
