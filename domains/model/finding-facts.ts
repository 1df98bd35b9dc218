import type { Explanation, RecordType, UnknownReason } from "./answer.ts";
import type { CaaVerdict } from "./caa.ts";
import type { ProviderId } from "./provider.ts";

/** A record to enter at a DNS provider. */
export interface WantedRecord {
  readonly type: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "TXT";
  /** The name for the name field: relative to the zone, `@` for the zone itself. */
  readonly name: string;
  /** The full name. */
  readonly fqdn: string;
  readonly value: string;
  /** The zone to enter it into. */
  readonly zone: string;
  /** Absent: unknown provider. */
  readonly provider?: ProviderId;
}

/** Where two texts differ. `start` and `end` are common to both. */
export interface Difference {
  readonly start: string;
  readonly observed: string;
  readonly expected: string;
  readonly end: string;
}

/** An old answer in a resolver's cache. */
export interface StaleAnswer {
  readonly vantage: string;
  /** Empty: a cached absence. */
  readonly values: readonly string[];
  /** When it expires. */
  readonly until: number;
}

/** A name server that does not serve the zone it is listed for. */
export interface BrokenServer {
  readonly name: string;
  readonly reason: UnknownReason | "unresolved" | "unlearned";
}

/** Whose words a text uses: those of the domain's owner, or of the operator of this service. Absent: the owner's. */
export interface ReadBy {
  readonly readBy?: "owner" | "operator";
}

/** A query without an answer. */
interface Unasked {
  readonly name: string;
  readonly explanation?: Explanation;
}

/** The values of each finding. Plain data, from which texts are made in any language. */
export interface FindingFacts {
  readonly taken: { readonly hostname: string };
  readonly account_suspended: ReadBy & {
    readonly hostname: string;
    readonly accountId: string;
    /** When it was found. Absent: not known. */
    readonly since?: number;
  };
  readonly project_deleted: ReadBy & {
    readonly hostname: string;
    readonly project: string;
    readonly since: number;
    /** Until then the project can be restored. Absent: it was deleted permanently. */
    readonly restorableUntil?: number;
  };
  readonly plan_required: ReadBy & {
    readonly plan: string;
    /** The domain that is served until `until`. Absent: it is not served. */
    readonly hostname?: string;
    readonly until?: number;
  };
  readonly deploy_required: {
    readonly project: string;
    /** The domain that was verified, and shows no page now. Absent: it was never verified. */
    readonly hostname?: string;
  };
  readonly not_delegated: { readonly registrable: string };
  readonly delegation_broken: {
    readonly zone: string;
    /** The registrar lists the name servers; otherwise the operator of the parent zone does. */
    readonly atRegistrar: boolean;
    /** Every listed name server, with the reason for its silence. */
    readonly servers: readonly BrokenServer[];
  };
  readonly dnssec_bogus: { readonly zone: string; readonly explanation?: Explanation };
  readonly dnssec_unchecked: { readonly zone: string };
  readonly name_doubled: { readonly wanted: WantedRecord; readonly at: string };
  readonly apex_needs_alias: {
    readonly wanted: WantedRecord;
    /** True: a CNAME record exists, which is not allowed at the root of a zone. False: no record exists. */
    readonly cname: boolean;
  };
  readonly no_record: {
    readonly wanted: readonly [WantedRecord, ...WantedRecord[]];
    /** Records that work instead. */
    readonly instead: readonly WantedRecord[];
    /** How long the absence may be cached. */
    readonly believedSeconds: number;
  };
  readonly cname_loop: { readonly wanted: WantedRecord; readonly chain: readonly string[] };
  readonly cname_too_long: { readonly wanted: WantedRecord; readonly chain: readonly string[] };
  readonly cname_mismatch: {
    readonly wanted: WantedRecord;
    readonly observed: string;
    readonly difference: Difference;
    /** The provider appended the zone to the value. */
    readonly zoneAppended: boolean;
    /** The values of further CNAME records at the name. Absent: none. */
    readonly others?: readonly string[];
  };
  readonly cname_coexists: {
    readonly wanted: WantedRecord;
    readonly types: readonly [RecordType, ...RecordType[]];
    /** If `types` has CNAME: the values of the records that point elsewhere. */
    readonly others?: readonly string[];
  };
  readonly conflicting_a: {
    readonly wanted: WantedRecord;
    readonly addresses: readonly string[];
    /** IPv6 addresses that conflict as well. */
    readonly also: readonly string[];
  };
  readonly conflicting_aaaa: {
    readonly wanted: WantedRecord;
    readonly addresses: readonly string[];
  };
  readonly extra_address: {
    readonly fqdn: string;
    readonly foreign: readonly string[];
    readonly ours: readonly string[];
  };
  readonly aaaa_elsewhere: {
    readonly fqdn: string;
    readonly foreign: readonly string[];
    /** Empty when this service has no IPv6 address. */
    readonly ours: readonly string[];
  };
  readonly proxied: {
    readonly wanted: WantedRecord;
    readonly network: string;
    readonly addresses: readonly string[];
    /** This service was seen to answer behind the proxy. */
    readonly reached: boolean;
  };
  readonly dangling_target: {
    readonly fqdn: string;
    readonly target: string;
    /** The target without an address is ours. */
    readonly ours: boolean;
  };
  readonly ns_disagree: {
    readonly fqdn: string;
    readonly type: "CNAME" | "TXT" | "CAA" | "address";
    /** The values on the servers that lag behind; may be empty. */
    readonly values: readonly string[];
    readonly behind: readonly string[];
    readonly ahead: readonly string[];
  };
  readonly ownership_missing: { readonly wanted: WantedRecord };
  readonly ownership_mismatch: {
    readonly wanted: WantedRecord;
    readonly values: readonly string[];
  };
  readonly caa_forbids: CaaSeen | CaaTold;
  readonly ca_rejected_name: { readonly issuer: string; readonly message: string };
  readonly ca_paused: { readonly issuer: string; readonly message: string };
  readonly ca_account_deactivated: { readonly issuer: string; readonly message: string };
  readonly ca_terms_changed: {
    readonly issuer: string;
    readonly message: string;
    /** Where a person can read and accept them. */
    readonly helpUrl?: string;
  };
  readonly ca_account_refused: { readonly issuer: string; readonly message: string };
  readonly not_servable: {
    readonly hostname: string;
    /** Why the certificate cannot be presented. */
    readonly message: string;
  };
  readonly overdue: ReadBy & {
    readonly hostname: string;
    /** When the next certificate should have been ordered. */
    readonly since: number;
    /** When the certificate expires. */
    readonly until: number;
    /** It has expired. */
    readonly expired: boolean;
    /** The next automatic order. Absent: at once. */
    readonly retryAt?: number;
    /** Why the last order failed. */
    readonly message?: string;
  };
  readonly redirect_target_removed: { readonly from: string; readonly to: string };
  readonly stalled_30m: {
    readonly verifiedAt: number;
    /** The certificate authority's last message. */
    readonly message?: string;
  };
  readonly validation_failed: { readonly issuer: string; readonly message: string };
  readonly ca_rate_limited: {
    readonly issuer: string;
    readonly message: string;
    readonly until?: number;
  };
  readonly ca_unavailable: {
    readonly issuer: string;
    readonly message: string;
    readonly retryAt?: number;
  };
  readonly http01_unreachable: { readonly url: string; readonly message: string };
  readonly redirect_loop_at_proxy: { readonly hostname: string; readonly network?: string };
  readonly resolver_unreachable: { readonly hostname: string };
  readonly lame_server: {
    readonly zone: string;
    /** The same as in `delegation_broken`. */
    readonly atRegistrar: boolean;
    /** The listed name servers that do not serve the zone; others do. */
    readonly servers: readonly BrokenServer[];
  };
  readonly dns_unreachable: Unasked & {
    readonly reason: UnknownReason | "unresolved" | "unlearned";
    /**
     * Set if `name` is not the server: the servers above the zone, the server of the name, or this service's resolver,
     * which was asked about the name.
     */
    readonly whose?: "above" | "of" | "resolver";
  };
  readonly servfail: Unasked;
  readonly caa_error: Unasked & { readonly reason: UnknownReason };
  readonly apex_cname_breaks_mail: { readonly zone: string };
  readonly cname_chain: {
    readonly wanted: WantedRecord;
    /** The names on the way, the record's value first. */
    readonly through: readonly string[];
  };
  readonly wildcard_match: {
    readonly wildcard: string;
    readonly wanted: WantedRecord;
    /** The wildcard leads visitors here; the name has no record of its own. */
    readonly leadsHere: boolean;
  };
  readonly propagating: {
    /** Absent: the routing records. */
    readonly type?: "CAA";
    readonly stale: readonly [StaleAnswer, ...StaleAnswer[]];
    /** When the last of them expires. */
    readonly until: number;
  };
  readonly cname_found: {
    readonly fqdn: string;
    readonly target: string;
    /** The names between the record and the target. */
    readonly through: readonly string[];
  };
  readonly flattened: { readonly fqdn: string; readonly addresses: readonly string[] };
  readonly ownership_found: { readonly fqdn: string };
}

export type FactsOf<Code extends FindingCode> = FindingFacts[Code];

/** CAA records as this service sees them. */
export interface CaaSeen {
  readonly issuer: string;
  readonly reason: Extract<CaaVerdict, { kind: "forbidden" }>["reason"];
  /** The owner of the records. */
  readonly at: string;
  /** The records are at the end of our own alias. The owner cannot change them. */
  readonly ours: boolean;
  /** The records in zone file syntax: `0 issue "letsencrypt.org"`. */
  readonly records: readonly string[];
  /** The record that allows it. */
  readonly wanted: WantedRecord;
  /**
   * What helps if `wanted` cannot join the records: `precede`, the record at a lower name takes precedence over them;
   * `remove`, they cannot stay beside the CNAME record that the name needs; `ask`, only their operator can change them.
   */
  readonly remedy?: "precede" | "remove" | "ask";
  /** The name whose CNAME record leads to the records. */
  readonly alias?: string;
}

/** A refusal by the certificate authority for CAA records that this service does not see. */
interface CaaTold {
  readonly issuer: string;
  readonly message: string;
}

/**
 * `blocking` must be fixed before a certificate is ordered, `warning` deserves attention, `ok` is as it should be. A
 * missing answer is a warning, never an error.
 */
export type Severity = "blocking" | "warning" | "ok";

/** The default severity and the title of a code. */
export interface FindingKind {
  readonly severity: Severity;
  /** A short title. docs/findings.md has a paragraph for each code. */
  readonly title: string;
}

/** All findings, in the order in which to fix them. Codes are a contract: add, never rename. */
export const findingCodes = {
  taken: blocking("Another account has the domain"),
  account_suspended: blocking("The account is suspended"),
  project_deleted: blocking("The project was deleted"),
  plan_required: blocking("The plan does not include custom domains"),
  deploy_required: blocking("The project has no live deploy"),
  not_delegated: blocking("The domain is not registered or has no name servers"),
  delegation_broken: blocking("None of the listed name servers serves the domain"),
  dnssec_bogus: blocking("The DNSSEC signatures are not valid"),
  name_doubled: blocking("The record name contains the domain twice"),
  apex_needs_alias: blocking("The root domain needs an ALIAS record"),
  no_record: blocking("There is no record yet"),
  cname_loop: blocking("The CNAME records form a loop"),
  cname_too_long: blocking("Too many CNAME records in a row"),
  cname_mismatch: blocking("The CNAME record points elsewhere"),
  cname_coexists: blocking("Other records conflict with the CNAME record"),
  conflicting_a: blocking("An A record points elsewhere"),
  conflicting_aaaa: blocking("An AAAA record points elsewhere"),
  extra_address: blocking("There is an extra address"),
  aaaa_elsewhere: blocking("The IPv6 address points elsewhere"),
  proxied: blocking("The domain is behind a proxy"),
  dangling_target: blocking("The record points to a name without an address"),
  ns_disagree: blocking("The name servers disagree"),
  ownership_missing: blocking("The ownership record is missing"),
  ownership_mismatch: blocking("The ownership record has the wrong value"),
  caa_forbids: blocking("CAA records forbid the certificate"),
  ca_rejected_name: blocking("The certificate authority rejects the name"),
  ca_paused: blocking("The certificate authority has paused the domain"),
  ca_account_deactivated: blocking(
    "This service's account with the certificate authority is deactivated",
  ),
  ca_terms_changed: blocking("The certificate authority has new terms"),
  ca_account_refused: blocking("The certificate authority refuses this service's account"),
  not_servable: blocking("The certificate cannot be served"),
  redirect_target_removed: blocking("The redirect target was removed"),
  overdue: warning("The certificate is overdue"),
  stalled_30m: warning("No certificate after 30 minutes"),
  validation_failed: warning("The certificate authority did not find this service"),
  ca_rate_limited: warning("The certificate authority asks to wait"),
  ca_unavailable: warning("The certificate authority is unavailable"),
  http01_unreachable: warning("The domain is unreachable over plain HTTP"),
  redirect_loop_at_proxy: warning("The proxy causes a redirect loop"),
  resolver_unreachable: warning("This service cannot query the DNS"),
  dnssec_unchecked: warning("The DNSSEC signatures were not checked"),
  lame_server: warning("A listed name server does not serve the domain"),
  dns_unreachable: warning("A name server did not answer"),
  servfail: warning("A name server reports a failure"),
  caa_error: warning("The CAA records could not be read"),
  apex_cname_breaks_mail: warning("A CNAME record would stop mail to the domain"),
  cname_chain: warning("The CNAME record leads here through another name"),
  wildcard_match: warning("A wildcard record answers for every name"),
  propagating: warning("Some resolvers have the old answer cached"),
  cname_found: ok("The CNAME record is correct"),
  flattened: ok("The addresses are correct"),
  ownership_found: ok("The ownership record is correct"),
} as const satisfies Readonly<Record<string, FindingKind>>;

export type FindingCode = keyof typeof findingCodes;

function blocking(title: string): FindingKind {
  return { severity: "blocking", title };
}

function warning(title: string): FindingKind {
  return { severity: "warning", title };
}

function ok(title: string): FindingKind {
  return { severity: "ok", title };
}

/** The texts of a finding, for readers who have never seen a zone file. */
export interface Words {
  readonly observed: string;
  readonly expected: string;
  readonly fix: string;
}

/** The texts of some codes, made from their facts. */
export type Wording<Codes extends FindingCode> = {
  readonly [Code in Codes]: (facts: FactsOf<Code>) => Words;
};
