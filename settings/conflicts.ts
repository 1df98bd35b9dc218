import { addressOf } from "../adapters/postgres/address.ts";
import { redisAddressOf } from "../adapters/redis/address.ts";
import { directoryOf } from "./addresses.ts";
import { isLocal } from "./domain-names.ts";
import { options, type Settings } from "./options.ts";
import { cnameTarget, sitesDomain } from "./public-address.ts";
import { isBucketUrl, noAccess, s3AccessIn } from "./s3.ts";

/** Option, the option that it needs, and why or how. */
const needs: readonly (readonly [keyof Settings, keyof Settings, string])[] = [
  ["tlsCertFile", "tlsKeyFile", ": a certificate needs its key"],
  ["tlsKeyFile", "tlsCertFile", ""],
  ["publicHttpsPort", "listenHttps", ""],
  ["acmeEabKid", "acmeEabHmacKey", ", which the CA issued with it"],
  ["acmeEabHmacKey", "acmeEabKid", ""],
  ["adminEmail", "adminPassword", ", preferably as PETSTORE_ADMIN_PASSWORD_FILE"],
  ["adminPassword", "adminEmail", ""],
  ["databaseCaFile", "databaseUrl", ""],
  ["databaseSchema", "databaseUrl", ""],
  ["redisUrl", "databaseUrl", ": with SQLite, one server counts limits in its own memory"],
  ["redisCaFile", "redisUrl", ""],
  ["smtpUrl", "mailFrom", ": the address that mails come from"],
  ["mailFrom", "smtpUrl", ": the server that sends mails"],
];

/** The options of a single CA, which `issuers` replaces. */
const ofOneIssuer = [
  "acme",
  "acmeCaFile",
  "acmeCaaIdentity",
  "acmeEmail",
  "acmeEabKid",
  "acmeEabHmacKey",
  "acmeProfile",
] as const;

/**
 * Returns the contradictions of the settings, each as a sentence without its full stop. `given` are the keys of the
 * options that are not at their default.
 */
export function conflictsIn(settings: Settings, given: readonly string[]): readonly string[] {
  const { listenHttps, hstsSeconds, baseDomain, trustedProxies, acme, databaseUrl, redisUrl } =
    settings;
  const isSet = (key: keyof Settings): boolean =>
    settings[key] !== undefined && settings[key] !== "off";
  const faults = needs
    .filter(([key, needed]) => isSet(key) && !isSet(needed))
    .map(([key, needed, why]) => `${options[key].name} needs ${options[needed].name}${why}`);
  if (listenHttps === "off" && isSet("tlsCertFile") && isSet("tlsKeyFile")) {
    faults.push("tls-cert-file needs listen-https: without it the certificate is not used");
  }
  if (
    isSet("databaseCaFile") &&
    databaseUrl !== undefined &&
    addressOf(databaseUrl).sslMode !== "verify-full"
  ) {
    faults.push(
      "database-ca-file needs sslmode=verify-full in database-url: the other modes check no certificate",
    );
  }
  if (redisUrl !== undefined && isSet("redisCaFile") && !redisAddressOf(redisUrl).tls) {
    faults.push("redis-ca-file needs rediss:// in redis-url: redis:// is not encrypted");
  }
  if (isSet("backupMaxAge") && !isSet("backupTo") && !isSet("databaseUrl")) {
    faults.push("backup-max-age needs backup-to");
  }
  if (hstsSeconds > 0 && listenHttps === "off" && trustedProxies.length === 0) {
    faults.push("hsts needs HTTPS: set listen-https, or trusted-proxies if a proxy terminates TLS");
  }
  if (settings.proxyProtocol && trustedProxies.length === 0) {
    faults.push("proxy-protocol needs trusted-proxies: the networks of the proxies that use it");
  }
  if (hstsSeconds > 0 && isLocal(baseDomain)) {
    faults.push(
      `hsts needs a domain as base-domain: browsers would refuse plain HTTP for everything at ${baseDomain}`,
    );
  }
  const { backupTo, blobsUrl } = settings;
  if (blobsUrl !== undefined && isBucketUrl(blobsUrl) && s3AccessIn(settings) === undefined) {
    faults.push(`blobs-url ${noAccess(blobsUrl)}`);
  }
  if (backupTo !== undefined && isBucketUrl(backupTo) && s3AccessIn(settings) === undefined) {
    faults.push(`backup-to ${noAccess(backupTo)}`);
  }
  const target = cnameTarget(settings);
  if ([baseDomain, `staging.${baseDomain}`, sitesDomain(settings)].includes(target)) {
    faults.push(
      `cname-target must be a name of its own, not ${target}, which serves something else`,
    );
  }
  if (isSet("issuers")) {
    for (const key of ofOneIssuer.filter((one) => given.includes(one))) {
      faults.push(`${options[key].name} cannot be combined with issuers, which names every CA`);
    }
  } else if (directoryOf(acme) === undefined) {
    for (const key of ofOneIssuer) {
      if (key !== "acme" && key !== "acmeEabHmacKey" && isSet(key))
        faults.push(`${options[key].name} is for an external CA, but acme is internal`);
    }
  }
  return faults;
}
