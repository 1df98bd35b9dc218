import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainView } from "../../lib/management/domain-view.ts";
import type { Owner } from "../domains.ts";
import { settle } from "../model/domain-settle.ts";
import type { DomainsContext } from "./context.ts";
import { findDomain } from "./find-domain.ts";
import { noSuchDomain } from "./refusals.ts";
import { saveDomains } from "./save-domains.ts";
import { showDomain } from "./show-domain.ts";

/** Whatever state it is in, and whatever plan the account is on. */
export async function removeDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  const { id } = found.value;
  const saved = await saveDomains(context, async () => {
    const from = await context.store.domains.byId(id);
    if (from === undefined) return refused(noSuchDomain);
    if (from.removal !== undefined) return done([]);
    const { domain, news } = settle(
      from,
      { kind: "removed", reason: "removed" },
      context.clock.now(),
    );
    return done([{ from, to: domain, news }]);
  });
  if (!saved.ok) return saved;
  const removed = await context.store.domains.byId(id);
  return removed === undefined ? refused(noSuchDomain) : done(await showDomain(context, removed));
}
