import { isIP } from "node:net";

import type { Servers } from "../lib/index.ts";
import { issuersIn } from "./issuers.ts";
import { isLocal } from "./domain-names.ts";
import type { Settings } from "./options.ts";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** The ports that are really bound; absent if unknown or not in use. */
export interface Ports {
  readonly production?: number | undefined;
  readonly staging?: number | undefined;
  readonly https?: number | undefined;
}

/** Returns the addresses of the API for visitors. */
export function publicServers(settings: Settings, ports: Ports = {}): Servers {
  const { baseDomain, stagingListen } = settings;
  const host = hostOf(baseDomain);
  const byPort =
    ports.staging ?? (typeof stagingListen === "object" ? stagingListen.port : undefined);
  // An IP has no subdomains, and some clients do not resolve those of localhost.
  const staging =
    isLocal(baseDomain) && stagingListen !== "off"
      ? plain(host, byPort ?? plainPort(settings, ports) + 1)
      : address(`staging.${host}`, settings, ports);
  return { production: `${address(host, settings, ports)}/v1`, staging: `${staging}/v1` };
}

/** Returns the address of the base domain for visitors: `https://pets.example.org`. */
export function baseAddress(settings: Settings, ports: Ports = {}): string {
  return address(hostOf(settings.baseDomain), settings, ports);
}

/** Returns the domain of the projects; an IP has no subdomains. */
export function sitesDomain({ sitesDomain: given, baseDomain }: Settings): string {
  return given ?? (isIP(baseDomain) === 0 ? baseDomain : "localhost");
}

/** Returns the zone with the CNAME targets of the custom domains. */
export function cnameTarget({ cnameTarget: given, baseDomain }: Settings): string {
  return given ?? `cname.${isIP(baseDomain) === 0 ? baseDomain : "localhost"}`;
}

/** Returns the slugs that would collide with the base domain or the CNAME target. */
export function reservedSlugs(settings: Settings): readonly string[] {
  const end = `.${sitesDomain(settings)}`;
  return (
    [settings.baseDomain, cnameTarget(settings)]
      .filter((name) => name.endsWith(end))
      .map((name) => name.slice(0, -end.length))
      // The label that a project could have.
      .map((below) => below.slice(below.lastIndexOf(".") + 1))
  );
}

/** Returns a function from slug to address of a project: `https://brave-otter-1f2e.example.org`. */
export function siteAddress(settings: Settings, ports: Ports = {}): (slug: string) => string {
  const domain = sitesDomain(settings);
  return (slug) => address(`${slug}.${domain}`, settings, ports);
}

/** Returns a function from host to address of a custom domain: `https://pets.shelter.org`. */
export function domainAddress(settings: Settings, ports: Ports = {}): (host: string) => string {
  const port = settings.listenHttps === "off" ? HTTPS_PORT : securePort(settings, ports);
  return (host) => secure(host, port);
}

/** Returns whether our own hosts have or will have certificates. Public CAs issue none for `localhost`, and we order none for IPs. */
export function hasOwnHttps(settings: Settings): boolean {
  const { listenHttps, tlsCertFile, baseDomain } = settings;
  if (listenHttps === "off" || isIP(baseDomain) !== 0) return false;
  return (
    tlsCertFile !== undefined || issuersIn(settings).length === 0 || baseDomain !== "localhost"
  );
}

/** Returns the HTTPS port for visitors. */
export function securePort({ publicHttpsPort, listenHttps }: Settings, ports: Ports = {}): number {
  const listened = listenHttps === "off" ? HTTPS_PORT : listenHttps.port;
  return publicHttpsPort ?? ports.https ?? listened;
}

function address(host: string, settings: Settings, ports: Ports): string {
  return hasOwnHttps(settings)
    ? secure(host, securePort(settings, ports))
    : plain(host, plainPort(settings, ports));
}

/** Returns the HTTP port for visitors. */
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
