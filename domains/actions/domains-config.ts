import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainsConfigView } from "../../lib/management/domain-view.ts";
import type { Owner } from "../domains.ts";
import type { Domain, DomainRole } from "../model/domain.ts";
import { configOf, isRedirectStatus, rolesUnder, type DomainsConfig } from "../model/redirects.ts";
import type { DomainsContext } from "./context.ts";
import { nameTyped } from "./find-domain.ts";
import { notAConfig } from "./refusals.ts";
import { saveDomains, type Saving } from "./save-domains.ts";

/** The map as it is. */
export async function readConfig(
  { store }: Pick<DomainsContext, "store">,
  projectId: string,
): Promise<DomainsConfigView> {
  return shown(configOf(await store.domains.ofProject(projectId)));
}

/** Replaces the map, or refuses it with the first member that is at fault. */
export async function writeConfig(
  context: DomainsContext,
  { projectId }: Owner,
  config: DomainsConfigView,
): Promise<Result<DomainsConfigView, Problem>> {
  const saved = await saveDomains(context, async () => {
    const attached = await context.store.domains.ofProject(projectId);
    const roles = rolesUnder(normalised(config), attached);
    return roles.ok ? done(changesTo(attached, roles.value)) : refused(notAConfig(roles.failure));
  });
  return saved.ok ? done(await readConfig(context, projectId)) : saved;
}

/** What is to be written so that the domains have these roles. */
export function changesTo(
  attached: readonly Domain[],
  roles: ReadonlyMap<string, DomainRole>,
): readonly Saving[] {
  return attached.flatMap((from) => {
    const role = roles.get(from.name) ?? from.role;
    if (same(role, from.role)) return [];
    return [{ from, to: { ...from, role }, news: [{ kind: "changed", message: told(role) }] }];
  });
}

function told(role: DomainRole): string {
  return role.kind === "primary"
    ? "It shows the site now."
    : `It leads to ${role.to} now (${role.status}).`;
}

function same(some: DomainRole, other: DomainRole): boolean {
  if (some.kind === "primary" || other.kind === "primary") return some.kind === other.kind;
  return some.to === other.to && some.status === other.status;
}

/** Names as they are kept; what is no name stays, and is told to be unknown. */
export function normalised({ primary, redirects }: DomainsConfig): DomainsConfig {
  return {
    ...(primary === undefined ? {} : { primary: nameTyped(primary) ?? primary }),
    redirects: redirects.map(({ from, to, status }) => ({
      from: nameTyped(from) ?? from,
      to: nameTyped(to) ?? to,
      status,
    })),
  };
}

function shown({ primary, redirects }: DomainsConfig): DomainsConfigView {
  return {
    ...(primary === undefined ? {} : { primary }),
    redirects: redirects.flatMap(({ from, to, status }) =>
      isRedirectStatus(status) ? [{ from, to, status }] : [],
    ),
  };
}
