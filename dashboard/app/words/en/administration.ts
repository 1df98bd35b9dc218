import { dateTime, number, plural } from "../format.ts";
import { checkTitles, checkWords, type CheckId } from "../../../../server/checks/words.ts";
import { renew } from "./renewal.ts";

interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** The list of accounts, and an account's page. */
const accounts = {
  title: "Accounts",
  about: "Each shelter has an account with its own animals, keys, people and projects.",
  create: "Create account",
  sample: "Create sample shelter",
  sampleCreated: (name: string) => `Created ${name} and its project.`,
  count: (count: number) => plural(count, { one: "1 account", other: `${number(count)} accounts` }),
  search: "Search by name",
  noneFound: "No accounts match",
  noneFoundText: "Try a different name.",
  empty: "No accounts yet",
  emptyText: "Create your first account, or explore a sample shelter.",
  columns: {
    name: "Account",
    plan: "Plan",
    animals: "Animals",
    status: "Status",
    created: "Created",
    actions: "Actions",
  },
  available: (count: number) => `${number(count)} available`,
  active: "Active",
  suspended: "Suspended",
  since: (at: number) => `since ${dateTime(at)}`,
  settings: "Plan and settings",
  form: {
    title: "Create account",
    name: "Name",
    nameHint: "Usually the shelter's name. Visitors do not see it.",
    plan: "Plan",
    perMinute: "Requests per minute",
    perDay: "Requests per day",
    limitsHint: "From 1 to 1,000,000,000.",
    limitFault: "Enter a whole number from 1 to 1,000,000,000.",
  },
  created: (name: string) => `Created ${name}.`,
  perMinute: (count: number) => `${number(count)} per minute`,
  perDay: (count: number) => `${number(count)} per day`,
  agreed: "Custom",
  page: {
    title: "Plan and settings",
    account: "Account",
    name: "Name",
    rename: "Rename account",
    renamed: "Renamed the account.",
    id: "Account ID",
    idHint: "Identifies the account in commands and API calls.",
    plan: "Plan",
    planAndLimits: "Plan and limits",
    current: "Your plan",
    change: "Change plan",
    changed: (plan: string) => `Changed the plan to ${plan}.`,
    effects: "Immediate changes",
    limits: (from: Limits, to: Limits) =>
      `Requests: ${number(to.perMinute)} per minute and ${number(to.perDay)} per day, instead of ${number(from.perMinute)} and ${number(from.perDay)}.`,
    gainsDomains: "Projects can use custom domains.",
    losesDomains: {
      action: "Change plan",
      title: "Give up custom domains?",
      text: "Projects can no longer use custom domains. Existing domains stop working after 7 days.",
    },
    nothingElse: "Keys, animals, projects and people stay the same.",
    columns: {
      plan: "Plan",
      perMinute: "Requests per minute",
      perDay: "Requests per day",
      domains: "Custom domains",
    },
    upgrade:
      "To change the plan, ask the operator of this service. A new plan takes effect immediately and needs no setup.",
  },
  danger: {
    title: "Suspension and deletion",
    suspend: {
      action: "Suspend account",
      title: (name: string) => `Suspend ${name}?`,
      text: "Stops the account's keys and sites within a second. Its people can view everything but change nothing. You can resume the account at any time.",
      done: (name: string) => `Suspended ${name}.`,
    },
    resume: {
      action: "Resume account",
      text: "Makes the account's keys and sites work again immediately.",
      done: (name: string) => `Resumed ${name}.`,
    },
    delete: {
      action: "Delete account",
      title: (name: string) => `Delete ${name}?`,
      text: "Deletes the account with its animals, adoptions, keys, people, projects and domains. This cannot be undone.",
      done: (name: string) => `Deleted ${name}.`,
    },
  },
};

/** The people of an account, and the operators. */
const people = {
  title: "People",
  about: (account: string) => `People with access to ${account}.`,
  count: (count: number) => plural(count, { one: "1 person", other: `${number(count)} people` }),
  operators: "Operators",
  aboutOperators: "Operators have full access to every account and to this page.",
  add: "Add person",
  addOperator: "Add operator",
  empty: "No people yet",
  emptyText: {
    account: "Add the people who look after the animals. You get a password link for each of them.",
    operators: "No one can sign in yet. Use tokens, or the command line on the server.",
  },
  columns: {
    person: "Person",
    role: "Role",
    lastSeen: "Last seen",
    status: "Status",
    actions: "Actions",
  },
  you: "You",
  added: (when: string) => `added ${when}`,
  statuses: { active: "Active", pending: "Invited" },
  withPasskey: "has a passkey",
  roleHints: {
    owner: "Full access, including API keys, people and deletions.",
    staff: "Manages animals, adoptions, projects and deploys.",
    viewer: "Views everything, changes nothing.",
  },
  form: {
    title: "Add person",
    titleOperator: "Add operator",
    email: "Email address",
    emailHint: "Petstore sends no email: you get a link to share.",
    mailedHint: "The person gets an invitation by email.",
    name: "Name",
    role: "Role",
    add: "Add and create link",
    addMailed: "Add and send invitation",
  },
  changeRole: "Change role",
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `Changed the role of ${name} to ${role}.`,
  newLink: {
    action: "Create password link",
    title: (name: string) => `Create a password link for ${name}?`,
    text: "The link lets them choose a new password. Earlier links stop working; the current password works until the link is used.",
  },
  link: {
    title: (name: string) => `Password link for ${name}`,
    once: (expiresAt: number) =>
      `Anyone with this link can set the password, so send it to no one else. It is shown only once, works once and expires on ${dateTime(expiresAt)}.`,
    what: "link",
    mailedTitle: "Invitation sent",
    mailed: (email: string, expiresAt: number) =>
      `${email} gets an email with a link to choose a password. The link works once and expires on ${dateTime(expiresAt)}.`,
    same: "If the email does not arrive, send the link yourself. It is shown only once, and anyone with it can set the password.",
  },
  remove: {
    action: "Remove person",
    title: (name: string) => `Remove ${name}?`,
    text: "They are signed out immediately and can no longer sign in. Their past activity stays. You can add them again.",
    done: (name: string) => `Removed ${name}.`,
  },
};

/** The System page. */
const system = {
  title: "System",
  about: "The health of this installation, as reported by petstore doctor.",
  refresh: "Run checks",
  fine: "All checks passed.",
  wrong: (failed: number, warnings: number) =>
    [
      failed > 0
        ? plural(failed, { one: "1 check failed", other: `${number(failed)} checks failed` })
        : "",
      warnings > 0
        ? plural(warnings, { one: "1 warning", other: `${number(warnings)} warnings` })
        : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
  checks: "Checks",
  checkTitles: checkTitles as Readonly<Record<CheckId, string>>,
  checkWords,
  skipped: (count: number) =>
    plural(count, { one: "1 skipped check", other: `${number(count)} skipped checks` }),
  states: { ok: "Passed", warning: "Warning", failed: "Failed", skipped: "Skipped" },
  facts: "Installation",
  version: "Version",
  running: "Running since",
  address: "Address",
  baseDomain: "Base domain",
  nodes: "Nodes",
  node: {
    name: "Name",
    state: "Status",
    version: "Version",
    started: "Started",
    lag: "Lag",
    database: "Database",
    limits: "Limits counted in",
    redis: "Redis",
    milliseconds: (ms: number) => `${number(ms)} ms`,
    states: { active: "Active", lost: "Lost" },
    limitsPlaces: { memory: "Memory", postgres: "PostgreSQL", redis: "Redis", moving: "Moving" },
    redisStates: { off: "Off", ok: "Connected", unavailable: "Unavailable" },
  },
  certificates: "Certificates",
  aboutCertificates:
    "Certificates for custom domains and for this service's own hosts. They renew automatically.",
  noCertificates: "No certificates yet",
  noCertificatesText: "Certificates appear here once they are ordered.",
  certificate: {
    domain: "Domain",
    issuer: "Issuer",
    expires: "Expires",
    renews: "Renewal",
    state: "Status",
    actions: "Actions",
  },
  valid: "Valid",
  expiresSoon: "Expires soon",
  expired: "Expired",
  failing: "Renewal failing",
  renew,
  rehearsal: {
    action: "Rehearse renewal",
    title: (domain: string) => `Rehearse the renewal of ${domain}`,
    text: "The server performs a whole renewal at another certificate authority, such as the staging environment of Let's Encrypt, and throws the certificate away. Visitors notice nothing. This takes up to a minute.",
    start: "Rehearse",
    works: (authority: string) => `The renewal works at ${authority}. Nothing was changed.`,
    fails: (authority: string) => `The renewal would fail at ${authority}. Nothing was changed.`,
    passed: "Passed",
    failed: "Failed",
    parts: {
      dns: "DNS check",
      account: "Account",
      order: "Order",
      challenge: "Challenge",
      validation: "Validation",
      certificate: "Certificate",
    },
  },
  ours: "this service",
  settings: "Settings",
  aboutSettings:
    "Set by flags, environment variables or the configuration file when Petstore starts.",
  allSettings: (count: number) => `All ${number(count)} settings`,
  setting: { name: "Setting", value: "Value", origin: "Source" },
  origins: { flag: "Flag", environment: "Environment", file: "File", default: "Default" },
  unset: "Not set",
  secret: "(set)",
};

/** Management tokens. */
const tokens = {
  title: "Management tokens",
  about: {
    account: "Programs use these tokens to manage this account.",
    operators: "Programs use these tokens to manage every account.",
  },
  create: "Create token",
  empty: "No tokens yet",
  emptyText: "Create a token to use the command line or your own programs from another machine.",
  columns: {
    token: "Token",
    role: "Role",
    lastUsed: "Last used",
    status: "Status",
    actions: "Actions",
  },
  unnamed: "Unnamed token",
  created: (when: string) => `created ${when}`,
  statuses: { active: "Active", expired: "Expired", revoked: "Revoked" },
  expires: "Expires",
  ended: (count: number) =>
    plural(count, { one: "1 inactive token", other: `${number(count)} inactive tokens` }),
  revoke: {
    action: "Revoke token",
    title: (name: string) => `Revoke ${name}?`,
    text: "Programs that use this token lose access within a second. This cannot be undone.",
    done: (name: string) => `Revoked ${name}.`,
  },
  form: {
    title: "Create management token",
    name: "Name",
    nameHint: "The program or machine that will use the token.",
    role: "Role",
  },
  roleHints: {
    owner: "Full access to the account, except changing its plan.",
    staff: "Views everything; changes animals, projects and deploys.",
    viewer: "Views everything, changes nothing.",
  },
  issued: {
    title: "Your new management token",
    once: "Copy this token now: it is shown only once. We store a fingerprint, not the token.",
    token: "token",
    try: "Try it out",
    curl: "command",
  },
};

/** The words of the accounts, people, tokens and system pages. */
export const administration = { accounts, people, system, tokens };

export type AdministrationWords = typeof administration;
