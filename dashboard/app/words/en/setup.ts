import { plural } from "../format.ts";

/** A check of a name that is to be the base domain, as far as words need it. */
interface Told {
  readonly subject: string;
  readonly observed: string | null;
  readonly expected: string | null;
  readonly port: string;
}

const here = (expected: string | null): string =>
  expected ?? "the public address of the machine that runs Petstore";

/** The wizard of the first start. */
export const setup = {
  title: "Set up Petstore",
  steps: { account: "You", purpose: "Purpose", domain: "Address", end: "Ready" },
  stepOf: (step: number, all: number) => `Step ${step} of ${all}`,
  gone: {
    missing: "This page needs a setup link",
    bad: "This setup link is not good any more",
    missingText:
      "The link is shown on the terminal at the first start. It ends in a long word after a #: open it whole.",
    badText:
      "A link is good once, for 30 minutes, and only as long as no newer one was made. Nothing was changed.",
    how: "Whoever can reach the data directory makes another one:",
    command: "the command",
    signIn: "Sign in instead",
  },
  unsafe: {
    title: "Open this page over HTTPS, or on the computer itself",
    text: "What you type here would cross the network for anybody to read. Signing in works over HTTPS, and over plain HTTP only on the computer that runs Petstore.",
    how: "Without a browser there, an operator's token can be had by a command:",
    command: "the command",
  },
  account: {
    title: "Welcome. Who are you?",
    about: "You become the operator: you can do everything, for all accounts.",
    goodFor: (time: string) => `The link is good until ${time}.`,
    email: "E-mail address",
    emailHint: "You sign in with it. Nothing is sent there.",
    name: "Your name",
    nameHint: "Written where it says who did something.",
    password: "Password",
    action: "Continue",
    exists: "Somebody has this address already. Sign in, or take another one.",
    emailBad: "That is no e-mail address.",
  },
  purpose: {
    title: "What is it for?",
    about: "You can do the others later, as often as you like.",
    label: "Begin with",
    sample: "Try it with a sample shelter",
    sampleHint:
      "Twelve animals with pictures, and a site that shows them. Delete it whenever you like.",
    shelter: "My shelter",
    shelterHint: "An account for your animals, and a site for them from the start.",
    embed: "I embed the API",
    embedHint: "An account and a key. No site; that can come later.",
    shelterName: "Name of the shelter",
    embedName: "Name of the account",
    plan: "Plan",
    planHint: "It decides how many requests programs may send. You can change it at any time.",
    planOf: (name: string, perMinute: string, perDay: string) =>
      `${name}: ${perMinute} a minute, ${perDay} a day`,
    action: "Continue",
  },
  domain: {
    title: "Where is it reached?",
    about:
      "This page looks and advises. The address itself is an option of the program: it takes effect when you set it and start Petstore again.",
    label: "Reached at",
    local: "Just this computer",
    localHint: "To look around. You can give it a name at any time.",
    named: "A domain of mine",
    namedHint: "The dashboard, the API and every site lie below it.",
    name: "Domain",
    nameHint: "For example pets.shelter.org",
    look: "Look at it",
    again: "Looked again by itself every ten seconds",
    mistyped: "That is no domain. Enter the name alone, as pets.shelter.org.",
    checks: "What we found",
    records: "Records to add where the DNS of the domain is managed",
    columns: { type: "Type", name: "Name", value: "Value", ttl: "TTL", state: "State" },
    openValue: "the public address of this machine",
    value: (name: string) => `the value for ${name}`,
    recordName: (name: string) => `the name ${name}`,
    configuration: "Options to set, then start Petstore again",
    configurationText: "As environment variables:",
    asFile: "As a configuration file, or on the command line",
    options: "the options",
    complete: (address: string) => `Everything is as it should be. Petstore is at ${address}.`,
    almost: (address: string) =>
      `The name is ready. Set the options and start Petstore again: then it is at ${address}.`,
    faults: (count: number) =>
      plural(count, {
        one: "One thing is still to be done.",
        other: `${count} things are still to be done.`,
      }),
    localOnly: "Petstore stays on this computer. Nothing has to be changed.",
    finish: "Finish",
    later: "Do this later",
    states: {
      ok: "In order",
      warning: "Worth a look",
      failed: "To be done",
      skipped: "Not looked at",
    },
    titles: {
      name: "The name",
      address: "The domain itself",
      staging: "Staging",
      wildcard: "The sites",
      targets: "Where custom domains lead",
      http: "Port 80",
      https: "Port 443",
      caa: "Certificates",
    },
    codes: {
      right: ({ observed }: Told) =>
        observed === null ? "As it should be." : `Found: ${observed}`,
      this_computer: () => "Just this computer: there is nothing to look at.",
      ip_address: () =>
        "An address has no subdomains, and nobody issues certificates for it. Take a domain.",
      special_use: ({ subject }: Told) =>
        `${subject} is in no public DNS. Take a domain that was registered.`,
      public_suffix: ({ subject }: Told) =>
        `${subject} is the registry's own. Take a domain below it.`,
      no_record: ({ subject, expected, port }: Told) =>
        port === ""
          ? `There is no record for ${subject} yet. Add one that leads to ${here(expected)}.`
          : "Not looked at yet: the domain has no address.",
      elsewhere: ({ subject, observed, expected }: Told) =>
        `${subject} leads to ${observed ?? "somebody else"}. Let it lead to ${here(expected)}.`,
      partly_elsewhere: ({ subject, observed, expected }: Told) =>
        `${subject} leads to ${observed ?? "several"}. Keep only what leads to ${here(expected)}.`,
      dns_silent: () => "The DNS could not be asked right now. We look again.",
      no_public_address: ({ observed }: Told) =>
        `${observed ?? "That address"} is reached in your own network alone. Visitors need a public one.`,
      somebody_else: ({ port, observed }: Told) =>
        `Another server answers on port ${port} (${observed ?? "?"}). Lead the port to Petstore.`,
      refused: ({ port }: Told) =>
        `Nobody listens on port ${port} there. Let Petstore listen on it, or let the router pass it on.`,
      timeout: ({ port }: Told) =>
        `Port ${port} does not answer. Open it in the firewall and in the router.`,
      circle: () => "A proxy redirects in a circle. Let it reach Petstore by HTTPS.",
      open: () =>
        "The port is open. The certificate is ordered by itself once the name is the base domain.",
      https_off: () =>
        "HTTPS is not set up yet. Set listen-https, or let a proxy do it and name it in trusted-proxies.",
      ca_forbidden: ({ observed }: Told) =>
        `A CAA record keeps the certificate authority away: ${observed ?? "see your DNS"}.`,
      ca_unasked: () => "Whether a certificate may be issued could not be asked. We look again.",
      not_needed: () => "Nobody has to be asked for certificates.",
    },
  },
  end: {
    title: "Petstore is ready",
    site: "Your site",
    siteText: (name: string) => `${name} can be visited:`,
    sampleSite: "Reserve an animal in the dashboard, and reload the site: it shows at once.",
    open: "Open the site",
    api: "The API",
    listText: "Paste this into a terminal. It lists animals of Staging, with a key for 24 hours:",
    addText: "Paste this into a terminal. It adds an animal to Staging, with a key for 24 hours:",
    line: "the command",
    keyName: "First steps",
    next: "What next?",
    overview: "Look at the overview",
    animals: "Add your animals",
    domain: "Give the site a domain of its own",
    reference: "Try the API in the reference",
    embed: "Mount Petstore in your own server",
  },
};

export type SetupWords = typeof setup;
