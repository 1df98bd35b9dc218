import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";

import { isSkewed, skewInWords } from "../../domains/index.ts";
import { DAY_MS, isoTime } from "../../lib/base/clock.ts";
import { publicAuthority } from "../authority.ts";
import { fail, skip, warn, type Check } from "./check.ts";
import { caNames, directoryOf } from "../../settings/addresses.ts";
import { isLocal, isUnreachable, type Settings } from "../../settings/options.ts";
import { isCovered, readOwnCertificate } from "../own-certificate.ts";
import {
  cnameTarget,
  hasOwnHttps,
  securePort,
  sitesDomain,
} from "../../settings/public-address.ts";
import { WILDCARD_PROBE } from "../base-domain/candidate.ts";
import { addressesOf } from "../resolvers.ts";

const OFF = "off: a proxy in front of this service has the certificates";

/** Public CAs connect only to ports 80 and 443 (RFC 8555 §8.3, RFC 8737 §3). */
export const portsArePublic: Check = async ({ settings }) => {
  const { listenHttps, listen, publicHttpPort, acme } = settings;
  if (listenHttps === "off") return skip(OFF);
  const http = publicHttpPort ?? listen.port;
  const https = securePort(settings);
  if (directoryOf(acme) === undefined) return `visitors use ${http} and ${https}`;
  if (cannotBeCertified(settings)) return skip(noPublicAuthority(settings));
  const missing = [
    ...(http === 80 ? [] : [`80 to ${listen.port} and set --public-http-port 80`]),
    ...(https === 443 ? [] : [`443 to ${listenHttps.port} and set --public-https-port 443`]),
  ];
  return missing.length === 0
    ? "visitors and the CA use 80 and 443"
    : warn(
        `visitors use ${http} and ${https}, but a public CA uses 80 and 443`,
        `forward ${missing.join(", and ")}`,
      );
};

/** Returns whether a public CA is selected, usually by default, that cannot reach this service. */
function cannotBeCertified({ acme, baseDomain }: Settings): boolean {
  return isUnreachable(baseDomain) && caNames.some((name) => name === acme) && acme !== "internal";
}

function noPublicAuthority({ baseDomain }: Settings): string {
  return `not checked: no public CA can reach ${baseDomain}`;
}

/** Checks that the operator's own certificate covers our hosts and does not expire soon. */
export const ownCertificateIsSound: Check = async ({ settings, runtime }) => {
  const { tlsCertFile: certFile, tlsKeyFile: keyFile, baseDomain } = settings;
  if (certFile === undefined || keyFile === undefined)
    return skip("none: certificates are ordered");
  const { presented, names } = await readOwnCertificate({ certFile, keyFile });
  const wanted = [
    baseDomain,
    `staging.${baseDomain}`,
    `${WILDCARD_PROBE}.${sitesDomain(settings)}`,
  ];
  const missing = wanted.filter((host) => !isCovered(host, names));
  const { notAfter } = presented;
  const until = `${certFile}, valid until ${isoTime(notAfter)}`;
  if (notAfter < runtime.clock.now()) return fail(`${until}: expired`, "renew it");
  if (missing.length > 0) {
    const all = missing.map((host) => host.replace(WILDCARD_PROBE, "*")).join(", ");
    return warn(`${until}: it does not cover ${all}`, "get a certificate that does");
  }
  return notAfter < runtime.clock.now() + SOON_MS ? warn(until, "renew it") : until;
};

const SOON_MS: number = 14 * DAY_MS;

/** Names below the CNAME target point to this service. */
export const targetsResolve: Check = async (subject) => {
  const { settings } = subject;
  const target = cnameTarget(settings);
  if (isLocal(settings.baseDomain)) return `custom domains point to names below ${target}`;
  const found = await addressesOf(subject, `${WILDCARD_PROBE}.${target}`);
  if (found.length === 0) {
    return warn(
      `no address found for names below ${target}: no custom domain can be verified`,
      `add A or AAAA records for *.${target}`,
    );
  }
  const { edgeAddresses } = settings;
  const other = found.filter((address) => !edgeAddresses.includes(address));
  if (edgeAddresses.length > 0 && other.length > 0) {
    const all = other.join(", ");
    return warn(
      `names below ${target} point to ${all}, which --edge-addresses does not contain`,
      `add it there, or point *.${target} to a listed address`,
    );
  }
  return `names below ${target} point to ${found.join(", ")}`;
};

const PATIENCE_MS = 15_000;

/** Checks that the CA's directory responds, that its clock agrees with ours, and that it has the account that it requires. */
export const caAnswers: Check = async (subject) => {
  const { settings } = subject;
  if (settings.listenHttps === "off") return skip(OFF);
  if (cannotBeCertified(settings)) return skip(noPublicAuthority(settings));
  const authority = await publicAuthority(settings, subject.runtime);
  if (authority === undefined) return "internal: every device must trust its root";
  const read = await authority.directory(AbortSignal.timeout(PATIENCE_MS));
  if (!read.ok) return fail(`${authority.id}: ${read.failure.message}`);
  const { aheadMs = 0, externalAccountRequired } = read.value;
  if (isSkewed(aheadMs)) return fail(`clock_skew: ${skewInWords(aheadMs)}`, "set it by NTP");
  if (externalAccountRequired && settings.acmeEabKid === undefined) {
    return fail(
      `${authority.id} requires an existing account`,
      "set acme-eab-kid and acme-eab-hmac-key",
    );
  }
  return `${authority.id} answers`;
};

/** No served certificate has expired. */
export const certificatesAreFresh: Check = async ({ settings, directory, runtime }) => {
  if (!existsSync(directory.database)) return skip("none yet");
  const database = new Database(directory.database, { readonly: true });
  try {
    const now = runtime.clock.now();
    const [tables] = database.prepare(TABLE).values();
    if (tables === undefined) return skip("none yet");
    const [[count = 0, first] = []] = database.prepare(AGES).values();
    const [[ended = 0] = []] = database.prepare(ENDED).values(now);
    if (Number(count) === 0) {
      const ordered = hasOwnHttps(settings) && settings.tlsCertFile === undefined;
      return skip(ordered ? "none yet; the server orders them" : "none yet");
    }
    const all = `${String(count)}, the first expires ${isoTime(Number(first))}`;
    return Number(ended) === 0
      ? all
      : fail(`${all}: ${String(ended)} expired`, "see `petstore certs list`");
  } finally {
    database.close();
  }
};

const TABLE = "SELECT 1 FROM sqlite_schema WHERE name = 'domain_certificates'";
const SERVED = `domain_certificates JOIN domains ON domains.id = domain_certificates.domain_id
  WHERE domains.served = 1`;
const AGES = `SELECT COUNT(*), MIN(not_after) FROM ${SERVED}`;
const ENDED = `SELECT COUNT(*) FROM ${SERVED} AND not_after < ?`;
