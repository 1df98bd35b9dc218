export { acmeAuthority } from "./acme/acme-authority.ts";
export type { AcmeAuthorityOptions } from "./acme/acme-authority.ts";
export { inspectChain, readChain } from "./acme/inspect.ts";
export type { ReadChain } from "./acme/inspect.ts";
export { keyFingerprint } from "./acme/keys.ts";
export { createHttpsClient } from "./acme/https-client.ts";
export type { HttpsClient, HttpsClientOptions } from "./acme/https-client.ts";
export { internalAuthority } from "./acme/internal-ca.ts";
export type { InternalAuthorityOptions } from "./acme/internal-ca.ts";
export { createInternalRoot } from "./acme/internal-ca.ts";
export type { InternalRoot } from "./acme/internal-ca.ts";
export { createBaseDomainCheck as createBaseDomainLook } from "./base-domain.ts";
export type {
  BaseDomainFacts,
  BaseDomainNames,
  BaseDomainOptions,
  CheckBaseDomain as LookAtBaseDomain,
  NameFacts,
} from "./base-domain.ts";
export { createDomains, type CustomDomains } from "./create-domains.ts";
export type { DomainsOptions } from "./domains-options.ts";
export { createAsk } from "./dns/query.ts";
export type { Ask, QueryOptions } from "./dns/query.ts";
export { recursiveResolver } from "./dns/resolver.ts";
export { createVantages } from "./dns/vantages.ts";
export type { Vantages, VantagesOptions } from "./dns/vantages.ts";
export { serversInResolvConf } from "./dns/server-address.ts";
export { formatServerAddress, parseServerAddress } from "./dns/server-address.ts";
export type { ServerAddress } from "./dns/server-address.ts";
export type { DomainPage, Owner } from "./actions/context.ts";
export type { Domains } from "./domains.ts";
export { projectGatekeeper } from "./gatekeeper.ts";
export { answerChallenge } from "./http/plain-http.ts";
export type { PlainRequest } from "./http/plain-http.ts";
export { answerProbe } from "./http/plain-http.ts";
export { httpsOnly } from "./http/plain-http.ts";
export type { HttpsOnlyOptions, OverPlainHttp } from "./http/plain-http.ts";
export { redirectRoute, redirectTo, strictTransport } from "./http/plain-http.ts";
export { issuersOf } from "./issuers.ts";
export type { IssuersOptions } from "./issuers.ts";
export { isSkewed, skewInWords } from "./model/clock-skew.ts";
export { ownershipName } from "./model/ownership.ts";
export { readOwnDomain, shareCookies } from "./base-domain.ts";
export { ownHostVerifier } from "./own-hosts.ts";
export type { SiteHosts } from "./own-hosts.ts";
export { isPublicAddress } from "./model/public-address.ts";
export type { CheckFromOutside, OutsideCheckOptions } from "./outside/outside-check.ts";
export type { Handling, Presence } from "./outside/presence.ts";
export type { PipelineContext, Probe } from "./pipeline/context.ts";
export type { CertificateAuthority, ExternalAccount } from "./ports/authority.ts";
export type {
  CertificateFor,
  CertificateHandle,
  ChallengeAnswers,
  DomainRoute,
  DomainRoutes,
  Presented,
} from "./ports/certificates.ts";
export type { Observation, Observe } from "./ports/observation.ts";
export type { DomainStore } from "./ports/domain-store.ts";
export type { GateFacts, Gatekeeper } from "./ports/projects.ts";
export type { Lease, Leases } from "./ports/leases.ts";
export type { SiteMaps } from "./ports/projects.ts";
export { handshakeProbe } from "./probe.ts";
export { createSeal, SealBroken } from "./seal.ts";
export { projectSiteMaps } from "./site-maps.ts";
export { domainSchema } from "./storage/migrations.ts";
export { sqlDomainStore } from "./storage/sql-domain-store.ts";
export type { SqlDomainStoreOptions } from "./storage/sql-domain-store.ts";
export { endLeases, sqlLeases } from "./storage/sql-leases.ts";
export type { SqlLeasesOptions } from "./storage/sql-leases.ts";
export type { TlsFetch, TlsInfo } from "./tls/answer-request.ts";
export { createTlsFront } from "./tls/front.ts";
export { createHoldings } from "../adapters/holdings/holdings.ts";
export type { Holding, Holdings, HoldingsOptions } from "../adapters/holdings/holdings.ts";
export { rehearseHandshake } from "./tls/rehearsal.ts";
export type { TlsFront, TlsFrontOptions } from "./tls/front.ts";
export type { PlainHttp2, StartPlainHttp2 } from "./tls/relayed.ts";
export type { Upstream, UpstreamEvents } from "./tls/relay.ts";
export type { HttpsResponse, HttpsRequest, HttpsFailure } from "./acme/https-client.ts";
export type {
  Account,
  AccountApplication,
  AccountState,
  Authorization,
  Challenge,
  ChallengeType,
  Directory,
  Order,
  OrderRequest,
  RenewalInfo,
} from "./ports/authority.ts";
export type { AuthorityProblem, AuthorityProblemCode, NameProblem } from "./model/acme-problem.ts";
export type { RenewalFacts, RenewalWindow } from "./model/renewal.ts";
export type {
  ActiveCertificate,
  ChallengeKind,
  Claim,
  DnsFacts,
  Domain,
  DomainRole,
  FailedBy,
  Gates,
  Granted,
  Issuance,
  IssuanceFailure,
  IssuerOptions,
  RedirectStatus,
  Removal,
  Replacement,
  ReplacementReason,
  Tally,
  Watch,
} from "./model/domain.ts";
export type { OpenOrder, OrderStep, PresentedProof } from "./model/order-state.ts";
export type {
  OpenChallenge,
  ReplacedAccount,
  StoredAuthorityAccount,
  StoredCertificate,
} from "./ports/domain-change.ts";
export type { News, TimelineEntry, TimelineKind } from "./model/timeline.ts";
export type { DomainChange, DomainRefusal } from "./ports/domain-change.ts";
export type { Under } from "./ports/domain-store.ts";
export type { OutsideFacts, OutsideView } from "./model/outside.ts";
export type { FailureClass } from "./model/backoff.ts";
export type { DomainsConfig, RedirectRule } from "./model/redirects.ts";
export type { Revocation, RevocationReason } from "./model/domain.ts";
export type { AuthorityPause } from "./model/backoff.ts";
export type { PetstoreClient, PetstoreOperations } from "./operations.ts";
export type { DomainsConfigView, DomainUpdate } from "./view/bodies.ts";
export type {
  AuthorityAccountView,
  CertificateView,
  DomainFindingView,
  DomainRecordView,
  DomainSuggestionView,
  DomainView,
  ExplanationView,
  ExportedCertificate,
} from "./view/shapes.ts";
