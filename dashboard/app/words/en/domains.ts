import { number } from "../format.ts";

/** Domains of which one leads to the next. */
interface RedirectNames {
  readonly from: string;
  readonly over: string;
  readonly to: string;
}

/** What the views of domains say. */
export const view = {
  title: "Domains",

  add: "Add domain",
  verify: "Verify",
  reverify: "Re-verify",
  remove: "Remove",
  makePrimary: "Make it primary",
  actions: "What can be done",
  details: "Records and details",
  visit: "Visit",
  renew: "Renew the certificate now",
  askRenew: (name: string) => `Renew the certificate of ${name} now?`,
  askRenewText:
    "It is renewed by itself in time. Ordering one now counts towards the limits of the certificate authority; what there is stays until the new one has come.",
  renewing: "The next certificate is ordered as soon as the DNS has been looked at.",
  export: "Export certificate and key",
  askExport: (name: string) => `Export certificate and private key of ${name}?`,
  askExportText: (name: string) =>
    `Whoever has the file can pretend to be ${name}. That it was exported is written down.`,
  exported: (name: string) => `Certificate and key of ${name} were saved. Keep the file safe.`,

  statuses: {
    awaiting_dns: "Waiting for DNS",
    checking: "Checking",
    verified: "Verified",
    issuing: "Certificate on its way",
    live: "Live",
    attention: "Needs attention",
    removed: "Removed",
  },
  stages: {
    asked: "Name servers asked",
    verified: "Records verified",
    certified: "Certificate made",
    tried: "Certificate tried",
    live: "Live",
  },
  stageStates: { done: "done", current: "under way", stuck: "stopped", ahead: "still to come" },
  progress: "On the way to live",
  asking: "Asking the name servers. That takes up to ten seconds.",
  lively: { connecting: "Connecting", live: "Live updates", polling: "Asks every 20 seconds" },
  checked: "Looked at",
  neverChecked: "Not looked at yet",
  nextCheck: "Next look in",
  nextCheckNow: "now",
  noNextCheck: "No further look by itself: choose Verify.",

  readyTitle: "Before you begin",
  readyText: "Three things have to be there. Two of them we can see.",
  ready: {
    plan: "A paid plan, Pro or above",
    dns: "Access to the DNS settings of your domain",
    deploy: "A published project",
  },
  readyStates: { met: "There", unmet: "Missing", yours: "Up to you" },
  planMet: (plan: string) => `The account is on ${plan}.`,
  planUnmet: (plan: string) =>
    `The account is on ${plan}. Domains of your own come with Pro and the plans above it.`,
  planAction: "See the plans",
  planChange: "Change the plan",
  planAsk: "Whoever runs this service can change it.",
  suspended: "The account is suspended; whoever runs this service can resume it.",
  dnsText:
    "You get one record to enter where the domain was bought, or wherever its name servers are. If somebody else looks after that, have them at hand.",
  dnsAction: "How that goes",
  deployMet: (when: string) => `Last published ${when}.`,
  deployUnmet: "Nothing is published yet, so the domain would have nothing to show.",
  deployAction: "To the deploys",
  starterAction: "Publish the starter storefront",
  starterDone: "The starter storefront is live.",

  noneTitle: "No domain yet",
  noneText: "Add yours, enter one record at your DNS provider, and the site is there, with HTTPS.",
  domain: "Domain",
  role: "What it does",
  status: "Status",
  primary: "Shows the site",
  primaryBadge: "Primary",
  leadsTo: (to: string) => `Leads to ${to}`,
  twin: (name: string) => `Visitors type both: add ${name} too, and let it lead to this one.`,
  addTwin: (name: string) => `Add ${name}`,
  limit: (count: number) => `${number(count)} of 100 domains`,

  addTitle: "Add a domain",
  addLabel: "Domain or subdomain",
  addHint: "For example pets.shelter.org. Paste an address, and we take the name out of it.",
  taken: (name: string) => `We use ${name}.`,
  asciiOf: (ascii: string) => `In the DNS: ${ascii}`,
  lookAlikes: {
    mixed_scripts:
      "This name mixes letters of several alphabets. Make sure that it is yours, and typed as you mean it.",
    resembles_latin:
      "Letters of this name look like Latin ones and are others. Make sure that it is typed as you mean it.",
  },
  faults: {
    empty: "Enter a domain, for example pets.shelter.org.",
    ip_address: "This is an IP address. Enter a name, for example pets.shelter.org.",
    wildcard: "Wildcards are not possible. Add each name by itself.",
    single_label: "Something is missing after the name, for example .org.",
    too_long: "A domain has at most 253 characters.",
    mail: "This looks like a mail address. Enter the name of the domain alone.",
    invalid: "Letters, digits and hyphens, with dots between the parts: like pets.shelter.org.",
    attached: "This project has that domain already.",
  },
  refusedNames: {
    own_domain: () => "This name belongs to this service. Enter a domain of yours.",
    special_use: (name: string) =>
      `${name} is not in the public DNS, and no certificate is issued for such names.`,
    public_suffix: (name: string) =>
      `Domains are registered below ${name}. Enter yours, for example shelter.${name}.`,
  },
  previewing: "Looking at the DNS of this name",
  previewClear: "Nothing is in the way. One record, and it works.",
  previewChanges: "It works once its records are changed; we show you how.",
  previewObstacles: "Something has to be mended first. You can add the domain already.",
  previewUnknown: "Its name servers could not be asked right now. You can add it all the same.",
  previewProvider: (name: string) => `Its DNS is at ${name}.`,
  previewServers: (servers: string) => `Its name servers are ${servers}.`,
  previewRecord: (type: string, name: string) => `You will enter one ${type} record named ${name}.`,
  previewAlias: (type: string) =>
    `You will enter one ${type} record for the domain itself, where your provider has that.`,
  pair: (name: string) => `Add ${name} as well, and let it lead here`,
  added: (name: string) => `${name} was added.`,
  twinNotAdded: (name: string, why: string) => `${name} was not added: ${why}`,

  suggestions: "Your site asks for these domains",
  suggestionsText: (file: string) =>
    `They are named in ${file} of what is published, and are not in use yet.`,
  suggestionSteps: { add: "Not added", verify: "Not verified yet" },

  redirects: "Primary domain and redirects",
  redirectsText:
    "One domain shows the site. The others lead to it: path and query are kept, and search engines learn which one counts.",
  from: "From",
  to: "To",
  code: "Status",
  codes: {
    301: "301, for good",
    302: "302, for now",
    307: "307, for now, keeps the method",
    308: "308, for good, keeps the method",
  },
  redirectFaults: {
    cycle: ({ from, over }: RedirectNames) =>
      `${over} leads to ${from}: visitors would go round in a circle. Make the one that shows the site the primary domain.`,
    chain: ({ from, over, to }: RedirectNames) =>
      `${from} would lead to ${over}, and that one on to ${to}. Let ${from} lead straight to ${to}.`,
  },
  primaryOf: "Primary domain",
  noPrimary: "None: choose which one shows the site.",
  saved: "Saved.",
  nowPrimary: (name: string) => `${name} shows the site now.`,
  askPrimary: (name: string) => `Let ${name} show the site?`,
  askPrimaryText: (name: string) =>
    `The others lead to ${name} from then on. Both answer all the time; nobody meets an error.`,

  dns: "DNS",
  dnsStates: {
    unchecked: "Not asked yet",
    verified: "Right",
    propagating: "Right, and spreading",
    blocked: "Not right yet",
    unknown: "Could not be asked",
  },
  certificate: "Certificate",
  certificateStates: {
    none: "Comes after the DNS",
    waiting: "Ordered next",
    ordering: "Being made",
    failed: "Not made yet",
    active: "Valid",
    expired: "Expired",
  },
  certificateNone: "It is ordered by itself as soon as the DNS is right.",
  certificateUntil: (day: string) => `Certificate until ${day}`,
  factChecked: "Last look",
  factNext: "Next look",
  factProvider: "Provider",
  factHow: "How to add a record there",
  factEta: "Old answers are gone",
  factIssuer: "Issued by",
  internalIssuer: "this installation",
  factEnds: "Valid until",
  factRenewed: "Renewed by itself from",
  factAttempts: "Attempts",
  factReason: "Last word",
  factNextAttempt: "Next attempt",
  never: "never",

  records: "Enter this at your DNS provider",
  recordsFound: "Records",
  recordsText: (zone: string) => `Where the DNS of ${zone} is managed. Each cell can be copied.`,
  record: { type: "Type", name: "Name", value: "Value", ttl: "TTL", state: "Seen now" },
  recordStates: {
    unchecked: "Not asked yet",
    found: "Found",
    missing: "Not there yet",
    wrong: "Another value",
    propagating: "Spreading",
    unknown: "Could not be asked",
  },
  purposes: {
    routing: "leads visitors here",
    ownership: "proves that the domain is yours",
    delegation: "lets certificates be made ahead",
  },
  optional: "optional",
  insteadOf: "only where the record above cannot be entered",
  aliasOrAname: "ALIAS (or ANAME)",
  aliasNote:
    "For the domain itself a CNAME is not possible. Some providers call it ALIAS, others ANAME or a flattened CNAME; not all have it.",
  ttlNote: "If 3600 is not offered, take what comes closest.",
  enterName: (field: string, name: string) => `${field}: enter only “${name}”.`,
  enterEmpty: (field: string) => `${field}: leave it empty.`,
  addsZone: (provider: string, zone: string) => `${provider} adds .${zone} by itself.`,
  enterValue: (field: string) => `${field}: the value, as it is shown here.`,
  enterDot: (field: string) => `${field}: the value, with a dot at its end.`,
  genericName: (name: string, zone: string) =>
    `Most providers add .${zone} by themselves: enter only ${name}.`,
  instead: "Found instead",
  insteadAt: (servers: string) => `told by ${servers}`,
  differs: "Different part",
  nothing: "nothing",

  findings: "What was found",
  severities: { blocking: "Holds it up", warning: "Good to know" },
  observed: "Seen",
  expected: "Should be",
  fix: "What to do",
  saidBy: (servers: string) => `told by ${servers}`,
  andMore: (count: string) => `${count} more`,
  openPage: "Open the page of the certificate authority",

  propagation: "Which server says what",
  propagationText:
    "Name servers have your records; resolvers ask them for visitors, and remember what they heard for a while.",
  server: "Server",
  says: "Says",
  spread: "State",
  serverStates: {
    new: "Has the new record",
    old: "Has an old answer",
    other: "Has another record",
  },
  forgotten: "forgotten at",

  stalled: "No certificate after 30 minutes",
  stalledText: "This is what usually keeps it. We have looked at each point again.",
  stalledChecks: {
    verifies: "The domain still verifies",
    caa: "CAA records let the certificate be made",
    authority: "The certificate authority has not refused",
  },
  stalledStates: { ok: "Yes", no: "No", unknown: "Not known" },

  behaviour: "What this domain does",
  hsts: "Browsers insist on HTTPS",
  hstsHint:
    "Whoever came by HTTPS once is kept from plain HTTP for that long (HSTS). Begin with a short time: it cannot be called back.",
  hstsChoices: {
    0: "Not told",
    300: "5 minutes, to try",
    2_592_000: "30 days",
    5_184_000: "60 days",
    31_536_000: "1 year",
    63_072_000: "2 years",
  },
  hstsOther: (seconds: number) => `${number(seconds)} seconds`,
  askHsts: (duration: string) => `Insist on HTTPS for ${duration}?`,
  askHstsText:
    "Browsers that have heard it refuse plain HTTP for that long, even if you take it back. That is safe as long as the domain stays here or has HTTPS elsewhere.",

  timeline: "What happened",
  kinds: {
    added: "Added",
    blocked: "Looked at, and not right yet",
    verified: "Verified",
    contested: "Claimed by another account",
    lost: "Gone to another account",
    issuing: "Certificate ordered",
    issued: "Certificate made",
    renewed: "Certificate renewed",
    live: "Live",
    failed: "The certificate authority refused",
    stalled: "No certificate after 30 minutes",
    expiring: "The certificate ends soon",
    lapsed: "The plan no longer includes it",
    resumed: "The plan includes it again",
    stopped: "No longer served",
    changed: "Changed",
    refused: "Refused",
    removed: "Removed",
  },
  showAll: (count: number) => `Show all ${number(count)}`,

  askRemove: (name: string) => `Remove ${name}?`,
  askRemoveText: (name: string) =>
    `Visitors of ${name} are not served any more, at once. For 30 days its certificate is kept: added again to this project, it is live at once.`,
  removed: (name: string) => `${name} was removed and is not served any more.`,
  cleanup: "What to delete at your DNS provider",
  cleanupText:
    "Delete this as well, so that the name does not lead to where nobody answers for it any more.",
  addAgain: "Add it again",
  removedLately: "Removed lately",
  removedAt: "Removed",
};
