import {
  choice,
  count,
  declared,
  describedAs,
  fields,
  flag,
  instant,
  list,
  listOf,
  orNull,
  shape,
  text,
  type ValueOf,
} from "../../lib/base/shape.ts";
import { redirectStatuses, type RedirectStatus } from "../model/domain.ts";
import { domainStatuses } from "../model/domain-state.ts";
import { findingCodes } from "../model/finding-facts.ts";
import { rehearsedParts } from "../model/rehearsal.ts";
import { timelineKinds } from "../model/timeline.ts";

// The resources of domains as callers see them: the schema of the API, and from it the type in the code.

const data = declared<Readonly<Record<string, unknown>>>({ type: "object" });
const redirectStatus = declared<RedirectStatus>({ type: "integer", enum: redirectStatuses });
const link = declared<string>({ type: "string", format: "uri" });

const finding = shape("DomainFinding", {
  code: declared<string>({
    type: "string",
    enum: Object.keys(findingCodes),
    description: "Identifies the finding. Later versions may add codes.",
  }),
  severity: choice(
    ["blocking", "warning", "ok"],
    "`blocking` prevents the certificate. A check that got no answer never blocks.",
  ),
  observed: text("What was found."),
  expected: text("What should be there."),
  fix: text("What to do. Empty if there is nothing to do."),
  server: orNull(text("The servers that reported it.")),
  data: orNull(
    describedAs(
      data,
      "The values in the texts, by `code`, for texts in other languages. Null if an earlier version stored the finding.",
    ),
  ),
});

/** Something that a check of a domain found, and what to do about it. */
export type DomainFindingView = ValueOf<typeof finding>;

const record = shape("DomainRecord", {
  purpose: choice(["routing", "ownership", "delegation"], "What the record is for."),
  required: flag("False: the domain works without it."),
  type: text("`CNAME`, `ALIAS`, `A`, `AAAA` or `TXT`."),
  typeText: text("The type as the DNS provider calls it."),
  name: text("Relative to the registrable domain; `@` for that domain itself."),
  fqdn: text("The full name."),
  value: text("The value to enter."),
  ttl: count("In seconds."),
  state: choice(
    ["unchecked", "found", "missing", "wrong", "propagating", "unknown"],
    "The state at `checkedAt`. `propagating`: correct, but not on all servers yet.",
  ),
  checkedAt: orNull(
    instant("When the state was found. Null: not checked yet, or checked for this response."),
  ),
  found: list(fields({ server: text(), type: text(), value: text(), ttl: count() }), {
    description: "The present records as each server reports them, at most 20.",
  }),
});

/** A record to create where the DNS of the domain is managed, and the records that exist there. */
export type DomainRecordView = ValueOf<typeof record>;

const lookAlike = orNull(
  choice(
    ["mixed_scripts", "resembles_latin"],
    "Set if the name could be mistaken for another one.",
  ),
);

const findings = list(finding, { description: "Most important first." });
const records = list(record);

const dns = fields({
  state: choice(
    ["unchecked", "verified", "propagating", "blocked", "unknown", "drifting", "moved"],
    "The result of the last check. `drifting`: several looks at a live domain saw it lead elsewhere; `moved`: for seven days, so that its certificate is no longer renewed.",
  ),
  findings,
  checkedAt: orNull(instant("The last check, which the findings are from.")),
  seenAt: orNull(
    instant(
      "When the name servers last led the domain here. A live domain is looked at once a day.",
    ),
  ),
  eta: orNull(instant("When the last cached old answer expires.")),
  provider: orNull(
    describedAs(
      fields({ id: text(), name: text(), help: orNull(link) }),
      "The operator of the name servers, if known.",
    ),
  ),
});

const certificate = fields({
  state: choice(
    ["none", "waiting", "ordering", "failed", "active", "expired"],
    "The state of the certificate.",
  ),
  issuer: orNull(
    text("The id of the certificate authority; `private` if it is in the operator's network."),
  ),
  notAfter: orNull(instant("When the certificate expires.")),
  renewAt: orNull(instant("When the next certificate is ordered.")),
  attempts: count("Orders started since the last certificate."),
  reason: orNull(text("Why the last order failed.")),
  nextAttemptAt: orNull(instant("When the next order may start.")),
});

const entry = fields({
  at: instant("When it happened."),
  kind: declared<string>({ type: "string", enum: timelineKinds, description: "What happened." }),
  code: orNull(text("The code of a finding or a refusal.")),
  message: orNull(text("Details for people.")),
});

export const domainShape = shape("Domain", {
  id: text("`dom_…`"),
  domain: text("In A-labels and lower case."),
  unicode: text("The name in Unicode."),
  project: text("The slug of the project."),
  role: choice(["primary", "redirect"], "Shows the site, or redirects to the domain that does."),
  redirectTo: orNull(text("The target of the redirect.")),
  redirectStatus: orNull(redirectStatus),
  apex: flag("The name is the root of a zone and cannot have a CNAME record."),
  status: choice(domainStatuses, "`attention`: the owner or the operator has to act."),
  headline: text("The state in one sentence."),
  nextAction: orNull(text("What the owner should do now. Null: nothing.")),
  headlineCode: text(
    "Identifies both texts, for texts in other languages. Later versions may add codes.",
  ),
  headlineData: describedAs(data, "The values in both texts."),
  nextCheckAt: orNull(instant("The next automatic check.")),
  dns,
  certificate,
  records,
  timeline: list(entry, { description: "Newest first." }),
  hstsSeconds: count("The max-age of Strict-Transport-Security. 0: the header is not sent."),
  twin: orNull(text("The name with or without `www`, unless the project already has it.")),
  lookAlike,
  claimUntil: orNull(instant("When a name that another account holds moves to this one.")),
  addedAt: instant("When the domain was added."),
});

/** A custom domain as its owner sees it. */
export type DomainView = ValueOf<typeof domainShape>;

export const domainsShape = listOf("Domains", domainShape);

export const shareLinkShape = shape("ShareLink", {
  token: text("The secret part of the link."),
  url: orNull(text("The link. Null: this service has no page for it.")),
  expiresAt: instant("When it stops working."),
});

/** A link that shows the records of a domain to people without an account. */
export type ShareLinkView = ValueOf<typeof shareLinkShape>;

export const sharedDomainShape = shape("SharedDomain", {
  domain: text("In A-labels and lower case."),
  unicode: text("The name in Unicode."),
  dns,
  records,
  nextCheckAt: orNull(instant("The next automatic check.")),
  expiresAt: instant("When the link stops working."),
});

/** What the holder of a share link sees of a domain. */
export type SharedDomainView = ValueOf<typeof sharedDomainShape>;

export const explanationShape = shape("DomainExplanation", {
  domain: text("In A-labels and lower case."),
  unicode: text("The name in Unicode."),
  lookAlike,
  headline: text("The result in one sentence."),
  zone: orNull(text("The zone that holds its records. Null if it could not be found.")),
  nameServers: list(text(), { description: "The name servers of the zone, sorted." }),
  provider: orNull(
    describedAs(
      fields({ name: text(), help: orNull(link) }),
      "The operator of the name servers, if known.",
    ),
  ),
  obstacles: describedAs(findings, "What would fail even with the right record."),
  changes: describedAs(findings, "What has to change at the name itself."),
  records,
});

/** Everything that would fail for a name, before any record is changed. */
export type ExplanationView = ValueOf<typeof explanationShape>;

const suggestionShape = shape("DomainSuggestion", {
  domain: text("In A-labels and lower case."),
  unicode: text("The name in Unicode."),
  step: choice(["add", "verify"], "What is missing before the site's `domains` apply to it."),
});
export const suggestionsShape = listOf("DomainSuggestions", suggestionShape);

/** A name that a site asks for and that its project cannot use yet. */
export type DomainSuggestionView = ValueOf<typeof suggestionShape>;

export const rehearsalShape = shape("Rehearsal", {
  domain: text("The name in the certificate."),
  authority: text("The address of the authority's directory."),
  passed: list(choice(rehearsedParts, "A part of the renewal."), {
    description: "The parts that succeeded, in their order.",
  }),
  failed: orNull(choice(rehearsedParts, "The part that failed. Null if all succeeded.")),
  reason: orNull(text("Why it failed.")),
  challenge: orNull(
    choice(["http-01", "tls-alpn-01"], "The challenge that the authority validated."),
  ),
  notAfter: orNull(instant("When the certificate would expire. It is thrown away.")),
});

/** The result of a rehearsal. */
export type RehearsalView = ValueOf<typeof rehearsalShape>;

const certificateShape = shape("Certificate", {
  domain: text("The name in the certificate."),
  project: orNull(text("The slug of the project. Null for a host of the operator.")),
  issuer: text("The id of the certificate authority."),
  notBefore: instant("When the certificate becomes valid."),
  notAfter: instant("When the certificate expires."),
  renewAt: instant("When the next certificate is ordered."),
  reason: orNull(text("Why the last renewal failed. Null if it did not.")),
  explanationUrl: orNull(
    text("Where the certificate authority explains when it asks for a replacement."),
  ),
});

export const certificatesShape = listOf("Certificates", certificateShape);

/** A certificate that visitors get. */
export type CertificateView = ValueOf<typeof certificateShape>;

const firstOverdue = fields({
  domain: text("Its name."),
  project: orNull(text("The slug of its project. Null for operators.")),
  expiresAt: instant("When its certificate expires, or has expired."),
});

export const overdueShape = shape("OverdueCertificates", {
  overdue: count("How many certificates should have been replaced and were not."),
  expired: count("How many of them have expired."),
  first: orNull(describedAs(firstOverdue, "The one that expires first. Null: none is overdue.")),
});

/** The certificates that should have been replaced: an account's, or for operators all that they can do something about. */
export type OverdueView = ValueOf<typeof overdueShape>;

export const exportedShape = shape("ExportedCertificate", {
  chain: text("PEM, leaf first."),
  privateKey: text("PKCS #8 in PEM. Secret."),
});

/** An exported certificate with its private key. A secret. */
export type ExportedCertificate = ValueOf<typeof exportedShape>;

export const authorityAccountShape = shape("CertificateAccount", {
  authority: text("The address of the authority's directory, or `internal`."),
  url: orNull(text("The account's address at the authority, also used in CAA records.")),
  caaRecord: orNull(
    text(
      "The CAA record that lets only this account get certificates for domains that point here by CNAME.",
    ),
  ),
  status: choice(
    ["none", "valid", "deactivated", "revoked", "refused", "unknown"],
    "The status at the authority. `none`: not created yet. `unknown`: the authority did not answer.",
  ),
  problem: orNull(text("The authority's error, if it did not report a status.")),
  fix: orNull(text("What the operator has to do.")),
  contact: list(text(), { description: "The addresses that the authority writes to." }),
  externalAccountKeyId: orNull(text("The configured key ID of the external account binding.")),
  thumbprint: orNull(text("The thumbprint of the account key (RFC 7638).")),
  termsOfServiceUrl: orNull(text("The authority's terms.")),
  createdAt: orNull(instant("When the account was created.")),
  replaced: list(fields({ url: text(), replacedAt: instant() }), {
    description: "Earlier accounts whose certificates are still served, the latest first.",
  }),
  successor: orNull(
    describedAs(
      fields({
        url: orNull(text("Its address at the authority; null: not registered yet.")),
        caaRecord: orNull(text("The CAA record that allows it. Enter it beside the present one.")),
        createdAt: instant(),
        switchAt: orNull(
          instant("When it takes over. Null: CAA records at the name servers do not allow it yet."),
        ),
      }),
      "The account that is about to replace this one.",
    ),
  ),
});

export const authorityAccountsShape = listOf("CertificateAccounts", authorityAccountShape);

/** The account that orders certificates at an authority. */
export type AuthorityAccountView = ValueOf<typeof authorityAccountShape>;
