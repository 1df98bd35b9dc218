import { refused, done, type Result } from "../../lib/base/result.ts";
import type { Problem } from "../../lib/base/problem.ts";
import type { Domain } from "../model/domain.ts";
import { toAscii } from "../model/idna.ts";
import type { Owner } from "../domains.ts";
import type { DomainsContext } from "./context.ts";
import { noSuchDomain } from "./refusals.ts";

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
