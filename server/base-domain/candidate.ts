import type { BaseDomainNames } from "../../domains/index.ts";
import { isLocal, type Settings } from "../../settings/options.ts";
import { cnameTarget, sitesDomain } from "../../settings/public-address.ts";

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
