import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { parseHostname } from "../model/hostname.ts";
import { shown, shownRecord } from "../view/report.ts";
import type { DomainView, ExplanationView } from "../view/shapes.ts";
import type { DomainsContext, Owner } from "./context.ts";
import { noSuchDomain, notADomain, wasRemoved } from "./refusals.ts";
import { findDomain, showDomain } from "./show-domain.ts";

/**
 * Checks the DNS of a domain now, for at most ten seconds, and restarts the schedule of its checks. Simultaneous calls
 * share one check. Findings are part of the result; a removed domain is `not_found`.
 */
export async function verifyDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  if (found.value.removal !== undefined) return refused(wasRemoved(found.value.unicode));
  const checked = await context.verify(found.value.id, context.stopping);
  return checked === undefined ? refused(noSuchDomain) : done(await showDomain(context, checked));
}

/** Reports everything that would fail for a name. No project needs to have it. */
export async function explainDomain(
  { rules, explore }: Pick<DomainsContext, "rules" | "explore">,
  typed: string,
  signal: AbortSignal,
): Promise<Result<ExplanationView, Problem>> {
  const parsed = parseHostname(typed, await rules());
  if (!parsed.ok) return refused(notADomain(parsed.failure));
  const { hostname, unicode, lookAlike = null } = parsed.value;
  const explanation = await explore(parsed.value, signal);
  const { zone = null, nameServers, provider, headline } = explanation;
  return done({
    domain: hostname,
    unicode,
    lookAlike,
    headline,
    zone,
    nameServers,
    provider: provider === undefined ? null : { name: provider.name, help: provider.help ?? null },
    obstacles: explanation.obstacles.map(shown),
    changes: explanation.changes.map(shown),
    records: explanation.records.map((one) => ({ ...shownRecord(one), checkedAt: null })),
  });
}
