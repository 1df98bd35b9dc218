import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainsConfigView, DomainUpdate } from "../view/bodies.ts";
import type { DomainView } from "../view/shapes.ts";
import type { Domain, DomainRole } from "../model/domain.ts";
import {
  configOf,
  isRedirectStatus,
  rolesUnder,
  type DomainsConfig,
  DEFAULT_REDIRECT,
  promoted,
  type RedirectFault,
} from "../model/redirects.ts";
import type { DomainsContext, Owner } from "./context.ts";
import { normalizedName, findDomain, showChanged } from "./show-domain.ts";
import { notAConfig, invalidAt, noSuchDomain, wasRemoved } from "./refusals.ts";
import { saveDomains, type Saving } from "./save-domains.ts";

/** Reads which domain of a project shows the site, and which ones redirect. */
export async function readConfig(
  { store }: Pick<DomainsContext, "store">,
  projectId: string,
): Promise<DomainsConfigView> {
  return shown(configOf(await store.domains.ofProject(projectId)));
}

/** Replaces the whole map or changes nothing. Every name must be a domain of the project; else `invalid_value`. */
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

/** Returns the changes that give the domains these roles. */
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
    ? "The domain now shows the site."
    : `The domain now redirects to ${role.to} (${role.status}).`;
}

function same(some: DomainRole, other: DomainRole): boolean {
  if (some.kind === "primary" || other.kind === "primary") return some.kind === other.kind;
  return some.to === other.to && some.status === other.status;
}

/** Normalizes the names, and fills in the default status. Keeps invalid names, which are refused as unknown later. */
export function normalised({
  primary,
  redirects,
}: DomainsConfig | DomainsConfigView): DomainsConfig {
  return {
    ...(primary === undefined ? {} : { primary: normalizedName(primary) ?? primary }),
    redirects: redirects.map(({ from, to, status = DEFAULT_REDIRECT }) => ({
      from: normalizedName(from) ?? from,
      to: normalizedName(to) ?? to,
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

/** Makes a domain primary, redirects it, or sets its HSTS duration. Changes all given members or none. */
export async function updateDomain(
  context: DomainsContext,
  owner: Owner,
  typed: string,
  change: DomainUpdate,
): Promise<Result<DomainView, Problem>> {
  const found = await findDomain(context, owner, typed);
  if (!found.ok) return found;
  const { id, unicode, removal } = found.value;
  if (removal !== undefined) return refused(wasRemoved(unicode));
  const saved = await saveDomains(context, async () => {
    const attached = await context.store.domains.ofProject(owner.projectId);
    const domain = attached.find((one) => one.id === id);
    if (domain === undefined) return refused(noSuchDomain);
    const roles = rolesAfter(domain, attached, change);
    return roles.ok ? done(withHsts(domain, changesTo(attached, roles.value), change)) : roles;
  });
  return saved.ok ? showChanged(context, id) : saved;
}

function rolesAfter(
  domain: Domain,
  attached: readonly Domain[],
  { role, redirectTo, redirectStatus }: DomainUpdate,
): Result<ReadonlyMap<string, DomainRole>, Problem> {
  if (role === "primary") {
    if (redirectTo !== undefined || redirectStatus !== undefined) {
      return refused(invalidAt("/role", "A domain that shows the site cannot redirect."));
    }
    return pointed(promoted(domain.name, attached), "/role");
  }
  const current = domain.role.kind === "redirect" ? domain.role : undefined;
  if (redirectTo === undefined && redirectStatus === undefined) return done(new Map());
  const to = redirectTo === undefined ? current?.to : (normalizedName(redirectTo) ?? redirectTo);
  if (to === undefined) {
    return refused(
      invalidAt("/redirectStatus", "The domain does not redirect. Set redirectTo as well."),
    );
  }
  const { primary, redirects } = configOf(attached);
  const status = redirectStatus ?? current?.status ?? DEFAULT_REDIRECT;
  const others = redirects.filter(({ from }) => from !== domain.name);
  const config = {
    // Redirecting the primary domain leaves the project without one.
    ...(primary === undefined || primary === domain.name ? {} : { primary }),
    redirects: [...others, { from: domain.name, to, status }],
  };
  return pointed(rolesUnder(config, attached), "/redirectTo");
}

/** Reports a fault of the whole map at the member that caused it. */
function pointed<Value>(
  result: Result<Value, RedirectFault>,
  pointer: string,
): Result<Value, Problem> {
  return result.ok ? result : refused(notAConfig({ ...result.failure, pointer }));
}

function withHsts(
  domain: Domain,
  savings: readonly Saving[],
  { hstsSeconds = domain.hstsSeconds }: DomainUpdate,
): readonly Saving[] {
  if (hstsSeconds === domain.hstsSeconds) return savings;
  const own = savings.find(({ from }) => from.id === domain.id);
  const { to, news } = own ?? { to: domain, news: [] };
  const message =
    hstsSeconds === 0
      ? "Browsers are no longer told to require HTTPS."
      : `Browsers are told to require HTTPS for ${hstsSeconds} seconds.`;
  const saving: Saving = {
    from: domain,
    to: { ...to, hstsSeconds },
    news: [...news, { kind: "changed", message }],
  };
  return [...savings.filter((one) => one !== own), saving];
}
