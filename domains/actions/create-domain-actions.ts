import { done, refused, type Result } from "../../lib/base/result.ts";
import type { DomainPage, Domains, Owner } from "../domains.ts";
import type { Domain } from "../model/domain.ts";
import { isOwnHost } from "../own-hosts.ts";
import { addDomain } from "./add-domain.ts";
import { suggestDomains } from "./apply-site-map.ts";
import {
  exportCertificate,
  listCertificates,
  renewCertificate,
  renewHostCertificate,
  revokeCertificate,
  revokeHostCertificate,
} from "./certificates.ts";
import { replaceAuthorityAccount, rolloverAccount, showAccounts } from "./authority-accounts.ts";
import type { DomainsContext } from "./context.ts";
import { readConfig, writeConfig, updateDomain } from "./domains-config.ts";
import {
  findDomain,
  MAX_NAMED,
  nameTyped,
  showDomain,
  showDomains,
  showChanged,
} from "./show-domain.ts";
import { noSuchDomain, wasRemoved, notADomain } from "./refusals.ts";
import type { Problem } from "../../lib/base/problem.ts";
import type { DomainView, ExplanationView } from "../view/shapes.ts";
import { applyOutcome } from "../model/apply-outcome.ts";
import { saveDomain } from "./save-domains.ts";
import { parseHostname } from "../model/hostname.ts";
import { shown, shownRecord } from "../view/report.ts";

/** So many rows are read at a time. */
const MAX_READ = 200;

/** The actions under the names of `Domains`. */
export function createDomainActions(context: DomainsContext): Domains {
  const { store } = context;
  return {
    add: (owner, domain) => addDomain(context, owner, domain),
    show: async (owner, domain) => {
      const found = await findDomain(context, owner, domain);
      return found.ok ? done(await showDomain(context, found.value)) : found;
    },
    ofProject: async (projectId) => showDomains(context, await store.domains.ofProject(projectId)),
    ofAccount: async (accountId, page) =>
      showDomains(context, await store.domains.ofAccount(accountId, page)),
    all: async (page) => showDomains(context, await allOfProjects(context, page)),
    named: async (domain, accountId) => {
      const name = nameTyped(domain);
      if (name === undefined) return refused(noSuchDomain);
      const named = await store.domains.named(name, MAX_NAMED);
      const seen = named.filter(
        (one) => !isOwnHost(one) && (accountId === undefined || one.accountId === accountId),
      );
      return done(await showDomains(context, seen));
    },
    verify: (owner, domain) => verifyDomain(context, owner, domain),
    update: (owner, domain, change) => updateDomain(context, owner, domain, change),
    remove: (owner, domain) => removeDomain(context, owner, domain),
    config: (projectId) => readConfig(context, projectId),
    configure: (owner, config) => writeConfig(context, owner, config),
    suggestions: (projectId) => suggestDomains(context, projectId),
    explain: (domain, signal) => explainDomain(context, domain, signal),
    version: async (id) => (await store.domains.byId(id))?.version,
    certificates: (page) => listCertificates(context, page),
    renew: (owner, domain) => renewCertificate(context, owner, domain),
    renewHost: (host) => renewHostCertificate(context, host),
    exportCertificate: (owner, domain) => exportCertificate(context, owner, domain),
    revoke: (owner, domain, reason) => revokeCertificate(context, owner, domain, reason),
    revokeHost: (host, reason) => revokeHostCertificate(context, host, reason),
    authorityAccounts: () => showAccounts(context),
    rolloverAccount: (authority) => rolloverAccount(context, authority),
    replaceAccount: (authority) => replaceAuthorityAccount(context, authority),
  };
}

/** Own hosts are nobody's to change: they are left out, however many there are in a row. */
async function allOfProjects(
  { store }: Pick<DomainsContext, "store">,
  { after, limit }: DomainPage,
): Promise<readonly Domain[]> {
  const found: Domain[] = [];
  for (let last = after; found.length < limit;) {
    const page = await store.domains.all({
      ...(last === undefined ? {} : { after: last }),
      limit: MAX_READ,
    });
    found.push(...page.filter((one) => !isOwnHost(one)));
    if (page.length < MAX_READ) break;
    last = page.at(-1)?.id;
  }
  return found.slice(0, limit);
}

/** Asks the DNS, and tells what it said, be it good or bad: only what is not there is refused. */
async function verifyDomain(
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

/** Whatever state it is in, and whatever plan the account is on. */
async function removeDomain(
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

/** Everything that a name would come up against, before it is anybody's and before any record is changed. */
async function explainDomain(
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
