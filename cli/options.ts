import { isIP } from "node:net";

import { isPublicAddress } from "../domains/index.ts";
import { done, refused, type Result } from "../lib/base/result.ts";
import { email } from "./domain-values.ts";
import { readEncryptionKey } from "./encryption-key.ts";
import { endpoint, type Endpoint } from "./endpoint.ts";
import { domain, domainOptions, httpsOptions, type HttpsSettings } from "./https-options.ts";
import { logFormats, logLevels, type LogFormat, type LogLevel } from "./log-options.ts";
import { network, type Network } from "./networks.ts";
import type { Option } from "./option.ts";
import { integer, list, oneOf, text } from "./values.ts";

/** What `serve` is told, from whatever source. */
export interface Settings extends HttpsSettings {
  readonly dataDir: string;
  readonly listen: Endpoint;
  /** `auto`: the next free port, where the base domain is local. */
  readonly stagingListen: Endpoint | "auto" | "off";
  readonly publicHttpPort: number | undefined;
  readonly baseDomain: string;
  /** Where projects are; undefined for where `sitesDomain` of public-address.ts puts them. */
  readonly sitesDomain: string | undefined;
  /** 32 bytes. A secret. */
  readonly encryptionKey: Uint8Array | undefined;
  /** Who can sign in from the start. */
  readonly adminEmail: string | undefined;
  /** A secret. */
  readonly adminPassword: string | undefined;
  readonly trustedProxies: readonly Network[];
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  readonly metricsListen: Endpoint | "off";
}

export type { Option };

/** The one table: flags, environment, file, help, documentation and JSON Schema are made of it. */
export const options: { readonly [Key in keyof Settings]: Option<Settings[Key]> } = {
  dataDir: {
    name: "data-dir",
    placeholder: "DIR",
    help: "Where the database, the encryption key, the lock and the socket are. Made, for its owner alone, when absent.",
    otherwise: "./petstore-data",
    fallback: "./petstore-data",
    parse: text,
    json: "string",
  },
  listen: {
    name: "listen",
    placeholder: "HOST:PORT",
    help: "Plain HTTP. `:8080` is every address of the machine, port 0 any free port.",
    otherwise: "127.0.0.1:8080",
    fallback: { host: "127.0.0.1", port: 8080 },
    parse: endpoint,
    json: "string",
  },
  stagingListen: {
    name: "staging-listen",
    placeholder: "HOST:PORT",
    help: "Staging by port, besides its host `staging.<base domain>`. `off` for none.",
    otherwise: "the next free port if the base domain is localhost or an IP, else off",
    fallback: "auto",
    parse: (written) =>
      written === "auto" || written === "off" ? done(written) : endpoint(written),
    json: "string",
  },
  publicHttpPort: {
    name: "public-http-port",
    placeholder: "PORT",
    help: "The port that visitors see, where something else passes it on to `listen`.",
    otherwise: "the port of listen",
    fallback: undefined,
    parse: integer({ min: 1, max: 65_535 }),
    json: "port",
  },
  ...httpsOptions,
  baseDomain: {
    name: "base-domain",
    placeholder: "DOMAIN",
    help: "The host that serves Production; `staging.` before it is Staging. With `localhost` or an IP any host will do.",
    otherwise: "localhost",
    fallback: "localhost",
    parse: domain,
    json: "string",
  },
  sitesDomain: {
    name: "sites-domain",
    placeholder: "DOMAIN",
    help: "Projects are at `<slug>.` before it. One of its own keeps their pages apart from all else under the base domain.",
    otherwise: "the base domain; localhost if that is an IP",
    fallback: undefined,
    parse: siteDomain,
    json: "string",
  },
  encryptionKey: {
    name: "encryption-key",
    placeholder: "KEY",
    help: "32 bytes, in base64 or hex, from which all other secrets derive. Without it no API key is known any more: keep a copy.",
    otherwise: "made once, in encryption.key of the data directory",
    fallback: undefined,
    parse: readEncryptionKey,
    secret: true,
    json: "string",
  },
  adminEmail: {
    name: "admin-email",
    placeholder: "EMAIL",
    help: "Makes an operator with that address, once, where nobody can sign in yet. Never changes anybody.",
    otherwise: "none: the setup link makes the first one",
    fallback: undefined,
    parse: email,
    json: "string",
  },
  adminPassword: {
    name: "admin-password",
    placeholder: "PASSWORD",
    help: "The password that goes with `admin-email`: 12 characters at least. Remove both once you can sign in.",
    otherwise: "none",
    fallback: undefined,
    parse: text,
    secret: true,
    json: "string",
  },
  ...domainOptions,
  trustedProxies: {
    name: "trusted-proxies",
    placeholder: "CIDR,…",
    help: "Networks whose X-Forwarded-For, -Proto and -Host are believed.",
    otherwise: "none",
    fallback: [],
    parse: list(network),
    json: "strings",
  },
  logFormat: {
    name: "log-format",
    placeholder: "FORMAT",
    help: "`text`, `json`, or `auto`: text on a terminal, else json.",
    otherwise: "auto",
    fallback: "auto",
    parse: oneOf(logFormats),
    json: logFormats,
  },
  logLevel: {
    name: "log-level",
    placeholder: "LEVEL",
    help: "`debug` (every request), `info`, `warn` or `error`.",
    otherwise: "info",
    fallback: "info",
    parse: oneOf(logLevels),
    json: logLevels,
  },
  metricsListen: {
    name: "metrics-listen",
    placeholder: "HOST:PORT",
    help: "Prometheus metrics at `/metrics`. Anybody who reaches it may read them.",
    otherwise: "off",
    fallback: "off",
    parse: (written) => (written === "off" ? done(written) : endpoint(written)),
    json: "string",
  },
};

/** Names the file; it has an environment variable and a flag, but is no key of the file. */
export const configOption = {
  name: "config",
  placeholder: "FILE",
  help: "A JSON file of these options; flags and environment win over it.",
  otherwise: "none",
} as const;

export const optionEntries: readonly (readonly [string, Option<unknown>])[] =
  Object.entries<Option<unknown>>(options);

/** `PETSTORE_DATA_DIR` of `data-dir`. */
export function environmentName(name: string): string {
  return `PETSTORE_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** Any host name leads to Production: there is no DNS for these. */
export function isLocal(baseDomain: string): boolean {
  return baseDomain === "localhost" || isIP(baseDomain) !== 0;
}

/** Nothing outside its own network reaches a service of that base domain: it runs on a laptop, or for a test. */
export function isUnreachable(baseDomain: string): boolean {
  return isLocal(baseDomain) && !isPublicAddress(baseDomain);
}

function siteDomain(written: string): Result<string, string> {
  const name = domain(written);
  if (name.ok && isIP(name.value) !== 0) {
    return refused("must be a domain: an IP has no subdomains");
  }
  return name;
}
