import { HOUR_MS } from "../../lib/base/clock.ts";
import type { MailFault } from "../../lib/mail/index.ts";
import {
  readableBytes,
  readableFiles,
  readableMinute,
  readableSecond,
  shellWord,
} from "../../lib/base/readable.ts";
import type {
  Backups,
  CaaLocks,
  CheckCode,
  CheckFacts,
  FailedBackup,
  GoodBackup,
  HostFault,
  IssuerState,
  LockFault,
  Process,
  Until,
} from "./facts.ts";

/** The English titles of the checks, by id and in the order of the report. */
export const checkTitles = {
  "data-directory": "Data directory",
  "free-space": "Free space",
  "encryption-key": "Encryption key",
  database: "Database",
  redis: "Redis",
  blobs: "Site files",
  backups: "Backups",
  mail: "Mail server",
  server: "Server",
  listen: "HTTP port",
  "staging-listen": "Staging port",
  clock: "Clock",
  "base-domain": "Base domain",
  "sites-domain": "Sites domain",
  "site-cookies": "Site cookies",
  "listen-https": "HTTPS port",
  "public-ports": "Public ports",
  "own-certificate": "Own certificate",
  "cname-targets": "CNAME targets",
  resolvers: "Resolvers",
  ca: "Certificate authority",
  "caa-lock": "CAA lock",
  "own-hosts": "Own hosts",
  certificates: "Certificates",
  domains: "Live domains",
} as const;

/** The id of a check, in kebab-case; never changes. */
export type CheckId = keyof typeof checkTitles;

/** What a check found, and what to do about it. */
export interface CheckText {
  /** The message without a final stop. */
  readonly message: string;
  /** Full sentences. */
  readonly fix?: string;
}

/** The texts of all results. */
export type CheckWording = {
  readonly [Code in CheckCode]: (facts: CheckFacts[Code]) => CheckText;
};

const NONE_YET = "None yet; the first start creates it";
const RECORDS = "Add A or AAAA records";
const NTP = "Set the clock of this machine by NTP.";

/** The English texts. */
export const checkWords: CheckWording = {
  error: ({ reason }) => ({ message: reason }),
  too_slow: ({ seconds }) => ({ message: `No result within ${seconds} seconds` }),
  directory_missing: ({ path }) => ({
    message: `${path} does not exist`,
    fix: "Run `petstore serve`, which creates it.",
  }),
  not_a_directory: ({ path }) => ({ message: `${path} is not a directory` }),
  directory_unusable: ({ path, reason }) => ({ message: `${path} cannot be used: ${reason}` }),
  directory_private: ({ path }) => ({ message: path }),
  directory_open: ({ path, mode }) => ({
    message: `${path} is open to other users (mode ${mode})`,
    fix: `Run chmod 700 ${path}.`,
  }),
  space_unknown: () => ({ message: "There is no data directory to check" }),
  space_free: ({ bytes }) => ({ message: `${readableBytes(bytes)} free` }),
  space_low: ({ bytes, path }) => ({
    message: `${readableBytes(bytes)} free`,
    fix: `Free space on the disk of ${path}.`,
  }),
  key_set: () => ({ message: "Set by option" }),
  key_set_unfit: () => ({ message: "The option is not the key of this database" }),
  key_none: () => ({ message: NONE_YET }),
  key_needed: () => ({
    message: "None: PostgreSQL needs a key that every process uses",
    fix: "Set encryption-key.",
  }),
  key_missing: ({ path }) => ({
    message: `${path} is missing: without it no API key works`,
    fix: "Restore it from your copy.",
  }),
  key_invalid: ({ path, reason }) => ({ message: `${path} ${reason}` }),
  key_unfit: ({ path }) => ({ message: `${path} is not the key of this database` }),
  key_private: ({ path }) => ({ message: `${path}; keep a copy elsewhere` }),
  key_readable: ({ path, mode }) => ({
    message: `${path} can be read by other users (mode ${mode})`,
    fix: `Run chmod 600 ${path}.`,
  }),
  database_none: () => ({ message: NONE_YET }),
  database_unread: () => ({ message: "Not checked: the database cannot be read" }),
  database_lost: ({ reason }) => ({ message: reason }),
  database_damaged: ({ path, reason }) => ({
    message: `${path} is damaged: ${reason}`,
    fix: "Restore a backup.",
  }),
  database_newer: ({ path, version, known }) => ({
    message: `${path} has schema version ${version}, but this program supports ${known}`,
    fix: "Run the newer program that wrote it.",
  }),
  database_sound: ({ path, version, upgradedTo }) => ({
    message: `${path}, schema version ${version}${upgradedTo === undefined ? "" : `, which the next start upgrades to ${upgradedTo}`}`,
  }),
  redis_off: () => ({ message: "Not configured; limits are counted in the database" }),
  redis_unusable: ({ reason }) => ({
    message: `${reason}; limits are counted in PostgreSQL meanwhile`,
    fix: "Start the server, or correct redis-url.",
  }),
  redis_evicts: ({ server }) => ({
    message: `${server} removes counters when its memory is full: their requests would be granted again`,
    fix: "Set maxmemory-policy noeviction.",
  }),
  redis_sound: ({ server, version }) => ({ message: `${server}, ${version}` }),
  files_none: () => ({ message: "None yet; the first deploy creates the directory" }),
  bucket_unusable: ({ bucket, reason }) => ({
    message: `${bucket} cannot be used: ${reason}`,
    fix: "Check blobs-url, the s3-… options and the server of the bucket.",
  }),
  bucket_sound: ({ bucket }) => ({ message: `${bucket} answers` }),
  files_in_database: ({ files, bytes }) => ({
    message: `In the database, ${readableFiles(files)}, ${readableBytes(bytes)}`,
  }),
  files_sound: ({ path, files, bytes }) => ({
    message: `${path}, ${readableFiles(files)}, ${readableBytes(bytes)}`,
  }),
  backups_off: ({ good }) => ({
    message: `Not scheduled${good === undefined ? "" : `; the last one by hand: ${backup(good)}`}`,
  }),
  backups_none: ({ to, nextAt, failed }) =>
    failed === undefined
      ? { message: `None in ${to} yet`, fix: "Wait a few minutes while the server runs." }
      : {
          message: `There is no good backup in ${to}${why(failed)}`,
          fix: `Fix the cause; the server tries again on ${readableMinute(nextAt)}.`,
        },
  backups_fresh: (facts) => ({
    message: backups(facts),
    ...(facts.failed === undefined ? {} : { fix: "Fix the cause; the server tries again." }),
  }),
  backups_old: (facts) => ({
    message: backups(facts),
    fix: `Fix the cause, or run \`petstore backup ${backupTarget(facts.good)}\`.`,
  }),
  mail_off: () => ({ message: "Not configured; links are shown, not sent" }),
  mail_failed: ({ server, fault, said }) => ({
    message: `${server} ${mailFaults[fault]}: ${said}`,
    fix: mailFixes[fault],
  }),
  mail_sound: ({ server, encrypted, signedIn }) => ({
    message: `${server} ${signedIn ? "accepts the sign-in" : "answers"}, ${encrypted ? "encrypted" : "on this machine"}`,
  }),
  mail_late: ({ server, waiting, since }) => ({
    message: `${server} answers, but ${waiting === 1 ? "1 mail has waited" : `${waiting} mails have waited`} since ${readableMinute(since)}`,
    fix: "The log says why attempts fail.",
  }),
  mail_unencrypted: ({ server }) => ({
    message: `${server} offers no encryption: password links cross the network in plain text`,
    fix: "Use a server that offers TLS.",
  }),
  server_none: () => ({ message: "None runs on this directory" }),
  server_ready: (facts) => ({ message: `${running(facts)} is ready` }),
  server_not_ready: (facts) => ({ message: `${running(facts)} is not ready` }),
  server_of_other_version: ({ version, own, ...facts }) => ({
    message: `${running(facts)} is version ${version}, this program is ${own}`,
    fix: "Restart it.",
  }),
  port_off: ({ value }) => ({ message: value === "auto" ? "The next free port" : "Off" }),
  port_any: () => ({ message: "Any free port" }),
  port_free: ({ address }) => ({ message: `${address} is free` }),
  port_ours: ({ address }) => ({ message: `${address}, used by the server of this directory` }),
  port_unused: ({ address }) => ({
    message: `${address}, but the server listens elsewhere`,
    fix: "Restart it.",
  }),
  clock_right: ({ shownAt }) => ({ message: readableSecond(shownAt) }),
  clock_wrong: ({ shownAt }) => ({
    message: `The clock shows ${readableSecond(shownAt)}: limits, bans and expiry depend on it`,
    fix: NTP,
  }),
  clock_behind: ({ shownAt, writtenAt }) => ({
    message: `The clock shows ${readableSecond(shownAt)}, but the database was written on ${readableSecond(writtenAt)}`,
    fix: NTP,
  }),
  clock_differs: ({ aheadMs }) => ({
    message: `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's: this node leaves shared work to nodes with the right time. Without such a node, it purges nothing until the difference has been the same for a day`,
    fix: "Set the clocks of this machine and of the database server by NTP.",
  }),
  clock_jumped: ({ jumpMs, pausedMs }) => ({
    message: `The clock jumped ${Math.round(Math.abs(jumpMs) / HOUR_MS)} h ${jumpMs > 0 ? "forward" : "back"}, or the server was stopped for that time: expired data is kept for another ${Math.ceil(pausedMs / HOUR_MS)} h of running time`,
    fix: "If the clock is wrong, set it by NTP. Otherwise no action is needed.",
  }),
  domain_local: ({ domain }) => ({ message: `${domain}: any host name is accepted` }),
  domain_resolves: ({ names }) => ({ message: `${names.join(" and ")} have addresses` }),
  domain_missing: ({ names }) => ({
    message: `No address found for ${names.join(" and ")}`,
    fix: `${RECORDS}.`,
  }),
  sites_local: ({ domain }) => ({
    message: `Projects are at <slug>.${domain}, which browsers and curl resolve`,
  }),
  sites_resolve: ({ domain }) => ({ message: `Every name below ${domain} has an address` }),
  sites_missing: ({ domain }) => ({
    message: `No address found for names below ${domain}`,
    fix: `${RECORDS} for *.${domain}.`,
  }),
  cookies_local: () => ({ message: "Not checked: the sites are on this machine only" }),
  cookies_apart: ({ dashboard }) => ({
    message: `No site can set cookies for ${dashboard}, the host of the dashboard`,
  }),
  sites_share_cookies: ({ domain, dashboard }) => ({
    message: `Sites below ${domain} can set cookies for ${dashboard}, the host of the dashboard`,
    fix: "Set sites-domain to a domain of its own, if the sites are made by people whom you do not trust.",
  }),
  https_off: () => ({ message: "Not checked: HTTPS is off" }),
  no_public_ca: ({ domain }) => ({ message: `Not checked: no public CA can reach ${domain}` }),
  ports_used: ({ http, https }) => ({ message: `Visitors use ${http} and ${https}` }),
  ports_public: () => ({ message: "Visitors and the CA use 80 and 443" }),
  ports_not_public: ({ http, https, forwards }) => ({
    message: `Visitors use ${http} and ${https}, but a public CA uses 80 and 443`,
    fix: `Forward ${forwards
      .map(({ from, to }) => `${from} to ${to} and set --${optionOf(from)} ${from}`)
      .join(", and ")}.`,
  }),
  own_certificate_none: () => ({ message: "None; Petstore orders certificates" }),
  own_certificate_valid: (facts) => ({ message: until(facts) }),
  own_certificate_ending: (facts) => ({ message: until(facts), fix: "Renew it." }),
  own_certificate_expired: ({ path, notAfter }) => ({
    message: `${path} expired on ${readableMinute(notAfter)}`,
    fix: "Renew it.",
  }),
  own_certificate_misses: ({ names, ...facts }) => ({
    message: `${until(facts)}, does not cover ${names.join(", ")}`,
    fix: "Get a certificate that does.",
  }),
  own_certificate_doubted: ({ doubt, ...facts }) => ({
    message: `${until(facts)}; ${
      doubt === "alone"
        ? "the file has no certificate of the issuer"
        : "a certificate in the file was not signed by the next one"
    }`,
    fix: "Use the full chain that the certificate authority sent, the host's certificate first.",
  }),
  targets_local: ({ domain }) => ({ message: `Custom domains point to names below ${domain}` }),
  targets_missing: ({ domain }) => ({
    message: `No address found for names below ${domain}: no custom domain can be verified`,
    fix: `${RECORDS} for *.${domain}.`,
  }),
  targets_elsewhere: ({ domain, addresses }) => ({
    message: `Names below ${domain} point to ${addresses.join(", ")}, which --edge-addresses does not contain`,
    fix: `Add it there, or point *.${domain} to a listed address.`,
  }),
  targets_resolve: ({ domain, addresses }) => ({
    message: `Names below ${domain} point to ${addresses.join(", ")}`,
  }),
  resolvers_unneeded: () => ({ message: "Not checked: the DNS does not name this service" }),
  resolvers_answer: ({ resolvers }) => ({
    message: `${resolvers.join(", ")} ${resolvers.length === 1 ? "answers" : "answer"}`,
  }),
  resolvers_unvalidating: ({ resolvers, none }) => ({
    message: `${resolvers.join(", ")} ${resolvers.length === 1 ? "does" : "do"} not report that DNSSEC signatures are validated (AD)${
      none ? ": a domain with invalid signatures looks correct until the CA refuses it" : ""
    }`,
    fix: "Set resolvers that validate with --dns-servers, such as Unbound on this machine, or turn validation on: `auto-trust-anchor-file` in Unbound, `dnssec-validation auto` in BIND, `DNSSEC=yes` in systemd-resolved, `dnssec` in dnsmasq, or `proxy-dnssec` if it forwards to a resolver that validates.",
  }),
  resolvers_silent: ({ resolvers, domain }) => ({
    message: `${resolvers.join(", ")} cannot resolve ${domain}`,
    fix: "Set others with --dns-servers.",
  }),
  ca_internal: () => ({ message: "Internal: every device must trust its root" }),
  ca_unreachable: ({ ca, reason }) => ({ message: `${ca}: ${reason}` }),
  clock_skew: ({ aheadMs }) => ({
    message: `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "behind" : "ahead of"} the CA's (clock_skew)`,
    fix: NTP,
  }),
  ca_needs_account: ({ ca }) => ({
    message: `${ca} requires an existing account`,
    fix: "Set acme-eab-kid and acme-eab-hmac-key, or eab in issuers.",
  }),
  ca_asks_operator: ({ ca, page }) => ({
    message: `${ca} waits for a confirmation by the owner of the account, at ${page}`,
    fix: "Correct the DNS of the names that failed (`petstore certs list`), open the page, and follow the instructions. Then run `petstore certs renew NAME`.",
  }),
  ca_paused: ({ ca, until: at, said }) => ({
    message: `${ca} takes no orders until ${readableMinute(at)}: ${said}`,
    fix: "One order at a time tries it before then; the others wait. `petstore certs renew NAME` tries it now.",
  }),
  caa_lock_unneeded: () => ({ message: "No public CA issues certificates for custom domains" }),
  caa_lock_unknown: ({ domain }) => ({
    message: `The name servers of ${domain} or the CA did not say which CAA records apply`,
    fix: "Check again later.",
  }),
  caa_lock_none: (facts) => ({
    message: `None: any account at any CA may get certificates for domains that point here by CNAME. ${locks(facts)}`,
  }),
  caa_lock_right: ({ domain }) => ({
    message: `Only this service's account may get certificates for domains that point below ${domain} by CNAME; ALIAS and A records are not covered`,
  }),
  caa_lock_open: (facts) => ({
    message: `The CAA records below ${facts.domain} also allow other accounts. ${locks(facts)}`,
  }),
  caa_lock_pending: ({ records, visible }) =>
    visible
      ? { message: "All name servers allow the new account, which takes over after one TTL" }
      : {
          message: "A new account waits until the name servers have its CAA record",
          fix: `Enter it beside the present one: ${records.join(" and ")}. Or run \`petstore certs account replace --cancel\`.`,
        },
  caa_lock_behind: ({ servers, ...facts }) => ({
    message: `${servers.join(", ")} still ${servers.length === 1 ? "has" : "have"} other CAA records for names below ${facts.domain}`,
    fix: `${locks(facts)} Wait until every name server has the same records.`,
  }),
  caa_lock_wrong: ({ faults, ...facts }) => ({
    message: `The CAA records below ${facts.domain} ${faults.map((fault) => lockFaults[fault]).join(" and ")}`,
    fix: locks(facts),
  }),
  ca_profile_unknown: ({ ca, profile, offered }) => ({
    message: `${ca} does not offer the profile ${profile}`,
    fix:
      offered.length === 0
        ? "It has no profiles: remove acme-profile, or profile in issuers."
        : `Set acme-profile, or profile in issuers, to one of ${offered.join(", ")}.`,
  }),
  ca_partly: ({ issuers }) => ({
    message: issuers.map(issuerLine).join(";\n"),
    fix: "Certificates are ordered from the others until it works.",
  }),
  ca_answers: ({ issuers }) => ({ message: issuers.map(issuerLine).join(";\n") }),
  hosts_unneeded: () => ({ message: "No certificate is ordered for them" }),
  hosts_internal: () => ({ message: "Their certificates come from the internal CA" }),
  hosts_ready: ({ hosts }) => ({ message: `${hosts.join(" and ")} can have certificates` }),
  hosts_blocked: ({ hosts }) => ({
    message: hosts
      .map(
        ({ name, faults }) =>
          `${name}: ${faults.map((fault) => FAULTS[fault] ?? fault).join(", ")}`,
      )
      .join("; "),
    fix: "Check the address and CAA records of these names.",
  }),
  certificates_none: () => ({ message: "None yet" }),
  certificates_ordered: () => ({ message: "None yet; the server orders them" }),
  certificates_valid: (facts) => ({ message: certificates(facts) }),
  certificates_expired: ({ expired, ...facts }) => ({
    message: `${certificates(facts)}; ${expired} expired`,
    fix: "Run `petstore certs list` to see which, then `petstore certs renew HOST`: it orders now, or says why it cannot.",
  }),
  certificates_overdue: ({ count, overdue, names, since, notAfter }) => ({
    message: `${overdue} of ${count} certificates ${overdue === 1 ? "is" : "are"} overdue since ${readableMinute(since)}: ${names.join(", ")}${overdue > names.length ? " and others" : ""}; the first expires on ${readableMinute(notAfter)}`,
    fix: "Run `petstore certs renew HOST` for one of them: it orders now, or says why it cannot. The other checks say whether the CA, the resolvers and the clock are all right.",
  }),
  certificates_not_servable: ({ names, count }) => ({
    message: `The certificates of ${count} ${count === 1 ? "host" : "hosts"} cannot be served: ${names.join(", ")}`,
    fix: "The server has ordered others. If they do not arrive, run `petstore certs renew HOST` to see why.",
  }),
  domains_none: () => ({ message: "None yet" }),
  domains_unseen: () => ({ message: "None was looked at yet; the server looks once a day" }),
  domains_stay: () => ({ message: "All lead here" }),
  domains_drift: ({ count }) => ({
    message: `${count} ${count === 1 ? "domain leads" : "domains lead"} elsewhere; their owners were told`,
  }),
  drift_stands_still: ({ looks, bad }) => ({
    message: `${bad} of the last ${looks} domains seem to lead elsewhere, so the cause must be here; none of them is released`,
    fix: "Check the resolvers, the network and the records of the CNAME target. If the domains really moved, remove them.",
  }),
  hosts_drift: ({ names }) => ({
    message: `No longer ${names.length === 1 ? "has" : "have"} the DNS records that ${names.length === 1 ? "it" : "they"} had: ${names.join(", ")}`,
    fix: "Correct the address records of these names.",
  }),
};

function issuerLine({ ca, account, caa, profile, problem }: IssuerState): string {
  if (problem !== null) return problem.startsWith(ca) ? problem : `${ca}: ${problem}`;
  return [
    `${ca} answers`,
    account === null ? "no account yet" : `account ${account}`,
    ...(caa.length === 0 ? [] : [`CAA ${caa.join(", ")}`]),
    ...(profile === null ? [] : [`profile ${profile}`]),
  ].join(", ");
}

const FAULTS: Readonly<Partial<Record<HostFault, string>>> = {
  no_record: "no address found",
  caa_forbids: "a CAA record does not allow the CA",
  caa_error: "its CAA records cannot be read",
  ca_unavailable: "the CA does not report its name in CAA records",
};

/** Says which records to enter. */
function locks({ records, complete }: CaaLocks): string {
  const entered =
    records.length === 1
      ? `To allow only this service's account, enter exactly: ${records.join("")}`
      : `To allow only this service's accounts, enter exactly these records: ${records.join(" and ")}`;
  return complete
    ? `${entered}.`
    : `${entered}; it lacks accounturi until the account is registered, by the first order or by \`petstore certs account replace\`.`;
}

const lockFaults: Readonly<Record<LockFault, string>> = {
  other_issuer: "do not allow the CA",
  other_account: "allow another account only",
  letter_case: "differ in letter case, and CAs compare byte for byte",
  missing_method: "do not allow every validation method of this service",
  malformed: "are invalid or have an unknown critical record",
};

function running({ pid, address }: Process): string {
  return `Process ${pid} on ${address}`;
}

function until({ path, notAfter }: Until): string {
  return `${path}, valid until ${readableMinute(notAfter)}`;
}

function certificates({ count, notAfter }: CheckFacts["certificates_valid"]): string {
  return count === 1
    ? `1 certificate, which expires on ${readableMinute(notAfter)}`
    : `${count} certificates; the first expires on ${readableMinute(notAfter)}`;
}

function optionOf(port: 80 | 443): string {
  return port === 80 ? "public-http-port" : "public-https-port";
}

/** Returns the place of a scheduled backup, as a command needs it: a directory that is missing ends with a slash. */
export function backupTarget({ to }: GoodBackup): string {
  return shellWord(to.startsWith("s3:") ? to : `${to}/`);
}

function backup({ at, to, bytes, rehearsed }: GoodBackup): string {
  const trial = rehearsed ? "trial restore passed" : "no trial restore";
  return `${readableMinute(at)} in ${to}, ${readableBytes(bytes)}, ${trial}`;
}

function backups({ good, nextAt, failed }: Backups): string {
  return `${backup(good)}; next on ${readableMinute(nextAt)}; \`petstore restore ${shellWord(good.to)}\` restores it${why(failed)}`;
}

function why(failed: FailedBackup["failed"]): string {
  return failed === undefined
    ? ""
    : `; the last attempt failed on ${readableMinute(failed.at)}: ${failed.reason.replace(/\.$/, "")}`;
}

/** Returns the texts of a result; undefined for a code that `wording` does not have. */
export function checkTextFor(
  wording: CheckWording,
  code: string,
  facts: unknown,
): CheckText | undefined {
  if (!Object.hasOwn(wording, code)) return undefined;
  // The facts of a result always belong to its code.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return wording[code as CheckCode](facts as never);
}

const mailFaults: Readonly<Record<MailFault, string>> = {
  unreachable: "cannot be reached",
  timeout: "does not answer in time",
  cut: "closes the connection",
  tls: "offers no encryption that can be trusted",
  credentials: "refuses the sign-in",
  sender: "refuses the sender",
  busy: "asks to try again later",
  protocol: "does not answer as a mail server",
  recipient: "refuses the recipient",
  content: "refuses the mail",
};

const CHECK_ADDRESS =
  "Check the host and port in smtp-url: port 465 needs smtps://, other ports need smtp://. A firewall may also block the port.";
const WAIT = "Mails wait and are sent later. If this lasts, ask the operator of the mail server.";

const mailFixes: Readonly<Record<MailFault, string>> = {
  unreachable: CHECK_ADDRESS,
  timeout: CHECK_ADDRESS,
  cut: CHECK_ADDRESS,
  tls: "Write a host name that is in the server's certificate. For a server without TLS, add ?tls=optional to smtp-url.",
  credentials:
    "Correct the user and password in smtp-url. Write special characters percent-encoded, such as %2F for /.",
  sender: "Set mail-from to an address that this user may send from.",
  busy: WAIT,
  protocol: CHECK_ADDRESS,
  recipient: "Check the address.",
  content: "Ask the operator of the mail server what it refuses.",
};
