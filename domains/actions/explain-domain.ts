import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { ExplanationView } from "../../lib/management/domain-view.ts";
import { parseHostname } from "../model/hostname.ts";
import { shown, shownRecord } from "../view/report.ts";
import type { DomainsContext } from "./context.ts";
import { notADomain } from "./refusals.ts";

/** Everything that a name would come up against, before it is anybody's and before any record is changed. */
export async function explainDomain(
  { rules, explore }: Pick<DomainsContext, "rules" | "explore">,
  typed: string,
  signal: AbortSignal,
): Promise<Result<ExplanationView, Problem>> {
  const parsed = parseHostname(typed, rules);
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
    records: explanation.records.map(shownRecord),
  });
}
