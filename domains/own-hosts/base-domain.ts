import { aPairOfPorts } from "../domains-options.ts";
import {
  aBoolean,
  aClock,
  aFunction,
  aRootKey,
  aText,
  checkOptions,
  having,
  listOf,
  optional,
} from "../../lib/base/options.ts";
import { SECOND_MS, type Clock } from "../../lib/base/clock.ts";
import { systemRandom, type Random } from "../../lib/base/id.ts";
import { lookupCaa } from "../dns/caa.ts";
import { firstKnown, type Resolvers } from "../dns/resolver.ts";
import type { ServerAddress } from "../dns/server-address.ts";
import { withTimeLimit, TIMED_OUT } from "../dns/gate.ts";
import { createVantages, type VantagesOptions } from "../dns/vantages.ts";
import { issuersOf } from "../acme/issuers.ts";
import { recordsOf } from "../model/answer.ts";
import { decidingCaa, type CaaLookup } from "../model/caa-lookup.ts";
import { caaPermission, type CaaPermission } from "../model/caa.ts";
import type { OutsideView } from "../model/outside.ts";
import { createOutsideCheck, type OutsideCheckOptions } from "../outside/outside-check.ts";
import { contactableAddresses } from "../outside/contactable-addresses.ts";
import { portOpen } from "../outside/pinned-get.ts";
import { createPresence } from "../outside/presence.ts";
import type { CertificateAuthority } from "../ports/authority.ts";
import { done, refused, type Result } from "../../lib/base/result.ts";
import { loadPublicSuffixes } from "../dns/public-suffixes.ts";
import { parseHostname, registrableOf } from "../model/hostname.ts";

/** The names that a service needs at its base domain. */
export interface BaseDomainNames {
  /** The domain itself. */
  readonly address: string;
  readonly staging: string;
  /** Any name below the domain of projects. */
  readonly wildcard: string;
  /** Any name in the zone of CNAME targets. */
  readonly targets: string;
}

/** The addresses of a name in the DNS. */
export type NameFacts =
  | { readonly kind: "found"; readonly addresses: readonly string[] }
  | { readonly kind: "none" }
  /** No resolver answered. */
  | { readonly kind: "unknown" };

/** What a check of a base domain found. */
export interface BaseDomainFacts {
  readonly names: { readonly [Name in keyof BaseDomainNames]: NameFacts };
  readonly http: OutsideView;
  /** `open`: accepts connections, but has no certificate for the name. Undefined: not checked. */
  readonly https: OutsideView | { readonly kind: "open" } | undefined;
  /** Whether one of the CAs may issue; undefined for the internal CA, which ignores CAA records. */
  readonly caa:
    | { readonly permission: CaaPermission; readonly records: readonly string[] }
    | undefined;
}

/** Checks the names of this service, in the DNS and from outside, for at most 15 seconds. Changes nothing. */
export type CheckBaseDomain = (names: BaseDomainNames, secure: boolean) => Promise<BaseDomainFacts>;

/** Options of the check of a base domain. */
export interface BaseDomainOptions {
  /** Recursive resolvers. */
  readonly resolvers: readonly [ServerAddress, ...ServerAddress[]];
  /** The encryption key of the service, by which it recognizes itself. A secret. */
  readonly encryptionKey: Uint8Array;
  /** Returns the CAs, preferred first; none if the service orders no certificates. Called for each check. */
  readonly authorities: () => Promise<readonly CertificateAuthority[]>;
  /** Names of the first CA in CAA records, if it has none of its own. Default: those in its directory. */
  readonly caaIdentities?: readonly string[] | undefined;
  /** `systemClock`, or a clock of your own. */
  readonly clock: Clock;
  /** Fills an array with random bytes. Default: Web Crypto. */
  readonly random?: Random | undefined;
  /** Default false. */
  readonly allowPrivateNetworks?: boolean | undefined;
  /** Default 80 and 443. */
  readonly publicPorts?: NonNullable<OutsideCheckOptions["ports"]> | undefined;
  /** Port of the name server at an address. Default: 53. For tests. */
  readonly portOf?: VantagesOptions["portOf"] | undefined;
}

const DNS_MS = 5 * SECOND_MS;
const OUTSIDE_MS = 6 * SECOND_MS;
const OPEN_MS = 3 * SECOND_MS;

/**
 * Returns a check of a base domain: its name, DNS records, ports and certificates. Throws a `TypeError` for invalid
 * options.
 */
export function createBaseDomainCheck(options: BaseDomainOptions): CheckBaseDomain {
  checkOptions("createBaseDomainLook", options, {
    resolvers: listOf(having("resolvers with an address and a port", "address", "port"), 1),
    encryptionKey: aRootKey,
    authorities: aFunction,
    caaIdentities: optional(listOf(aText)),
    clock: aClock,
    random: optional(aFunction),
    allowPrivateNetworks: optional(aBoolean),
    publicPorts: optional(aPairOfPorts),
    portOf: optional(aFunction),
  });
  const { resolvers: servers, encryptionKey, caaIdentities, clock, portOf } = options;
  const { random = systemRandom, allowPrivateNetworks = false } = options;
  const { publicPorts: ports = { plain: 80, secure: 443 } } = options;
  const presence = createPresence(encryptionKey, random);
  const checkOutside = createOutsideCheck({ presence, clock, allowPrivateNetworks, ports });
  const { resolvers, authorities } = createVantages({
    ...{ servers, clock, random, allowPrivateNetworks },
    portOf,
  });

  const caaOf = async (name: string): Promise<BaseDomainFacts["caa"]> => {
    const cas = await options.authorities().catch(() => undefined);
    // Without the CA, its names in CAA records are unknown.
    if (cas === undefined) return UNKNOWN_CA;
    if (cas.length === 0) return undefined;
    const issuers = await issuersOf({
      authorities: cas,
      store: { accounts: { of: () => undefined } },
      challenges: ["http-01", "tls-alpn-01"],
      clock,
      caaIdentities,
    })();
    const requests = issuers.flatMap((issuer) => issuer.caa ?? []);
    if (requests.length < issuers.length) return undefined;
    const within = { deadlineAt: clock.now() + DNS_MS };
    const caa = decidingCaa(await lookupCaa(name, { resolvers, authorities, clock }, within));
    const permissions = requests.map((request) => caaPermission(caa, request));
    // One permitted CA suffices.
    const permission =
      permissions.find(({ kind }) => kind === "allowed") ??
      permissions.find(({ kind }) => kind === "unknown") ??
      permissions[0];
    return permission === undefined ? undefined : { permission, records: recordTexts(caa) };
  };

  const secureView = async (
    name: string,
    addresses: readonly string[],
  ): Promise<BaseDomainFacts["https"]> => {
    const { signal } = new AbortController();
    const request = { name, addresses, proxied: false, httpsOnly: true, withinMs: OUTSIDE_MS };
    const view = await checkOutside(request, signal);
    if (view.kind !== "refused") return view;
    const [address] = contactableAddresses(addresses, { allowPrivateNetworks });
    if (address === undefined) return view;
    const open = await withTimeLimit({ clock, ms: OPEN_MS }, (soon) =>
      portOpen(address, ports.secure, soon),
    );
    return open === true ? { kind: "open" } : open === TIMED_OUT ? { kind: "timeout" } : view;
  };

  const outside = async (name: string, { secure }: { readonly secure: boolean }) => {
    const facts = await addressesOf(resolvers, name, clock);
    const addresses = facts.kind === "found" ? facts.addresses : [];
    const { signal } = new AbortController();
    const [http, https] = await Promise.all([
      checkOutside({ name, addresses, proxied: false, withinMs: OUTSIDE_MS }, signal),
      secure ? secureView(name, addresses) : undefined,
    ]);
    return { facts, http, https };
  };

  return async ({ address, staging, wildcard, targets }, secure) => {
    const of = (name: string): Promise<NameFacts> => addressesOf(resolvers, name, clock);
    const [own, ofStaging, ofWildcard, ofTargets, caa] = await Promise.all([
      outside(address, { secure }),
      of(staging),
      of(wildcard),
      of(targets),
      caaOf(address),
    ]);
    const { facts, http, https } = own;
    const names = { address: facts, staging: ofStaging, wildcard: ofWildcard, targets: ofTargets };
    return { names, http, https, caa };
  };
}

const UNKNOWN_CA: BaseDomainFacts["caa"] = {
  permission: { kind: "unknown", silent: "issuer" },
  records: [],
};

async function addressesOf(resolvers: Resolvers, name: string, clock: Clock): Promise<NameFacts> {
  const within = { deadlineAt: clock.now() + DNS_MS };
  const answers = await Promise.all([
    firstKnown(resolvers, name, "A", within),
    firstKnown(resolvers, name, "AAAA", within),
  ]);
  const addresses = answers.flatMap(recordsOf);
  if (addresses.length > 0) return { kind: "found", addresses: addresses.slice(0, MOST_TOLD) };
  return answers.some(({ kind }) => kind === "unknown") ? { kind: "unknown" } : { kind: "none" };
}

/** The most CAA records that are shown: a zone may have hundreds. */
const MOST_TOLD = 16;

function recordTexts(caa: CaaLookup): readonly string[] {
  if (caa.kind !== "found") return [];
  return caa.records
    .slice(0, MOST_TOLD)
    .map(({ flags, tag, value }) => `${caa.at} CAA ${flags} ${tag} "${value.slice(0, 200)}"`);
}

/** A name in A-labels, if it has them, and why it cannot be a base domain. */
export interface OwnDomain {
  readonly name: string;
  /** It is not in the public DNS, or is a public suffix. Absent: it can be used. */
  readonly barred?: "special_use" | "public_suffix" | undefined;
}

/** Parses a base domain as a person enters it. The failure is a sentence. */
export async function readOwnDomain(
  input: string,
  { allowPrivate }: { readonly allowPrivate: boolean },
): Promise<Result<OwnDomain, string>> {
  const rules = { suffixes: await loadPublicSuffixes(), ownDomains: [], allowPrivate };
  const read = parseHostname(input, rules);
  if (read.ok) return done({ name: read.value.hostname });
  const { code, message } = read.failure;
  if (code !== "special_use" && code !== "public_suffix") return refused(message);
  return done({ name: input.trim().toLowerCase().replace(/\.$/, ""), barred: code });
}

/** Returns whether a page at a host can set cookies that the other host gets: for a domain above both (RFC 6265 §5.3). */
export async function shareCookies(one: string, other: string): Promise<boolean> {
  const suffixes = await loadPublicSuffixes();
  // Browsers refuse cookies for public suffixes, also for those that companies registered.
  const [here, there] = [one, other].map((name) => registrableOf(name, suffixes, "all"));
  return here !== undefined && here === there;
}
