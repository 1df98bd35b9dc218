import { isIP, BlockList } from "node:net";
import { done, refused } from "../lib/base/result.ts";
import { isDomain } from "./domain-names.ts";
import { quoted, type Parse } from "./values.ts";
import { parseServerAddress, type ServerAddress } from "../domains/index.ts";

/** An address and a port to listen on. */
export interface Endpoint {
  /** Name or address, IPv6 without brackets; empty for every address of this machine. */
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

const WRITTEN = /^(?:\[([\da-f:.%\w]*)\]|([^:[\]]*)):(\d{1,5})$/i;

/** `127.0.0.1:8080`, `localhost:8080`, `[::1]:8080` or `:8080`. */
export const endpoint: Parse<Endpoint> = (written) => {
  const [, bracketed, plain = "", digits = ""] = WRITTEN.exec(written) ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain;
  const named = bracketed === undefined ? plain === "" || isHost(plain) : isIP(bracketed) === 6;
  if (digits === "" || port > 65_535 || !named) {
    const hint = /^\d+$/.test(written) ? `; did you mean :${written}?` : "";
    return refused(`must be HOST:PORT, [IPV6]:PORT or :PORT, not ${quoted(written)}${hint}`);
  }
  return done({ host, port });
};

/** Parses an endpoint, or `off`. */
export const endpointOrOff: Parse<Endpoint | "off"> = (written) =>
  written === "off" ? done(written) : endpoint(written);

/** Formats an endpoint for URLs and messages. */
export function authority({ host, port }: Endpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Returns the port of an origin, including default ports. */
export function portOf(origin: string): number {
  const { port, protocol } = new URL(origin);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Returns the endpoint at which programs on this machine reach a listener. */
export function reachable({ host, port }: Endpoint): Endpoint {
  const everywhere = host === "" || host === "0.0.0.0" || host === "::";
  return { host: everywhere ? "127.0.0.1" : host, port };
}

function isHost(text: string): boolean {
  return isIP(text) === 4 || isDomain(text);
}

/** A range of addresses: `10.0.0.0/8`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/** Parses CIDR notation (RFC 4632 §3.1); an address alone is a network of one. */
export const network: Parse<Network> = (written) => {
  const [address = "", length, more] = written.split("/");
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  return version === 0 || more !== undefined || !(bits <= most)
    ? refused(`must be networks such as 10.0.0.0/8 or fd00::/8, not ${quoted(written)}`)
    : done({ address, bits, family: version === 4 ? "ipv4" : "ipv6" });
};

/** Returns a test whether an address is in one of the networks. IPv4-mapped IPv6 addresses count as IPv4. */
export function membership(networks: readonly Network[]): (address: string) => boolean {
  const members = new BlockList();
  for (const { address, bits, family } of networks) members.addSubnet(address, bits, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && members.check(address, version === 4 ? "ipv4" : "ipv6");
  };
}

/** CAs with a short name. */
export const caNames = ["letsencrypt", "letsencrypt-staging", "internal"] as const;

const DIRECTORIES: Readonly<Record<string, string>> = {
  letsencrypt: "https://acme-v02.api.letsencrypt.org/directory",
  "letsencrypt-staging": "https://acme-staging-v02.api.letsencrypt.org/directory",
};

/** Returns the URL of a CA's directory, by its short name or URL; undefined for the internal CA. */
export function directoryOf(acme: string): string | undefined {
  return acme === "internal" ? undefined : (DIRECTORIES[acme] ?? acme);
}

/** Parses a name of `caNames`, or an https URL (RFC 8555 §6.1). */
export const caOf: Parse<string> = (written) => {
  if (written.includes(",")) return refused("accepts one CA; issuers accepts several");
  if (caNames.some((name) => name === written)) return done(written);
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url?.protocol === "https:" && url.username === "") return done(url.href);
  return refused(
    `must be one of ${caNames.join(", ")}, or the URL of an ACME directory (https://…), not ${quoted(written)}`,
  );
};

/** Parses an address, with a port unless it is 53. */
export const dnsServer: Parse<ServerAddress> = (written) => {
  const server = parseServerAddress(written);
  return server === undefined
    ? refused(
        `must be addresses such as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353, not ${quoted(written)}`,
      )
    : done(server);
};

export const ipAddress: Parse<string> = (written) =>
  isIP(written) === 0
    ? refused(`must be addresses such as 192.0.2.1 or 2001:db8::1, not ${quoted(written)}`)
    : done(written.toLowerCase());

/** Parses the name of a CA in CAA records (RFC 8659 §4.2). */
export const issuerName: Parse<string> = (written) =>
  isDomain(written)
    ? done(written.toLowerCase())
    : refused(`must be domains such as letsencrypt.org, not ${quoted(written)}`);

/** Parses an address with http:// or https://, without user and password. */
export const httpAddress: Parse<string> = (written) => {
  const url = new URL(URL.canParse(written) ? written : "about:blank");
  const plain = /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return plain
    ? done(url.href)
    : refused(
        `must be an address such as https://downloads.example.org/releases.json, not ${quoted(written)}`,
      );
};
