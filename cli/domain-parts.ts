import { handshakeProbe, type Probe } from "../domains/index.ts";
import type { Clock } from "../lib/index.ts";
import { openAuthority, type AuthorityOptions } from "./authority.ts";
import type { CustomParts } from "./custom-parts.ts";
import { reachable } from "./endpoint.ts";
import type { Settings } from "./options.ts";
import { ownHostsOf, siteHostsOf } from "./own-hosts.ts";
import {
  cnameTarget,
  domainAddress,
  plainPort,
  securePort,
  sitesDomain,
  type Ports,
} from "./public-address.ts";
import { resolversOf } from "./resolvers.ts";

interface DomainPartsOptions extends AuthorityOptions {
  readonly ports?: Ports;
}

export async function customParts(given: DomainPartsOptions): Promise<CustomParts> {
  const { settings, ports = {}, clock } = given;
  const { baseDomain, acmeCaaIdentity, edgeAddresses, allowPrivateNetworks } = settings;
  return {
    authorities: [await openAuthority(given)],
    resolvers: await resolversOf(settings.dnsServers),
    cnameTarget: cnameTarget(settings),
    ownDomains: [baseDomain, sitesDomain(settings)],
    edgeAddresses,
    ...(acmeCaaIdentity === undefined ? {} : { caaIdentities: acmeCaaIdentity }),
    application: applicationOf(settings),
    originOf: domainAddress(settings, ports),
    allowPrivateNetworks,
    // On the Internet they are 80 and 443, where a CA comes too, whatever stands between those and our own.
    ...(allowPrivateNetworks
      ? { publicPorts: { plain: plainPort(settings, ports), secure: securePort(settings, ports) } }
      : {}),
    probe: probeOf(settings, ports, clock),
    ownHosts: ownHostsOf(settings),
    siteHosts: (publishing) => siteHostsOf(settings, publishing),
  };
}

/** Without a listener of ours whoever ends TLS for us is believed to have a certificate. */
function probeOf({ listenHttps }: Settings, { https }: Ports, clock: Clock): Probe {
  if (listenHttps === "off") return async () => true;
  const listener = reachable({ ...listenHttps, port: https ?? listenHttps.port });
  return handshakeProbe(() => listener, clock);
}

function applicationOf({
  acmeEmail,
  acmeEabKid,
  acmeEabHmacKey,
}: Settings): NonNullable<CustomParts["application"]> {
  const known =
    acmeEabKid === undefined || acmeEabHmacKey === undefined
      ? {}
      : { externalAccount: { keyId: acmeEabKid, hmacKey: acmeEabHmacKey } };
  return acmeEmail === undefined ? known : { ...known, email: acmeEmail };
}
