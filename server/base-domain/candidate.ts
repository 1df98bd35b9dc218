import type { BaseDomainNames } from "../../domains/index.ts";
import { isLocal, type Settings, environmentName, options } from "../../settings/options.ts";
import { cnameTarget, sitesDomain } from "../../settings/public-address.ts";
import { isIPv6 } from "node:net";
import type { BaseDomainCheckId, BaseDomainOption, BaseDomainRecord } from "../../lib/management/index.ts";

/** A name that is to be the base domain, and what follows from it. */
export interface Candidate {
  /** In A-labels, or an address. */
  readonly name: string;
  /** It is the base domain already. */
  readonly present: boolean;
  /** There is no DNS for it: `localhost`, or an address. */
  readonly local: boolean;
  /** Names to be looked at. */
  readonly names: BaseDomainNames;
  /** How these stand in a zone, with the star of a wildcard. */
  readonly shown: BaseDomainNames;
  /** Public addresses of the service, as far as it knows them. */
  readonly addresses: readonly string[];
  /** Who told them: the options, or the machine; `nobody` where there are none. */
  readonly toldBy: "options" | "machine" | "nobody";
  /** The machine has none of them itself: a router or a proxy stands before it. */
  readonly behindRouter: boolean;
  /** The service answers HTTPS itself, or says by whom it is done. */
  readonly secure: boolean;
}

/** Nobody gave that name a record of its own. */
const PROBE = "petstore-looks-for-a-wildcard";

/** `machine` are the public addresses of this very machine. */
export function candidate(name: string, settings: Settings, machine: readonly string[]): Candidate {
  const { edgeAddresses, listenHttps, trustedProxies } = settings;
  const would = { ...settings, baseDomain: name };
  const [sites, targets] = [sitesDomain(would), cnameTarget(would)];
  const addresses = edgeAddresses.length > 0 ? edgeAddresses : machine;
  const staging = `staging.${name}`;
  return {
    name,
    present: name === settings.baseDomain,
    local: isLocal(name),
    names: {
      address: name,
      staging,
      wildcard: `${PROBE}.${sites}`,
      targets: `${PROBE}.${targets}`,
    },
    shown: { address: name, staging, wildcard: `*.${sites}`, targets: `*.${targets}` },
    addresses,
    toldBy: edgeAddresses.length > 0 ? "options" : machine.length > 0 ? "machine" : "nobody",
    behindRouter: !addresses.some((address) => machine.includes(address)),
    secure: listenHttps !== "off" || trustedProxies.length > 0,
  };
}

const TTL_SECONDS = 3_600;

/** The records that a name needs; none where it has no DNS. */
export function recordsFor(asked: Candidate): readonly BaseDomainRecord[] {
  const { local, shown, addresses } = asked;
  if (local) return [];
  const names: readonly (readonly [BaseDomainCheckId, string])[] = [
    ["address", shown.address],
    // A wildcard beside it covers Staging too.
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

/** What is to be changed in the options for it, and nothing that is as it should be. */
export function optionsFor(asked: Candidate, settings: Settings): readonly BaseDomainOption[] {
  const { name, present, local, secure, toldBy, addresses } = asked;
  const { listen, publicHttpPort } = settings;
  const needed: [keyof Settings, string][] = [];
  if (!present) needed.push(["baseDomain", name]);
  if (!local && !secure) {
    if (listen.port !== HTTP_PORT && publicHttpPort !== HTTP_PORT) needed.push(["listen", ":80"]);
    needed.push(["listenHttps", ":443"]);
  }
  if (!local && toldBy === "machine") needed.push(["edgeAddresses", addresses.join(",")]);
  return needed.map(([key, value]) => {
    const option = options[key].name;
    return { name: option, environment: environmentName(option), value };
  });
}

const HTTP_PORT = 80;
