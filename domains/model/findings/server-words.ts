import { clipped, explained, instant, listed, silence } from "./text.ts";
import type { Wording } from "../finding-facts.ts";

type ServerCode =
  | "caa_error"
  | "delegation_broken"
  | "dns_unreachable"
  | "dnssec_bogus"
  | "not_delegated"
  | "ns_disagree"
  | "propagating"
  | "resolver_unreachable"
  | "servfail";

const WHOSE = { above: "The name servers above ", of: "The server of " } as const;

const ASKING_AGAIN = "Nothing to change: this does not mean that a record is wrong. We ask again.";

/** What is said of name servers and resolvers. */
export const serverWords: Wording<ServerCode> = {
  not_delegated: ({ registrable }) => ({
    observed: `Nobody knows the domain ${registrable}: it has no name servers.`,
    expected: `${registrable} is registered, and name servers are set for it.`,
    fix: `Check the spelling of ${registrable}. If it is right, look at your registrar whether the domain is paid for and has name servers.`,
  }),
  delegation_broken: ({ zone, atRegistrar, servers }) => ({
    observed: `${atRegistrar ? "Your registrar" : `The zone above ${zone}`} lists ${listed(servers.map(({ name }) => name))} for ${zone}. ${
      servers.length === 1 ? "This name server does not serve" : "None of these name servers serves"
    } the zone: ${listed(servers.map(({ name, reason }) => `${name} ${silence(reason)}`))}.`,
    expected: `Every listed name server serves ${zone}.`,
    fix: `${
      atRegistrar ? "At your registrar" : `Where the DNS above ${zone} is managed`
    }, set the name servers that your DNS provider gives for ${zone}. If they are set already, create the zone ${zone} at the DNS provider. If the DNS provider reports an outage, wait: the check is repeated automatically.`,
  }),
  resolver_unreachable: ({ hostname }) => ({
    observed: `This service cannot ask the DNS at the moment, so nothing was learned about ${hostname}.`,
    expected: "An answer from the resolver that the operator of this service has set up.",
    fix: "Nothing to change: your records and name servers are not the cause. The check is repeated automatically. If this lasts, tell the operator of this service.",
  }),
  ns_disagree: ({ fqdn, type, values, behind, ahead }) => ({
    observed: `${listed(ahead)} ${have(ahead)} the new ${type} record of ${fqdn}; ${listed(behind)} still ${
      values.length === 0 ? `${have(behind)} none` : `${says(behind)} ${listed(values)}`
    }.`,
    expected: "All name servers of the domain say the same.",
    fix: `Wait a few minutes: the servers copy from each other. If it stays so for an hour, ask the DNS provider why ${listed(behind)} ${behind.length === 1 ? "is" : "are"} behind.`,
  }),
  propagating: ({ type, stale, until }) => ({
    observed: stale
      .map(({ vantage, values, until: expiresAt }) => {
        const old = values.length === 0 ? "the answer that there is no record" : listed(values);
        const cached = type === undefined ? old : `the old ${type} records (${old})`;
        return `The resolver ${clipped(vantage)} has ${cached} in its cache until ${instant(expiresAt)}.`;
      })
      .join(" "),
    expected:
      type === undefined
        ? "The new record, as the name servers of the domain have it."
        : `The new ${type} records, as the name servers of the domain have them.`,
    fix: `Nothing to change. The last old answer expires at ${instant(until)}. The certificate does not wait for it: certificate authorities ask the name servers.`,
  }),
  dns_unreachable: ({ name, whose, reason, explanation }) => ({
    observed: `${whose === undefined ? "" : WHOSE[whose]}${clipped(name)} ${silence(reason)}${explained(explanation)}.`,
    expected: "An answer.",
    fix: ASKING_AGAIN,
  }),
  servfail: ({ name, explanation }) => ({
    observed: `Asked about ${clipped(name)}, a server reported a failure of its own${explained(explanation)}.`,
    expected: "An answer.",
    fix: `${ASKING_AGAIN} If it stays so, ask the DNS provider why its servers fail for ${clipped(name)}.`,
  }),
  dnssec_bogus: ({ zone, explanation }) => ({
    observed: `${zone} is signed (DNSSEC), and its signatures do not fit${explained(explanation)}. Whoever checks them gets no answer, certificate authorities included.`,
    expected: "Valid signatures, or none and no DS record at the registrar.",
    fix: `If the DNS of ${zone} was moved to another provider, delete the old DS record at the registrar (often called DNSSEC). Else ask the DNS provider to sign the zone again.`,
  }),
  caa_error: ({ name, reason, explanation }) => ({
    observed: `Asked for the CAA records of ${clipped(name)}, the server ${silence(reason)}${explained(explanation)}.`,
    expected: "An answer, even if it is that there are none. No certificate is issued without.",
    fix: `${ASKING_AGAIN} If it stays so, ask the DNS provider of ${clipped(name)} why its servers do not answer questions for CAA records.`,
  }),
};

function have(names: readonly string[]): string {
  return names.length === 1 ? "has" : "have";
}

function says(names: readonly string[]): string {
  return names.length === 1 ? "says" : "say";
}
