import type { FailureClass } from "./backoff.ts";
import type { RenewalFacts } from "./renewal.ts";
import type { OutsideFacts } from "./outside.ts";

/** How a redirect answers (RFC 9110 §15.4). */
export const redirectStatuses = [301, 302, 307, 308] as const;
export type RedirectStatus = (typeof redirectStatuses)[number];

/** What a domain does for its project: show the site, or lead to the domain that does. */
export type DomainRole =
  | { readonly kind: "primary" }
  /** `to` is the name of a domain; it is served while that one is, and answers 404 otherwise. */
  | { readonly kind: "redirect"; readonly to: string; readonly status: RedirectStatus };

/** A host name that a project was given. Plain data: the whole of what is decided about it is decided from this. */
export interface Domain {
  /** `dom_` and 12 characters of base 62. */
  readonly id: string;
  /** A-labels in lower case, without the dot of the root. */
  readonly name: string;
  /** The same name as people write it. */
  readonly unicode: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly role: DomainRole;
  /** Which activation of a deploy had its map applied to this domain last; undefined: none since it was added. */
  readonly siteMap?: string;
  /** First label of the CNAME target, which is this project's and this name's alone, for ever. */
  readonly targetLabel: string;
  /** What the TXT record holds where ownership is to be proven; made anew whenever the domain is added. */
  readonly ownershipToken: string;
  /** Another account had attached the name before. */
  readonly attachedBefore: boolean;
  /** The name led to us already when it was first looked up; undefined before that. */
  readonly ledHere?: boolean;
  /** 0: no header. */
  readonly hstsSeconds: number;
  readonly addedAt: number;
  readonly gates: Gates;
  readonly watch: Watch;
  readonly dns: DnsFacts;
  /** Since when the name is this row's: verified, and nobody else's. */
  readonly heldSince?: number;
  /** Another account holds the name, and this one has proven that it is the owner. */
  readonly claim?: Claim;
  /** Another account has proven that the name is theirs. */
  readonly lostAt?: number;
  readonly issuance: Issuance;
  /** What is presented in handshakes. */
  readonly certificate?: ActiveCertificate;
  /** Since when a handshake with our own listener succeeds. */
  readonly liveSince?: number;
  /** As it is reached from outside; absent unless its DNS leads here. Holds up nothing. */
  readonly outside?: OutsideFacts;
  readonly removal?: Removal;
  /** One that is to be revoked. */
  readonly revocation?: Revocation;
  /** Grows with every change; what a change was decided on. */
  readonly version: number;
}

/** Whether the project may have domains of its own, as was last seen. */
export interface Gates {
  /** The plan is Pro or above. */
  readonly plan: boolean;
  /** A deploy is live. */
  readonly deploy: boolean;
  /** False: project or account are gone for good. */
  readonly project: boolean;
  readonly seenAt: number;
  /** Since when the plan does not allow what is served; it is served for `GRACE_MS` more. */
  readonly lapsedAt?: number;
  /** That is over and told. */
  readonly stoppedAt?: number;
}

/** Counts from when somebody last showed interest: it was added, verified, or ceased to verify. */
export interface Watch {
  readonly since: number;
}

/** What the last look at the DNS said; its findings are kept apart. */
export interface DnsFacts {
  readonly state: "unchecked" | "verified" | "propagating" | "blocked" | "unknown";
  /** When the last look began. */
  readonly checkedAt?: number;
  /** When it last verified. */
  readonly passedAt?: number;
  /** Codes of what blocks it, as the findings name them. */
  readonly codes: readonly string[];
  /** When the last stale answer dies. */
  readonly eta?: number;
}

export interface Claim {
  readonly since: number;
  /** From then on the name goes to the one who claims it, if that still verifies. */
  readonly until: number;
}

export type ChallengeKind = "http-01" | "tls-alpn-01";

/** How far certificates are, and how they failed. */
export interface Issuance {
  /** The way of proving that is tried next: the one that worked, or not the one that failed. */
  readonly challenge: ChallengeKind;
  /** Orders begun since there was a certificate last. */
  readonly attempts: number;
  /** Failures in a row. */
  readonly failures: number;
  /** The same by authority and class; absent: none since the last certificate. */
  readonly tallies?: readonly Tally[];
  /** Failed validations of the last hour, at most `MAX_FAILED_VALIDATIONS`. */
  readonly failedAt: readonly number[];
  readonly failure?: IssuanceFailure;
  /** No order before that. */
  readonly notBefore: number;
  /** Set while one is open; there is one at a time. */
  readonly order?: { readonly openedAt: number; readonly resumeAt: number };
  /** Rights to issue that the CA has granted: given up when the name is. */
  readonly granted?: Granted;
  /** Half an hour without a certificate was noticed. */
  readonly stalledAt?: number;
  /** Certificates that were replaced before their time, during the last day. */
  readonly replaced?: readonly Replacement[];
}

export interface Granted {
  /** Id of the authority. */
  readonly authority: string;
  /** Of its authorizations. */
  readonly urls: readonly string[];
  /** Giving them up, not before. */
  readonly resumeAt: number;
}

/** Why the last order came to nothing. */
export interface IssuanceFailure {
  readonly code: string;
  /** The CA's words or ours, for people. */
  readonly message: string;
  readonly at: number;
  /** The instant that the CA named: nothing goes before it. */
  readonly until?: number;
  readonly helpUrl?: string;
  /** What failed with whom; absent in rows that older versions wrote. */
  readonly by?: FailedBy;
}

export interface FailedBy {
  readonly failure: FailureClass;
  readonly issuer: IssuerOptions;
}

/** Which CA orders go to, and what it is told. */
export interface IssuerOptions {
  /** Id of the authority. */
  readonly authority: string;
  /** Digest of the other options by which we are known to it; another one is worth another try. */
  readonly digest: string;
}

/** Failures in a row with one authority for one class of reasons: neither makes waits for others longer. */
export interface Tally {
  readonly authority: string;
  readonly failure: FailureClass;
  readonly failures: number;
}

/** Why a certificate is to be trusted no longer (RFC 5280 §5.3.1). */
export const revocationReasons = [
  "unspecified",
  "keyCompromise",
  "superseded",
  "cessationOfOperation",
] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** A certificate that the operator wants revoked, with all that this takes: another one may have its place by then. */
export interface Revocation {
  /** Its id, also the row that its key is sealed to. */
  readonly certificateId: string;
  /** Id of the authority. */
  readonly authority: string;
  readonly reason: RevocationReason;
  readonly since: number;
  /** Not before that. */
  readonly resumeAt: number;
  /** PEM, the leaf first. */
  readonly chainPem: string;
  readonly sealedKey: string;
  readonly notAfter: number;
}

export interface ActiveCertificate {
  /** `crt_` and 12 characters of base 62; another certificate has another. */
  readonly id: string;
  /** Id of the authority. */
  readonly authority: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly renewAt: number;
  readonly activeSince: number;
  /** It is to be replaced before its time. */
  readonly replace?: Replacement;
  /** When its CA wants it replaced; absent: not asked yet. */
  readonly renewal?: RenewalFacts;
  /** Its end was announced. */
  readonly warnedAt?: number;
  /** When our own listener was last asked for it. */
  readonly probedAt?: number;
}

/** Why a certificate is replaced before `renewAt`, from `at` on. Exempt from the distance that renewals keep. */
export interface Replacement {
  readonly at: number;
  readonly reason: ReplacementReason;
}

/** `asked`: by the operator; `revoked`: it was revoked, or the CA wants it replaced now; `key`: its key is lost or known; `clock`: it was dated by a wrong clock of ours. */
export type ReplacementReason = "asked" | "revoked" | "key" | "clock";

export interface Removal {
  readonly at: number;
  readonly reason: "removed" | "expired" | "project_gone";
}

/** How long a project is served after its plan ceased to allow it. */
export const GRACE_MS: number = 7 * 24 * 3_600_000;

/** How long a removed domain, and its certificate, can be had back at once. */
export const REMOVED_KEPT_MS: number = 30 * 24 * 3_600_000;

/** How long a name is kept for a project that never verified it. */
export const UNVERIFIED_KEPT_MS: number = 7 * 24 * 3_600_000;

/** How long the holder of a name has after somebody else proved to own it. */
export const CLAIM_WAIT_MS: number = 72 * 3_600_000;

/** Of a project, without the removed ones. */
export const MAX_DOMAINS = 100;

/** Of an account, not verified yet: names cost those nothing who only reserve them. */
export const MAX_UNVERIFIED = 50;

/** When serving ends as far as is known; 0 when it is not served at all, infinite while nothing speaks against it. */
export function servedUntil({ removal, heldSince, certificate, gates }: Domain): number {
  if (removal !== undefined || heldSince === undefined || certificate === undefined) return 0;
  if (!gates.project || gates.stoppedAt !== undefined) return 0;
  return gates.lapsedAt === undefined ? Infinity : gates.lapsedAt + GRACE_MS;
}

/** Whether the project may verify names, and order and renew certificates. */
export function isAllowed({ plan, deploy, project }: Gates): boolean {
  return plan && deploy && project;
}

/** Whether an open order may go on: the name is still this row's, and its project may have it. */
export function mayIssue({ removal, heldSince, gates }: Domain): boolean {
  return removal === undefined && heldSince !== undefined && isAllowed(gates);
}
