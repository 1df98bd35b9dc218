import { isIP } from "node:net";

import type { ServerAddress } from "../domains/index.ts";
import { DAY_MS, SECOND_MS } from "../lib/base/clock.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import {
  caNames,
  caOf,
  dnsServer,
  email,
  flagText,
  ipAddress,
  issuerName,
} from "./domain-values.ts";
import { endpoint, isDomain, type Endpoint } from "./endpoint.ts";
import type { Option } from "./option.ts";
import { duration, integer, list, quoted, text } from "./values.ts";

/** What `serve` is told about HTTPS and custom domains. */
export interface HttpsSettings {
  readonly listenHttps: Endpoint | "off";
  readonly publicHttpsPort: number | undefined;
  readonly tlsCertFile: string | undefined;
  readonly tlsKeyFile: string | undefined;
  /** `max-age` of Strict-Transport-Security for our own hosts; 0 sends none. */
  readonly hstsSeconds: number;
  /** Undefined for where `cnameTarget` of public-address.ts puts it. */
  readonly cnameTarget: string | undefined;
  readonly edgeAddresses: readonly string[];
  /** Undefined: those of the system. */
  readonly dnsServers: readonly ServerAddress[] | undefined;
  /** One of `caNames`, or the address of a directory. */
  readonly acme: string;
  readonly acmeCaFile: string | undefined;
  /** Undefined: as the CA says itself. */
  readonly acmeCaaIdentity: readonly string[] | undefined;
  readonly acmeEmail: string | undefined;
  readonly acmeEabKid: string | undefined;
  /** base64url. A secret. */
  readonly acmeEabHmacKey: string | undefined;
  readonly allowPrivateNetworks: boolean;
}

type Options<Keys extends keyof HttpsSettings> = {
  readonly [Key in Keys]: Option<HttpsSettings[Key]>;
};

/** Where HTTPS is, and with whose certificates. */
export const httpsOptions: Options<
  "listenHttps" | "publicHttpsPort" | "tlsCertFile" | "tlsKeyFile" | "hstsSeconds"
> = {
  listenHttps: {
    name: "listen-https",
    placeholder: "HOST:PORT",
    help: "HTTPS for the base domain, the projects and their own domains. `:443` is every address of the machine. `off` for none: then a proxy ends TLS, or nobody does.",
    otherwise: "off",
    fallback: "off",
    parse: (written) => (written === "off" ? done(written) : endpoint(written)),
    json: "string",
  },
  publicHttpsPort: {
    name: "public-https-port",
    placeholder: "PORT",
    help: "The port that visitors see, where something else passes it on to `listen-https`.",
    otherwise: "the port of listen-https",
    fallback: undefined,
    parse: integer({ min: 1, max: 65_535 }),
    json: "port",
  },
  tlsCertFile: {
    name: "tls-cert-file",
    placeholder: "FILE",
    help: "A certificate of your own for the base domain and its subdomains: PEM, with its chain. Read again when it changes.",
    otherwise: "none: certificates are ordered, one for each host",
    fallback: undefined,
    parse: text,
    json: "string",
  },
  tlsKeyFile: {
    name: "tls-key-file",
    placeholder: "FILE",
    help: "The private key of `tls-cert-file`, PEM, without a password.",
    otherwise: "none",
    fallback: undefined,
    parse: text,
    json: "string",
  },
  hstsSeconds: {
    name: "hsts",
    placeholder: "DURATION",
    help: "How long browsers refuse plain HTTP for the base domain, Staging and the projects below it: `60d`. Sent over HTTPS only, and hard to take back: begin with `1h`. Custom domains have a setting of their own.",
    otherwise: "off",
    fallback: 0,
    parse: hsts,
    write: (seconds) => (seconds === 0 ? "off" : `${seconds}s`),
    json: "string",
  },
};

/** Custom domains: where they lead, whom to ask about them, and who issues certificates. */
export const domainOptions: Options<Exclude<keyof HttpsSettings, keyof typeof httpsOptions>> = {
  cnameTarget: {
    name: "cname-target",
    placeholder: "DOMAIN",
    help: "Each custom domain is led to a name of its own below this one. It needs a wildcard record, `*.` before it, to this service.",
    otherwise: "cname. before the base domain",
    fallback: undefined,
    parse: targetZone,
    json: "string",
  },
  edgeAddresses: {
    name: "edge-addresses",
    placeholder: "IP,…",
    help: "Public addresses of this service, for domains whose provider offers no ALIAS at the head of a zone.",
    otherwise: "none",
    fallback: [],
    parse: list(ipAddress),
    json: "strings",
  },
  dnsServers: {
    name: "dns-servers",
    placeholder: "IP[:PORT],…",
    help: "Resolvers to ask about custom domains.",
    otherwise: "those of /etc/resolv.conf",
    fallback: undefined,
    parse: list(dnsServer),
    json: "strings",
  },
  acme: {
    name: "acme",
    placeholder: "CA",
    help: `Who issues certificates: ${caNames.map((one) => `\`${one}\``).join(", ")} (a CA of our own, for homes and laptops), or the address of an ACME directory. Choosing one agrees to its terms.`,
    otherwise: "letsencrypt",
    fallback: "letsencrypt",
    parse: caOf,
    json: "string",
  },
  acmeCaFile: {
    name: "acme-ca-file",
    placeholder: "FILE",
    help: "Roots, PEM, that the directory's own certificate may come from, besides the well-known ones.",
    otherwise: "none",
    fallback: undefined,
    parse: text,
    json: "string",
  },
  acmeCaaIdentity: {
    name: "acme-caa-identity",
    placeholder: "DOMAIN,…",
    help: "The CA's names in CAA records.",
    otherwise: "what its directory says, else the directory's host",
    fallback: undefined,
    parse: list(issuerName),
    json: "strings",
  },
  acmeEmail: {
    name: "acme-email",
    placeholder: "EMAIL",
    help: "Where the CA may write to.",
    otherwise: "none",
    fallback: undefined,
    parse: email,
    json: "string",
  },
  acmeEabKid: {
    name: "acme-eab-kid",
    placeholder: "ID",
    help: "Names the account that you have with the CA already, where it asks for one.",
    otherwise: "none",
    fallback: undefined,
    parse: text,
    json: "string",
  },
  acmeEabHmacKey: {
    name: "acme-eab-hmac-key",
    placeholder: "KEY",
    help: "The secret that goes with `acme-eab-kid`, in base64url.",
    otherwise: "none",
    fallback: undefined,
    parse: (written) =>
      /^[\w-]{16,512}={0,2}$/.test(written)
        ? done(written.replace(/=+$/, ""))
        : refused("must be base64url, as the CA gave it"),
    secret: true,
    json: "string",
  },
  allowPrivateNetworks: {
    name: "allow-private-networks",
    placeholder: "BOOLEAN",
    help: "Lets name servers and hosts that were learned from the DNS have addresses of this machine and of private networks, and accepts names such as `pets.test`. For laptops and tests only.",
    otherwise: "false",
    fallback: false,
    parse: flagText,
    json: "boolean",
  },
};

/** A domain or an IP, in lower case. */
export function domain(written: string): Result<string, string> {
  const name = written.toLowerCase().replace(/\.$/, "");
  return isIP(name) !== 0 || isDomain(name)
    ? done(name)
    : refused(`must be a domain such as pets.example.org or an IP, not ${quoted(written)}`);
}

const MAX_HSTS_MS = 730 * DAY_MS;

/** `off`, or a duration; in seconds. */
function hsts(written: string): Result<number, string> {
  if (written === "off") return done(0);
  const read = duration(written);
  if (!read.ok) return read;
  return read.value <= MAX_HSTS_MS
    ? done(Math.floor(read.value / SECOND_MS))
    : refused("must be at most two years (730d)");
}

/** With the 32 characters and the dot that come before it, a name has at most 253 (RFC 1035 §2.3.4). */
const MAX_TARGET_ZONE = 220;

function targetZone(written: string): Result<string, string> {
  const name = domain(written);
  if (!name.ok) return name;
  if (isIP(name.value) !== 0) return refused("must be a domain: an IP has no subdomains");
  return name.value.length > MAX_TARGET_ZONE
    ? refused(`must be at most ${MAX_TARGET_ZONE} characters long`)
    : name;
}
