import { number, plural } from "../format.ts";

/** What the page of the system says; checks come from the service, in English. */
export const system = {
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
