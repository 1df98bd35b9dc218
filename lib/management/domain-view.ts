/** What a redirect can answer (RFC 9110 §15.4). */
export const redirectStatuses = [301, 302, 307, 308] as const;

/**
 * A custom domain as its owner sees it. Every member is always there; what is not known, or does not apply, is null.
 * Instants are RFC 3339 on the wire and milliseconds since the Unix epoch in the code.
 */
export interface DomainView {
  /** `dom_…` */
  readonly id: string;
  /** A-labels in lower case, without the dot of the root. */
  readonly domain: string;
  /** The same name as people write it. */
  readonly unicode: string;
  /** Slug of the project; its id when the project is gone. */
  readonly project: string;
  readonly role: "primary" | "redirect";
  readonly redirectTo: string | null;
  readonly redirectStatus: (typeof redirectStatuses)[number] | null;
  /** The name is the head of a zone, and so can have no CNAME record. */
  readonly apex: boolean;
  readonly status:
    | "awaiting_dns"
    | "checking"
    | "verified"
    | "issuing"
    | "live"
    | "attention"
    | "removed";
  /** How it is, in one sentence. */
  readonly headline: string;
  /** What its owner should do now; null when there is nothing to do. */
  readonly nextAction: string | null;
  /** What both say, told apart, so that it can be said in other words: a closed list, which may grow. */
  readonly headlineCode: string;
  /** What they are made of. */
  readonly headlineData: Readonly<Record<string, unknown>>;
  /** When the DNS is asked without a click; null: not before somebody chooses Verify, or no more. */
  readonly nextCheckAt: number | null;
  readonly dns: {
    readonly state: "unchecked" | "verified" | "propagating" | "blocked" | "unknown";
    readonly findings: readonly DomainFindingView[];
    readonly checkedAt: number | null;
    /** When the last stale answer is forgotten. */
    readonly eta: number | null;
    /** Whose the name servers are, where that is known; null before the first look. */
    readonly provider: DnsProviderView | null;
  };
  readonly certificate: {
    readonly state: "none" | "waiting" | "ordering" | "failed" | "active" | "expired";
    /** Id of the authority: the address of its directory. */
    readonly issuer: string | null;
    readonly notAfter: number | null;
    readonly renewAt: number | null;
    /** Orders begun since there was a certificate last. */
    readonly attempts: number;
    /** Why there is none yet, or why the last attempt came to nothing. */
    readonly reason: string | null;
    /** No order begins before; null when nothing is waited for. */
    readonly nextAttemptAt: number | null;
  };
  readonly records: readonly DomainRecordView[];
  /** What happened, newest first. */
  readonly timeline: readonly {
    readonly at: number;
    readonly kind: string;
    readonly code: string | null;
    readonly message: string | null;
  }[];
  /** Of the Strict-Transport-Security header; 0: none is sent. */
  readonly hstsSeconds: number;
  /** The other one of `shelter.org` and `www.shelter.org`, while the project does not have it. */
  readonly twin: string | null;
  /** The name could be taken for another one at a glance. */
  readonly lookAlike: "mixed_scripts" | "resembles_latin" | null;
  /** Another account holds the name: from then on it is this one's, if its ownership record stays. */
  readonly claimUntil: number | null;
  readonly addedAt: number;
}

/** Somebody who runs name servers for others. */
export interface DnsProviderView {
  /** A word that stays: `namecheap`. */
  readonly id: string;
  readonly name: string;
  /** Where people read how to add a record there; null where that is not known. */
  readonly help: string | null;
}

/** What a text is made of: texts, numbers, instants, and lists of them with a bounded length. */
export type FindingData = Readonly<Record<string, unknown>>;

/** One thing that was found out, and what to do about it. */
export interface DomainFindingView {
  readonly code: string;
  readonly severity: "blocking" | "warning" | "ok";
  readonly observed: string;
  readonly expected: string;
  /** Exactly what to do; empty when there is nothing to do. */
  readonly fix: string;
  /** Who said so; null when it was not learned by DNS. */
  readonly server: string | null;
  /** What the texts are made of, by `code`, for those who want others; null when an older version kept it. */
  readonly data: FindingData | null;
}

/** A record to be entered where the DNS of the domain is managed, and what is there now. */
export interface DomainRecordView {
  readonly purpose: "routing" | "ownership" | "delegation";
  /** False: it does no harm, and nothing waits for it. */
  readonly required: boolean;
  readonly type: string;
  /** The type in the words of the DNS provider: `ANAME`, `ALIAS (or ANAME)`. */
  readonly typeText: string;
  /** Relative to the registrable domain, as DNS providers ask for it; `@` for that domain itself. */
  readonly name: string;
  readonly fqdn: string;
  readonly value: string;
  /** Seconds. */
  readonly ttl: number;
  /** `propagating`: it is right, and not everybody has heard of it yet. */
  readonly state: "unchecked" | "found" | "missing" | "wrong" | "propagating" | "unknown";
  /** What is there, as each server tells it; at most 20. */
  readonly found: readonly {
    readonly server: string;
    readonly type: string;
    readonly value: string;
    /** Seconds. */
    readonly ttl: number;
  }[];
}

/** What a name would come up against, before any record is changed. */
export interface ExplanationView {
  readonly domain: string;
  readonly unicode: string;
  readonly lookAlike: DomainView["lookAlike"];
  readonly headline: string;
  /** Where its records are kept; null when that could not be found out. */
  readonly zone: string | null;
  /** Sorted. */
  readonly nameServers: readonly string[];
  /** Whose the name servers are, where that is known, and where its help on records is. */
  readonly provider: { readonly name: string; readonly help: string | null } | null;
  /** What would fail even with the right record. */
  readonly obstacles: readonly DomainFindingView[];
  /** What has to be changed at the name itself. */
  readonly changes: readonly DomainFindingView[];
  /** As they will be asked for. */
  readonly records: readonly DomainRecordView[];
}

/** The domains of a project as a map: which one shows the site, and which ones lead to it. */
export interface DomainsConfigView {
  readonly primary?: string;
  readonly redirects: readonly {
    readonly from: string;
    readonly to: string;
    readonly status: (typeof redirectStatuses)[number];
  }[];
}

/** A name that a site asks for and that is not its project's yet. */
export interface DomainSuggestionView {
  /** A-labels in lower case. */
  readonly domain: string;
  /** The same name as people write it. */
  readonly unicode: string;
  /** What has to be done before the map takes effect for it. */
  readonly step: "add" | "verify";
}

/** The account that this service orders certificates with. */
export interface AuthorityAccountView {
  /** Address of the authority's directory, or `internal`. */
  readonly authority: string;
  /** Names the account at the authority and in CAA records; null before it is made. */
  readonly url: string | null;
  /** `none`: not made yet. `unknown`: the authority could not be asked; `problem` says why. */
  readonly status: "none" | "valid" | "deactivated" | "revoked" | "refused" | "unknown";
  /** What the authority said where it did not tell; null otherwise. */
  readonly problem: string | null;
  /** What to type next; null when nothing has to be done. */
  readonly fix: string | null;
  /** Where the authority writes to. */
  readonly contact: readonly string[];
  /** The configured key id of the external account binding. */
  readonly externalAccountKeyId: string | null;
  /** Of the account key (RFC 7638); null before there is one. */
  readonly thumbprint: string | null;
  readonly termsOfServiceUrl: string | null;
  readonly createdAt: number | null;
  /** Accounts that it took the place of and that served certificates were ordered with, the last one first. */
  readonly replaced: readonly { readonly url: string; readonly replacedAt: number }[];
}

/** A certificate that is presented to visitors. */
export interface CertificateView {
  readonly domain: string;
  /** Slug; null for a host of the operator's own. */
  readonly project: string | null;
  /** Id of the authority. */
  readonly issuer: string;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly renewAt: number;
  /** Why renewing came to nothing the last time; null when it did not. */
  readonly reason: string | null;
  /** Where the authority explains when it wants the certificate replaced; null when it does not. */
  readonly explanationUrl: string | null;
}
