import { dateTime, number, plural } from "../format.ts";

interface Limits {
  readonly perMinute: number;
  readonly perDay: number;
}

/** What the list of accounts says, and the page of one. */
export const accounts = {
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
