import type { CaaRequest } from "../caa.ts";
import type { WantedRecord } from "../finding-facts.ts";
import { isAtOrBelow } from "../hostname.ts";
import type { OwnershipFacts } from "../ownership.ts";
import { providerFacts, providerOf, type ProviderId } from "../provider.ts";
import type { Survey } from "../survey.ts";
import { parseAddress } from "../../../lib/model/client-address.ts";
import { recordsOf, type Answer } from "../answer.ts";

/** What is known of a domain besides its DNS. */
export interface DomainFacts {
  /** What its owner bought from a registry. */
  readonly registrable: string;
  /** Public addresses of this service, as its operator named them; may be empty. */
  readonly edgeAddresses: readonly string[];
  readonly ownership: OwnershipFacts;
  /** Those who may be asked for the certificate, the first one preferred. */
  readonly issuers: readonly Issuer[];
  /** True: asked through the proxy that hides the domain, this service was seen to answer. Default: nobody looked. */
  readonly answersBehindProxy?: boolean;
  /** What people are shown as the value of the routing record. Default: the target of the survey. */
  readonly shownTarget?: string;
}

export interface Issuer {
  readonly id: string;
  /** What CAA records are held against; absent for one that they do not bind. */
  readonly caa?: CaaRequest;
}

/** A survey with what it is measured by, and how its records are to be entered. */
export interface Subject {
  readonly survey: Survey;
  readonly facts: DomainFacts;
  /** The zone that records are entered into, as far as is known. */
  readonly zone: string;
  readonly provider: ProviderId | undefined;
  /** The name is the head of its zone. */
  readonly apex: boolean;
  readonly ours: OurAddresses;
  /** The record that leads here: CNAME, or ALIAS at the head of a zone. */
  readonly alias: WantedRecord;
  /** Addresses that do the same at the head of a zone; empty when the operator named none. */
  readonly addresses: readonly WantedRecord[];
  readonly ownership: WantedRecord;
}

export function subjectOf(survey: Survey, facts: DomainFacts): Subject {
  const { hostname, target, ownershipName } = survey;
  const found = survey.zone.kind === "found" ? survey.zone.zone : undefined;
  const zone = found?.apex ?? facts.registrable;
  const provider = providerOf(found?.nameServers ?? []);
  // A registered name is the head of a zone wherever there is one; by labels only when there is none to be seen.
  const apex = found === undefined ? hostname === facts.registrable : survey.apex;
  const wanted = (type: WantedRecord["type"], fqdn: string, value: string): WantedRecord => ({
    type,
    name: nameIn(zone, fqdn),
    fqdn,
    value,
    zone,
    ...(provider !== undefined && { provider }),
  });
  const addresses = apex ? facts.edgeAddresses : [];
  return {
    survey,
    facts,
    zone,
    provider,
    apex,
    ours: ourAddresses(survey, facts.edgeAddresses),
    alias: wanted(apex ? "ALIAS" : "CNAME", hostname, facts.shownTarget ?? target),
    addresses: addresses.map((address) =>
      wanted(address.includes(":") ? "AAAA" : "A", hostname, address),
    ),
    ownership: wanted("TXT", ownershipName, facts.ownership.value),
  };
}

/** The type of record that leads on at the head of a zone, as the provider calls it; undefined when not known. */
export function aliasType({ provider }: Subject): string | undefined {
  return provider === undefined ? undefined : providerFacts(provider).apexType;
}

/** The name is the head of its zone, and the provider is known to have no such type. */
export function lacksAlias(subject: Subject): boolean {
  return subject.apex && aliasType(subject) === "none";
}

/** What is entered as the name of a record: without the zone, `@` for the zone itself. */
export function nameIn(zone: string, fqdn: string): string {
  if (fqdn === zone) return "@";
  return isAtOrBelow(fqdn, zone) ? fqdn.slice(0, -zone.length - 1) : fqdn;
}

/** The addresses by which this service is reached. */
export interface OurAddresses {
  has(address: string): boolean;
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  /** Whether other addresses of that kind can be said not to be ours: our target was heard of. */
  readonly aKnown: boolean;
  readonly aaaaKnown: boolean;
  /** All who could be asked say that our target has no address. */
  readonly dangling: boolean;
}

/**
 * What our target leads to, from everywhere it was asked, and what the operator named: providers look it up from
 * elsewhere than we do and may see another part of it.
 */
function ourAddresses(survey: Survey, edgeAddresses: readonly string[]): OurAddresses {
  const { resolvers } = survey;
  const ofA = [survey.targetA, ...resolvers.map(({ targetA }) => targetA)];
  const ofAaaa = [survey.targetAaaa, ...resolvers.map(({ targetAaaa }) => targetAaaa)];
  const [aKnown, aaaaKnown] = [ofA.some(isKnown), ofAaaa.some(isKnown)];
  const [a, aaaa] = [ofA.flatMap(recordsOf), ofAaaa.flatMap(recordsOf)];
  const edgeA = edgeAddresses.filter((address) => !address.includes(":"));
  const edgeAaaa = edgeAddresses.filter((address) => address.includes(":"));
  const keys = new Set([...a, ...aaaa, ...edgeAddresses].map(addressKey));
  return {
    has: (address) => keys.has(addressKey(address)),
    a: [...new Set([...a, ...edgeA])],
    aaaa: [...new Set([...aaaa, ...edgeAaaa])],
    aKnown,
    aaaaKnown,
    dangling: aKnown && aaaaKnown && a.length === 0 && aaaa.length === 0,
  };
}

/** The same for every way to write an address; what is none stays itself. */
export function addressKey(address: string): string {
  return parseAddress(address)?.join(".") ?? address;
}

function isKnown(answer: Answer<string>): boolean {
  return answer.kind !== "unknown";
}
