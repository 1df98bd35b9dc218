import type { DomainRoutes } from "../../domains/index.ts";
import { hostName } from "../../lib/publishing/index.ts";
import type { Connections, Handler } from "./front.ts";
import { listen, type Listener, type Shared } from "./listener.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { membership } from "../../settings/addresses.ts";
import { options, type Settings } from "../../settings/options.ts";

/** Tells a proxy on this machine whether to order a certificate for a host. */
export type TlsPermission = (host: string) => boolean;

const isLoopback = membership([
  { address: "127.0.0.0", bits: 8, family: "ipv4" },
  { address: "::1", bits: 128, family: "ipv6" },
]);

/** Listens for metrics, unless that is off. */
export async function listenForMetrics(
  { metricsListen }: Settings,
  metrics: Metrics | undefined,
  permitted: TlsPermission,
  shared: Omit<Shared, "proxies">,
): Promise<Listener | undefined> {
  if (metricsListen === "off" || metrics === undefined) return undefined;
  const handler: Handler = async (request, server) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/_petstore/tls-permission") {
      const may = isFromThisMachine(request, server) && permitted(searchParams.get("domain") ?? "");
      return new Response(null, { status: may ? 200 : 404 });
    }
    if (pathname !== "/metrics") return new Response(null, { status: 404 });
    const { body, contentType } = await metrics.text();
    return new Response(body, { headers: { "content-type": contentType } });
  };
  return listen(metricsListen, options.metricsListen.name, handler, shared);
}

/** Only clients on this machine may ask which names are served. */
function isFromThisMachine(request: Request, server: Connections): boolean {
  const { address = "" } = server.requestIP(request) ?? {};
  return isLoopback(address);
}

/** Permits served custom domains, the base domain and Staging. Queries no store. */
export function permissionOf(
  { baseDomain }: Pick<Settings, "baseDomain">,
  routes: () => Pick<DomainRoutes, "byHost"> | undefined,
): TlsPermission {
  return (domain) => {
    const host = hostName(domain);
    if (host === baseDomain || host === `staging.${baseDomain}`) return true;
    return routes()?.byHost(host) !== undefined;
  };
}
