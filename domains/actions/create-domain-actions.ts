import { done, refused } from "../../lib/base/result.ts";
import type { DomainPage, Domains } from "../domains.ts";
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
import { readConfig, writeConfig } from "./domains-config.ts";
import { explainDomain } from "./explain-domain.ts";
import { findDomain, MAX_NAMED, nameTyped } from "./find-domain.ts";
import { noSuchDomain } from "./refusals.ts";
import { removeDomain } from "./remove-domain.ts";
import { showDomain, showDomains } from "./show-domain.ts";
import { updateDomain } from "./update-domain.ts";
import { verifyDomain } from "./verify-domain.ts";

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
