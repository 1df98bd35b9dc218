import type { Problem } from "../../lib/base/problem.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainUpdate } from "../../lib/management/domain-client.ts";
import type { DomainView } from "../../lib/management/domain-view.ts";
import type { Owner } from "../domains.ts";
import type { Domain, DomainRole } from "../model/domain.ts";
import {
  configOf,
  DEFAULT_REDIRECT,
  promoted,
  rolesUnder,
  type RedirectFault,
} from "../model/redirects.ts";
import type { DomainsContext } from "./context.ts";
import { changesTo } from "./domains-config.ts";
import { findDomain, nameTyped } from "./find-domain.ts";
import { invalidAt, noSuchDomain, notAConfig, wasRemoved } from "./refusals.ts";
import { saveDomains, type Saving } from "./save-domains.ts";
import { showChanged } from "./show-domain.ts";

/** Changes what a domain does for its project, all that is named or nothing. */
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
      return refused(invalidAt("/role", "A domain that shows the site leads nowhere else."));
    }
    return pointed(promoted(domain.name, attached), "/role");
  }
  const current = domain.role.kind === "redirect" ? domain.role : undefined;
  if (redirectTo === undefined && redirectStatus === undefined) return done(new Map());
  const to = redirectTo === undefined ? current?.to : (nameTyped(redirectTo) ?? redirectTo);
  if (to === undefined) {
    return refused(
      invalidAt("/redirectStatus", "The domain does not redirect: name redirectTo too."),
    );
  }
  const { primary, redirects } = configOf(attached);
  const status = redirectStatus ?? current?.status ?? DEFAULT_REDIRECT;
  const others = redirects.filter(({ from }) => from !== domain.name);
  const config = {
    // Whoever redirects the primary domain gives it up.
    ...(primary === undefined || primary === domain.name ? {} : { primary }),
    redirects: [...others, { from: domain.name, to, status }],
  };
  return pointed(rolesUnder(config, attached), "/redirectTo");
}

/** A fault of the whole map, told at the member that brought it about. */
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
      ? "Browsers are not told any more to insist on HTTPS."
      : `Browsers are told to insist on HTTPS for ${hstsSeconds} seconds.`;
  const saving: Saving = {
    from: domain,
    to: { ...to, hstsSeconds },
    news: [...news, { kind: "changed", message }],
  };
  return [...savings.filter((one) => one !== own), saving];
}
