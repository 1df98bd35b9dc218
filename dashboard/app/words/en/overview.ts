import { number, plural } from "../format.ts";

/** The words of the overview. */
export const overview = {
  plan: (name: string) => `${name} plan`,

  animals: "Animals",
  addAnimal: "Add animal",
  animalsAll: "All animals",
  animalsEmpty: "Add your first animal to see it here and on your sites.",
  share: (available: number, pending: number, sold: number) =>
    `${number(available)} available, ${number(pending)} reserved, ${number(sold)} adopted`,
  orders: (count: number) =>
    plural(count, { one: "1 adoption", other: `${number(count)} adoptions` }),
  enquiries: (count: number) =>
    plural(count, { one: "1 new enquiry", other: `${number(count)} new enquiries` }),

  today: "API requests",
  used: (used: number, limit: number) => `${number(used)} of ${number(limit)} daily requests used`,
  minute: (used: number, limit: number) => `${number(used)} of ${number(limit)} this minute`,
  resets: "Resets",
  usage: "Usage",
  countedByKey: "The limits apply to each key separately.",
  banned: (count: number) =>
    plural(count, {
      one: "1 key is temporarily banned because it ignored rate limits.",
      other: `${number(count)} keys are temporarily banned because they ignored rate limits.`,
    }),
  toKeys: "Show API keys",

  projects: "Projects",
  projectsAll: "All projects",
  moreProjects: (count: number) =>
    plural(count, { one: "1 more project", other: `${number(count)} more projects` }),

  attention: (domain: string) => `${domain} needs attention`,
  toDomain: "Show domain",

  firstSteps: {
    title: "First steps",
    hide: "Hide steps",
    done: "Done",
    animals: {
      title: "Add animals",
      text: "One by one, or all at once from a spreadsheet.",
      action: "Add animals",
    },
    site: {
      title: "Publish a storefront",
      text: "A project with a site that lists your animals and updates automatically.",
      action: "Create project",
    },
    key: {
      title: "Connect other programs",
      text: "With an API key, your website or an app reads and changes your animals.",
      action: "Create key",
    },
    domain: {
      title: "Use your own domain",
      text: "Such as pets.example.org, with a certificate that renews automatically.",
      action: "Add domain",
    },
  },

  activity: "Recent activity",
  activityEmpty: "No activity yet",
  liveness: { connecting: "Connecting", live: "Live updates", polling: "Updates every 20 seconds" },
  happened: {
    "account.created": () => "The account was created",
    "account.updated": () => "The account's plan, limits or name changed",
    "account.suspended": () => "The account was suspended",
    "account.resumed": () => "The account was resumed",
    "account.deleted": () => "The account was deleted",
    "pet.created": (what: string) => `${what} was added`,
    "pet.updated": (what: string) => `${what} was changed`,
    "pet.available": (what: string) => `${what} is available again`,
    "pet.pending": (what: string) => `${what} is reserved`,
    "pet.sold": (what: string) => `${what} was adopted`,
    "pet.deleted": (what: string) => `${what} was deleted`,
    "pet.restored": (what: string) => `${what} was restored`,
    "pet.profile_updated": (what: string) => `The profile of ${what} was changed`,
    "photo.added": (what: string) => `A photo of ${what} was added`,
    "photo.removed": (what: string) => `A photo of ${what} was removed`,
    "import.finished": (what: string) => `The import of ${what} finished`,
    "import.undone": (what: string) => `The import of ${what} was undone`,
    "enquiry.created": (what: string) =>
      what === "" ? "An enquiry arrived" : `An enquiry about ${what} arrived`,
    "order.updated": (what: string) => `An adoption of ${what} was changed`,
    "order.removed": (what: string) => `An adoption of ${what} was removed as a mistake`,
    "category.created": (what: string) => `The category ${what} was added`,
    "category.updated": (what: string) => `A category was renamed to ${what}`,
    "category.deleted": (what: string) => `The category ${what} was deleted`,
    "key.created": (what: string) => `The API key ${what} was created`,
    "key.rotated": (what: string) => `The API key ${what} was rotated`,
    "key.updated": (what: string) => `An API key was renamed to ${what}`,
    "key.revoked": (what: string) => `The API key ${what} was revoked`,
    "key.banned": (what: string) => `The API key ${what} was temporarily banned`,
    "key.unbanned": (what: string) => `The ban on the API key ${what} was lifted`,
    "quota.threshold_reached": (what: string) => `${what}% of today's requests are used`,
    "token.created": () => "A management token was created",
    "token.revoked": () => "A management token was revoked",
    "member.created": (what: string) => `${what || "Someone"} was invited`,
    "member.updated": (what: string) => `The role or name of ${what || "someone"} changed`,
    "member.device_added": (what: string) => `${what || "Someone"} signed in with a new browser`,
    "member.removed": (what: string) => `${what || "Someone"} was removed`,
    "project.created": (what: string) => `The project ${what} was created`,
    "project.updated": (what: string) => `The project ${what} was changed`,
    "project.deleted": (what: string) => `The project ${what} was deleted`,
    "project.restored": (what: string) => `The project ${what} was restored`,
    "deploy.activated": (what: string) => `Now live: ${what}`,
    "deploy.failed": (what: string) =>
      what === "" ? "Publishing failed" : `Publishing failed: ${what}`,
    "domain.added": (what: string) => `${what} was added`,
    "domain.verified": (what: string) => `${what} is verified`,
    "domain.contested": (what: string) => `Another account claims ${what}`,
    "domain.issuing": (what: string) => `The certificate for ${what} was ordered`,
    "domain.live": (what: string) => `${what} is live`,
    "domain.renewed": (what: string) => `The certificate for ${what} was renewed`,
    "domain.expiring": (what: string) => `The certificate for ${what} expires soon`,
    "domain.failed": (what: string) => `${what} needs attention`,
    "domain.drifting": (what: string) => `${what} no longer points here`,
    "domain.moved": (what: string) => `${what} has pointed elsewhere for 7 days`,
    "domain.released": (what: string) => `${what} pointed elsewhere for 30 days and was removed`,
    "domain.removed": (what: string) => `${what} was removed`,
    "webhook.disabled": (what: string) => `The webhook to ${what} was disabled`,
  },
  /** Who caused an event, by kind. The name is empty if it is unknown. */
  by: {
    member: (name: string) => (name === "" ? "by a former member" : `by ${name}`),
    token: (name: string) => `by token ${name}`,
    key: (name: string) => `by key ${name}`,
    user: (name: string) => (name === "" ? "by a user of your application" : `by ${name}`),
    operator: () => "by the operator",
    visitor: () => "with a setup link",
    command: () => "by a command",
    host: () => "by the system",
    system: () => "by the system",
  },
  andMore: (count: number) => `and ${number(count)} more`,
  starter: "the storefront",
  files: (count: number) => plural(count, { one: "1 file", other: `${number(count)} files` }),
};

export type OverviewWords = typeof overview;
