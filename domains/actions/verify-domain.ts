import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainView } from "../../lib/management/domain-view.ts";
import type { Owner } from "../domains.ts";
import type { DomainsContext } from "./context.ts";
import { findDomain } from "./find-domain.ts";
import { noSuchDomain, wasRemoved } from "./refusals.ts";
import { showDomain } from "./show-domain.ts";

/** Asks the DNS, and tells what it said, be it good or bad: only what is not there is refused. */
export async function verifyDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  if (found.value.removal !== undefined) return refused(wasRemoved(found.value.unicode));
  const looked = await context.verify(found.value.id, context.stopping);
  return looked === undefined ? refused(noSuchDomain) : done(await showDomain(context, looked));
}
