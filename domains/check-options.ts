import {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aRootKey,
  aText,
  checkOptions,
  having,
  listOf,
  oneOf,
  optional,
} from "../lib/base/options.ts";
import type { DomainsOptions } from "./domains-options.ts";

/** Throws a TypeError that names the first option of `createDomains` which is not what it must be. */
export function checkDomainsOptions(options: DomainsOptions): void {
  checkOptions("createDomains", options, {
    store: having("a store, such as sqlStore() makes", "feed"),
    domainStore: having("a domain store, such as sqlDomainStore() makes", "commit"),
    leases: having("leases, such as sqlLeases() makes", "acquire", "release"),
    encryptionKey: aRootKey,
    gatekeeper: having("a gatekeeper with gates() and slugOf()", "gates", "slugOf"),
    siteMaps: optional(having("site maps, such as projectSiteMaps() makes")),
    authorities: listOf(having("authorities, such as acmeAuthority() makes"), 1),
    resolvers: listOf(having("resolvers with an address and a port", "address", "port"), 1),
    cnameTarget: aText,
    ownDomains: listOf(aText),
    ownHosts: optional(listOf(aText)),
    siteHosts: optional(having("hosts of sites")),
    probe: aFunction,
    edgeAddresses: optional(listOf(aText)),
    caaIdentities: optional(listOf(aText)),
    application: optional(having("an application for an account")),
    challenges: optional(listOf(oneOf(["http-01", "tls-alpn-01"]), 1)),
    originOf: optional(aFunction),
    allowPrivateNetworks: optional(aBoolean),
    publicPorts: optional(having("an object of ports")),
    portOf: optional(aFunction),
    clock: optional(aClock),
    random: optional(aFunction),
    log: optional(aLog),
    observe: optional(aFunction),
  });
}
