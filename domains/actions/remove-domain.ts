import type { Problem } from "../../lib/base/problem.ts";
import { done, type Result } from "../../lib/base/result.ts";
import type { DomainView } from "../../lib/management/domain-view.ts";
import type { Owner } from "../domains.ts";
import { settle } from "../model/domain-settle.ts";
import type { DomainsContext } from "./context.ts";
import { findDomain } from "./find-domain.ts";
import { saveDomain } from "./save-domains.ts";
import { showChanged } from "./show-domain.ts";

/** Whatever state it is in, and whatever plan the account is on. */
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
    const { domain, news } = settle(
      from,
      { kind: "removed", reason: "removed" },
      context.clock.now(),
    );
    return done({ to: domain, news });
  });
  return saved.ok ? showChanged(context, id) : saved;
}
