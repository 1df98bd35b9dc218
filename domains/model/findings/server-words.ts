import { readableSecond } from "../../../lib/base/readable.ts";
import { clipped, explained, listed, unansweredText } from "./text.ts";
import { isInternal } from "../survey.ts";
import type { BrokenServer, FactsOf, Wording } from "../finding-facts.ts";

type ServerCode =
  | "caa_error"
  | "delegation_broken"
  | "dns_unreachable"
  | "dnssec_bogus"
  | "dnssec_unchecked"
  | "lame_server"
  | "not_delegated"
  | "ns_disagree"
  | "propagating"
  | "resolver_unreachable"
  | "servfail";

/** Names the silent server, and says what to do if its silence lasts. */
const ASKED: Readonly<
  Record<
    NonNullable<FactsOf<"dns_unreachable">["whose"]> | "itself",
    (name: string) => { readonly silent: string; readonly persisting?: string }
  >
> = {
  itself: (name) => ({ silent: name, persisting: `ask the DNS provider about ${name}` }),
  above: (name) => ({ silent: `The name servers above ${name}` }),
  of: (name) => ({ silent: `The server of ${name}` }),
  resolver: (name) => ({
    silent: `When asked about ${name}, the resolver of this service`,
    persisting: "tell the operator of this service",
  }),
};

const RETRIED =
  "Nothing to change: this does not mean that a record is wrong. Checks continue automatically.";

/** Texts about name servers and resolvers. */
export const serverWords: Wording<ServerCode> = {
  not_delegated: ({ registrable }) => ({
    observed: `${registrable} has no name servers in the DNS.`,
    expected: `${registrable} is registered and has name servers.`,
    fix: `Check the spelling of ${registrable}. If it is correct, check with your registrar that the domain is paid for and has name servers.`,
  }),
  delegation_broken: ({ zone, atRegistrar, servers }) => ({
    observed: `${atRegistrar ? "Your registrar" : `The zone above ${zone}`} lists ${listed(servers.map(({ name }) => name))} for ${zone}. ${
      servers.length === 1 ? "This name server does not serve" : "None of these name servers serves"
    } the zone: ${listed(servers.map(silenceOf))}.`,
    expected: `Every listed name server serves ${zone}.`,
    fix: `${placeOf(zone, atRegistrar)}, set the name servers that your DNS provider gives for ${zone}. If they are already set, create the zone ${zone} at the DNS provider. If the DNS provider reports an outage, wait: checks continue automatically.`,
  }),
  resolver_unreachable: ({ hostname }) => ({
    observed: `DNS queries from this service get no answer, so nothing is known about ${hostname}.`,
    expected: "An answer from the resolver that the operator of this service has configured.",
    fix: "Nothing to change: your records and name servers are not the cause. If this persists, tell the operator of this service.",
  }),
  dnssec_unchecked: ({ zone }) => ({
    observed: `The zone ${zone} is signed, and no resolver of this service checks signatures. If they are invalid, most visitors and every certificate authority get no answer.`,
    expected: "Valid signatures, checked by this service as well.",
    fix: "Nothing to change: the certificate authority checks the signatures itself. If it reports a DNSSEC problem, your DNS provider has to correct the signatures. The operator of this service can set a resolver that validates.",
  }),
  ns_disagree: ({ fqdn, type, values, behind, ahead }) => ({
    observed: `${listed(ahead)} ${have(ahead)} the new ${type} record of ${fqdn}; ${listed(behind)} still ${
      values.length === 0 ? `${have(behind)} none` : `${returns(behind)} ${listed(values)}`
    }.`,
    expected: "The same answer from all name servers of the domain.",
    fix: `Wait a few minutes until the servers have copied the change. If this persists for an hour, ask the DNS provider why ${listed(behind)} ${behind.length === 1 ? "is" : "are"} behind.`,
  }),
  propagating: ({ type, stale, until }) => ({
    observed: stale
      .map(({ vantage, values, until: expiresAt }) => {
        const old = values.length === 0 ? "the answer that there is no record" : listed(values);
        const cached = type === undefined ? old : `the old ${type} records (${old})`;
        return `${isInternal(vantage) ? "A resolver of this service" : `The resolver ${clipped(vantage)}`} has ${cached} cached until ${readableSecond(expiresAt)}.`;
      })
      .join(" "),
    expected:
      type === undefined
        ? "The new record, as the name servers of the domain have it."
        : `The new ${type} records, as the name servers of the domain have them.`,
    fix: `Nothing to change. The last old answer expires on ${readableSecond(until)}. The certificate does not wait for it: certificate authorities query the name servers.`,
  }),
  lame_server: ({ zone, atRegistrar, servers }) => ({
    observed: `Not every name server that is listed for ${zone} serves the zone: ${listed(servers.map(silenceOf))}. Lookups that are sent there fail or take longer.`,
    expected: `Every listed name server serves ${zone}.`,
    fix: `${placeOf(zone, atRegistrar)} and in the NS records of the zone, remove ${listed(servers.map(({ name }) => name))}, or ask the DNS provider why ${zone} is missing there.`,
  }),
  dns_unreachable: ({ name, whose, reason, explanation }) => {
    const { silent, persisting } = ASKED[whose ?? "itself"](clipped(name));
    return {
      observed: `${silent} ${unansweredText(reason)}${explained(explanation)}.`,
      expected: "An answer.",
      fix: persisting === undefined ? RETRIED : `${RETRIED} If this persists, ${persisting}.`,
    };
  },
  servfail: ({ name, explanation }) => ({
    observed: `A name server reported a failure when asked about ${clipped(name)}${explained(explanation)}.`,
    expected: "An answer.",
    fix: `${RETRIED} If this persists, ask the DNS provider why its servers fail for ${clipped(name)}.`,
  }),
  dnssec_bogus: ({ zone, explanation }) => ({
    observed: `The DNSSEC signatures of ${zone} are not valid${explained(explanation)}. Resolvers that check signatures, including those of certificate authorities, get no answer.`,
    expected: "Valid signatures, or no signatures and no DS record at the registrar.",
    fix: `If the DNS of ${zone} was moved to another provider, delete the old DS record at the registrar (often listed as DNSSEC). Otherwise ask the DNS provider to sign the zone again.`,
  }),
  caa_error: ({ name, reason, explanation }) => ({
    observed: `When asked for the CAA records of ${clipped(name)}, the server ${unansweredText(reason)}${explained(explanation)}.`,
    expected: "An answer, even if there are no CAA records. Without one, no certificate is issued.",
    fix:
      reason === "cname_loop" || reason === "cname_too_long"
        ? `Correct the CNAME records of ${clipped(name)}: certificate authorities follow them to look for CAA records.`
        : `${RETRIED} If this persists, ask the DNS provider of ${clipped(name)} why its servers do not answer queries for CAA records.`,
  }),
};

function silenceOf({ name, reason }: BrokenServer): string {
  return `${name} ${unansweredText(reason)}`;
}

/** Where the name servers of a zone are set. */
function placeOf(zone: string, atRegistrar: boolean): string {
  return atRegistrar ? "At your registrar" : `Where the DNS above ${zone} is managed`;
}

function have(names: readonly string[]): string {
  return names.length === 1 ? "has" : "have";
}

function returns(names: readonly string[]): string {
  return names.length === 1 ? "returns" : "return";
}
