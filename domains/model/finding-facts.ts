import type { Explanation, RecordType, UnknownReason } from "./answer.ts";
import type { CaaVerdict } from "./caa.ts";
import type { ProviderId } from "./provider.ts";

/** A record that somebody is asked to enter at a DNS provider. */
export interface WantedRecord {
  readonly type: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "TXT";
  /** What belongs into the field for the name: relative to the zone, `@` for the zone itself. */
  readonly name: string;
  /** The same name in full. */
  readonly fqdn: string;
  readonly value: string;
  /** The zone that it is entered into. */
  readonly zone: string;
  /** Absent when the provider is not one that we know. */
  readonly provider?: ProviderId;
}

/** Where two texts differ: `start` and `end` are the same in both. */
export interface Difference {
  readonly start: string;
  readonly observed: string;
  readonly expected: string;
  readonly end: string;
}

/** An old answer that a resolver still gives. */
export interface StaleAnswer {
  readonly vantage: string;
  /** Empty when it remembers that there was nothing. */
  readonly values: readonly string[];
  /** When it forgets it. */
  readonly until: number;
}

/** A name server that does not serve the zone that it is listed for. */
export interface BrokenServer {
  readonly name: string;
  readonly reason: UnknownReason | "unresolved" | "unlearned";
}

/** A question that was not answered. */
interface Unasked {
  readonly name: string;
  readonly explanation?: Explanation;
}

/** What each finding is made of: plain data, from which its texts follow in any language. */
export interface FindingFacts {
  readonly taken: { readonly hostname: string };
  readonly plan_required: { readonly plan: string };
  readonly deploy_required: { readonly project: string };
  readonly not_delegated: { readonly registrable: string };
  readonly delegation_broken: {
    readonly zone: string;
    /** The name servers are listed by the registrar; else by whoever manages the zone above. */
    readonly atRegistrar: boolean;
    /** Each listed name server, and why it gave no answer. */
    readonly servers: readonly BrokenServer[];
  };
  readonly dnssec_bogus: { readonly zone: string; readonly explanation?: Explanation };
  readonly name_doubled: { readonly wanted: WantedRecord; readonly at: string };
  readonly apex_needs_alias: {
    readonly wanted: WantedRecord;
    /** There is a CNAME record, which the head of a zone cannot have; else there is nothing. */
    readonly cname: boolean;
  };
  readonly no_record: {
    readonly wanted: readonly [WantedRecord, ...WantedRecord[]];
    /** All of these would do as well. */
    readonly instead: readonly WantedRecord[];
    /** How long those who asked already go on believing that there is none. */
    readonly believedSeconds: number;
  };
  readonly cname_loop: { readonly wanted: WantedRecord; readonly chain: readonly string[] };
  readonly cname_too_long: { readonly wanted: WantedRecord; readonly chain: readonly string[] };
  readonly cname_mismatch: {
    readonly wanted: WantedRecord;
    readonly observed: string;
    readonly difference: Difference;
    /** The provider took the value for a short name and put its zone behind it. */
    readonly zoneAppended: boolean;
  };
  readonly cname_coexists: {
    readonly wanted: WantedRecord;
    readonly types: readonly [RecordType, ...RecordType[]];
  };
  readonly conflicting_a: {
    readonly wanted: WantedRecord;
    readonly addresses: readonly string[];
    /** IPv6 addresses that are in the way too. */
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
    /** We were seen to answer behind it. */
    readonly reached: boolean;
  };
  readonly dangling_target: {
    readonly fqdn: string;
    readonly target: string;
    /** It is our own name that has no address. */
    readonly ours: boolean;
  };
  readonly ns_disagree: {
    readonly fqdn: string;
    readonly type: "CNAME" | "TXT" | "CAA" | "address";
    /** What the servers that are behind say; empty when they have nothing. */
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
  readonly ca_paused: {
    readonly issuer: string;
    readonly message: string;
    /** Where a person can lift it. */
    readonly helpUrl?: string;
  };
  readonly ca_account_deactivated: { readonly issuer: string; readonly message: string };
  readonly ca_terms_changed: {
    readonly issuer: string;
    readonly message: string;
    /** Where a person can read and agree to them. */
    readonly helpUrl?: string;
  };
  readonly ca_account_refused: { readonly issuer: string; readonly message: string };
  readonly redirect_target_removed: { readonly from: string; readonly to: string };
  readonly stalled_30m: {
    readonly verifiedAt: number;
    /** The last words of the certificate authority. */
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
  readonly dns_unreachable: Unasked & {
    readonly reason: UnknownReason | "unresolved" | "unlearned";
    /** Whose silence it was, where that is no server with the name: those above that zone, or that of that name. */
    readonly whose?: "above" | "of";
  };
  readonly servfail: Unasked;
  readonly caa_error: Unasked & { readonly reason: UnknownReason };
  readonly apex_cname_breaks_mail: { readonly zone: string };
  readonly cname_chain: {
    readonly wanted: WantedRecord;
    /** Names that the way passes through, the value of the record first. */
    readonly through: readonly string[];
  };
  readonly wildcard_match: {
    readonly wildcard: string;
    readonly wanted: WantedRecord;
    /** It is what brings visitors here; without it there would be no record. */
    readonly leadsHere: boolean;
  };
  readonly propagating: {
    /** Absent: the records that lead visitors somewhere. */
    readonly type?: "CAA";
    readonly stale: readonly [StaleAnswer, ...StaleAnswer[]];
    /** When the last of them is forgotten. */
    readonly until: number;
  };
  readonly cname_found: {
    readonly fqdn: string;
    readonly target: string;
    /** Names that the way passes through before it comes to the target. */
    readonly through: readonly string[];
  };
  readonly flattened: { readonly fqdn: string; readonly addresses: readonly string[] };
  readonly ownership_found: { readonly fqdn: string };
}

export type FactsOf<Code extends FindingCode> = FindingFacts[Code];

/** CAA records as we saw them. */
interface CaaSeen {
  readonly issuer: string;
  readonly reason: Extract<CaaVerdict, { kind: "forbidden" }>["reason"];
  /** The name at which the records are. */
  readonly at: string;
  /** They are at the end of an alias of ours: nothing that the owner could change. */
  readonly ours: boolean;
  /** As zone files have them: `0 issue "letsencrypt.org"`. */
  readonly records: readonly string[];
  readonly wanted: WantedRecord;
}

/** CAA records as the certificate authority saw them, where we see none that forbid. */
interface CaaTold {
  readonly issuer: string;
  readonly message: string;
}

/**
 * How much a finding matters: `blocking` must be mended before a certificate is ordered, `warning` should be looked
 * at, `ok` is as it should be. What could not be asked is a warning: it is never taken for wrong.
 */
export type Severity = "blocking" | "warning" | "ok";

/** What a code stands for. A single finding can weigh less, or more, than its code usually does. */
export interface FindingKind {
  readonly severity: Severity;
  /** A few words for a list; docs/findings.md has a paragraph for each. */
  readonly title: string;
}

/**
 * Everything that can be found out about a domain, in the order in which people are told: what to do first comes
 * first. Codes are contract: add, never rename.
 */
export const findingCodes = {
  taken: blocking("Another account has the domain"),
  plan_required: blocking("The plan does not include custom domains"),
  deploy_required: blocking("The project has not been published yet"),
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
  ca_account_deactivated: blocking("The certificate authority has deactivated this service's account"),
  ca_terms_changed: blocking("The certificate authority has new terms"),
  ca_account_refused: blocking("The certificate authority refuses this service's account"),
  redirect_target_removed: blocking("The redirect target was removed"),
  stalled_30m: warning("No certificate after 30 minutes"),
  validation_failed: warning("The certificate authority did not find this service"),
  ca_rate_limited: warning("The certificate authority asks to wait"),
  ca_unavailable: warning("The certificate authority is unavailable"),
  http01_unreachable: warning("The domain is unreachable over plain HTTP"),
  redirect_loop_at_proxy: warning("The proxy causes a redirect loop"),
  resolver_unreachable: warning("This service cannot query the DNS"),
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

/** The texts of a finding, for people who have never seen a zone file. */
export interface Words {
  readonly observed: string;
  readonly expected: string;
  readonly fix: string;
}

/** How the facts of some codes are put into words. */
export type Wording<Codes extends FindingCode> = {
  readonly [Code in Codes]: (facts: FactsOf<Code>) => Words;
};
