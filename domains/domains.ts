import { addDomain, removeDomain } from "./actions/add-domain.ts";
import { suggestDomains } from "./actions/apply-site-map.ts";
import {
  cancelAccountReplacement,
  replaceAuthorityAccount,
  rolloverAccount,
  showAccounts,
} from "./actions/authority-accounts.ts";
import {
  exportCertificate,
  listCertificates,
  rehearseHostRenewal,
  renewCertificate,
  renewHostCertificate,
  revokeCertificate,
  revokeHostCertificate,
} from "./actions/certificates.ts";
import { explainDomain, verifyDomain } from "./actions/check-domain.ts";
import type { DomainsContext } from "./actions/context.ts";
import { readConfig, updateDomain, writeConfig } from "./actions/domains-config.ts";
import {
  allDomains,
  domainsNamed,
  domainsOfAccount,
  domainsOfProject,
  domainVersion,
  readDomain,
} from "./actions/show-domain.ts";

const actions = {
  add: addDomain,
  show: readDomain,
  ofProject: domainsOfProject,
  ofAccount: domainsOfAccount,
  all: allDomains,
  named: domainsNamed,
  verify: verifyDomain,
  update: updateDomain,
  remove: removeDomain,
  config: readConfig,
  configure: writeConfig,
  suggestions: suggestDomains,
  explain: explainDomain,
  version: domainVersion,
  certificates: listCertificates,
  renew: renewCertificate,
  renewHost: renewHostCertificate,
  rehearseRenewal: rehearseHostRenewal,
  exportCertificate,
  revoke: revokeCertificate,
  revokeHost: revokeHostCertificate,
  authorityAccounts: showAccounts,
  rolloverAccount,
  replaceAccount: replaceAuthorityAccount,
  cancelAccountReplacement,
};

type Actions = typeof actions;

/**
 * The actions on custom domains, for hosts without the management API. A domain is given as people write it, in
 * A-labels, or by its ID. Refusals are those of the management API. Safe to call from several processes at once.
 */
export type Domains = {
  readonly [Name in keyof Actions]: Actions[Name] extends (
    context: DomainsContext,
    ...input: infer Input
  ) => infer Output
    ? (...input: Input) => Output
    : never;
};

type Action = (context: DomainsContext, ...input: never[]) => unknown;

/** Binds the actions to a context. */
export function bindActions(context: DomainsContext): Domains {
  const bound = Object.entries<Action>(actions).map(([name, action]) => [
    name,
    (...input: never[]) => action(context, ...input),
  ]);
  // The members of `actions`, without their first parameter.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(bound) as Domains;
}
