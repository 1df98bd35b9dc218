// The service, and what its hosts use of it.
export type { DomainPage, Owner } from "./actions/context.ts";
export { createDomains, type CustomDomains } from "./create-domains.ts";
export type { DomainsOptions } from "./domains-options.ts";
export type { OverdueNotice } from "./keeper/overdue-notices.ts";
export type { Domains } from "./domains.ts";
export type { PetstoreClient, PetstoreOperations } from "./operations.ts";
export type { CheckFromOutside, OutsideCheckOptions } from "./outside/outside-check.ts";
export type { Handling, Presence } from "./outside/presence.ts";
export type {
  CertificateFor,
  CertificateHandle,
  ChallengeAnswers,
  DomainRoute,
  DomainRoutes,
  Presented,
} from "./ports/certificates.ts";
export type { Observation, Observe } from "./ports/observation.ts";

// What it stores, and who may have domains.
export { projectGatekeeper } from "./projects/gatekeeper.ts";
export { ownHostVerifier, type SiteHosts } from "./own-hosts/own-hosts.ts";
export type {
  DomainChange,
  DomainRefusal,
  OpenChallenge,
  ReplacedAccount,
  StoredAuthorityAccount,
  StoredCertificate,
  SuccessorAccount,
} from "./ports/domain-change.ts";
export type { DomainStore, OverdueCounts, Under } from "./ports/domain-store.ts";
export type { Lease, Leases } from "./ports/leases.ts";
export type { GateFacts, Gatekeeper, SiteMaps } from "./ports/projects.ts";
export { createSeal, SealBroken } from "./storage/seal.ts";
export { projectSiteMaps } from "./projects/site-maps.ts";
export { domainSchema } from "./storage/migrations.ts";
export { sqlDomainStore, type SqlDomainStoreOptions } from "./storage/sql-domain-store.ts";
export { endLeases, sqlLeases, type SqlLeasesOptions } from "./storage/sql-leases.ts";

// Certificate authorities.
export { acmeAuthority, type AcmeAuthorityOptions } from "./acme/acme-authority.ts";
export {
  createHttpsClient,
  type HttpsClient,
  type HttpsClientOptions,
  type HttpsFailure,
  type HttpsRequest,
  type HttpsResponse,
} from "./acme/https-client.ts";
export { inspectChain, readChain, type ReadChain } from "./acme/inspect.ts";
export {
  createInternalRoot,
  internalAuthority,
  type InternalAuthorityOptions,
  type InternalRoot,
} from "./acme/internal-ca.ts";
export { keyFingerprint } from "./acme/keys.ts";
export { issuersOf, type IssuersOptions } from "./acme/issuers.ts";
export type {
  Account,
  AccountApplication,
  AccountState,
  Authorization,
  CertificateAuthority,
  Challenge,
  ChallengeType,
  Directory,
  ExternalAccount,
  Order,
  OrderRequest,
  RenewalInfo,
} from "./ports/authority.ts";

// The DNS, and checks of names.
export {
  createBaseDomainCheck as createBaseDomainLook,
  readOwnDomain,
  shareCookies,
  type BaseDomainFacts,
  type BaseDomainNames,
  type BaseDomainOptions,
  type CheckBaseDomain as LookAtBaseDomain,
  type NameFacts,
} from "./own-hosts/base-domain.ts";
export { createAsk, type Ask, type QueryOptions } from "./dns/query.ts";
export { recursiveResolver } from "./dns/resolver.ts";
export {
  formatServerAddress,
  parseServerAddress,
  serversInResolvConf,
  type ServerAddress,
} from "./dns/server-address.ts";
export { createVantages, type Vantages, type VantagesOptions } from "./dns/vantages.ts";
export type { PipelineContext, Probe } from "./pipeline/context.ts";
export { handshakeProbe } from "./serving/probe.ts";

// Listeners for HTTP and HTTPS.
export {
  createHoldings,
  type Holding,
  type Holdings,
  type HoldingsOptions,
} from "../adapters/holdings/holdings.ts";
export {
  answerChallenge,
  answerProbe,
  httpsOnly,
  redirectRoute,
  redirectTo,
  strictTransport,
  type HttpsOnlyOptions,
  type OverPlainHttp,
  type PlainRequest,
} from "./http/plain-http.ts";
export type { TlsFetch, TlsInfo } from "./tls/answer-request.ts";
export { createTlsFront, type TlsFront, type TlsFrontOptions } from "./tls/front.ts";
export { rehearseHandshake } from "./tls/rehearsal.ts";
export {
  closeRemoved,
  httpsServerOptions,
  type CertificateSource,
  type HttpsServerOptions,
} from "./tls/server-options.ts";
export type { Upstream, UpstreamEvents } from "./tls/relay.ts";
export type { PlainHttp2, StartPlainHttp2 } from "./tls/relayed.ts";

// The domain model.
export type { AuthorityProblem, AuthorityProblemCode, NameProblem } from "./model/acme-problem.ts";
export type { AuthorityPause } from "./model/authority-pause.ts";
export type { FailureClass } from "./model/backoff.ts";
export { isSkewed, skewInWords } from "./model/clock-skew.ts";
export { driftStandsStill, LASTING_DRIFT_MS } from "./model/drift.ts";
export type { LookCounts, Seen } from "./model/drift.ts";
export type { Drift } from "./model/drift-facts.ts";
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
  LookFacts,
  RedirectStatus,
  Removal,
  RemovalReason,
  Replacement,
  ReplacementReason,
  Revocation,
  RevocationReason,
  SkippedIssuer,
  Tally,
  Watch,
} from "./model/domain.ts";
export type { OpenOrder, OrderStep, PresentedProof } from "./model/order-state.ts";
export type { OutsideFacts, OutsideView } from "./model/outside.ts";
export { ownershipName } from "./model/ownership.ts";
export { isPublicAddress } from "./model/public-address.ts";
export type { DomainsConfig, RedirectRule } from "./model/redirects.ts";
export type { RenewalFacts, RenewalWindow } from "./model/renewal.ts";
export type { NoticeStage } from "./model/overdue.ts";
export type { News, TimelineEntry, TimelineKind } from "./model/timeline.ts";

// Views of the management API.
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
  OverdueView,
} from "./view/shapes.ts";

// Types that the above refer to.
export type { HoldingLimits } from "../adapters/holdings/limits.ts";
export type { Kind as HoldingKind, RequestHolding } from "../adapters/holdings/holdings.ts";
export type { Outflow, Turn as OutflowTurn } from "../adapters/hosts/node-response.ts";
export type {
  Message as DnsMessage,
  RecordOf,
  ResourceRecord,
  SignatureRecord,
} from "./dns/message.ts";
export type { Question as DnsQuestion } from "./dns/packet.ts";
export type { AskOptions, NoAnswerReason, Reply as DnsReply } from "./dns/query.ts";
export type { Resolvers } from "./dns/resolver.ts";
export type {
  Absent as AbsentAnswer,
  Alias as DnsAlias,
  Answer as DnsAnswer,
  CaaRecord,
  DataOf,
  Explanation as AnswerExplanation,
  Found as FoundAnswer,
  MxRecord,
  RecordType,
  SoaRecord,
  Unknown as UnknownAnswer,
  UnknownReason,
} from "./model/answer.ts";
export type { CaaPermission, CaaRequest, CaaVerdict } from "./model/caa.ts";
export type { CertificateFacts, ChainFacts } from "./model/certificate.ts";
export type { NameServer, UnaskedServer, Zone as DnsZone, ZoneSearch } from "./model/survey.ts";
export type { Issuer } from "./model/verification/subject.ts";
export type { OutsideRequest } from "./outside/outside-check.ts";
export type { ProbeQuestion } from "./outside/presence.ts";
export type { OwnDomain } from "./own-hosts/base-domain.ts";
export type { Rehearse } from "./ports/certificates.ts";
export type { AuthoritativeServers, DirectAnswer, Resolver, Within } from "./ports/resolver.ts";
export type { Verifier, VerifierReport, VerifySubject } from "./ports/verifier.ts";
export type { IssuedCertificates } from "./serving/routes.ts";
export type { Seal } from "./storage/seal.ts";
export type { TlsLimits } from "./tls/limits.ts";
