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

/** HTTPS of an installation: its listener, and the operator's own certificate where there is one. */
export interface Https {
  readonly listener: SecureListener;
  /** From now on; before, every handshake is refused. */
  serve(front: Front, custom: CustomDomains): void;
  /** Whether a handshake for the host would go well. Never a query. */
  hasCertificate(host: string): boolean;
  end(): Promise<void>;
}

/** Listens for HTTPS, if it is wanted. Rejects with a `Failure` that names the option at fault. */
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

/** The operator's certificate is for hosts of our own: under another name of it a project would be served as its owner. */
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

/** Whether two hosts may share a connection: only those that show the same. */
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
    // The base domain and Staging: both the operator's.
    return here.kind !== "unknown" && there.kind !== "unknown";
  };
}

/** Which site is shown there; undefined: none. A preview is another one than what is live. */
function siteOf(host: Host): string | undefined {
  if (host.kind === "preview") return previewLabel(host.slug, host.deployId);
  return host.kind === "project" ? host.slug : undefined;
}

/** Over TLS nobody is cut off by a clock of Bun's: the front has its own. */
function handing(front: Front): TlsFetch {
  return (request, { remoteAddress }) =>
    front.handle("production", request, {
      requestIP: () => ({ address: remoteAddress }),
      timeout: () => undefined,
    });
}

/** What a listener for HTTPS serves, once that is known. */
export type Secured = Pick<
  TlsFrontOptions,
  "certificateFor" | "challenges" | "fetch" | "sameProject"
>;

interface SecureListener extends Listener {
  readonly connections: number;
  /** From now on; before, every handshake is refused. */
  serve(secured: Secured): void;
  /** Breaks off all that is open under the name. */
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
