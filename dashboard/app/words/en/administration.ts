import { dateTime, number, plural } from "../format.ts";

interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** What the list of accounts says, and the page of one. */
const accounts = {
  title: "Accounts",
  about: "Each shelter is an account: with its own animals, keys, people and sites.",
  create: "Create account",
  sample: "Create a sample shelter",
  sampleMade: (name: string) => `${name} is there, with its site.`,
  count: (count: number) => plural(count, { one: "1 account", other: `${number(count)} accounts` }),
  search: "Search by name",
  noneFound: "No account is called that",
  noneFoundText: "Search for another part of its name.",
  empty: "No account yet",
  emptyText: "Create the first one, or look around in a sample shelter.",
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
    title: "Create an account",
    name: "Name",
    nameHint: "Of the shelter, as people know it.",
    plan: "Plan",
    perMinute: "Requests a minute",
    perDay: "Requests a day",
    limitsHint: "As agreed: from 1 to 1,000,000,000.",
    limitFault: "A whole number from 1 to 1,000,000,000.",
  },
  created: (name: string) => `${name} was created.`,
  perMinute: (count: number) => `${number(count)} a minute`,
  perDay: (count: number) => `${number(count)} a day`,
  agreed: "as agreed",
  page: {
    title: "Plan and settings",
    account: "Account",
    name: "Name",
    rename: "Rename",
    renamed: "The account has its new name.",
    id: "Account ID",
    idHint: "Commands and programs name the account by it.",
    plan: "Plan",
    planAndLimits: "Plan and limits",
    present: "Your plan",
    change: "Change the plan",
    changed: (plan: string) => `The plan is ${plan} from now on.`,
    atOnce: "What changes at once",
    limits: (from: Limits, to: Limits) =>
      `Requests: ${number(to.perMinute)} a minute and ${number(to.perDay)} a day, instead of ${number(from.perMinute)} and ${number(from.perDay)}.`,
    gainsDomains: "Sites may have domains of their own.",
    losesDomains:
      "No more domains of their own: those that are live go on for 7 days, then visitors no longer reach the sites by them.",
    nothingElse: "Keys, animals, sites and people stay as they are.",
    loseTitle: "Give up custom domains?",
    columns: {
      plan: "Plan",
      perMinute: "Requests a minute",
      perDay: "Requests a day",
      domains: "Custom domains",
    },
    upgrade:
      "Whoever runs this service changes the plan: ask them. It takes effect at once, and nothing has to be set up anew.",
  },
  danger: {
    title: "Suspend and delete",
    suspend: "Suspend",
    suspendText:
      "Its keys and sites are refused within a second. Its people can read and not change anything. It can be resumed at any time.",
    suspendTitle: (name: string) => `Suspend ${name}?`,
    suspendedNow: (name: string) => `${name} is suspended.`,
    resume: "Resume",
    resumeText: "Its keys and sites work again at once.",
    resumed: (name: string) => `${name} works again.`,
    delete: "Delete the account",
    deleteText:
      "It is deleted with its animals, orders, keys, people, sites and domains. It cannot be undone.",
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleted: (name: string) => `${name} was deleted.`,
  },
  suspendedNotice: (at: number) =>
    `This account has been suspended since ${dateTime(at)}: its keys and sites are refused, and nothing of it can be changed. Whoever runs this service can resume it.`,
};

/** What the page of people says, and the list of operators. */
const people = {
  title: "People",
  about: (account: string) => `Who can sign in and work on ${account}.`,
  count: (count: number) => plural(count, { one: "1 person", other: `${number(count)} people` }),
  operators: "Operators",
  aboutOperators: "They can do everything, with every account, and see this page.",
  add: "Add person",
  addOperator: "Add operator",
  empty: "Nobody yet",
  emptyText: {
    account: "Add those who look after the animals. Everybody gets a link of their own to begin.",
    operators: "Nobody can sign in yet: only tokens and the data directory give access.",
  },
  columns: {
    person: "Person",
    role: "Role",
    lastSeen: "Last seen",
    status: "Sign-in",
    actions: "Actions",
  },
  you: "You",
  added: (when: string) => `added ${when}`,
  statuses: { active: "Signs in", pending: "Waits for the link" },
  withPasskey: "with a passkey",
  roleHints: {
    owner: "Everything, API keys, people and deletions included.",
    staff: "Animals, orders, sites and deploys.",
    viewer: "Looks at everything, changes nothing.",
  },
  form: {
    title: "Add a person",
    titleOperator: "Add an operator",
    email: "E-mail address",
    emailHint: "They sign in with it. We send no mail: you get a link to hand over.",
    name: "Name",
    role: "Role",
    add: "Add and make the link",
  },
  changeRole: "Change role",
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} is ${role} from now on.`,
  resetLink: "Make a new link",
  resetTitle: (name: string) => `Make a new link for ${name}?`,
  resetText:
    "With it they choose a new password. Links from before become void; the present password works until the link is used.",
  link: {
    title: (name: string) => `The link for ${name}`,
    once: (expiresAt: number) =>
      `Hand it to nobody else: whoever opens it chooses the password. It is good once, until ${dateTime(expiresAt)}, and shown only now.`,
    what: "link",
  },
  remove: "Remove",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText:
    "They are signed out at once and can no longer sign in. What they did stays. You can add them again.",
  removed: (name: string) => `${name} can no longer sign in.`,
};

/** What the page of the system says; checks come from the service, in English. */
const system = {
  title: "System",
  about: "How this installation is, as petstore doctor sees it.",
  look: "Look again",
  fine: "Everything is as it should be.",
  wrong: (failed: number, warnings: number) =>
    [
      failed > 0
        ? plural(failed, {
            one: "1 thing does not work",
            other: `${number(failed)} things do not work`,
          })
        : "",
      warnings > 0
        ? plural(warnings, {
            one: "1 is worth a look",
            other: `${number(warnings)} are worth a look`,
          })
        : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
  checks: "Checks",
  skipped: (count: number) =>
    plural(count, {
      one: "1 check that does not matter here",
      other: `${number(count)} checks that do not matter here`,
    }),
  states: { ok: "In order", warning: "Worth a look", failed: "Does not work", skipped: "Skipped" },
  facts: "This installation",
  version: "Version",
  running: "Runs since",
  address: "Address",
  baseDomain: "Base domain",
  certificates: "Certificates",
  aboutCertificates: "For the domains of all projects. They are renewed by themselves.",
  noCertificates: "No certificate yet",
  noCertificatesText:
    "As soon as a project has a domain of its own, its certificate is listed here.",
  certificate: {
    domain: "Domain",
    issuer: "Authority",
    expires: "Expires",
    renews: "Renewed",
    state: "State",
    actions: "Actions",
  },
  valid: "Valid",
  expiresSoon: "Expires soon",
  expired: "Expired",
  failing: "Renewing fails",
  renew: "Renew now",
  renewTitle: (domain: string) => `Renew the certificate of ${domain} now?`,
  renewText:
    "It is renewed by itself in time. An order now counts towards the limits of the certificate authority. The present one stays until the next has come.",
  renewing: (domain: string) => `The next certificate of ${domain} is being ordered.`,
  ours: "this service",
  settings: "Settings",
  aboutSettings:
    "They are changed where the program is started: by flags, the environment or the configuration file.",
  allSettings: (count: number) => `All ${number(count)} settings`,
  setting: { name: "Setting", value: "Value", origin: "From" },
  origins: { flag: "flag", environment: "environment", file: "file", default: "default" },
  unset: "not set",
};

/** What is said of management tokens. */
const tokens = {
  title: "Management tokens",
  about: {
    account: "Programs use them to do what people do here, within this account.",
    operators: "Programs use them to do everything, with every account.",
  },
  create: "Create token",
  empty: "No token yet",
  emptyText: "The command line and your own programs need one to work from another machine.",
  columns: {
    token: "Token",
    role: "Role",
    lastUsed: "Last used",
    status: "Status",
    actions: "Actions",
  },
  unnamed: "Without a name",
  created: (when: string) => `created ${when}`,
  statuses: { active: "Works", expired: "Expired", revoked: "Revoked" },
  expires: "Expires",
  ended: (count: number) =>
    plural(count, {
      one: "1 token that no longer works",
      other: `${number(count)} tokens that no longer work`,
    }),
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}?`,
  revokeText: "Programs that use it are refused within a second. It cannot be undone.",
  revoked: (name: string) => `${name} is refused from now on.`,
  form: {
    title: "Create a management token",
    name: "Name",
    nameHint: "Which program or machine it is for.",
    role: "What it may do",
  },
  roleHints: {
    owner: "Everything within the account, but its plan.",
    staff: "Read, and change animals, sites and deploys.",
    viewer: "Read.",
  },
  issued: {
    title: "Your new management token",
    once: "This is the only time it is shown. We keep a fingerprint of it, not the token.",
    token: "token",
    try: "Try it",
    curl: "command",
  },
};

/** The words of the views of accounts, people, tokens and the system. */
export const administration = { accounts, people, system, tokens };

export type AdministrationWords = typeof administration;
