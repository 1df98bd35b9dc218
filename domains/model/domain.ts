import type { FailureClass } from "./backoff.ts";
import type { RenewalFacts } from "./renewal.ts";
import type { OutsideFacts } from "./outside.ts";
import { driftStage, type Drift } from "./drift-facts.ts";

/** The status codes of redirects (RFC 9110 §15.4). */
export const redirectStatuses = [301, 302, 307, 308] as const;
/** The status of a redirect between domains. */
export type RedirectStatus = (typeof redirectStatuses)[number];

/** What a domain does for its project: show the site, or redirect to the domain that does. */
export type DomainRole =
  | { readonly kind: "primary" }
  /** `to` is a domain of the project. While visitors would get no page there, the domain shows the site itself. */
  | { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/**
 * A host name of a project. Plain data, from which every decision about it is made. Instants are in milliseconds since
 * the Unix epoch.
 */
export interface Domain {
  /** `dom_` and 12 characters of base 62. */
  readonly id: string;
  /** A-labels in lower case, without the trailing dot. */
  readonly name: string;
  /** The name in Unicode. */
  readonly unicode: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly role: DomainRole;
  /** The activation of a deploy whose map was last applied. Undefined: none since the domain was added. */
  readonly siteMap?: string;
  /** The first label of the CNAME target. Belongs to this project and name permanently. */
  readonly targetLabel: string;
  /** The value of the TXT record that proves ownership. New whenever the domain is added. */
  readonly ownershipToken: string;
  /** Another account had the name attached before. */
  readonly attachedBefore: boolean;
  /** The name already led to this service at the first check. Undefined before that check. */
  readonly ledHere?: boolean;
  /** 0: the header is not sent. */
  readonly hstsSeconds: number;
  readonly addedAt: number;
  readonly gates: Gates;
  readonly watch: Watch;
  readonly dns: DnsFacts;
  /** When this domain became the holder of the name by verification. */
  readonly heldSince?: number;
  /** The last look. Absent: none yet. */
  readonly look?: LookFacts;
  /** Set while the authoritative servers lead the name elsewhere. `driftOf` says whether it still counts. */
  readonly drift?: Drift;
  /** Set while another account holds the name and this one has proven ownership. */
  readonly claim?: Claim;
  /** When another account proved ownership of the name. */
  readonly lostAt?: number;
  readonly issuance: Issuance;
  /** Presented in TLS handshakes. */
  readonly certificate?: ActiveCertificate;
  /** When a handshake with our own listener first succeeded. */
  readonly liveSince?: number;
  /** The check from outside. Absent unless the DNS leads here. Blocks nothing. */
  readonly outside?: OutsideFacts;
  readonly removal?: Removal;
  /** A certificate to revoke. */
  readonly revocation?: Revocation;
  /** Incremented by every change. A change applies only to the version it was decided on. */
  readonly version: number;
}

/** Whether the project may have domains, as of the last check. Instants are in milliseconds since the Unix epoch. */
export interface Gates {
  /** The plan is Pro or higher. */
  readonly plan: boolean;
  /** A deploy is live. */
  readonly deploy: boolean;
  /** False: the project or its account has been deleted permanently. */
  readonly project: boolean;
  /** The account is suspended. */
  readonly suspended?: true | undefined;
  /** When the project was deleted, while it can be restored. */
  readonly deletedAt?: number | undefined;
  readonly seenAt: number;
  /** When the plan stopped allowing custom domains. Serving continues for `GRACE_MS`. */
  readonly lapsedAt?: number;
  /** When serving stopped. */
  readonly stoppedAt?: number;
}

/**
 * When the domain was added, verified on request, or last stopped verifying. Checks are scheduled from here. Instants
 * are in milliseconds since the Unix epoch.
 */
export interface Watch {
  readonly since: number;
}

/**
 * The result of the last DNS check. Findings are stored separately. Instants are in milliseconds since the Unix epoch.
 */
export interface DnsFacts {
  readonly state: "unchecked" | "verified" | "propagating" | "blocked" | "unknown";
  /** When the last check started. */
  readonly checkedAt?: number;
  /** When the last successful check was. */
  readonly passedAt?: number;
  /** Codes of the blocking findings. */
  readonly codes: readonly string[];
  /** When the last cached old answer expires. */
  readonly eta?: number;
  /** Ids of the authorities that CAA records forbid while they permit another one. Absent: none. */
  readonly forbidden?: readonly string[];
}

/**
 * A look: a few questions to the authoritative servers of a live name, once a day, much less than a check. Instants are
 * in milliseconds since the Unix epoch.
 */
export interface LookFacts {
  readonly at: number;
  /** The last look that saw the name lead here. */
  readonly foundAt?: number;
}

/** A claim on a name that another project has. Instants are in milliseconds. */
export interface Claim {
  readonly since: number;
  /** From then on the name moves to the claimant, if its records still verify. */
  readonly until: number;
}

/** A type of challenge that this service answers (RFC 8555 §8.3, RFC 8737). */
export type ChallengeKind = "http-01" | "tls-alpn-01";

/** The state of certificate orders and their failures. Instants are in milliseconds since the Unix epoch. */
export interface Issuance {
  /** The challenge to try next: the one that worked, or the one that did not fail. */
  readonly challenge: ChallengeKind;
  /** Orders started since the last certificate. */
  readonly attempts: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Consecutive failures by authority and class. Absent: none since the last certificate. */
  readonly tallies?: readonly Tally[];
  /** Failed validations in the last hour, at most `MAX_FAILED_VALIDATIONS`. */
  readonly failedAt: readonly number[];
  readonly failure?: IssuanceFailure;
  /** Authorities that failed for this name, while another one gets its orders. Absent: none since the last certificate. */
  readonly skipped?: readonly SkippedIssuer[];
  /** Earliest start of the next order. */
  readonly notBefore: number;
  /** The open order; at most one. */
  readonly order?: { readonly openedAt: number; readonly resumeAt: number };
  /** Authorizations granted by the CA. Given up when the name is. */
  readonly granted?: Granted;
  /** When the domain had been without a certificate for half an hour. */
  readonly stalledAt?: number;
  /** Certificates replaced early during the last day. */
  readonly replaced?: readonly Replacement[];
}

/**
 * Authorizations that the CA has granted, which are deactivated when the name is given up. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface Granted {
  /** The id of the authority. */
  readonly authority: string;
  /** The authorizations. */
  readonly urls: readonly string[];
  /** Earliest time to give them up. */
  readonly resumeAt: number;
}

/** Why the last order failed. Instants are in milliseconds since the Unix epoch. */
export interface IssuanceFailure {
  readonly code: string;
  /** The message of the CA or of this service, for people. */
  readonly message: string;
  readonly at: number;
  /** The time named by the CA. No order starts earlier. */
  readonly until?: number;
  /** Absent in rows written by earlier versions. */
  readonly by?: FailedBy;
  /** No order was sent, or only to find out: the CA takes none, whatever the name. */
  readonly held?: boolean;
}

/** The last failure, and the CA and account options that it happened with. */
export interface FailedBy {
  readonly failure: FailureClass;
  readonly issuer: IssuerOptions;
}

/** The CA for new orders, and how we identify ourselves to it. */
export interface IssuerOptions {
  /** The id of the authority. */
  readonly authority: string;
  /** Digest of the account options. A changed digest justifies another attempt. */
  readonly digest: string;
}

/**
 * An authority that gets no order for a name until then, because it failed and another one is configured. Instants are
 * in milliseconds since the Unix epoch.
 */
export interface SkippedIssuer {
  /** The id of the authority. */
  readonly authority: string;
  readonly until: number;
  /** Why the order failed, for people. */
  readonly message: string;
}

/** Consecutive failures with one authority for one class, so that one class does not prolong the waits of another. */
export interface Tally {
  readonly authority: string;
  readonly failure: FailureClass;
  readonly failures: number;
}

/** Reasons for a revocation (RFC 5280 §5.3.1). */
export const revocationReasons = [
  "unspecified",
  "keyCompromise",
  "superseded",
  "cessationOfOperation",
] as const;
/** A reason for a revocation (RFC 5280 §5.3.1). */
export type RevocationReason = (typeof revocationReasons)[number];

/**
 * A revocation requested by the operator. Contains the certificate, which may have been replaced by then. Instants are
 * in milliseconds since the Unix epoch.
 */
export interface Revocation {
  /** The certificate's id, to which its key is sealed. */
  readonly certificateId: string;
  /** The id of the authority. */
  readonly authority: string;
  readonly reason: RevocationReason;
  readonly since: number;
  /** Earliest time of the next attempt. */
  readonly resumeAt: number;
  /** PEM, leaf first. */
  readonly chainPem: string;
  readonly sealedKey: string;
  readonly notAfter: number;
}

/** The certificate that a domain presents. Instants are in milliseconds. */
export interface ActiveCertificate {
  /** `crt_` and 12 characters of base 62, different for every certificate. */
  readonly id: string;
  /** The id of the authority. */
  readonly authority: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly renewAt: number;
  /** When it arrived, by the clock that orders follow. */
  readonly activeSince: number;
  /** Likewise by our own clock. Absent: that was the same. */
  readonly ownSince?: number;
  /** By how much the CA's dates are ahead of the clock that orders follow. Absent: 0. */
  readonly signerAheadMs?: number;
  /** Set if the certificate is to be replaced early. */
  readonly replace?: Replacement;
  /** The CA's renewal information. Absent: not queried yet. */
  readonly renewal?: RenewalFacts;
  /** When its expiry was last announced. */
  readonly warnedAt?: number;
  /** The stage that was announced then, as in `OverdueStage`. */
  readonly warned?: 1 | 2 | 3;
  /** When it was announced that it has expired, after the last stage. */
  readonly endedToldAt?: number;
  /** When our own listener was last probed for it. */
  readonly probedAt?: number;
  /** Set when a process found that it cannot be presented. It never changes, so it must be replaced. */
  readonly unservable?: { readonly at: number; readonly message: string };
}

/**
 * An early replacement from `at` on. The minimum interval between renewals does not apply. Instants are in milliseconds
 * since the Unix epoch.
 */
export interface Replacement {
  readonly at: number;
  readonly reason: ReplacementReason;
}

/**
 * `asked`: requested by the operator; `revoked`: revoked, or the CA asks for it; `key`: the key is lost or compromised;
 * `clock`: our clock was wrong when it was issued; `damaged`: it cannot be presented.
 */
export type ReplacementReason = "asked" | "revoked" | "key" | "clock" | "damaged";

/**
 * Why a domain was removed. `removed`: by request; `expired`: it was never verified; `project_gone`: its project was
 * deleted; `released`: it led elsewhere for thirty days.
 */
export type RemovalReason = "removed" | "expired" | "project_gone" | "released";

/** When a domain was removed, in milliseconds, and why. */
export interface Removal {
  readonly at: number;
  readonly reason: RemovalReason;
}

/** How long a domain is served after the plan stopped allowing it. */
export const GRACE_MS: number = 7 * 24 * 3_600_000;

/** How long a removed domain and its certificate can be restored. */
export const REMOVED_KEPT_MS: number = 30 * 24 * 3_600_000;

/** How long an unverified domain keeps its name. */
export const UNVERIFIED_KEPT_MS: number = 7 * 24 * 3_600_000;

/** How long the holder of a name has to respond to a claim. */
export const CLAIM_WAIT_MS: number = 72 * 3_600_000;

/** The most domains per project, without removed ones. */
export const MAX_DOMAINS = 100;

/** The most unverified domains per account. Limits the reservation of names. */
export const MAX_UNVERIFIED = 50;

/** Returns when serving ends; 0 if the domain is not served, Infinity if no end is known. */
export function servedUntil({ removal, heldSince, certificate, gates }: Domain): number {
  if (removal !== undefined || heldSince === undefined || certificate === undefined) return 0;
  if (!gates.project || gates.stoppedAt !== undefined) return 0;
  return gates.lapsedAt === undefined ? Infinity : gates.lapsedAt + GRACE_MS;
}

/**
 * Returns until when redirects may lead to a domain; 0 while visitors would get no page there: it is not live yet, its
 * DNS does not lead here any more, or its certificate cannot be presented. Nothing that works depends on such a domain.
 */
export function destinationUntil(domain: Domain): number {
  const { certificate, dns, liveSince, role } = domain;
  if (role.kind !== "primary" || liveSince === undefined || dns.state === "blocked") return 0;
  if (certificate === undefined || certificate.unservable !== undefined) return 0;
  if (driftStage(domain) !== undefined) return 0;
  return Math.min(servedUntil(domain), certificate.notAfter);
}

/** Reports whether the project may verify names and order certificates. */
export function isAllowed({ plan, deploy, project }: Gates): boolean {
  return plan && deploy && project;
}

/** Reports whether an open order may continue: the domain still holds the name, which has not moved, and its project may have it. */
export function mayIssue(domain: Domain): boolean {
  const { removal, heldSince, gates } = domain;
  if (driftStage(domain) === "moved") return false;
  return removal === undefined && heldSince !== undefined && isAllowed(gates);
}
