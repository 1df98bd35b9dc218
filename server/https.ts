import {
  type CustomDomains,
  type TlsFetch,
  createTlsFront,
  type TlsFrontOptions,
} from "../domains/index.ts";
import type { Clock, Log } from "../lib/index.ts";
import { hostTable, previewLabel, type Host } from "../lib/publishing/index.ts";
import type { Front } from "./front.ts";
import { options, type Settings } from "../settings/options.ts";
import { openOwnCertificate, type OwnCertificate } from "./own-certificate.ts";
import { sitesDomain } from "../settings/public-address.ts";
import { authority, reachable, type Endpoint } from "../settings/addresses.ts";
import { bound, type Listener } from "./listener.ts";

/** The HTTPS of an installation: its listener, and the operator's own certificate, if any. */
export interface Https {
  readonly listener: SecureListener;
  /** Starts to serve; until then every handshake is refused. */
  serve(front: Front, custom: CustomDomains): void;
  /** Whether a handshake for the host would succeed. Queries no store. */
  hasCertificate(host: string): boolean;
  end(): Promise<void>;
}

/** Listens for HTTPS unless it is off. Rejects with a `Failure` that names the option at fault. */
export async function openHttps(
  settings: Settings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Https | undefined> {
  const { listenHttps, tlsCertFile: certFile, tlsKeyFile: keyFile } = settings;
  if (listenHttps === "off") return undefined;
  const own =
    certFile === undefined || keyFile === undefined
      ? undefined
      : await openOwnCertificate({ certFile, keyFile }, { clock, log });
  const ownFor = ownHostsAlone(settings, own);
  let custom: CustomDomains | undefined;
  try {
    const listener = await listenSecurely(listenHttps, options.listenHttps.name, { clock, log });
    return {
      listener,
      serve: (front, domains) => {
        custom = domains;
        const { certificateFor, challenges, routes } = domains;
        listener.serve({
          certificateFor: (host) => {
            const presented = ownFor(host);
            if (presented === undefined) return certificateFor(host);
            return { id: presented.id, load: () => presented };
          },
          challenges,
          fetch: handing(front),
          sameProject: together(settings, domains),
        });
        routes.onRemoved((host) => listener.closeName(host));
      },
      hasCertificate: (host) =>
        ownFor(host) !== undefined || (custom?.hasCertificate(host) ?? false),
      end: async () => {
        own?.close();
        await listener.end();
      },
    };
  } catch (error) {
    own?.close();
    throw error;
  }
}

/** Limits the operator's certificate to our own hosts: it may cover names that belong to others. */
function ownHostsAlone(
  settings: Settings,
  own: OwnCertificate | undefined,
): (host: string) => ReturnType<OwnCertificate["presentedFor"]> {
  if (own === undefined) return () => undefined;
  const hosts = ownHosts(settings);
  return (host) => (hosts(host).kind === "unknown" ? undefined : own.presentedFor(host));
}

function ownHosts(settings: Settings): (host: string) => Host {
  const { baseDomain } = settings;
  return hostTable({ baseDomain, sitesDomain: sitesDomain(settings), anyName: false });
}

/** Whether two hosts may share a connection: only if they show the same site. */
function together(
  settings: Settings,
  { routes }: Pick<CustomDomains, "routes">,
): (serverName: string, host: string) => boolean {
  const hosts = ownHosts(settings);
  return (serverName, host) => {
    const [one, other] = [routes.byHost(serverName), routes.byHost(host)];
    if (one !== undefined || other !== undefined) return one?.projectId === other?.projectId;
    const [here, there] = [hosts(serverName), hosts(host)];
    const [site, another] = [siteOf(here), siteOf(there)];
    if (site !== undefined || another !== undefined) return site === another;
    // The base domain and Staging both belong to the operator.
    return here.kind !== "unknown" && there.kind !== "unknown";
  };
}

/** Identifies the site of a host; undefined if it shows none. A preview is not the live site. */
function siteOf(host: Host): string | undefined {
  if (host.kind === "preview") return previewLabel(host.slug, host.deployId);
  return host.kind === "project" ? host.slug : undefined;
}

/** The TLS listener has its own time limits. */
function handing(front: Front): TlsFetch {
  return (request, { remoteAddress }) =>
    front.handle("production", request, {
      requestIP: () => ({ address: remoteAddress }),
      timeout: () => undefined,
    });
}

/** What a listener for HTTPS serves. */
export type Secured = Pick<
  TlsFrontOptions,
  "certificateFor" | "challenges" | "fetch" | "sameProject"
>;

interface SecureListener extends Listener {
  readonly connections: number;
  /** Starts to serve; until then every handshake is refused. */
  serve(secured: Secured): void;
  /** Closes all connections to the name. */
  closeName(host: string): void;
}

/** Listens for HTTPS. Rejects with a `Failure` that names the option. */
async function listenSecurely(
  endpoint: Endpoint,
  option: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<SecureListener> {
  let served: Secured | undefined;
  const front = createTlsFront({
    certificateFor: (name) => served?.certificateFor(name),
    challenges: { tlsAlpn01: (name) => served?.challenges.tlsAlpn01(name) },
    fetch: (request, info) => served?.fetch(request, info) ?? new Response(null, { status: 503 }),
    sameProject: (name, host) => served?.sameProject(name, host) ?? false,
    clock,
    log,
  });
  const { port } = await bound(endpoint, option, (host) =>
    front.listen({ host, port: endpoint.port }),
  );
  const real = { host: endpoint.host, port };
  return {
    endpoint: real,
    origin: `https://${authority(reachable(real))}`,
    get pending() {
      return front.pending;
    },
    get connections() {
      return front.connections;
    },
    serve: (secured) => {
      served = secured;
    },
    closeName: (host) => front.closeName(host),
    stop: () => front.stop(),
    end: () => front.end(),
  };
}
