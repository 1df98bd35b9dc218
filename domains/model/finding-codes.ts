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
  plan_required: blocking("The plan has no custom domains"),
  deploy_required: blocking("The project has not been published yet"),
  not_delegated: blocking("The domain is not registered, or has no name servers"),
  delegation_broken: blocking("None of the listed name servers serves the domain"),
  dnssec_bogus: blocking("The signatures of the zone are not valid"),
  name_doubled: blocking("The domain is in the name of the record twice"),
  apex_needs_alias: blocking("The domain itself needs an ALIAS record"),
  no_record: blocking("There is no record yet"),
  cname_loop: blocking("The CNAME records lead in a circle"),
  cname_too_long: blocking("Too many CNAME records follow each other"),
  cname_mismatch: blocking("The CNAME record leads somewhere else"),
  cname_coexists: blocking("There are other records beside the CNAME record"),
  conflicting_a: blocking("An A record is in the way"),
  conflicting_aaaa: blocking("An AAAA record is in the way"),
  extra_address: blocking("One address too many"),
  aaaa_elsewhere: blocking("The IPv6 address leads somewhere else"),
  proxied: blocking("A proxy stands before the domain"),
  dangling_target: blocking("The record leads to a name without an address"),
  ns_disagree: blocking("The name servers do not agree yet"),
  ownership_missing: blocking("The ownership record is missing"),
  ownership_mismatch: blocking("The ownership record has another value"),
  caa_forbids: blocking("CAA records forbid the certificate"),
  ca_rejected_name: blocking("The certificate authority refuses the name"),
  ca_paused: blocking("The certificate authority has paused the domain"),
  ca_account_deactivated: blocking("The certificate authority has closed this service's account"),
  ca_terms_changed: blocking("The certificate authority has changed its terms"),
  ca_account_refused: blocking("The certificate authority refuses this service's account"),
  redirect_target_removed: blocking("The domain redirects to one that was removed"),
  stalled_30m: warning("No certificate after 30 minutes"),
  validation_failed: warning("The certificate authority did not reach this service"),
  ca_rate_limited: warning("The certificate authority asks to wait"),
  ca_unavailable: warning("The certificate authority cannot be reached"),
  http01_unreachable: warning("The domain cannot be reached over plain HTTP"),
  redirect_loop_at_proxy: warning("A proxy redirects in a circle"),
  resolver_unreachable: warning("This service cannot reach the DNS"),
  dns_unreachable: warning("A name server could not be asked"),
  servfail: warning("A name server reports a failure"),
  caa_error: warning("The CAA records could not be read"),
  apex_cname_breaks_mail: warning("A CNAME record stops mail to the domain"),
  cname_chain: warning("The CNAME record leads here by way of another name"),
  wildcard_match: warning("A wildcard record answers for every name"),
  propagating: warning("Some resolvers still remember the old answer"),
  cname_found: ok("The CNAME record is right"),
  flattened: ok("The addresses are right"),
  ownership_found: ok("The ownership record is right"),
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
