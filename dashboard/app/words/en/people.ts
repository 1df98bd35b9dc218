import { dateTime, number, plural } from "../format.ts";

/** What the page of people says, and the list of operators. */
export const people = {
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
