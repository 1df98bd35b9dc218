import { anyObject } from "../../lib/base/schema.ts";
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
} from "../../lib/base/shape.ts";
import { redirectStatuses } from "../model/domain.ts";
import { domainStatuses } from "../model/domain-state.ts";
import { findingCodes } from "../model/finding-facts.ts";
import { timelineKinds } from "../model/timeline.ts";

const help = orNull(text(undefined, { format: "uri" }));

export const findingShape = shape("DomainFinding", {
  code: choice(Object.keys(findingCodes), "What it is; later versions may know more."),
  severity: choice(
    ["blocking", "warning", "ok"],
    "`blocking` keeps the domain from its certificate; what could not be asked never does.",
  ),
  observed: text("What was seen."),
  expected: text("What should be there."),
  fix: text("Exactly what to do; empty when there is nothing to do."),
  server: orNull(text("Who said so.")),
  data: orNull(
    anyObject({
      description:
        "What the texts are made of, by `code`, to be worded in other languages; null when an older version kept it.",
    }),
  ),
});

export const recordShape = shape("DomainRecord", {
  purpose: choice(["routing", "ownership", "delegation"], "What it is for."),
  required: flag("False: nothing waits for it."),
  type: text("`CNAME`, `ALIAS`, `A`, `AAAA` or `TXT`."),
  typeText: text("The type in the words of the DNS provider."),
  name: text("Relative to the registrable domain; `@` for that one itself."),
  fqdn: text("The same name in full."),
  value: text("What belongs into the record."),
  ttl: count("Seconds."),
  state: choice(
    ["unchecked", "found", "missing", "wrong", "propagating", "unknown"],
    "What became of it.",
  ),
  found: list(fields({ server: text(), type: text(), value: text(), ttl: count() }), {
    description: "What is there now, as each server tells it.",
  }),
});

const lookAlike = orNull(
  choice(
    ["mixed_scripts", "resembles_latin"],
    "The name could be taken for another one at a glance.",
  ),
);

const findings = list(findingShape, { description: "What matters first." });
const records = list(recordShape);

const dns = shape("DomainDns", {
  state: choice(["unchecked", "verified", "propagating", "blocked", "unknown"], "As last seen."),
  findings,
  checkedAt: orNull(instant("When it was last looked at.")),
  eta: orNull(instant("When the last stale answer is forgotten.")),
  provider: orNull(
    fields(
      { id: text(), name: text(), help },
      {},
      { description: "Whose the name servers are, where that is known." },
    ),
  ),
});

const certificate = shape("DomainCertificate", {
  state: choice(
    ["none", "waiting", "ordering", "failed", "active", "expired"],
    "How far the certificate is.",
  ),
  issuer: orNull(text("Id of the authority.")),
  notAfter: orNull(instant("When it ends.")),
  renewAt: orNull(instant("When the next one is ordered.")),
  attempts: count("Orders begun since there was a certificate last."),
  reason: orNull(text("Why the last attempt came to nothing.")),
  nextAttemptAt: orNull(instant("No order begins before.")),
});

const entry = shape("DomainTimelineEntry", {
  at: instant("When."),
  kind: text("What happened.", { enum: timelineKinds }),
  code: orNull(text("Of a finding or a refusal.")),
  message: orNull(text("For people.")),
});

export const domainShape = shape("Domain", {
  id: text("`dom_…`"),
  domain: text("A-labels in lower case."),
  unicode: text("As people write it."),
  project: text("Slug of the project."),
  role: choice(["primary", "redirect"], "Whether it shows the site or leads to the one that does."),
  redirectTo: orNull(text("The domain that it leads to.")),
  redirectStatus: orNull(
    declared<(typeof redirectStatuses)[number]>({ type: "integer", enum: redirectStatuses }),
  ),
  apex: flag("The head of a zone: it can have no CNAME record."),
  status: choice(domainStatuses, "`attention`: nothing gets better before somebody did something."),
  headline: text("How it is, in one sentence."),
  nextAction: orNull(text("What to do now.")),
  headlineCode: text(
    "What both say, to be worded in other languages; later versions may know more.",
  ),
  headlineData: anyObject({ description: "What both are made of." }),
  nextCheckAt: orNull(instant("When the DNS is asked without a click.")),
  dns,
  certificate,
  records,
  timeline: list(entry, { description: "Newest first." }),
  hstsSeconds: count("Of Strict-Transport-Security; 0: none is sent."),
  twin: orNull(text("The name with or without `www`, while the project does not have it.")),
  lookAlike,
  claimUntil: orNull(instant("When a name that another account holds comes to this one.")),
  addedAt: instant("When it was added."),
});

export const domainsShape = listOf("Domains", domainShape);

export const explanationShape = shape("DomainExplanation", {
  domain: text("A-labels in lower case."),
  unicode: text("As people write it."),
  lookAlike,
  headline: text("What stands in the way, in one sentence."),
  zone: orNull(text("Where its records are kept; null when that could not be found out.")),
  nameServers: list(text(), { description: "Of that zone, sorted." }),
  provider: orNull(
    fields(
      { name: text(), help },
      {},
      { description: "Whose the name servers are, where that is known." },
    ),
  ),
  obstacles: describedAs(findings, "What would fail even with the right record."),
  changes: describedAs(findings, "What has to be changed at the name itself."),
  records,
});

export const suggestionsShape = listOf(
  "DomainSuggestions",
  shape("DomainSuggestion", {
    domain: text("A-labels in lower case."),
    unicode: text("As people write it."),
    step: choice(["add", "verify"], "What has to be done before the map takes effect for it."),
  }),
);

export const certificateShape = shape("Certificate", {
  domain: text("The name that it is for."),
  project: orNull(text("Slug of the project; null for a host of the operator's own.")),
  issuer: text("Id of the authority."),
  notBefore: instant("When it begins."),
  notAfter: instant("When it ends."),
  renewAt: instant("When the next one is ordered."),
  reason: orNull(text("Why renewing came to nothing the last time.")),
  explanationUrl: orNull(
    text("Where the authority explains when it wants the certificate replaced."),
  ),
});

export const certificatesShape = listOf("Certificates", certificateShape);

export const exportedShape = shape("ExportedCertificate", {
  chain: text("PEM, the leaf first."),
  privateKey: text("PKCS #8, PEM. A secret."),
});

export const authorityAccountShape = shape("CertificateAccount", {
  authority: text("Address of the authority's directory, or `internal`."),
  url: orNull(text("Names the account at the authority and in CAA records.")),
  status: choice(
    ["none", "valid", "deactivated", "revoked", "refused", "unknown"],
    "How it stands at the authority. `none`: not made yet. `unknown`: it could not be asked.",
  ),
  problem: orNull(text("What the authority said where it did not tell how the account stands.")),
  fix: orNull(text("What the operator has to do.")),
  contact: list(text(), { description: "Where the authority writes to." }),
  externalAccountKeyId: orNull(text("The configured key id of the external account binding.")),
  thumbprint: orNull(text("Of the account key (RFC 7638).")),
  termsOfServiceUrl: orNull(text("The authority's terms.")),
  createdAt: orNull(instant("When it was made.")),
  replaced: list(
    declared<{ readonly url: string; readonly replacedAt: number }>({
      type: "object",
      required: ["url", "replacedAt"],
      properties: { url: { type: "string" }, replacedAt: { type: "string", format: "date-time" } },
    }),
    {
      description:
        "Accounts that it took the place of, the last one first, while certificates of theirs are served.",
    },
  ),
});

export const authorityAccountsShape = listOf("CertificateAccounts", authorityAccountShape);
