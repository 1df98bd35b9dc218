import { number, plural } from "../format.ts";

/** The words of the API keys page. */
export const keys = {
  title: "API keys",
  about: (account: string) =>
    `Programs use API keys to read and change the animals of ${account}. Each key works in one environment.`,
  create: "Create key",
  tryIt: "Try in API reference",
  tryItMade: "Created a staging key that expires in an hour. The API reference opens in a new tab.",
  tryItName: "API reference",
  environments: {
    production: "The animals your visitors see.",
    staging: "For testing: a separate set of animals that is never published.",
  },
  empty: {
    production: "No production keys yet",
    staging: "No staging keys yet",
  },
  emptyText: {
    production: "Websites and apps need a key to show and change your animals.",
    staging: "Start here: a staging key cannot change the animals your visitors see.",
  },
  minute: "Per minute",
  day: "Per day",
  notBegun: "The minute starts with your first request.",
  resets: "Resets",
  used: (used: number, limit: number) => `${number(used)} of ${number(limit)} requests used`,
  columns: {
    key: "Key",
    permissions: "Permissions",
    lastUsed: "Last used",
    requests: "Requests",
    status: "Status",
    actions: "Actions",
  },
  unnamed: "Unnamed key",
  created: (when: string) => `created ${when}`,
  today: "today",
  thisMinute: (count: number) => `${number(count)} this minute`,
  showRequests: "Show requests",
  requestsOf: (name: string) => `Show requests of ${name}`,
  statuses: {
    active: "Active",
    replaced: "Replaced",
    banned: "Banned",
    expired: "Expired",
    revoked: "Revoked",
  },
  expires: "Expires",
  ends: "Stops working",
  replacedBy: (prefix: string) => `Replaced by ${prefix}`,
  bannedUntil: "Ban ends",
  bannedReason:
    "The program ignored rate limits. It must wait for the time in the Retry-After header.",
  onlyFrom: (networks: string) => `only from ${networks}`,
  allBut: "Everything except undoing an adoption",
  everything: "All",
  ended: (count: number) =>
    plural(count, {
      one: "1 inactive key",
      other: `${number(count)} inactive keys`,
    }),
  rotate: "Rotate key",
  rename: "Rename key",
  liftBan: "Lift ban",
  liftBanOf: (name: string) => `Lift ban on ${name}`,
  lifted: (name: string) => `Lifted the ban on ${name}.`,
  revoke: {
    action: "Revoke key",
    title: (name: string) => `Revoke ${name}?`,
    text: "Programs that use this key lose access within a second. This cannot be undone. To replace the key without downtime, rotate it instead.",
    done: (name: string) => `Revoked ${name}.`,
  },
  form: {
    title: "Create API key",
    name: "Name",
    nameHint: "The program that will use the key.",
    permissions: "Permissions",
    oneNeeded: "Select at least one permission.",
    networks: "Allowed networks",
    networksHint:
      "One network or address per line, such as 203.0.113.0/24 or 2001:db8::/48. Leave empty to allow all addresses.",
    networksFault: (wrong: string) => `${wrong} is not a network or an address.`,
    tooManyNetworks: (most: number) => `Enter at most ${number(most)} networks.`,
  },
  scopes: {
    "pets:read": { label: "Read animals", hint: "List and view animals." },
    "pets:write": {
      label: "Change animals",
      hint: "Add, edit, delete and restore animals; change their status.",
    },
    "pets:admin": { label: "Reverse adoptions", hint: "Make an adopted animal available again." },
    "categories:read": { label: "Read categories", hint: "List and view categories." },
    "categories:write": { label: "Change categories", hint: "Add, rename and delete categories." },
    "orders:read": { label: "Read adoptions", hint: "See which animals were adopted, and when." },
  },
  issued: {
    title: "Your new API key",
    once: "Copy this key now: it is shown only once. We store a fingerprint, not the key.",
    key: "API key",
    download: "Download .env",
    fileName: "petstore.env",
    try: "Try it out",
    tryHint: "Run this command in a terminal to list the animals.",
    curl: "command",
  },
  rotation: {
    title: (name: string) => `Rotate ${name}`,
    text: "A new key with the same permissions replaces this one. The old key keeps working for a while, so you can update your programs without downtime.",
    overlap: "Old key stops working",
    none: "Immediately",
    action: "Rotate key",
  },
  renaming: {
    title: (name: string) => `Rename ${name}`,
    action: "Rename key",
  },
};

export type KeysWords = typeof keys;
