import { isIP } from "node:net";

import type { Servers } from "../lib/index.ts";
import { isLocal, type Settings } from "./options.ts";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** The ports that were really given to us; absent where they are not known, or there is none. */
export interface Ports {
  readonly production?: number | undefined;
  readonly staging?: number | undefined;
  readonly https?: number | undefined;
}

/** Addresses at which visitors reach the API, as far as options tell. */
export function publicServers(settings: Settings, ports: Ports = {}): Servers {
  const { baseDomain, stagingListen } = settings;
  const host = hostOf(baseDomain);
  const byPort =
    ports.staging ?? (typeof stagingListen === "object" ? stagingListen.port : undefined);
  // An IP has no subdomains, and not every client resolves those of localhost.
  const staging =
    isLocal(baseDomain) && stagingListen !== "off"
      ? plain(host, byPort ?? plainPort(settings, ports) + 1)
      : address(`staging.${host}`, settings, ports);
  return { production: `${address(host, settings, ports)}/v1`, staging: `${staging}/v1` };
}

/** `https://pets.example.org`: the base domain, as visitors reach it. */
export function baseAddress(settings: Settings, ports: Ports = {}): string {
  return address(hostOf(settings.baseDomain), settings, ports);
}

/** Where projects are: an IP has no subdomains. */
export function sitesDomain({ sitesDomain: given, baseDomain }: Settings): string {
  return given ?? (isIP(baseDomain) === 0 ? baseDomain : "localhost");
}

/** The zone below which each custom domain has a name of its own to lead to. */
export function cnameTarget({ cnameTarget: given, baseDomain }: Settings): string {
  return given ?? `cname.${isIP(baseDomain) === 0 ? baseDomain : "localhost"}`;
}

/** Names that are no project's: the base domain's own, and where custom domains lead, where they lie among the projects. */
export function reservedSlugs(settings: Settings): readonly string[] {
  const end = `.${sitesDomain(settings)}`;
  return (
    [settings.baseDomain, cnameTarget(settings)]
      .filter((name) => name.endsWith(end))
      .map((name) => name.slice(0, -end.length))
      // The one label that a project could have.
      .map((below) => below.slice(below.lastIndexOf(".") + 1))
  );
}

/** Tells the address of a project by its slug: `https://brave-otter-1f2e.example.org`. */
export function siteAddress(settings: Settings, ports: Ports = {}): (slug: string) => string {
  const domain = sitesDomain(settings);
  return (slug) => address(`${slug}.${domain}`, settings, ports);
}

/** Tells the address of a custom domain: `https://pets.shelter.org`. */
export function domainAddress(settings: Settings, ports: Ports = {}): (host: string) => string {
  const port = settings.listenHttps === "off" ? HTTPS_PORT : securePort(settings, ports);
  return (host) => secure(host, port);
}

/** Whether our own hosts have certificates, or will have them. Public CAs issue none for `localhost`, nobody does for IPs here. */
export function hasOwnHttps({ listenHttps, tlsCertFile, acme, baseDomain }: Settings): boolean {
  if (listenHttps === "off" || isIP(baseDomain) !== 0) return false;
  return tlsCertFile !== undefined || acme === "internal" || baseDomain !== "localhost";
}

/** The port of HTTPS that visitors see. */
export function securePort({ publicHttpsPort, listenHttps }: Settings, ports: Ports = {}): number {
  const listened = listenHttps === "off" ? HTTPS_PORT : listenHttps.port;
  return publicHttpsPort ?? ports.https ?? listened;
}

function address(host: string, settings: Settings, ports: Ports): string {
  return hasOwnHttps(settings)
    ? secure(host, securePort(settings, ports))
    : plain(host, plainPort(settings, ports));
}

/** What visitors put into an address for plain HTTP. */
export function plainPort({ publicHttpPort, listen }: Settings, ports: Ports): number {
  return publicHttpPort ?? ports.production ?? listen.port;
}

function hostOf(baseDomain: string): string {
  return baseDomain.includes(":") ? `[${baseDomain}]` : baseDomain;
}

function plain(host: string, port: number): string {
  return `http://${host}${port === HTTP_PORT ? "" : `:${port}`}`;
}

function secure(host: string, port: number): string {
  return `https://${host}${port === HTTPS_PORT ? "" : `:${port}`}`;
}
