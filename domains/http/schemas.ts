import type { JsonSchema } from "../../lib/base/schema.ts";
import { instant, listOf, shape, text, type Shape } from "../../lib/management/schemas/shape.ts";
import { redirectStatuses } from "../model/domain.ts";
import { domainStatuses } from "../model/domain-state.ts";
import { findingCodes } from "../model/finding-facts.ts";
import { timelineKinds } from "../model/timeline.ts";

const count = { type: "integer", format: "int64", minimum: 0 };

/** What `member` is, or null. */
function orNull(member: JsonSchema): JsonSchema {
  const { description, ...rest } = member;
  return {
    anyOf: [rest, { type: "null" }],
    ...(description === undefined ? {} : { description }),
  };
}

function oneOf(choices: readonly string[], description: string): JsonSchema {
  return { type: "string", enum: choices, description };
}

export const findingShape: Shape = shape("DomainFinding", {
  code: oneOf(Object.keys(findingCodes), "What it is; later versions may know more."),
  severity: oneOf(
    ["blocking", "warning", "ok"],
    "`blocking` keeps the domain from its certificate; what could not be asked never does.",
  ),
  observed: text("What was seen."),
  expected: text("What should be there."),
  fix: text("Exactly what to do; empty when there is nothing to do."),
  server: orNull(text("Who said so.")),
  data: orNull({
    type: "object",
    description:
      "What the texts are made of, by `code`, to be worded in other languages; null when an older version kept it.",
  }),
});

export const recordShape: Shape = shape("DomainRecord", {
  purpose: oneOf(["routing", "ownership", "delegation"], "What it is for."),
  required: { type: "boolean", description: "False: nothing waits for it." },
  type: text("`CNAME`, `ALIAS`, `A`, `AAAA` or `TXT`."),
  typeText: text("The type in the words of the DNS provider."),
  name: text("Relative to the registrable domain; `@` for that one itself."),
  fqdn: text("The same name in full."),
  value: text("What belongs into the record."),
  ttl: { ...count, description: "Seconds." },
  state: oneOf(
    ["unchecked", "found", "missing", "wrong", "propagating", "unknown"],
    "What became of it.",
  ),
  found: {
    type: "array",
    description: "What is there now, as each server tells it.",
    items: {
      type: "object",
      required: ["server", "type", "value", "ttl"],
      properties: {
        server: { type: "string" },
        type: { type: "string" },
        value: { type: "string" },
        ttl: count,
      },
      additionalProperties: false,
    },
  },
});

const lookAlike = orNull(
  oneOf(
    ["mixed_scripts", "resembles_latin"],
    "The name could be taken for another one at a glance.",
  ),
);

const findings = { type: "array", items: findingShape.json, description: "What matters first." };
const records = { type: "array", items: recordShape.json };

const dns = shape("DomainDns", {
  state: oneOf(["unchecked", "verified", "propagating", "blocked", "unknown"], "As last seen."),
  findings,
  checkedAt: orNull(instant("When it was last looked at.")),
  eta: orNull(instant("When the last stale answer is forgotten.")),
  provider: orNull({
    type: "object",
    required: ["id", "name", "help"],
    properties: {
      id: { type: "string" },
      name: { type: "string" },
      help: orNull({ type: "string", format: "uri" }),
    },
    additionalProperties: false,
    description: "Whose the name servers are, where that is known.",
  }),
});

const certificate = shape("DomainCertificate", {
  state: oneOf(
    ["none", "waiting", "ordering", "failed", "active", "expired"],
    "How far the certificate is.",
  ),
  issuer: orNull(text("Id of the authority.")),
  notAfter: orNull(instant("When it ends.")),
  renewAt: orNull(instant("When the next one is ordered.")),
  attempts: { ...count, description: "Orders begun since there was a certificate last." },
  reason: orNull(text("Why the last attempt came to nothing.")),
  nextAttemptAt: orNull(instant("No order begins before.")),
});

const entry = shape("DomainTimelineEntry", {
  at: instant("When."),
  kind: oneOf(timelineKinds, "What happened."),
  code: orNull(text("Of a finding or a refusal.")),
  message: orNull(text("For people.")),
});

export const domainShape: Shape = shape("Domain", {
  id: text("`dom_…`"),
  domain: text("A-labels in lower case."),
  unicode: text("As people write it."),
  project: text("Slug of the project."),
  role: oneOf(["primary", "redirect"], "Whether it shows the site or leads to the one that does."),
  redirectTo: orNull(text("The domain that it leads to.")),
  redirectStatus: orNull({ type: "integer", enum: redirectStatuses }),
  apex: { type: "boolean", description: "The head of a zone: it can have no CNAME record." },
  status: oneOf(domainStatuses, "`attention`: nothing gets better before somebody did something."),
  headline: text("How it is, in one sentence."),
  nextAction: orNull(text("What to do now.")),
  headlineCode: text(
    "What both say, to be worded in other languages; later versions may know more.",
  ),
  headlineData: { type: "object", description: "What both are made of." },
  nextCheckAt: orNull(instant("When the DNS is asked without a click.")),
  dns: dns.json,
  certificate: certificate.json,
  records,
  timeline: { type: "array", items: entry.json, description: "Newest first." },
  hstsSeconds: { ...count, description: "Of Strict-Transport-Security; 0: none is sent." },
  twin: orNull(text("The name with or without `www`, while the project does not have it.")),
  lookAlike,
  claimUntil: orNull(instant("When a name that another account holds comes to this one.")),
  addedAt: instant("When it was added."),
});

export const domainsShape: Shape = listOf("Domains", domainShape);

export const explanationShape: Shape = shape("DomainExplanation", {
  domain: text("A-labels in lower case."),
  unicode: text("As people write it."),
  lookAlike,
  headline: text("What stands in the way, in one sentence."),
  zone: orNull(text("Where its records are kept; null when that could not be found out.")),
  nameServers: { type: "array", items: { type: "string" }, description: "Of that zone, sorted." },
  provider: orNull({
    type: "object",
    required: ["name", "help"],
    properties: { name: { type: "string" }, help: orNull({ type: "string", format: "uri" }) },
    additionalProperties: false,
    description: "Whose the name servers are, where that is known.",
  }),
  obstacles: { ...findings, description: "What would fail even with the right record." },
  changes: { ...findings, description: "What has to be changed at the name itself." },
  records,
});

export const suggestionsShape: Shape = listOf(
  "DomainSuggestions",
  shape("DomainSuggestion", {
    domain: text("A-labels in lower case."),
    unicode: text("As people write it."),
    step: oneOf(["add", "verify"], "What has to be done before the map takes effect for it."),
  }),
);

export const certificateShape: Shape = shape("Certificate", {
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

export const certificatesShape: Shape = listOf("Certificates", certificateShape);

export const exportedShape: Shape = shape("ExportedCertificate", {
  chain: text("PEM, the leaf first."),
  privateKey: text("PKCS #8, PEM. A secret."),
});

export const authorityAccountShape: Shape = shape("CertificateAccount", {
  authority: text("Address of the authority's directory, or `internal`."),
  url: orNull(text("Names the account at the authority and in CAA records.")),
  status: oneOf(
    ["none", "valid", "deactivated", "revoked", "refused", "unknown"],
    "How it stands at the authority. `none`: not made yet. `unknown`: it could not be asked.",
  ),
  problem: orNull(text("What the authority said where it did not tell how the account stands.")),
  fix: orNull(text("What the operator has to do.")),
  contact: {
    type: "array",
    description: "Where the authority writes to.",
    items: { type: "string" },
  },
  externalAccountKeyId: orNull(text("The configured key id of the external account binding.")),
  thumbprint: orNull(text("Of the account key (RFC 7638).")),
  termsOfServiceUrl: orNull(text("The authority's terms.")),
  createdAt: orNull(instant("When it was made.")),
  replaced: {
    type: "array",
    description:
      "Accounts that it took the place of, the last one first, while certificates of theirs are served.",
    items: {
      type: "object",
      required: ["url", "replacedAt"],
      properties: {
        url: { type: "string" },
        replacedAt: { type: "string", format: "date-time" },
      },
    },
  },
});

export const authorityAccountsShape: Shape = listOf("CertificateAccounts", authorityAccountShape);
