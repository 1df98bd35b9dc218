import { aSchemaName } from "../adapters/postgres/schema-name.ts";
import { DAY_MS, SECOND_MS } from "../lib/base/clock.ts";
import { done, refused } from "../lib/base/result.ts";
import { readMailbox, writtenMailbox, type Mailbox } from "../lib/mail/index.ts";
import {
  caNames,
  caOf,
  dnsServer,
  endpoint,
  endpointOrOff,
  httpAddress,
  ipAddress,
  issuerName,
  network,
  type Endpoint,
} from "./addresses.ts";
import { domain, targetZone, zone } from "./domain-names.ts";
import { issuerList, issuerSchema, writtenIssuers } from "./issuers.ts";
import { durationOption, environmentName, option, type Option } from "./option.ts";
import { bucketOf, bucketUrl, endpointUrl, isBucketUrl } from "./s3.ts";
import { databaseUrl, redisUrl, smtpUrl } from "./server-urls.ts";
import {
  ageRecipient,
  boolean,
  byteCount,
  duration,
  durationBetween,
  email,
  hmacKey,
  integer,
  list,
  nodeName,
  oneOf,
  readEncryptionKey,
  text,
  writtenBytes,
  writtenDuration,
  type Parse,
} from "./values.ts";

const port: Parse<number> = integer({ min: 1, max: 65_535 });
const databaseSchema: Parse<string> = (written) =>
  aSchemaName.holds(written) ? done(written) : refused(`must be ${aSchemaName.what}`);
/** Parses `off` or a duration of at most two years; returns seconds. */
const hsts: Parse<number> = (written) => {
  if (written === "off") return done(0);
  const read = duration(written);
  if (!read.ok) return read;
  return read.value <= 730 * DAY_MS
    ? done(Math.floor(read.value / SECOND_MS))
    : refused("must be at most two years (730d)");
};

/** Declares the option of how many bytes the photos of an account may take. */
function photoBytes(plan: string, defaultText: string, fallback: number): Option<number> {
  const also = plan === "business" ? " or Enterprise" : "";
  return option({
    name: `photo-bytes-${plan}`,
    placeholder: "SIZE",
    help: `How much the photos of an account may take with the plan ${plan[0]?.toUpperCase()}${plan.slice(1)}${also}. A photo takes about 1 MiB.`,
    defaultText,
    fallback,
    parse: byteCount,
    write: writtenBytes,
  });
}

const logFormats = ["auto", "text", "json"] as const;
const logLevels = ["debug", "info", "warn", "error"] as const;

/** The only declaration of the options: flags, environment, file, help, documentation and JSON Schema derive from it. */
export const options = {
  dataDir: option({
    name: "data-dir",
    placeholder: "DIR",
    help: "Directory of the database, the encryption key, the lock and the socket. `serve`, `accounts create` and `members create` create it if it does not exist, with access for its owner only.",
    defaultText: "./petstore-data",
    fallback: "./petstore-data",
    parse: text,
  }),
  /** Undefined: SQLite in the data directory. A secret, since it may contain a password. */
  databaseUrl: option({
    name: "database-url",
    placeholder: "URL",
    help: "PostgreSQL 15 or newer instead of SQLite: `postgres://user:password@host:5432/database`. Several hosts, `a:5432,b:5432`, are tried in turn for the one that accepts writes. `?sslmode=` is `disable`, `prefer` (default), `require` or `verify-full`. Other users of the machine can read a flag: write a password in the environment or a file. Needs `encryption-key`.",
    defaultText: "SQLite in the data directory",
    fallback: undefined,
    parse: databaseUrl,
    secret: "flag",
  }),
  databaseCaFile: option({
    name: "database-ca-file",
    placeholder: "FILE",
    help: "Root certificates (PEM) that `sslmode=verify-full` trusts, instead of the system's.",
    defaultText: "the system's",
    fallback: undefined,
    parse: text,
  }),
  /** Undefined: the first schema in the role's search path. */
  databaseSchema: option({
    name: "database-schema",
    placeholder: "NAME",
    help: "PostgreSQL schema of all tables, beside those of other programs. Created if it does not exist and the role may create it. Servers that share the database need the same one.",
    defaultText: "the first schema in the role's search path, usually `public`",
    fallback: undefined,
    parse: databaseSchema,
  }),
  databasePoolSize: option({
    name: "database-pool-size",
    placeholder: "COUNT",
    help: "The most connections to PostgreSQL. Limits that the database counts take one more.",
    defaultText: "10",
    fallback: 10,
    parse: integer({ min: 2, max: 1_000 }),
    json: "string",
  }),
  /** A secret, since it may contain a password. */
  redisUrl: option({
    name: "redis-url",
    placeholder: "URL",
    help: "Redis 6, Valkey 7.2 or newer, which counts limits for all servers: `redis://user:password@host:6379`, or `rediss://` with TLS. Several hosts, `a:6379,b:6379`, are tried in turn for the one that accepts writes. While none can be used, PostgreSQL counts. Other users of the machine can read a flag: write a password in the environment or a file. Needs `database-url`.",
    defaultText: "PostgreSQL counts",
    fallback: undefined,
    parse: redisUrl,
    secret: "flag",
  }),
  redisCaFile: option({
    name: "redis-ca-file",
    placeholder: "FILE",
    help: "Root certificates (PEM) that `rediss://` trusts.",
    defaultText: "the system's",
    fallback: undefined,
    parse: text,
  }),
  /** Undefined: the name of the machine. */
  nodeName: option({
    name: "node-name",
    placeholder: "NAME",
    help: "Name of this process among the nodes of one PostgreSQL database.",
    defaultText: "the host name",
    fallback: undefined,
    parse: nodeName,
  }),
  nodeAddresses: option({
    name: "node-addresses",
    placeholder: "IP,…",
    help: "Addresses of this node, for `petstore nodes` and the dashboard.",
    defaultText: "edge-addresses",
    fallback: [],
    parse: list(ipAddress),
    json: "strings",
  }),
  /** Milliseconds. */
  staleRoutesFor: durationOption({
    name: "stale-routes-for",
    placeholder: "DURATION",
    help: "How long a node that cannot reach PostgreSQL serves custom domains and sites from memory. They may have been removed since.",
    usual: "15m",
    least: "1s",
  }),
  listen: option({
    name: "listen",
    placeholder: "HOST:PORT",
    help: "Address for plain HTTP. `:8080` listens on every address of the machine; port 0 uses any free port.",
    defaultText: "127.0.0.1:8080",
    fallback: { host: "127.0.0.1", port: 8080 },
    parse: endpoint,
  }),
  /** `auto` takes the next free port if the base domain is local. */
  stagingListen: option<Endpoint | "auto" | "off">({
    name: "staging-listen",
    placeholder: "HOST:PORT",
    help: "Address for Staging, in addition to its host `staging.<base domain>`. `off` disables it.",
    defaultText: "the next free port if the base domain is localhost or an IP, else off",
    fallback: "auto",
    parse: (written) => (written === "auto" ? done(written) : endpointOrOff(written)),
  }),
  publicHttpPort: option({
    name: "public-http-port",
    placeholder: "PORT",
    help: "Port that visitors use, if something forwards it to `listen`.",
    defaultText: "the port of listen",
    fallback: undefined,
    parse: port,
    json: "port",
  }),
  listenHttps: option<Endpoint | "off">({
    name: "listen-https",
    placeholder: "HOST:PORT",
    help: "Address for HTTPS of the base domain, the projects and their custom domains. `:443` listens on every address of the machine. `off` disables HTTPS, for example because a proxy terminates TLS.",
    defaultText: "off",
    fallback: "off",
    parse: endpointOrOff,
  }),
  publicHttpsPort: option({
    name: "public-https-port",
    placeholder: "PORT",
    help: "Port that visitors use, if something forwards it to `listen-https`.",
    defaultText: "the port of listen-https",
    fallback: undefined,
    parse: port,
    json: "port",
  }),
  tlsCertFile: option({
    name: "tls-cert-file",
    placeholder: "FILE",
    help: "Your own certificate for the base domain and its subdomains: PEM, with its chain. Reloaded when it changes.",
    defaultText: "none; one certificate is ordered for each host",
    fallback: undefined,
    parse: text,
  }),
  tlsKeyFile: option({
    name: "tls-key-file",
    placeholder: "FILE",
    help: "Private key of `tls-cert-file`: PEM, without a passphrase.",
    fallback: undefined,
    parse: text,
  }),
  /** `max-age` of Strict-Transport-Security for our own hosts; 0 sends no header. */
  hstsSeconds: option({
    name: "hsts",
    placeholder: "DURATION",
    help: "How long browsers refuse plain HTTP for the base domain, Staging and the projects below it, such as `60d`. Sent over HTTPS only. Hard to undo: start with `1h`. Custom domains have their own setting.",
    defaultText: "off",
    fallback: 0,
    parse: hsts,
    write: (seconds) => (seconds === 0 ? "off" : `${seconds}s`),
  }),
  baseDomain: option({
    name: "base-domain",
    placeholder: "DOMAIN",
    help: "Host of Production; `staging.` before it is the host of Staging. With `localhost` or an IP, any host name is accepted.",
    defaultText: "localhost",
    fallback: "localhost",
    parse: domain,
  }),
  /** Undefined: see `sitesDomain` of public-address.ts. */
  sitesDomain: option({
    name: "sites-domain",
    placeholder: "DOMAIN",
    help: "Projects are at `<slug>.` before this domain. A separate domain isolates their pages from everything under the base domain.",
    defaultText: "the base domain; localhost if that is an IP",
    fallback: undefined,
    parse: zone,
  }),
  /** 32 bytes. A secret. */
  encryptionKey: option({
    name: "encryption-key",
    placeholder: "KEY",
    help: "32 bytes, in base64 or hex, from which all other secrets derive. Keep a copy: without it no API key works.",
    defaultText: "generated once, in encryption.key of the data directory",
    fallback: undefined,
    parse: readEncryptionKey,
    secret: true,
  }),
  adminEmail: option({
    name: "admin-email",
    placeholder: "EMAIL",
    help: "Creates an operator with this address, once, if no member exists yet. Never changes an existing member.",
    defaultText: "none; the setup link creates the first operator",
    fallback: undefined,
    parse: email,
  }),
  /** A secret. */
  adminPassword: option({
    name: "admin-password",
    placeholder: "PASSWORD",
    help: "Password for `admin-email`, at least 12 characters. Remove both options once you can sign in.",
    fallback: undefined,
    parse: text,
    secret: true,
  }),
  /** Undefined: see `cnameTarget` of public-address.ts. */
  cnameTarget: option({
    name: "cname-target",
    placeholder: "DOMAIN",
    help: "Each custom domain points to its own name below this one. The wildcard `*.` before this name must have a record that points to this service.",
    defaultText: "`cname.<base domain>`",
    fallback: undefined,
    parse: targetZone,
  }),
  edgeAddresses: option({
    name: "edge-addresses",
    placeholder: "IP,…",
    help: "Public addresses of this service, for domains whose DNS provider offers no ALIAS record for the root domain.",
    fallback: [],
    parse: list(ipAddress),
    json: "strings",
  }),
  /** Undefined: the system's resolvers. */
  dnsServers: option({
    name: "dns-servers",
    placeholder: "IP[:PORT],…",
    help: "Resolvers for the checks of custom domains.",
    defaultText: "the resolvers in /etc/resolv.conf",
    fallback: undefined,
    parse: list(dnsServer),
    json: "strings",
  }),
  /** One of `caNames`, or the address of a directory. */
  acme: option({
    name: "acme",
    placeholder: "CA",
    help: `Certificate authority: ${caNames.map((one) => `\`${one}\``).join(", ")} (this installation's own CA, for home networks and laptops), or the URL of an ACME directory. Choosing a CA accepts its terms of service.`,
    defaultText: "letsencrypt",
    fallback: "letsencrypt",
    parse: caOf,
  }),
  acmeCaFile: option({
    name: "acme-ca-file",
    placeholder: "FILE",
    help: "Additional root certificates (PEM) to trust for the connection to the ACME directory.",
    fallback: undefined,
    parse: text,
  }),
  /** Undefined: as the CA's directory says. */
  acmeCaaIdentity: option({
    name: "acme-caa-identity",
    placeholder: "DOMAIN,…",
    help: "Names of the CA in CAA records.",
    defaultText: "the names in its directory, else the directory's host",
    fallback: undefined,
    parse: list(issuerName),
    json: "strings",
  }),
  acmeEmail: option({
    name: "acme-email",
    placeholder: "EMAIL",
    help: "Contact address for the CA.",
    fallback: undefined,
    parse: email,
  }),
  acmeEabKid: option({
    name: "acme-eab-kid",
    placeholder: "ID",
    help: "Identifies your existing account with the CA, if the CA requires one.",
    fallback: undefined,
    parse: text,
  }),
  /** base64url. A secret. */
  acmeEabHmacKey: option({
    name: "acme-eab-hmac-key",
    placeholder: "KEY",
    help: "Secret for `acme-eab-kid`, in base64url.",
    fallback: undefined,
    parse: hmacKey,
    secret: true,
  }),
  acmeProfile: option({
    name: "acme-profile",
    placeholder: "PROFILE",
    help: "Profile of the certificates, such as `tlsserver` or `shortlived` of Let's Encrypt. `serve` does not start with one that the CA does not offer.",
    defaultText: "none; the CA chooses",
    fallback: undefined,
    parse: text,
  }),
  /** Undefined: the CA of the `acme-…` options. */
  issuers: option({
    name: "issuers",
    placeholder: "LIST",
    help: "Several CAs, preferred first, instead of the options `acme` and `acme-…`: a list of objects with `directory`, and if necessary `email`, `eab` (`kid`, `hmacKey`), `caFile`, `caaIdentities` and `profile`. The next one is used while one is down, limits orders, refuses the account, or is forbidden by CAA records.",
    defaultText: "one, made from the options `acme` and `acme-…`",
    fallback: undefined,
    parse: issuerList,
    write: writtenIssuers,
    fileOnly: true,
    json: { items: issuerSchema },
  }),
  allowPrivateNetworks: option({
    name: "allow-private-networks",
    placeholder: "BOOLEAN",
    help: "Allows name servers and hosts found in the DNS to have loopback and private addresses, and accepts names such as `pets.test`. For laptops and tests only.",
    defaultText: "false",
    fallback: false,
    parse: boolean,
    json: "boolean",
  }),
  trustedProxies: option({
    name: "trusted-proxies",
    placeholder: "CIDR,…",
    help: "Networks of proxies whose X-Forwarded-For, -Proto and -Host headers are trusted. With `proxy-protocol`, their connections begin with the PROXY protocol.",
    fallback: [],
    parse: list(network),
    json: "strings",
  }),
  proxyProtocol: option({
    name: "proxy-protocol",
    placeholder: "BOOLEAN",
    help: "The proxies of `trusted-proxies` begin each connection to `listen`, `staging-listen` and `listen-https` with a header of the PROXY protocol, version 1 or 2, which names the client. Connections of others have none.",
    defaultText: "false",
    fallback: false,
    parse: boolean,
    json: "boolean",
  }),
  backupTo: option({
    name: "backup-to",
    placeholder: "DIRECTORY",
    help: "Directory (preferably on another machine's disk) or bucket (`s3://BUCKET/PREFIX`) for scheduled backups. Each backup is sealed, verified, and checked with a trial restore.",
    defaultText: "none; no backups are scheduled",
    fallback: undefined,
    parse: (written) => {
      const bucket = isBucketUrl(written) ? bucketOf(written) : done(written);
      return bucket.ok ? text(written) : bucket;
    },
  }),
  /** Milliseconds. */
  backupEvery: durationOption({
    name: "backup-every",
    placeholder: "DURATION",
    help: "Time from one scheduled backup to the next.",
    usual: "24h",
    least: "1m",
  }),
  /** Milliseconds. */
  adoptersKeep: durationOption({
    name: "adopters-keep",
    placeholder: "DURATION",
    help: "How long the names and contacts of adopters are kept after staff last saved them. Then they are deleted; orders stay.",
    usual: "730d",
    least: "1d",
  }),
  /** Milliseconds. */
  enquiriesKeep: durationOption({
    name: "enquiries-keep",
    placeholder: "DURATION",
    help: "How long enquiries of visitors are kept after they have arrived. Then they are deleted, in any state. The form tells visitors.",
    usual: "365d",
    least: "1d",
  }),
  /** Milliseconds. */
  auditKeep: durationOption({
    name: "audit-keep",
    placeholder: "DURATION",
    help: "How long the audit log keeps who did what, from where and when. Then its oldest rows are deleted, and the rest can still be verified. At most 3650d.",
    usual: "400d",
    least: "1d",
    most: "3650d",
  }),
  /** Milliseconds. */
  requestsKeep: durationOption({
    name: "requests-keep",
    placeholder: "DURATION",
    help: "How long the log of API requests is kept, from 1h to 30d.",
    usual: "7d",
    least: "1h",
    most: "30d",
  }),
  backupKeep: option({
    name: "backup-keep",
    placeholder: "COUNT",
    help: "How many backups to keep in `backup-to`. Older ones are removed after the next good backup.",
    defaultText: "7",
    fallback: 7,
    parse: integer({ min: 1, max: 10_000 }),
    json: "string",
  }),
  backupRecipient: option({
    name: "backup-recipient",
    placeholder: "AGE1…",
    help: "Seals backups to this age recipient (a public key), so that this machine cannot read them. Keep its identity elsewhere: `restore` needs it in addition to the encryption key.",
    defaultText: "a key that derives from the encryption key",
    fallback: undefined,
    parse: ageRecipient,
  }),
  /** Milliseconds. Undefined: twice `backupEvery`. */
  backupMaxAge: option({
    name: "backup-max-age",
    placeholder: "DURATION|off",
    help: "Age of the last good backup beyond which `doctor` fails, and beyond which a new version does not upgrade the tables of PostgreSQL. `off` if PostgreSQL is backed up by other means.",
    defaultText: "twice backup-every",
    fallback: undefined,
    parse: (written) =>
      written === "off" ? done<number | "off">("off") : durationBetween("1m")(written),
    write: (age) => (age === undefined || age === "off" ? (age ?? "") : writtenDuration(age)),
  }),
  /** An address as `bucketUrl` writes it, or a path. Undefined: the database if that is PostgreSQL, else a directory. */
  blobsUrl: option({
    name: "blobs-url",
    placeholder: "URL",
    help: "Where the files of sites are: a bucket, `s3://BUCKET/PREFIX`, or a directory. Copies of those used last, 2 GiB, are in `blob-cache` of the data directory, unless the files are in a directory.",
    defaultText: "`blobs` in data-dir; with PostgreSQL the database",
    fallback: undefined,
    parse: (written) => {
      if (!/^[\w+.-]+:/.test(written)) return done(written);
      const bucket = bucketOf(written);
      return bucket.ok ? done(bucketUrl(bucket.value)) : bucket;
    },
  }),
  /** Bytes, like the next two. */
  photoBytesFree: photoBytes("free", "256MiB", 256 * 1_024 ** 2),
  photoBytesPro: photoBytes("pro", "2GiB", 2 * 1_024 ** 3),
  photoBytesBusiness: photoBytes("business", "20GiB", 20 * 1_024 ** 3),
  s3Endpoint: option({
    name: "s3-endpoint",
    placeholder: "URL",
    help: "Server of `s3://` addresses, such as `https://minio.example.org`. Buckets are paths below it.",
    defaultText: "`AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, else AWS",
    fallback: undefined,
    parse: endpointUrl,
    elsewhere: { variables: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] },
  }),
  s3Region: option({
    name: "s3-region",
    placeholder: "REGION",
    help: "Region of the buckets.",
    defaultText: "`AWS_REGION`, `AWS_DEFAULT_REGION`, else us-east-1",
    fallback: undefined,
    parse: text,
    elsewhere: { variables: ["AWS_REGION", "AWS_DEFAULT_REGION"] },
  }),
  s3AccessKeyId: option({
    name: "s3-access-key-id",
    placeholder: "ID",
    help: "Access key for the buckets.",
    defaultText: "`AWS_ACCESS_KEY_ID`",
    fallback: undefined,
    parse: text,
    elsewhere: { variables: ["AWS_ACCESS_KEY_ID"], group: "s3 credentials" },
  }),
  /** A secret. */
  s3SecretAccessKey: option({
    name: "s3-secret-access-key",
    placeholder: "KEY",
    help: "Secret of `s3-access-key-id`.",
    defaultText: "`AWS_SECRET_ACCESS_KEY`",
    fallback: undefined,
    parse: text,
    secret: true,
    elsewhere: { variables: ["AWS_SECRET_ACCESS_KEY"], group: "s3 credentials" },
  }),
  /** A secret. */
  s3SessionToken: option({
    name: "s3-session-token",
    placeholder: "TOKEN",
    help: "Session token, if `s3-access-key-id` is temporary.",
    defaultText: "`AWS_SESSION_TOKEN`",
    fallback: undefined,
    parse: text,
    secret: true,
    elsewhere: { variables: ["AWS_SESSION_TOKEN"], group: "s3 credentials" },
  }),
  /** A secret, since it may contain a password. */
  smtpUrl: option({
    name: "smtp-url",
    placeholder: "URL",
    help: "Mail server for invitations, password links and enquiries: `smtp://user:password@host:587` with STARTTLS, or `smtps://…:465`. `?tls=required` sends nothing without TLS and a trusted certificate; it is the default with a password, except on this machine. `?tls=optional` uses TLS if the server offers it. Needs `mail-from`.",
    defaultText: "none; no mail is sent",
    fallback: undefined,
    parse: smtpUrl,
    secret: true,
  }),
  mailFrom: option<Mailbox | undefined>({
    name: "mail-from",
    placeholder: "ADDRESS",
    help: "Sender of all mails: `pets@example.org` or `Pets <pets@example.org>`. The mail server must accept it.",
    fallback: undefined,
    parse: readMailbox,
    write: (mailbox) => (mailbox === undefined ? "" : writtenMailbox(mailbox)),
  }),
  releasesUrl: option<string | undefined>({
    name: "releases-url",
    placeholder: "URL",
    help: "Address of a `releases.json`, which `petstore version --check` asks for the newest version. The server itself never asks.",
    defaultText: "none; nothing is asked",
    fallback: undefined,
    parse: httpAddress,
  }),
  logFormat: option<(typeof logFormats)[number]>({
    name: "log-format",
    placeholder: "FORMAT",
    help: "`text`, `json`, or `auto`: text on a terminal, else json.",
    defaultText: "auto",
    fallback: "auto",
    parse: oneOf(logFormats),
    json: logFormats,
  }),
  logLevel: option<(typeof logLevels)[number]>({
    name: "log-level",
    placeholder: "LEVEL",
    help: "`debug` (every request), `info`, `warn` or `error`.",
    defaultText: "info",
    fallback: "info",
    parse: oneOf(logLevels),
    json: logLevels,
  }),
  /** Milliseconds; 0: none. */
  watchdog: option({
    name: "watchdog",
    placeholder: "DURATION",
    help: "Aborts the process (SIGABRT) when its event loop has not run for so long, so that its supervisor starts it again; 0 turns this off. Time during which the machine or the process is suspended does not count, nor do long steps such as a checkpoint.",
    defaultText: "30s",
    fallback: 30 * SECOND_MS,
    parse: (written) => {
      if (written === "0") return done(0);
      const read = duration(written);
      return read.ok && read.value < SECOND_MS ? refused("must be at least 1s, or 0") : read;
    },
    write: (ms) => (ms === 0 ? "0" : writtenDuration(ms)),
  }),
  metricsListen: option<Endpoint | "off">({
    name: "metrics-listen",
    placeholder: "HOST:PORT",
    help: "Address for Prometheus metrics at `/metrics`. Anyone who can reach it can read them.",
    defaultText: "off",
    fallback: "off",
    parse: endpointOrOff,
  }),
} as const;

/** The values of all options. */
export type Settings = {
  readonly [Key in keyof typeof options]: (typeof options)[Key] extends Option<infer Value>
    ? Value
    : never;
};

/** Names the configuration file; has a flag and an environment variable, but is not a key of the file. */
export const configOption = {
  name: "config",
  placeholder: "FILE",
  help: "JSON file with the options of `serve`. Flags and environment variables override it.",
  defaultText: "none",
} as const;

export const optionEntries: readonly (readonly [string, Option<unknown>])[] =
  Object.entries<Option<unknown>>(options);

/** Variables that commands read and `serve` ignores. */
export const clientVariables: readonly string[] = ["server", "token", "token-file"].map(
  environmentName,
);

const notYet = "not in this version";

/** Planned options, with what to report for each. */
export const plannedOptions: ReadonlyMap<string, string> = new Map([
  ["dns-listen", `${notYet}: a wildcard record below cname-target points to this service`],
]);
