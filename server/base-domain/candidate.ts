import type { BaseDomainNames } from "../../domains/index.ts";
import { type Settings, options } from "../../settings/options.ts";
import { environmentName } from "../../settings/option.ts";
import { isLocal } from "../../settings/domain-names.ts";
import { cnameTarget, sitesDomain } from "../../settings/public-address.ts";
import { isIPv6 } from "node:net";
import type {
  BaseDomainCheckId,
  BaseDomainOption,
  BaseDomainRecord,
} from "../../lib/management/index.ts";

/** A name that may become the base domain, and what follows from it. */
export interface Candidate {
  /** A domain in A-labels, or an IP address. */
  readonly name: string;
  /** Whether it is the current base domain. */
  readonly present: boolean;
  /** Whether it has no DNS: `localhost`, or an IP address. */
  readonly local: boolean;
  /** Names to check. */
  readonly names: BaseDomainNames;
  /** The same names as they appear in a zone, with the wildcard's star. */
  readonly shown: BaseDomainNames;
  /** Known public addresses of the service. */
  readonly addresses: readonly string[];
  /** Source of the addresses. */
  readonly source: "options" | "machine" | "none";
  /** Whether the machine has none of the addresses, because it is behind a router or a proxy. */
  readonly behindRouter: boolean;
  /** Whether the service, or a trusted proxy, serves HTTPS. */
  readonly secure: boolean;
}

/** A label without a record of its own, to detect wildcard records. */
export const WILDCARD_PROBE = "petstore-wildcard-probe";

/** `machine` lists the public addresses of this machine. */
export function candidate(name: string, settings: Settings, machine: readonly string[]): Candidate {
  const { edgeAddresses, listenHttps, trustedProxies } = settings;
  const proposed = { ...settings, baseDomain: name };
  const [sites, targets] = [sitesDomain(proposed), cnameTarget(proposed)];
  const addresses = edgeAddresses.length > 0 ? edgeAddresses : machine;
  const staging = `staging.${name}`;
  return {
    name,
    present: name === settings.baseDomain,
    local: isLocal(name),
    names: {
      address: name,
      staging,
      wildcard: `${WILDCARD_PROBE}.${sites}`,
      targets: `${WILDCARD_PROBE}.${targets}`,
    },
    shown: { address: name, staging, wildcard: `*.${sites}`, targets: `*.${targets}` },
    addresses,
    source: edgeAddresses.length > 0 ? "options" : machine.length > 0 ? "machine" : "none",
    behindRouter: !addresses.some((address) => machine.includes(address)),
    secure: listenHttps !== "off" || trustedProxies.length > 0,
  };
}

const TTL_SECONDS = 3_600;

/** Returns the DNS records that the name needs; none for a local name. */
export function recordsFor(proposed: Candidate): readonly BaseDomainRecord[] {
  const { local, shown, addresses } = proposed;
  if (local) return [];
  const names: readonly (readonly [BaseDomainCheckId, string])[] = [
    ["address", shown.address],
    // A wildcard for the same domain covers Staging.
    ...(shown.wildcard === `*.${shown.address}` ? [] : [["staging", shown.staging] as const]),
    ["wildcard", shown.wildcard],
    ["targets", shown.targets],
  ];
  return names.flatMap(([check, name]) =>
    (addresses.length === 0 ? [null] : addresses).map((value): BaseDomainRecord => ({
      type: value !== null && isIPv6(value) ? "AAAA" : "A",
      name,
      value,
      ttl: TTL_SECONDS,
      check,
    })),
  );
}

/** Returns the options to change for the name. */
export function optionsFor(proposed: Candidate, settings: Settings): readonly BaseDomainOption[] {
  const { name, present, local, secure, source, addresses } = proposed;
  const { listen, publicHttpPort } = settings;
  const needed: [keyof Settings, string][] = [];
  if (!present) needed.push(["baseDomain", name]);
  if (!local && !secure) {
    if (listen.port !== HTTP_PORT && publicHttpPort !== HTTP_PORT) needed.push(["listen", ":80"]);
    needed.push(["listenHttps", ":443"]);
  }
  if (!local && source === "machine") needed.push(["edgeAddresses", addresses.join(",")]);
  return needed.map(([key, value]) => {
    const option = options[key].name;
    return { name: option, environment: environmentName(option), value };
  });
}

const HTTP_PORT = 80;
