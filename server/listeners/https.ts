import { createTlsFront, type CustomDomains } from "../../domains/index.ts";
import { currentWhile, mayBeKept } from "../../lib/base/blob-response.ts";
import { andThen } from "../../lib/base/eventual.ts";
import type { Clock, Log } from "../../lib/index.ts";
import { hostTable, previewLabel, type Host } from "../../lib/publishing/index.ts";
import { authority, reachable } from "../../settings/addresses.ts";
import { options, type Settings } from "../../settings/options.ts";
import { sitesDomain } from "../../settings/public-address.ts";
import type { Front } from "./front.ts";
import { MAX_HEAD_BYTES } from "./head-limit.ts";
import { bound, type Listener, type Shared } from "./listener.ts";
import { openOwnCertificate } from "./own-certificate.ts";
import { clientAddressOf } from "./proxy-protocol.ts";
import { connectionsAllowed, startPlainHttp2 } from "./plain-http2.ts";

/** The HTTPS of an installation: its listener, and the operator's own certificate, if any. */
export interface Https extends Omit<Listener, "direct"> {
  readonly connections: number;
  /** Starts to serve; until then every handshake is refused. */
  serve(front: Front, domains: CustomDomains): void;
  /** Returns whether a handshake for the host would succeed. Queries no store. */
  hasCertificate(host: string): boolean;
}

/** Listens for HTTPS unless it is off. Rejects with a `Failure` that names the option at fault. */
export async function openHttps(
  settings: Settings,
  {
    clock,
    log,
    holdings,
    proxies,
  }: Omit<Shared, "onError"> & { readonly clock: Clock; readonly log: Log },
): Promise<Https | undefined> {
  const { listenHttps, baseDomain, tlsCertFile: certFile, tlsKeyFile: keyFile } = settings;
  if (listenHttps === "off") return undefined;
  const own =
    certFile === undefined || keyFile === undefined
      ? undefined
      : await openOwnCertificate({ certFile, keyFile }, { clock, log });
  const hostOf = hostTable({ baseDomain, sitesDomain: sitesDomain(settings), anyName: false });
  // Only for our own hosts: the certificate may cover names that belong to others.
  const ownFor = (host: string) =>
    hostOf(host).kind === "unknown" ? undefined : own?.presentedFor(host);

  const maxConnections = connectionsAllowed();
  if (maxConnections < MANY_CONNECTIONS) {
    log.warn("the limit of open files allows few HTTPS connections", {
      connections: maxConnections,
    });
  }
  let served: { readonly front: Front; readonly domains: CustomDomains } | undefined;
  const tls = createTlsFront({
    certificateFor: (host) => {
      if (served === undefined) return undefined;
      const presented = ownFor(host);
      return presented === undefined
        ? served.domains.certificateFor(host)
        : { id: presented.id, load: () => presented };
    },
    challenges: { tlsAlpn01: (name) => served?.domains.challenges.tlsAlpn01(name) },
    fetch: (request, { remoteAddress, serverName }) => {
      if (served === undefined) return new Response(null, { status: 503 });
      const { front, domains } = served;
      const answered = front.handle("production", request, {
        requestIP: () => ({ address: remoteAddress }),
        // The TLS listener has its own time limits.
        timeout: () => undefined,
      });
      return andThen(answered, (response) => {
        const isCurrent = currentWhile(response);
        if (isCurrent === undefined) return response;
        const before = routeKey(domains, serverName);
        return mayBeKept(
          response,
          () => isCurrent() && !front.draining && routeKey(domains, serverName) === before,
        );
      });
    },
    sameProject: (name, host) =>
      served !== undefined && showSame(name, host, { hostOf, routes: served.domains.routes }),
    ...(proxies === undefined
      ? {}
      : { clientAddress: (socket) => clientAddressOf(socket, proxies) }),
    clock,
    log,
    limits: { maxConnections, maxHeaderBytes: MAX_HEAD_BYTES },
    holdings,
    plainHttp2: startPlainHttp2,
  });
  const { port } = await bound(listenHttps, options.listenHttps.name, (host) =>
    tls.listen({ host, port: listenHttps.port }),
  ).catch((error: unknown) => {
    own?.close();
    throw error;
  });
  const endpoint = { host: listenHttps.host, port };
  return {
    endpoint,
    origin: `https://${authority(reachable(endpoint))}`,
    get pending() {
      return tls.pending;
    },
    get connections() {
      return tls.connections;
    },
    serve: (front, domains) => {
      served = { front, domains };
      domains.routes.onRemoved((host) => tls.closeName(host));
    },
    hasCertificate: (host) =>
      ownFor(host) !== undefined || (served?.domains.hasCertificate(host) ?? false),
    stop: () => tls.stop(),
    end: async () => {
      own?.close();
      await tls.end();
    },
  };
}

/** Fewer connections are worth a warning: the limit of open files is usually left as it is by mistake. */
const MANY_CONNECTIONS = 5_000;

/** Changes when a response for the host could, for another reason than its site. */
function routeKey({ routes }: CustomDomains, host: string): string {
  const route = routes.byHost(host);
  if (route === undefined) return "";
  return `${route.kind} ${route.projectId} ${route.hstsSeconds}`;
}

/** Returns whether two hosts show the same site, so that they may share a connection. */
function showSame(
  serverName: string,
  host: string,
  {
    hostOf,
    routes,
  }: { readonly hostOf: (host: string) => Host; readonly routes: CustomDomains["routes"] },
): boolean {
  const [one, other] = [routes.byHost(serverName), routes.byHost(host)];
  if (one !== undefined || other !== undefined) return one?.projectId === other?.projectId;
  const [here, there] = [hostOf(serverName), hostOf(host)];
  const [site, another] = [siteOf(here), siteOf(there)];
  if (site !== undefined || another !== undefined) return site === another;
  // The base domain and Staging both belong to the operator.
  return here.kind !== "unknown" && there.kind !== "unknown";
}

/** Identifies the site of a host; undefined if it shows none. A preview is not the live site. */
function siteOf(host: Host): string | undefined {
  if (host.kind === "preview") return previewLabel(host.slug, host.deployId);
  return host.kind === "project" ? host.slug : undefined;
}
