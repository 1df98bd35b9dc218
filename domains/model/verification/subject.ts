import type { CaaRequest } from "../caa.ts";
import type { WantedRecord } from "../finding-facts.ts";
import { isAtOrBelow } from "../hostname.ts";
import type { OwnershipFacts } from "../ownership.ts";
import { providerFacts, providerOf, type ProviderId } from "../provider.ts";
import type { Survey } from "../survey.ts";
import { parseAddress } from "../../../lib/model/client-address.ts";
import { recordsOf, type Answer } from "../answer.ts";

/** The facts of a domain outside its DNS. */
export interface DomainFacts {
  /** The registered domain. */
  readonly registrable: string;
  /** Public addresses of this service from the options; may be empty. */
  readonly edgeAddresses: readonly string[];
  readonly ownership: OwnershipFacts;
  /** Issuers for the certificate, preferred first. */
  readonly issuers: readonly Issuer[];
  /** A request through the proxy reached this service. Default: not checked. */
  readonly answersBehindProxy?: boolean;
  /** The value of the routing record that is shown to the owner. Default: the survey's target. */
  readonly shownTarget?: string;
}

/** The issuer of a certificate that is wanted. */
export interface Issuer {
  readonly id: string;
  /** What CAA records are evaluated for; absent if the issuer is not subject to CAA. */
  readonly caa?: CaaRequest;
}

/** A survey with the facts it is judged by and the records to enter. */
export interface Subject {
  readonly survey: Survey;
  readonly facts: DomainFacts;
  /** The zone for the records, as far as known. */
  readonly zone: string;
  readonly provider: ProviderId | undefined;
  /** The name is the zone apex. */
  readonly apex: boolean;
  readonly ours: OurAddresses;
  /** The record that points here: CNAME, or ALIAS at a zone apex. */
  readonly alias: WantedRecord;
  /** Address records that do the same at a zone apex; empty if the options name no addresses. */
  readonly addresses: readonly WantedRecord[];
  readonly ownership: WantedRecord;
}

export function subjectOf(survey: Survey, facts: DomainFacts): Subject {
  const { hostname, target, ownershipName } = survey;
  const found = survey.zone.kind === "found" ? survey.zone.zone : undefined;
  const zone = found?.apex ?? facts.registrable;
  const provider = providerOf(found?.nameServers ?? []);
  // Without a known zone, the registered domain is assumed to be its apex.
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

/** Returns the provider's record type for an alias at the zone apex; undefined if unknown. */
export function aliasType({ provider }: Subject): string | undefined {
  return provider === undefined ? undefined : providerFacts(provider).apexType;
}

/** Whether the name is a zone apex at a provider without such a type. */
export function lacksAlias(subject: Subject): boolean {
  return subject.apex && aliasType(subject) === "none";
}

/** Returns a record's name relative to the zone; `@` for the zone itself. */
export function nameIn(zone: string, fqdn: string): string {
  if (fqdn === zone) return "@";
  return isAtOrBelow(fqdn, zone) ? fqdn.slice(0, -zone.length - 1) : fqdn;
}

/** The addresses of this service. */
export interface OurAddresses {
  has(address: string): boolean;
  readonly a: readonly string[];
  readonly aaaa: readonly string[];
  /** Our addresses of that IP version are known, so other addresses are foreign. */
  readonly aKnown: boolean;
  readonly aaaaKnown: boolean;
  /** All known answers say that our target has no address. */
  readonly dangling: boolean;
}

/**
 * Collects our addresses from all answers about our target and from the options, because DNS providers may see
 * other ones than we do.
 */
function ourAddresses(survey: Survey, edgeAddresses: readonly string[]): OurAddresses {
  const { resolvers } = survey;
  const ofA = [survey.targetA, ...resolvers.map(({ targetA }) => targetA)];
  const ofAaaa = [survey.targetAaaa, ...resolvers.map(({ targetAaaa }) => targetAaaa)];
  return addressesFrom({ ofA, ofAaaa }, edgeAddresses);
}

/** Collects our addresses from answers about our target and from the options. */
export function addressesFrom(
  {
    ofA,
    ofAaaa,
  }: { readonly ofA: readonly Answer<string>[]; readonly ofAaaa: readonly Answer<string>[] },
  edgeAddresses: readonly string[],
): OurAddresses {
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

/** Returns the same key for every notation of an address; texts that are not addresses stay unchanged. */
export function addressKey(address: string): string {
  return parseAddress(address)?.join(".") ?? address;
}

function isKnown(answer: Answer<string>): boolean {
  return answer.kind !== "unknown";
}
