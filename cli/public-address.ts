import type { Servers } from "../lib/index.ts";
import { isLocal, type Settings } from "./options.ts";

const HTTP_PORT = 80;

/** The ports that were really given to us; absent where they are not known, or there is none. */
export interface Ports {
  readonly production?: number | undefined;
  readonly staging?: number | undefined;
}

/** Addresses at which visitors reach the API, as far as options tell. */
export function publicServers(settings: Settings, ports: Ports = {}): Servers {
  const { baseDomain, listen, stagingListen, publicHttpPort } = settings;
  const host = baseDomain.includes(":") ? `[${baseDomain}]` : baseDomain;
  const port = publicHttpPort ?? ports.production ?? listen.port;
  const byPort =
    ports.staging ?? (typeof stagingListen === "object" ? stagingListen.port : undefined);
  // An IP has no subdomains, and not every client resolves those of localhost.
  const staging =
    isLocal(baseDomain) && stagingListen !== "off"
      ? address(host, byPort ?? port + 1)
      : address(`staging.${host}`, port);
  return { production: address(host, port), staging };
}

function address(host: string, port: number): string {
  return `http://${host}${port === HTTP_PORT ? "" : `:${port}`}/v1`;
}
