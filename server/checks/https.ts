import { DAY_MS } from "../../lib/base/clock.ts";
import { fail, ok, skip, warn, type Check, type Found, type Subject } from "./check.ts";
import { issuersIn } from "../../settings/issuers.ts";
import { isLocal } from "../../settings/domain-names.ts";
import { cannotBeCertified } from "./issuers.ts";
import { isCovered, readOwnCertificate } from "../listeners/own-certificate.ts";
import {
  cnameTarget,
  hasOwnHttps,
  securePort,
  sitesDomain,
} from "../../settings/public-address.ts";
import { WILDCARD_PROBE } from "../base-domain/candidate.ts";
import { addressesOf } from "../resolvers.ts";

/** Public CAs connect only to ports 80 and 443 (RFC 8555 §8.3, RFC 8737 §3). */
export const portsArePublic: Check = async ({ settings }) => {
  const { listenHttps, listen, publicHttpPort } = settings;
  if (listenHttps === "off") return skip("https_off", {});
  const http = publicHttpPort ?? listen.port;
  const https = securePort(settings);
  if (issuersIn(settings).length === 0) return ok("ports_used", { http, https });
  if (cannotBeCertified(settings)) return skip("no_public_ca", { domain: settings.baseDomain });
  // Then the CA is on this network as well, and uses the ports that our own checks use.
  if (settings.allowPrivateNetworks) return ok("ports_used", { http, https });
  const forwards = [
    ...(http === 80 ? [] : [{ from: 80, to: listen.port } as const]),
    ...(https === 443 ? [] : [{ from: 443, to: listenHttps.port } as const]),
  ];
  return forwards.length === 0
    ? ok("ports_public", {})
    : warn("ports_not_public", { http, https, forwards });
};

/** Checks that the operator's own certificate covers our hosts and does not expire soon. */
export const ownCertificateIsSound: Check = async ({ settings, runtime }) => {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, baseDomain } = settings;
  if (certFile === undefined || keyFile === undefined)
    return skip(settings.listenHttps === "off" ? "https_off" : "own_certificate_none", {});
  const { presented, names, doubt } = await readOwnCertificate({ certFile, keyFile });
  const wanted = [
    baseDomain,
    `staging.${baseDomain}`,
    `${WILDCARD_PROBE}.${sitesDomain(settings)}`,
  ];
  const missing = wanted.filter((host) => !isCovered(host, names));
  const { notAfter } = presented;
  const facts = { path: certFile, notAfter };
  if (notAfter < runtime.clock.now()) return fail("own_certificate_expired", facts);
  if (missing.length > 0) {
    const all = missing.map((host) => host.replace(WILDCARD_PROBE, "*"));
    return warn("own_certificate_misses", { ...facts, names: all });
  }
  if (notAfter < runtime.clock.now() + SOON_MS) return warn("own_certificate_ending", facts);
  return doubt !== undefined
    ? warn("own_certificate_doubted", { ...facts, doubt })
    : ok("own_certificate_valid", facts);
};

const SOON_MS: number = 14 * DAY_MS;

/** Names below the CNAME target point to this service. */
export const targetsResolve: Check = async (subject) => {
  const { settings } = subject;
  const domain = cnameTarget(settings);
  if (isLocal(settings.baseDomain)) return ok("targets_local", { domain });
  const found = await addressesOf(subject, `${WILDCARD_PROBE}.${domain}`);
  if (found.length === 0) return warn("targets_missing", { domain });
  const { edgeAddresses } = settings;
  const other = found.filter((address) => !edgeAddresses.includes(address));
  return edgeAddresses.length > 0 && other.length > 0
    ? warn("targets_elsewhere", { domain, addresses: other })
    : ok("targets_resolve", { domain, addresses: found });
};

/** No served certificate has expired, and a server could present all of them. */
export const certificatesAreFresh: Check = async (subject) => {
  const { found, has, query } = await subject.database();
  if (found !== "ours" || !(await has("domain_certificates"))) {
    return skip("certificates_none", {});
  }
  const { settings, runtime } = subject;
  const unservable = await query(UNSERVABLE, UNSERVABLE_MARK);
  if (unservable.length > 0) {
    const names = unservable.map(({ name }) => String(name));
    const [counted] = await query(COUNT_UNSERVABLE, UNSERVABLE_MARK);
    return fail("certificates_not_servable", { names, count: Number(counted?.["count"]) });
  }
  const [all] = await query(AGES);
  const count = Number(all?.["count"]);
  if (count === 0) {
    const ordered = hasOwnHttps(settings) && settings.tlsCertFile === undefined;
    return skip(ordered ? "certificates_ordered" : "certificates_none", {});
  }
  const [ended] = await query(ENDED, runtime.clock.now());
  const expired = Number(ended?.["count"]);
  const facts = { count, notAfter: Number(all?.["first"]) };
  if (expired > 0) return fail("certificates_expired", { ...facts, expired });
  return (await overdueOf(subject, count)) ?? ok("certificates_valid", facts);
};

/** Certificates that should have been replaced by now are a warning. */
async function overdueOf(
  { database, runtime }: Subject,
  count: number,
): Promise<Found | undefined> {
  const { has, query } = await database();
  // A database of an earlier version.
  if (!(await has("overdue_notices"))) return undefined;
  const now = runtime.clock.now();
  const [found] = await query(OVERDUE, now);
  const overdue = Number(found?.["count"]);
  if (overdue === 0) return undefined;
  const names = (await query(FIRST_OVERDUE, now)).map(({ name }) => String(name));
  const [since, notAfter] = [Number(found?.["since"]), Number(found?.["first"])];
  return warn("certificates_overdue", { count, overdue, names, since, notAfter });
}

const OVERDUE = `SELECT COUNT(*) AS count, MIN(overdue_at) AS since, MIN(expires_at) AS first
  FROM domains WHERE overdue_at <= ?`;
const FIRST_OVERDUE =
  "SELECT name FROM domains WHERE overdue_at <= ? ORDER BY expires_at, seq LIMIT 3";

const SERVED = `domain_certificates JOIN domains ON domains.id = domain_certificates.domain_id
  WHERE domains.served = 1`;
const AGES = `SELECT COUNT(*) AS count, MIN(not_after) AS first FROM ${SERVED}`;
const ENDED = `SELECT COUNT(*) AS count FROM ${SERVED} AND not_after < ?`;
/** How a served domain's facts (JSON) say that its certificate cannot be presented: texts in them have no such quotes. */
const UNSERVABLE_MARK = '%"unservable":{"at":%';
const MARKED = "FROM domains WHERE served = 1 AND facts LIKE ?";
const UNSERVABLE = `SELECT name ${MARKED} ORDER BY seq LIMIT 3`;
const COUNT_UNSERVABLE = `SELECT COUNT(*) AS count ${MARKED}`;
