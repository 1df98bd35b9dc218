import {
  handshakeProbe,
  internalAuthority,
  type DomainsOptions,
  type Probe,
  type SiteHosts,
} from "../domains/index.ts";
import { systemRandom } from "../lib/base/id.ts";
import type { Clock } from "../lib/index.ts";
import type { Project, Projects } from "../lib/publishing/index.ts";
import { membership, reachable } from "../settings/addresses.ts";
import type { Settings } from "../settings/options.ts";
import {
  cnameTarget,
  domainAddress,
  hasOwnHttps,
  plainPort,
  securePort,
  sitesDomain,
  type Ports,
} from "../settings/public-address.ts";
import {
  openAuthorities,
  publicAuthorities,
  rehearsalAuthorities,
  type AuthorityOptions,
} from "./authority.ts";
import { resolversOf } from "./resolvers.ts";
import type { Runtime } from "./process/runtime.ts";

/** The options of `createDomains` that follow from the settings. */
export type DomainParts = Pick<
  DomainsOptions,
  | "authorities"
  | "rehearsalAuthorities"
  | "resolvers"
  | "cnameTarget"
  | "ownDomains"
  | "edgeAddresses"
  | "originOf"
  | "allowPrivateNetworks"
  | "publicPorts"
  | "portOf"
  | "probe"
> & {
  readonly ownHosts: readonly string[];
};

export async function domainPartsOf(
  given: AuthorityOptions & { readonly ports?: Ports },
): Promise<DomainParts> {
  const { settings, ports = {}, runtime } = given;
  return {
    ...(await dnsParts(settings)),
    authorities: await openAuthorities(given),
    rehearsalAuthorities: await rehearsalAuthorities(settings, runtime),
    ownDomains: [settings.baseDomain, sitesDomain(settings)],
    originOf: domainAddress(settings, ports),
    // On the Internet a CA connects to 80 and 443, whatever forwards them to our ports.
    ...(settings.allowPrivateNetworks
      ? { publicPorts: { plain: plainPort(settings, ports), secure: securePort(settings, ports) } }
      : {}),
    probe: probeOf(settings, ports, runtime.clock),
    ownHosts: ownHostsOf(settings),
  };
}

/** Makes parts that only check the DNS: they serve and order nothing, and keep no key. */
export async function transientParts(settings: Settings, runtime: Runtime): Promise<DomainParts> {
  const [first, ...others] = await publicAuthorities(settings, runtime);
  const { clock } = runtime;
  return {
    ...(await dnsParts(settings)),
    authorities: [first ?? internalAuthority({ clock, random: systemRandom }), ...others],
    ownDomains: [],
    probe: async () => false,
    ownHosts: [],
  };
}

async function dnsParts(settings: Settings) {
  const { edgeAddresses, allowPrivateNetworks, dnsServers } = settings;
  return {
    resolvers: await resolversOf(dnsServers),
    cnameTarget: cnameTarget(settings),
    edgeAddresses,
    allowPrivateNetworks,
  };
}

/** Without our own listener, the proxy that terminates TLS is assumed to have a certificate. */
function probeOf(settings: Settings, { https }: Ports, clock: Clock): Probe {
  const { listenHttps, proxyProtocol, trustedProxies } = settings;
  if (listenHttps === "off") return async () => true;
  const listener = reachable({ ...listenHttps, port: https ?? listenHttps.port });
  const asProxy = proxyProtocol && membership(trustedProxies)(listener.host);
  return handshakeProbe(() => listener, clock, asProxy ? "PROXY UNKNOWN\r\n" : "");
}

/** Returns our own hosts that need a certificate from the CA: none if the operator has one for all of them. */
export function ownHostsOf(settings: Settings): readonly string[] {
  const { baseDomain, tlsCertFile } = settings;
  if (!hasOwnHttps(settings) || tlsCertFile !== undefined) return [];
  return [baseDomain, `staging.${baseDomain}`];
}

/** Returns the hosts of projects, each of which needs a certificate; undefined if none does. */
export function siteHostsOf(
  settings: Settings,
  { ownHosts }: Pick<DomainParts, "ownHosts">,
  projects: Projects,
): SiteHosts | undefined {
  if (ownHosts.length === 0) return undefined;
  const below = `.${sitesDomain(settings)}`;
  const hostOf = (project: Project | undefined): string | undefined =>
    project?.liveDeployId === undefined || project.deletedAt !== undefined
      ? undefined
      : `${project.slug}${below}`;
  return {
    ofProject: async (projectId) => hostOf(await projects.byId(projectId)),
    async *all() {
      let after: string | undefined;
      for (;;) {
        const page = await projects.list(after === undefined ? {} : { after });
        for (const project of page) {
          const host = hostOf(project);
          if (host !== undefined) yield host;
        }
        after = page.at(-1)?.id;
        if (after === undefined) return;
      }
    },
    has: async (host) => {
      if (!host.endsWith(below)) return false;
      // Old slugs redirect to the project for a while and need a certificate until then.
      const project = await projects.bySlug(host.slice(0, -below.length));
      return hostOf(project) !== undefined;
    },
  };
}
