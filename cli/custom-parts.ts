import type { DomainsOptions, SiteHosts } from "../domains/index.ts";
import type { Publishing } from "../lib/publishing/index.ts";

/** What options say about custom domains. */
type FromOptions = Pick<
  DomainsOptions,
  | "authorities"
  | "resolvers"
  | "cnameTarget"
  | "ownDomains"
  | "edgeAddresses"
  | "caaIdentities"
  | "application"
  | "originOf"
  | "allowPrivateNetworks"
  | "publicPorts"
  | "probe"
  | "ownHosts"
  | "observe"
>;

/** What custom domains of an installation are told. */
export interface CustomParts extends FromOptions {
  readonly siteHosts: (publishing: Publishing) => SiteHosts | undefined;
}
