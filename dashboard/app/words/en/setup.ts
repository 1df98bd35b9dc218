import { plural } from "../format.ts";

/** The part of a base-domain check that the text needs. */
interface CheckFacts {
  readonly subject: string;
  readonly observed: string | null;
  readonly expected: string | null;
  readonly port: string;
}

const here = (expected: string | null): string =>
  expected ?? "the public address of the machine that runs Petstore";

/** The setup wizard. */
export const setup = {
  title: "Set up Petstore",
  steps: { account: "You", purpose: "Purpose", domain: "Address", end: "Finish" },
  stepOf: (step: number, all: number) => `Step ${step} of ${all}`,
  noLink: {
    title: "This page needs a setup link",
    about:
      "Petstore prints the link in the terminal at its first start. Open the whole link, including the part after the #.",
    how: "Anyone with access to the data directory can create a new link, with the server's --data-dir if it has one:",
    what: "the command",
  },
  usedLink: {
    title: "This setup link is no longer valid",
    about:
      "A setup link works once, for 30 minutes, and only until a newer one is created. Nothing was changed.",
    how: "Anyone with access to the data directory can create a new link, with the server's --data-dir if it has one:",
    what: "the command",
  },
  signIn: "Sign in instead",
  unsafe: {
    title: "Open this page over HTTPS or on the server itself",
    about: "Over plain HTTP, your password would cross the network unencrypted.",
    how: "If that computer has no browser, create an operator token with a command:",
    what: "the command",
  },
  account: {
    title: "Create your sign-in",
    about: "You will be the operator, who manages all accounts.",
    goodFor: (time: string) => `The link expires on ${time}.`,
    email: "Email address",
    emailHint: "You sign in with this address.",
    name: "Your name",
    nameHint: "Shown next to what you change.",
    password: "Password",
    action: "Continue",
    exists: "This address is taken. Sign in, or use another one.",
    emailBad: "Enter a valid email address.",
  },
  purpose: {
    title: "What would you like to do?",
    about: "You can set up the rest later.",
    label: "Start with",
    sample: "A sample shelter",
    sampleHint:
      "Twelve animals with pictures, and a site that shows them. You can delete them at any time.",
    shelter: "My shelter",
    shelterHint: "An account for your animals, and a site that shows them.",
    embed: "The API",
    embedHint: "An account and an API key. You can add a site later.",
    shelterName: "Shelter name",
    embedName: "Account name",
    language: "Language of the shelter",
    languageHint: "The language of your site and of the first categories. You can change it later.",
    plan: "Plan",
    planHint: "Sets the request limits. You can change it at any time.",
    planOf: (name: string, perMinute: string, perDay: string) =>
      `${name} (${perMinute} per minute, ${perDay} per day)`,
    action: "Continue",
  },
  domain: {
    title: "Where will it live?",
    about:
      "This page only checks your domain. To use it, set the options that this page shows and restart Petstore.",
    running: "Petstore already runs here. These checks confirm it.",
    label: "Address",
    local: "This computer only",
    localHint: "For trying out Petstore. You can add a domain at any time.",
    named: "My own domain",
    namedHint: "The dashboard, the API and all sites are served under it.",
    name: "Domain",
    nameHint: "For example pets.shelter.org",
    look: "Check domain",
    again: "Checks every 10 seconds",
    mistyped: "Enter only a domain, such as pets.shelter.org.",
    checks: "Checks",
    records: "Records to add at your DNS provider",
    columns: { type: "Type", name: "Name", value: "Value", ttl: "TTL", state: "Status" },
    openValue: "the public address of this machine",
    value: (name: string) => `the value for ${name}`,
    recordName: (name: string) => `the name ${name}`,
    configuration: "Options to set before you restart Petstore",
    configurationText: "As environment variables:",
    asFile: "As a configuration file or on the command line",
    options: "the options",
    complete: (address: string) => `No errors found. Petstore is running at ${address}.`,
    almost: (address: string) =>
      `No errors found. Set the options and restart Petstore to use ${address}.`,
    faults: (count: number) =>
      plural(count, {
        one: "One check failed.",
        other: `${count} checks failed.`,
      }),
    unchecked: "DNS did not respond, so nothing could be checked. We will check again.",
    localOnly: "Petstore stays on this computer. There is nothing to set up.",
    finish: "Finish setup",
    later: "Do this later",
    recordStates: {
      right: "Found",
      missing: "Missing",
      wrong: "Different value",
      unknown: "Unknown",
    },
    states: {
      ok: "Passed",
      warning: "Warning",
      failed: "Failed",
      skipped: "Skipped",
    },
    titles: {
      name: "Name",
      address: "Domain",
      staging: "Staging",
      wildcard: "Sites",
      targets: "Custom domain target",
      http: "Port 80",
      https: "Port 443",
      caa: "Certificates",
    },
    codes: {
      right: ({ observed }: CheckFacts) =>
        observed === null ? "Allowed." : `Points to ${observed}`,
      this_computer: () => "This computer only: nothing to check.",
      ip_address: () => "An IP address has no subdomains and gets no certificates. Use a domain.",
      special_use: ({ subject }: CheckFacts) =>
        `${subject} is not in the public DNS. Use a registered domain.`,
      public_suffix: ({ subject }: CheckFacts) =>
        `${subject} belongs to a registry. Use a domain below it.`,
      no_record: ({ subject, expected, port }: CheckFacts) =>
        port === ""
          ? `${subject} has no record yet. Add one that points to ${here(expected)}.`
          : "Not checked: the domain has no address yet.",
      elsewhere: ({ subject, observed, expected }: CheckFacts) =>
        `${subject} points to ${observed ?? "another server"}. Point it to ${here(expected)}.`,
      partly_elsewhere: ({ subject, observed, expected }: CheckFacts) =>
        `${subject} points to ${observed ?? "several addresses"}. Keep only ${here(expected)}.`,
      dns_silent: () => "DNS did not respond. We will check again.",
      no_public_address: ({ observed }: CheckFacts) =>
        `${observed ?? "This address"} works only in your own network. Visitors need a public address.`,
      somebody_else: ({ port, observed }: CheckFacts) =>
        `Another server answers on port ${port} (${observed ?? "?"}). Forward the port to Petstore.`,
      refused: ({ port }: CheckFacts) =>
        `Nothing is listening on port ${port}. Let Petstore listen on it, or forward it on your router.`,
      timeout: ({ port }: CheckFacts) =>
        `Port ${port} does not answer. Open it in your firewall and router.`,
      circle: () => "A proxy redirects in a loop. Configure it to connect to Petstore over HTTPS.",
      open: () => "The port is open. Petstore orders the certificate once this is the base domain.",
      https_off: () =>
        "HTTPS is not set up. Set listen-https, or use an HTTPS proxy and add it to trusted-proxies.",
      ca_forbidden: ({ observed }: CheckFacts) =>
        `A CAA record forbids the certificate: ${observed ?? "see your DNS"}.`,
      ca_unasked: () => "We could not read the CAA records. We will check again.",
      not_needed: () => "No public CA needed.",
    },
  },
  end: {
    title: "Petstore is ready",
    site: "Your site",
    siteText: (name: string) => `${name} is online:`,
    sampleSite: "Set an animal to Reserved in the dashboard and reload the site to see the change.",
    open: "Open site",
    api: "The API",
    listText:
      "Paste this into a terminal. It lists animals in Staging with a key that expires in 24 hours:",
    addText:
      "Paste this into a terminal. It adds an animal to Staging with a key that expires in 24 hours:",
    line: "the command",
    keyName: "First steps",
    next: "Next steps",
    overview: "Show overview",
    animals: "Add your animals",
    import: "Import your animals",
    domain: "Add a custom domain",
    reference: "Try the API in the reference",
    embed: "Mount Petstore in your own server",
  },
};

export type SetupWords = typeof setup;
