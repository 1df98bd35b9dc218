import { number } from "../format.ts";
import { renew } from "./renewal.ts";

interface RedirectNames {
  readonly from: string;
  readonly over: string;
  readonly to: string;
}

/** The text of the views of domains. */
export const view = {
  // The list
  title: "Domains",
  actions: "Actions",
  details: "Show details",
  visit: "Open site",
  noneTitle: "No domains yet",
  noneText: "Add your domain, then add one record at your DNS provider. We set up HTTPS.",
  domain: "Domain",
  role: "Role",
  status: "Status",
  primary: "Serves the site",
  primaryBadge: "Primary",
  leadsTo: (to: string) => `Redirects to ${to}`,
  twin: (name: string) => `Some visitors will type ${name}. Add it and redirect it here.`,
  addTwin: (name: string) => `Add ${name}`,
  limit: (count: number) => `${number(count)} of 100 domains`,

  // Actions
  add: "Add domain",
  verify: "Verify",
  reverify: "Re-verify",
  remove: {
    action: "Remove domain",
    title: (name: string) => `Remove ${name}?`,
    text: (name: string) =>
      `${name} stops working for visitors immediately. We keep its certificate for 30 days, in case you add the domain to this project again.`,
    done: (name: string) => `Removed ${name}. It is no longer served.`,
  },
  makePrimary: {
    action: "Make primary",
    title: (name: string) => `Make ${name} the primary domain?`,
    text: (name: string) =>
      `The other domains will redirect to ${name}. Visitors see no errors during the change.`,
    done: (name: string) => `${name} is now the primary domain.`,
  },
  renew,
  export: {
    action: "Export certificate and key",
    title: (name: string) => `Export the certificate and private key of ${name}?`,
    text: (name: string) =>
      `Anyone with this file can impersonate ${name}. The export is recorded in the domain's timeline.`,
    done: (name: string) =>
      `Downloaded the certificate and key of ${name}. Keep the file in a safe place.`,
  },
  onlyHere:
    "This domain cannot go live yet: the server's base domain is localhost, where no visitor from elsewhere arrives. The operator has to set base-domain to a name that leads to this server and restart it. The value below then changes.",
  cleanup: "Records to delete at your DNS provider",
  cleanupText: "Delete these records too. Otherwise the name still points to this service.",
  addAgain: "Add domain again",
  removedLately: "Recently removed",
  removedAt: "Removed",

  // Status and progress
  statuses: {
    awaiting_dns: "Waiting for DNS",
    checking: "Checking",
    verified: "Verified",
    issuing: "Issuing certificate",
    live: "Live",
    attention: "Needs attention",
    removed: "Removed",
  },
  stages: {
    asked: "Name servers queried",
    verified: "Records verified",
    certified: "Certificate issued",
    tried: "HTTPS check",
    live: "Live",
  },
  stageStates: { done: "done", current: "in progress", stuck: "blocked", ahead: "pending" },
  progress: "Progress",
  asking: "Querying the name servers. This takes up to 10 seconds.",
  liveness: {
    connecting: "Connecting",
    live: "Live updates",
    polling: "Updates every 20 seconds",
  },
  checked: "Checked",
  /** Before the time at which the domain was last seen to lead here. */
  seenHere: "Points here, seen",
  neverChecked: "Not checked yet",
  nextCheck: "Next check in",
  nextCheckNow: "now",
  noNextCheck: "Automatic checks have stopped. Choose Verify to check again.",

  // Prerequisites
  readyTitle: "Prerequisites",
  readyText: "A custom domain needs three things. We can check two of them.",
  ready: {
    plan: "Pro plan or higher",
    dns: "Access to your domain's DNS settings",
    deploy: "Live deploy",
  },
  readyStates: { met: "ready", unmet: "missing", yours: "not checked" },
  planMet: (plan: string) => `The account is on the ${plan} plan.`,
  planUnmet: (plan: string) =>
    `The account is on the ${plan} plan. Custom domains need Pro or a higher plan.`,
  planAction: "Show plans",
  planChange: "Change plan",
  planAsk: "The operator of this service can change the plan.",
  suspended: "The account is suspended. The operator of this service can resume it.",
  dnsText:
    "You will add one record at your domain registrar or DNS provider. If someone else manages the DNS, ask them to add it.",
  dnsAction: "Read the guide",
  deployMet: (when: string) => `Last published ${when}.`,
  deployUnmet: "The project has no live deploy, so the domain has nothing to show.",
  deployAction: "Show deploys",
  starterAction: "Publish storefront",
  starterDone: "The storefront is live.",

  // Adding a domain
  addTitle: "Add domain",
  addLabel: "Domain or subdomain",
  addHint: "For example pets.shelter.org. You can also paste a web address.",
  taken: (name: string) => `This is the domain ${name}.`,
  asciiOf: (ascii: string) => `In DNS: ${ascii}`,
  lookAlikes: {
    mixed_scripts:
      "This name mixes letters of several alphabets. Check that it is yours and spelled correctly.",
    resembles_latin:
      "Some letters of this name look Latin but are not. Check that it is spelled correctly.",
  },
  faults: {
    empty: "Enter a domain, for example pets.shelter.org.",
    ip_address: "This is an IP address. Enter a name, for example pets.shelter.org.",
    wildcard: "Wildcards are not supported. Add each name separately.",
    single_label: "The domain needs an ending, such as .org.",
    too_long: "A domain can have up to 253 characters.",
    mail: "This looks like an email address. Enter only the domain.",
    invalid: "Use letters, digits and hyphens, with dots between the parts: pets.shelter.org.",
    attached: "This project already has this domain.",
  },
  refusedNames: {
    own_domain: () => "This name belongs to this service. Enter a domain of your own.",
    special_use: (name: string) =>
      `${name} is not in the public DNS, so no certificate can be issued for it.`,
    public_suffix: (name: string) =>
      `${name} is a registry for other domains. Enter yours, for example shelter.${name}.`,
  },
  previewing: "Checking the DNS of this name",
  outlooks: {
    clear: "DNS is ready. Add one record to connect the domain.",
    changes: "Some records must change first. We show you which ones.",
    obstacles: "A problem must be fixed first. You can already add the domain.",
    unknown: "DNS did not respond. You can add the domain anyway.",
  },
  previewProvider: (name: string) => `The DNS is hosted at ${name}.`,
  previewServers: (servers: string) => `The name servers are ${servers}.`,
  previewRecord: (type: string, name: string) => `You will add one ${type} record named ${name}.`,
  previewAlias: (type: string) =>
    `You will add one ${type} record for the domain itself, if your provider supports it.`,
  pair: (name: string) => `Also add ${name} and redirect it here`,
  added: (name: string) => `Added ${name}.`,
  twinNotAdded: (name: string, why: string) => `Could not add ${name}: ${why}`,
  suggestions: "Domains in your site file",
  suggestionsText: (file: string) =>
    `The live deploy lists these domains in ${file}, but they are not in use yet.`,
  suggestionSteps: { add: "Not added", verify: "Not verified" },

  // Primary domain and redirects
  redirects: "Primary domain and redirects",
  redirectsText:
    "The primary domain serves the site. The others redirect to it and keep the path and query, so search engines list one address.",
  from: "From",
  to: "To",
  code: "Status code",
  codes: {
    301: "301, permanent",
    302: "302, temporary",
    307: "307, temporary, keeps the method",
    308: "308, permanent, keeps the method",
  },
  redirectFaults: {
    cycle: ({ from, over }: RedirectNames) =>
      `${over} redirects to ${from}, so this would create a loop. Make the domain that serves the site the primary domain.`,
    chain: ({ from, over, to }: RedirectNames) =>
      `${from} would redirect to ${over}, which redirects to ${to}. Redirect ${from} straight to ${to}.`,
  },
  primaryOf: "Primary domain",
  noPrimary: "None: choose a domain",

  // DNS and certificate
  dns: "DNS",
  dnsStates: {
    unchecked: "Not checked",
    verified: "Correct",
    propagating: "Propagating",
    blocked: "Needs attention",
    unknown: "Unreachable",
    drifting: "Points elsewhere",
    moved: "Moved",
  },
  certificate: "Certificate",
  certificateStates: {
    none: "Waiting for DNS",
    waiting: "Queued",
    ordering: "Ordered",
    failed: "Not issued",
    active: "Valid",
    expired: "Expired",
  },
  certificateNone: "Petstore orders it automatically once DNS is correct.",
  certificateUntil: (day: string) => `Certificate valid until ${day}`,
  factChecked: "Last check",
  factNext: "Next check",
  factProvider: "Provider",
  factHow: "How to add a record there",
  factEta: "Old answers expire",
  factIssuer: "Issued by",
  internalIssuer: "this installation",
  factEnds: "Valid until",
  factRenewed: "Renewal",
  factAttempts: "Attempts",
  factReason: "Last error",
  factNextAttempt: "Next attempt",

  // Records and propagation
  records: "Records to add at your DNS provider",
  recordsFound: "Records",
  recordsText: (zone: string) => `Add them at the DNS provider of ${zone}.`,
  record: { type: "Type", name: "Name", value: "Value", ttl: "TTL", state: "Status" },
  /** Before the time at which a record was seen. */
  recordSeen: "seen",
  recordStates: {
    unchecked: "Not checked",
    found: "Found",
    missing: "Missing",
    wrong: "Different value",
    propagating: "Propagating",
    unknown: "Unknown",
  },
  purposes: {
    routing: "sends visitors here",
    ownership: "proves that the domain is yours",
    delegation: "allows certificates to be issued in advance",
  },
  optional: "optional",
  insteadOf: "only if you cannot add the record above",
  aliasOrAname: "ALIAS (or ANAME)",
  aliasNote:
    "A root domain cannot have a CNAME. Most providers offer ALIAS, ANAME or CNAME flattening instead.",
  ttlNote: "TTL: if 3600 is not offered, choose the closest value.",
  enterName: (field: string, name: string) => `${field}: enter only "${name}".`,
  enterEmpty: (field: string) => `${field}: leave it empty.`,
  addsZone: (provider: string, zone: string) => `${provider} adds .${zone} automatically.`,
  enterValue: (field: string) => `${field}: enter the value shown here.`,
  enterDot: (field: string) => `${field}: enter the value with a trailing dot.`,
  genericName: (name: string, zone: string) =>
    `Most providers add .${zone} automatically, so enter only ${name}.`,
  instead: "Found instead",
  insteadAt: (servers: string) => `reported by ${servers}`,
  differs: "Difference",
  nothing: "Nothing",
  propagation: "Propagation",
  propagationText:
    "Name servers hold your records. Resolvers look them up for visitors and cache the answers for a while.",
  server: "Server",
  says: "Answer",
  spread: "Status",
  serverStates: { new: "New record", old: "Old answer", other: "Different record" },
  forgotten: "expires",

  // Findings
  findings: "Checks",
  severities: { blocking: "Blocking", warning: "Warning" },
  observed: "Found",
  expected: "Expected",
  fix: "How to fix it",
  saidBy: (servers: string) => `reported by ${servers}`,
  andMore: (count: string) => `${count} more`,
  stalled: "No certificate after 30 minutes",
  stalledText: "We have checked the usual causes again.",
  stalledChecks: {
    verifies: "The domain is still verified",
    caa: "CAA records allow the certificate",
    authority: "The certificate authority accepts the order",
  },
  stalledStates: { ok: "Yes", no: "No", unknown: "Unknown" },

  // HTTPS and timeline
  behaviour: "Role and HTTPS",
  hsts: "Require HTTPS (HSTS)",
  hstsHint:
    "Browsers that have used HTTPS will refuse HTTP for this long. Start with a short time: it cannot be undone.",
  hstsChoices: {
    0: "Off",
    300: "5 minutes, for a test",
    2_592_000: "30 days",
    5_184_000: "60 days",
    31_536_000: "1 year",
    63_072_000: "2 years",
  },
  hstsOther: (seconds: number) => `${number(seconds)} seconds`,
  requireHttps: {
    action: "Require HTTPS",
    title: (duration: string) => `Require HTTPS for ${duration}?`,
    text: "Browsers that have used HTTPS will refuse HTTP for this long, even if you turn this off. It is safe as long as the domain stays here or has HTTPS elsewhere.",
  },
  timeline: "Timeline",
  kinds: {
    added: "Added",
    blocked: "Check failed",
    verified: "Verified",
    contested: "Claimed by another account",
    lost: "Moved to another account",
    issuing: "Certificate ordered",
    issued: "Certificate issued",
    renewed: "Certificate renewed",
    live: "Live",
    failed: "Certificate order failed",
    stalled: "No certificate after 30 minutes",
    expiring: "Certificate expires soon",
    lapsed: "No longer included in the plan",
    resumed: "Included in the plan again",
    stopped: "No longer served",
    changed: "Changed",
    refused: "Refused",
    drifting: "No longer points here",
    moved: "Elsewhere for 7 days",
    released: "Removed after 30 days elsewhere",
    returned: "Points here again",
    removed: "Removed",
  },
  showAll: (count: number) => `Show all ${number(count)}`,
};

/** The text about links that show the records of a domain to people without an account. */
export const share = {
  action: "Share the records",
  title: (name: string) => `Share the records of ${name}`,
  text: (until: string) =>
    `Send this link to the person who manages the DNS. It shows the records to enter and whether they were found, without an account and nothing else. It works until ${until} and cannot be withdrawn.`,
  what: "link",
  pageTitle: "DNS records",
  page: (name: string) => `DNS records for ${name}`,
  lead: "Enter these records at the DNS provider. They are checked automatically, and this page is kept up to date.",
  found: "All of these records were found. There is nothing left to do.",
  checked: "Last checked",
  goodFor: (until: string) => `This link works until ${until}.`,
  ended: "This link does not work any more",
  endedText:
    "It has expired, is incomplete, or the domain was removed. Ask the person who sent it for a new one.",
};
