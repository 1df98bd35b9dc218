const target = "4f9c2a7e0b1d4c6f8a3e5d7c9b0a1f2e.cname.petstore.example";

const record = {
  purpose: "routing",
  required: true,
  type: "CNAME",
  typeText: "CNAME",
  name: "pets",
  fqdn: "pets.shelter.org",
  value: target,
  ttl: 3_600,
  state: "missing",
  checkedAt: "2026-11-21T14:03:20.000Z",
  found: [],
};

const finding = {
  code: "no_record",
  severity: "blocking",
  observed: "There is no record for pets.shelter.org.",
  expected: `A CNAME record for pets.shelter.org with the value ${target}.`,
  fix: `At Namecheap, add a CNAME record: Host "pets", Value ${target}, TTL 3600. Enter only "pets": Namecheap adds .shelter.org automatically.`,
  server: "dns1.registrar-servers.com",
  data: {
    wanted: [
      {
        type: "CNAME",
        name: "pets",
        fqdn: "pets.shelter.org",
        value: target,
        zone: "shelter.org",
        provider: "namecheap",
      },
    ],
    instead: [],
    believedSeconds: 3_601,
  },
};

/** A domain that waits for its record. */
export const domainExample: Readonly<Record<string, unknown>> = {
  id: "dom_8fJ2kQ0aZx1B",
  domain: "pets.shelter.org",
  unicode: "pets.shelter.org",
  project: "brave-otter-1f2e",
  role: "primary",
  redirectTo: null,
  redirectStatus: null,
  apex: false,
  status: "awaiting_dns",
  headline: "There is no record for pets.shelter.org.",
  nextAction: finding.fix,
  headlineCode: "blocked",
  headlineData: { unicode: "pets.shelter.org", finding: "no_record" },
  nextCheckAt: "2026-11-21T14:03:40.000Z",
  dns: {
    state: "blocked",
    findings: [finding],
    checkedAt: "2026-11-21T14:03:20.000Z",
    seenAt: null,
    eta: null,
    provider: { id: "namecheap", name: "Namecheap", help: null },
  },
  certificate: {
    state: "none",
    issuer: null,
    notAfter: null,
    renewAt: null,
    attempts: 0,
    reason: null,
    nextAttemptAt: null,
  },
  records: [record],
  timeline: [
    { at: "2026-11-21T14:03:20.000Z", kind: "blocked", code: "no_record", message: null },
    { at: "2026-11-21T14:03:00.000Z", kind: "added", code: null, message: null },
  ],
  hstsSeconds: 0,
  twin: null,
  lookAlike: null,
  claimUntil: null,
  addedAt: "2026-11-21T14:03:00.000Z",
};

export const shareLinkExample: Readonly<Record<string, unknown>> = {
  token: "pet_share_4fQ8rT1zXk2B_t3k2x9_9vE2mC7pQ4sXb1nZr8LtHw",
  url: "https://pets.example.org/share#pet_share_4fQ8rT1zXk2B_t3k2x9_9vE2mC7pQ4sXb1nZr8LtHw",
  expiresAt: "2026-11-28T14:05:00.000Z",
};

export const sharedDomainExample: Readonly<Record<string, unknown>> = {
  domain: domainExample["domain"],
  unicode: domainExample["unicode"],
  dns: domainExample["dns"],
  records: domainExample["records"],
  nextCheckAt: domainExample["nextCheckAt"],
  expiresAt: "2026-11-28T14:05:00.000Z",
};

/** An explanation of a name. */
export const explanationExample: Readonly<Record<string, unknown>> = {
  domain: "pets.shelter.org",
  unicode: "pets.shelter.org",
  lookAlike: null,
  headline: "pets.shelter.org will work with the records below.",
  zone: "shelter.org",
  nameServers: ["dns1.registrar-servers.com", "dns2.registrar-servers.com"],
  provider: { name: "Namecheap", help: null },
  obstacles: [],
  changes: [],
  records: [{ ...record, value: "(shown when the domain is added)" }],
};

export const configExample: Readonly<Record<string, unknown>> = {
  primary: "pets.shelter.org",
  redirects: [{ from: "www.shelter.org", to: "pets.shelter.org", status: 308 }],
};

export const suggestionExample: Readonly<Record<string, unknown>> = {
  domain: "www.shelter.org",
  unicode: "www.shelter.org",
  step: "add",
};

export const certificateExample: Readonly<Record<string, unknown>> = {
  domain: "pets.shelter.org",
  project: "brave-otter-1f2e",
  issuer: "https://acme-v02.api.letsencrypt.org/directory",
  notBefore: "2026-11-21T14:03:00.000Z",
  notAfter: "2027-02-19T14:02:59.000Z",
  renewAt: "2027-01-20T03:17:42.000Z",
  reason: null,
  explanationUrl: null,
};

export const rehearsalExample: Readonly<Record<string, unknown>> = {
  domain: "pets.shelter.org",
  authority: "https://acme-staging-v02.api.letsencrypt.org/directory",
  passed: ["dns", "account", "order", "challenge", "validation", "certificate"],
  failed: null,
  reason: null,
  challenge: "http-01",
  notAfter: "2027-02-19T14:02:59.000Z",
};

export const overdueExample: Readonly<Record<string, unknown>> = {
  overdue: 2,
  expired: 0,
  first: {
    domain: "pets.shelter.org",
    project: "brave-otter-1f2e",
    expiresAt: "2027-02-19T14:02:59.000Z",
  },
};

export const exportedExample: Readonly<Record<string, unknown>> = {
  chain: "-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n",
  privateKey: "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n",
};

export const authorityAccountExample: Readonly<Record<string, unknown>> = {
  authority: "https://acme-v02.api.letsencrypt.org/directory",
  url: "https://acme-v02.api.letsencrypt.org/acme/acct/1234567890",
  caaRecord:
    '*.cname.pets.example.org. CAA 0 issue "letsencrypt.org; accounturi=https://acme-v02.api.letsencrypt.org/acme/acct/1234567890; validationmethods=http-01,tls-alpn-01"',
  status: "valid",
  problem: null,
  fix: null,
  contact: ["mailto:admin@shelter.org"],
  externalAccountKeyId: null,
  thumbprint: "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs",
  termsOfServiceUrl: "https://letsencrypt.org/documents/LE-SA-v1.5-February-24-2025.pdf",
  createdAt: "2026-11-21T14:03:00.000Z",
  replaced: [],
  successor: null,
};
