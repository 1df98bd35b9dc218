import { isIP } from "node:net";

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
  const { baseDomain, stagingListen } = settings;
  const host = hostOf(baseDomain);
  const port = portOf(settings, ports);
  const byPort =
    ports.staging ?? (typeof stagingListen === "object" ? stagingListen.port : undefined);
  // An IP has no subdomains, and not every client resolves those of localhost.
  const staging =
    isLocal(baseDomain) && stagingListen !== "off"
      ? address(host, byPort ?? port + 1)
      : address(`staging.${host}`, port);
  return { production: `${address(host, port)}/v1`, staging: `${staging}/v1` };
}

/** `http://pets.example.org`: the base domain, as visitors reach it. */
export function baseAddress(settings: Settings, ports: Ports = {}): string {
  return address(hostOf(settings.baseDomain), portOf(settings, ports));
}

/** Where projects are: an IP has no subdomains. */
export function sitesDomain({ sitesDomain: given, baseDomain }: Settings): string {
  return given ?? (isIP(baseDomain) === 0 ? baseDomain : "localhost");
}

/** Names that are no project's: the base domain's own, where it lies among the projects. */
export function reservedSlugs(settings: Settings): readonly string[] {
  const { baseDomain } = settings;
  const end = `.${sitesDomain(settings)}`;
  return baseDomain.endsWith(end) ? [baseDomain.slice(0, -end.length)] : [];
}

/** Tells the address of a project by its slug: `http://brave-otter-1f2e.example.org`. */
export function siteAddress(settings: Settings, ports: Ports = {}): (slug: string) => string {
  const domain = sitesDomain(settings);
  const port = portOf(settings, ports);
  return (slug) => address(`${slug}.${domain}`, port);
}

function portOf({ publicHttpPort, listen }: Settings, ports: Ports): number {
  return publicHttpPort ?? ports.production ?? listen.port;
}

function hostOf(baseDomain: string): string {
  return baseDomain.includes(":") ? `[${baseDomain}]` : baseDomain;
}

function address(host: string, port: number): string {
  return `http://${host}${port === HTTP_PORT ? "" : `:${port}`}`;
}
