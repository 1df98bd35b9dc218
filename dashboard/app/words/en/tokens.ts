import { number, plural } from "../format.ts";

/** What is said of management tokens. */
export const tokens = {
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
