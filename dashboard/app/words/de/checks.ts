import { shellWord } from "../../../../lib/base/readable.ts";
import type {
  CheckFacts,
  GoodBackup,
  HostFault,
  LockFault,
  IssuerState,
} from "../../../../server/checks/facts.ts";
import { backupTarget, type CheckId, type CheckWording } from "../../../../server/checks/words.ts";
import type { MailFault } from "../../../../lib/mail/mailer.ts";
import { bytes, dateTime, number, plural } from "../format.ts";

/** The titles of the System page's checks, in German. */
export const checkTitles: Readonly<Record<CheckId, string>> = {
  "data-directory": "Datenverzeichnis",
  "free-space": "Freier Speicherplatz",
  "encryption-key": "Verschlüsselungsschlüssel",
  database: "Datenbank",
  redis: "Redis",
  blobs: "Website-Dateien",
  backups: "Backups",
  mail: "Mailserver",
  server: "Laufender Server",
  listen: "HTTP-Port",
  "staging-listen": "Staging-Port",
  clock: "Uhr",
  "base-domain": "Basisdomain",
  "sites-domain": "Domain der Websites",
  "site-cookies": "Cookies der Websites",
  "listen-https": "HTTPS-Port",
  "public-ports": "Öffentliche Ports",
  "own-certificate": "Eigenes Zertifikat",
  "cname-targets": "CNAME-Ziele",
  resolvers: "Resolver",
  ca: "Zertifizierungsstelle",
  "caa-lock": "CAA-Sperre",
  "own-hosts": "Eigene Hosts",
  certificates: "Zertifikate",
  domains: "Domains in Betrieb",
};

const NONE_YET = "Noch nicht vorhanden; der erste Start legt sie an";
const RECORDS = "Fügen Sie A- oder AAAA-Einträge hinzu";
const RENEW = "Erneuern Sie es.";
const CLOCK = "Stellen Sie die Uhr dieses Rechners mit NTP.";

/** The results of the System page's checks, in German. */
export const checkWords: CheckWording = {
  error: ({ reason }) => ({ message: `Die Prüfung ist fehlgeschlagen: ${reason}` }),
  too_slow: ({ seconds }) => ({ message: `Kein Ergebnis nach ${number(seconds)} Sekunden` }),
  directory_missing: ({ path }) => ({
    message: `${path} gibt es nicht`,
    fix: "Führen Sie `petstore serve` aus: Der Befehl legt es an.",
  }),
  not_a_directory: ({ path }) => ({ message: `${path} ist kein Verzeichnis` }),
  directory_unusable: ({ path, reason }) => ({
    message: `${path} lässt sich nicht verwenden: ${reason}`,
  }),
  directory_private: ({ path }) => ({ message: path }),
  directory_open: ({ path, mode }) => ({
    message: `Andere Benutzer haben Zugriff auf ${path} (Modus ${mode})`,
    fix: `Führen Sie chmod 700 ${path} aus.`,
  }),
  space_unknown: () => ({ message: "Es gibt noch kein Datenverzeichnis" }),
  space_free: ({ bytes: free }) => ({ message: `${bytes(free)} frei` }),
  space_low: ({ bytes: free, path }) => ({
    message: `${bytes(free)} frei`,
    fix: `Schaffen Sie Platz auf dem Datenträger von ${path}.`,
  }),
  key_set: () => ({ message: "Als Option gesetzt" }),
  key_set_unfit: () => ({ message: "Die Option ist nicht der Schlüssel dieser Datenbank" }),
  key_none: () => ({ message: "Noch nicht vorhanden; der erste Start legt ihn an" }),
  key_needed: () => ({
    message: "Fehlt: PostgreSQL braucht einen Schlüssel, den alle Prozesse verwenden",
    fix: "Setzen Sie encryption-key.",
  }),
  key_missing: ({ path }) => ({
    message: `${path} fehlt: Ohne diese Datei funktioniert kein API-Schlüssel`,
    fix: "Stellen Sie sie aus Ihrer Kopie wieder her.",
  }),
  key_invalid: ({ path, reason }) => ({ message: `${path} ist ungültig: ${reason}` }),
  key_unfit: ({ path }) => ({ message: `${path} ist nicht der Schlüssel dieser Datenbank` }),
  key_private: ({ path }) => ({ message: `${path}; bewahren Sie anderswo eine Kopie auf` }),
  key_readable: ({ path, mode }) => ({
    message: `Andere Benutzer können ${path} lesen (Modus ${mode})`,
    fix: `Führen Sie chmod 600 ${path} aus.`,
  }),
  database_none: () => ({ message: NONE_YET }),
  database_unread: () => ({ message: "Nicht geprüft: Die Datenbank ist nicht lesbar" }),
  database_lost: ({ reason }) => ({
    message: `Die Datenbank fehlt oder gehört zu einem anderen Programm: ${reason}`,
  }),
  database_damaged: ({ path, reason }) => ({
    message: `${path} ist beschädigt: ${reason}`,
    fix: "Stellen Sie ein Backup wieder her.",
  }),
  database_newer: ({ path, version, known }) => ({
    message: `${path} hat Schemaversion ${version}; dieses Programm unterstützt nur ${known}`,
    fix: "Verwenden Sie das neuere Programm, das die Datei geschrieben hat.",
  }),
  database_sound: ({ path, version, upgradedTo }) => ({
    message: `${path}, Schemaversion ${version}${upgradedTo === undefined ? "" : `; der nächste Start aktualisiert sie auf ${upgradedTo}`}`,
  }),
  redis_off: () => ({ message: "Nicht eingerichtet; Limits werden in der Datenbank gezählt" }),
  redis_unusable: ({ reason }) => ({
    message: `${reason}; Limits werden so lange in PostgreSQL gezählt`,
    fix: "Starten Sie den Server, oder korrigieren Sie redis-url.",
  }),
  redis_evicts: ({ server }) => ({
    message: `${server} entfernt Zähler, wenn der Speicher voll ist: Anfragen würden noch einmal zugelassen`,
    fix: "Setzen Sie maxmemory-policy noeviction.",
  }),
  redis_sound: ({ server, version }) => ({ message: `${server}, ${version}` }),
  files_none: () => ({
    message: "Noch keine; die erste Veröffentlichung legt das Verzeichnis an",
  }),
  bucket_unusable: ({ bucket, reason }) => ({
    message: `${bucket} kann nicht verwendet werden: ${reason}`,
    fix: "Prüfen Sie blobs-url, die Optionen s3-… und den Server des Buckets.",
  }),
  bucket_sound: ({ bucket }) => ({ message: `${bucket} antwortet` }),
  files_in_database: (files) => ({ message: `In der Datenbank, ${total(files)}` }),
  files_sound: ({ path, ...files }) => ({ message: `${path}, ${total(files)}` }),
  backups_off: ({ good }) => ({
    message: `Nicht geplant${good === undefined ? "" : `; die letzte von Hand: ${backup(good)}`}`,
  }),
  backups_none: ({ to, nextAt, failed }) =>
    failed === undefined
      ? {
          message: `Noch keine in ${to}`,
          fix: "Warten Sie ein paar Minuten, während der Server läuft.",
        }
      : {
          message: `In ${to} gibt es kein gültiges Backup${why(failed)}`,
          fix: `Beheben Sie die Ursache; der Server versucht es am ${dateTime(nextAt)} noch einmal.`,
        },
  backups_fresh: (facts) => ({
    message: backups(facts),
    ...(facts.failed === undefined
      ? {}
      : { fix: "Beheben Sie die Ursache; der Server versucht es noch einmal." }),
  }),
  backups_old: (facts) => ({
    message: backups(facts),
    fix: `Beheben Sie die Ursache, oder führen Sie \`petstore backup ${backupTarget(facts.good)}\` aus.`,
  }),
  mail_off: () => ({ message: "Nicht eingerichtet; Links werden angezeigt, nicht verschickt" }),
  mail_failed: ({ server, fault, said }) => ({
    message: `${server} ${mailFaults[fault]}: ${said}`,
    fix: mailFixes[fault],
  }),
  mail_sound: ({ server, encrypted, signedIn }) => ({
    message: `${server} ${signedIn ? "nimmt die Anmeldung an" : "antwortet"}, ${encrypted ? "verschlüsselt" : "auf diesem Rechner"}`,
  }),
  mail_late: ({ server, waiting, since }) => ({
    message: `${server} antwortet, aber seit ${dateTime(since)} ${plural(waiting, { one: "wartet 1 Mail", other: `warten ${number(waiting)} Mails` })}`,
    fix: "Das Protokoll sagt, warum Versuche scheitern.",
  }),
  mail_unencrypted: ({ server }) => ({
    message: `${server} bietet keine Verschlüsselung an: Passwort-Links gehen im Klartext durch das Netz`,
    fix: "Verwenden Sie einen Server, der TLS anbietet.",
  }),
  server_none: () => ({ message: "In diesem Verzeichnis läuft keiner" }),
  server_ready: (facts) => ({ message: `${running(facts)} ist bereit` }),
  server_not_ready: (facts) => ({ message: `${running(facts)} ist nicht bereit` }),
  server_of_other_version: ({ version, own, ...facts }) => ({
    message: `${running(facts)} hat Version ${version}, dieses Programm ist ${own}`,
    fix: "Starten Sie ihn neu.",
  }),
  port_off: ({ value }) => ({ message: value === "auto" ? "Der nächste freie Port" : "Aus" }),
  port_any: () => ({ message: "Ein beliebiger freier Port" }),
  port_free: ({ address }) => ({ message: `${address} ist frei` }),
  port_ours: ({ address }) => ({
    message: `${address}, verwendet vom Server dieses Verzeichnisses`,
  }),
  port_unused: ({ address }) => ({
    message: `${address}, aber der Server verwendet eine andere Adresse`,
    fix: "Starten Sie ihn neu.",
  }),
  clock_right: ({ shownAt }) => ({ message: dateTime(shownAt) }),
  clock_wrong: ({ shownAt }) => ({
    message: `Die Uhr zeigt ${dateTime(shownAt)}: Limits, Sperren und Ablaufzeiten hängen davon ab`,
    fix: CLOCK,
  }),
  clock_behind: ({ shownAt, writtenAt }) => ({
    message: `Die Uhr zeigt ${dateTime(shownAt)}, aber die Datenbank wurde am ${dateTime(writtenAt)} geschrieben`,
    fix: CLOCK,
  }),
  clock_differs: ({ aheadMs }) => ({
    message: `Die Uhr dieses Rechners geht gegenüber der Datenbank ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? "vor" : "nach"}: Dieser Knoten überlässt gemeinsame Arbeit den Knoten mit richtiger Zeit. Ohne einen solchen löscht er nichts, bis die Abweichung einen Tag lang gleich war`,
    fix: "Stellen Sie die Uhren dieses Rechners und des Datenbankservers mit NTP.",
  }),
  clock_jumped: ({ jumpMs, pausedMs }) => ({
    message: `Die Uhr sprang um ${Math.round(Math.abs(jumpMs) / 3_600_000)} Stunden ${jumpMs > 0 ? "vor" : "zurück"}, oder der Server war so lange aus: Abgelaufene Daten bleiben noch ${Math.ceil(pausedMs / 3_600_000)} Betriebsstunden erhalten`,
    fix: "Stellen Sie die Uhr mit NTP, falls sie falsch geht. Sonst ist nichts zu tun.",
  }),
  domain_local: ({ domain }) => ({ message: `${domain}: Jeder Hostname wird angenommen` }),
  domain_resolves: ({ names }) => ({ message: `${names.join(" und ")} haben Adressen` }),
  domain_missing: ({ names }) => ({
    message: `Keine Adresse gefunden für ${names.join(" und ")}`,
    fix: `${RECORDS}.`,
  }),
  sites_local: ({ domain }) => ({
    message: `Projekte liegen unter <Adresse>.${domain}; Browser und curl finden sie`,
  }),
  sites_resolve: ({ domain }) => ({ message: `Jeder Name unter ${domain} hat eine Adresse` }),
  sites_missing: ({ domain }) => ({
    message: `Keine Adresse gefunden für Namen unter ${domain}`,
    fix: `${RECORDS}: *.${domain}.`,
  }),
  cookies_local: () => ({ message: "Nicht geprüft: Die Websites sind nur auf diesem Rechner" }),
  cookies_apart: ({ dashboard }) => ({
    message: `Keine Website kann Cookies für ${dashboard} setzen, die Adresse des Dashboards`,
  }),
  sites_share_cookies: ({ domain, dashboard }) => ({
    message: `Websites unter ${domain} können Cookies für ${dashboard} setzen, die Adresse des Dashboards`,
    fix: "sites-domain auf eine eigene Domain setzen, wenn die Websites von Leuten stammen, denen Sie nicht vertrauen.",
  }),
  https_off: () => ({ message: "Nicht geprüft: HTTPS ist aus" }),
  no_public_ca: ({ domain }) => ({
    message: `Nicht geprüft: Keine öffentliche Zertifizierungsstelle erreicht ${domain}`,
  }),
  ports_used: ({ http, https }) => ({ message: `Besucher verwenden ${http} und ${https}` }),
  ports_public: () => ({ message: "Besucher und Zertifizierungsstelle verwenden 80 und 443" }),
  ports_not_public: ({ http, https, forwards }) => ({
    message: `Besucher verwenden ${http} und ${https}, eine öffentliche Zertifizierungsstelle aber 80 und 443`,
    fix: forwards
      .map(
        ({ from, to }) =>
          `Leiten Sie ${from} zu ${to} weiter, und setzen Sie --public-${from === 80 ? "http" : "https"}-port ${from}.`,
      )
      .join(" "),
  }),
  own_certificate_none: () => ({ message: "Keines; Petstore bestellt Zertifikate" }),
  own_certificate_valid: (facts) => ({ message: until(facts) }),
  own_certificate_ending: (facts) => ({ message: until(facts), fix: RENEW }),
  own_certificate_expired: ({ path, notAfter }) => ({
    message: `${path} ist am ${dateTime(notAfter)} abgelaufen`,
    fix: RENEW,
  }),
  own_certificate_misses: ({ names, ...facts }) => ({
    message: `${until(facts)}, gilt nicht für ${names.join(", ")}`,
    fix: "Besorgen Sie ein Zertifikat, das für alle Namen gilt.",
  }),
  own_certificate_doubted: ({ doubt, ...facts }) => ({
    message: `${until(facts)}; ${
      doubt === "alone"
        ? "in der Datei fehlt das Zertifikat des Ausstellers"
        : "ein Zertifikat in der Datei ist nicht vom folgenden unterschrieben"
    }`,
    fix: "Verwenden Sie die vollständige Kette der Zertifizierungsstelle, das Zertifikat des Hosts zuerst.",
  }),
  targets_local: ({ domain }) => ({ message: `Eigene Domains zeigen auf Namen unter ${domain}` }),
  targets_missing: ({ domain }) => ({
    message: `Keine Adresse gefunden für Namen unter ${domain}: Eigene Domains lassen sich nicht bestätigen`,
    fix: `${RECORDS}: *.${domain}.`,
  }),
  targets_elsewhere: ({ domain, addresses }) => ({
    message: `Namen unter ${domain} zeigen auf ${addresses.join(", ")}; --edge-addresses enthält das nicht`,
    fix: `Ergänzen Sie es dort, oder richten Sie *.${domain} auf eine der Adressen.`,
  }),
  targets_resolve: ({ domain, addresses }) => ({
    message: `Namen unter ${domain} zeigen auf ${addresses.join(", ")}`,
  }),
  resolvers_unneeded: () => ({ message: "Nicht geprüft: Dieser Dienst steht nicht im DNS" }),
  resolvers_answer: ({ resolvers }) => ({
    message: `${resolvers.join(", ")} ${resolvers.length === 1 ? "antwortet" : "antworten"}`,
  }),
  resolvers_unvalidating: ({ resolvers, none }) => ({
    message: `${resolvers.join(", ")} ${resolvers.length === 1 ? "meldet" : "melden"} nicht, dass DNSSEC-Signaturen geprüft werden (AD)${
      none
        ? ": Eine Domain mit ungültigen Signaturen sieht richtig aus, bis die Zertifizierungsstelle sie ablehnt"
        : ""
    }`,
    fix: "Geben Sie mit --dns-servers Resolver an, die Signaturen prüfen, etwa Unbound auf diesem Rechner, oder schalten Sie die Prüfung ein: `auto-trust-anchor-file` in Unbound, `dnssec-validation auto` in BIND, `DNSSEC=yes` in systemd-resolved, `dnssec` in dnsmasq oder `proxy-dnssec`, wenn er an einen prüfenden Resolver weiterleitet.",
  }),
  resolvers_silent: ({ resolvers, domain }) => ({
    message: `Keine Antwort zu ${domain} von ${resolvers.join(", ")}`,
    fix: "Nennen Sie andere mit --dns-servers.",
  }),
  ca_internal: () => ({ message: "Intern: Jedes Gerät muss ihrem Stammzertifikat vertrauen" }),
  ca_unreachable: ({ ca, reason }) => ({ message: `${ca}: ${reason}` }),
  clock_skew: ({ aheadMs }) => ({
    message: `Die Uhr dieses Rechners geht ${number(Math.round(Math.abs(aheadMs) / 1_000))} s ${aheadMs > 0 ? "nach" : "vor"}, verglichen mit der Zertifizierungsstelle`,
    fix: CLOCK,
  }),
  ca_needs_account: ({ ca }) => ({
    message: `${ca} verlangt ein bestehendes Konto`,
    fix: "Setzen Sie acme-eab-kid und acme-eab-hmac-key, oder eab in issuers.",
  }),
  ca_asks_operator: ({ ca, page }) => ({
    message: `${ca} wartet auf eine Bestätigung durch den Inhaber des Kontos, unter ${page}`,
    fix: "Korrigieren Sie das DNS der Namen, bei denen es fehlschlug (`petstore certs list`), öffnen Sie die Seite, und folgen Sie den Anweisungen. Führen Sie danach `petstore certs renew NAME` aus.",
  }),
  ca_paused: ({ ca, until: at, said }) => ({
    message: `${ca} nimmt bis ${dateTime(at)} keine Bestellungen an: ${said}`,
    fix: "Eine Bestellung nach der anderen versucht es schon vorher, die übrigen warten. `petstore certs renew NAME` versucht es sofort.",
  }),
  caa_lock_unneeded: () => ({
    message: "Keine öffentliche Zertifizierungsstelle stellt Zertifikate für eigene Domains aus",
  }),
  caa_lock_unknown: ({ domain }) => ({
    message: `Die Nameserver von ${domain} oder die Zertifizierungsstelle haben nicht mitgeteilt, welche CAA-Einträge gelten`,
    fix: "Prüfen Sie es später noch einmal.",
  }),
  caa_lock_none: (facts) => ({
    message: `Keine: Jedes Konto bei jeder Zertifizierungsstelle kann Zertifikate für Domains erhalten, die per CNAME hierher zeigen. ${locks(facts)}`,
  }),
  caa_lock_right: ({ domain }) => ({
    message: `Nur das Konto dieses Dienstes kann Zertifikate für Domains erhalten, die per CNAME auf Namen unter ${domain} zeigen; ALIAS- und A-Einträge sind nicht geschützt`,
  }),
  caa_lock_open: (facts) => ({
    message: `Die CAA-Einträge unter ${facts.domain} erlauben auch andere Konten. ${locks(facts)}`,
  }),
  caa_lock_pending: ({ records, visible }) =>
    visible
      ? {
          message:
            "Alle Nameserver erlauben das neue Konto; es wird nach Ablauf einer TTL übernommen",
        }
      : {
          message: "Ein neues Konto wartet, bis die Nameserver seinen CAA-Eintrag haben",
          fix: `Legen Sie ihn neben dem bisherigen an: ${records.join(" und ")}. Oder führen Sie \`petstore certs account replace --cancel\` aus.`,
        },
  caa_lock_behind: ({ servers, ...facts }) => ({
    message: `${servers.join(", ")} ${servers.length === 1 ? "hat" : "haben"} noch andere CAA-Einträge für Namen unter ${facts.domain}`,
    fix: `${locks(facts)} Warten Sie, bis alle Nameserver dieselben Einträge haben.`,
  }),
  caa_lock_wrong: ({ faults, ...facts }) => ({
    message: `Die CAA-Einträge unter ${facts.domain} ${faults.map((fault) => lockFaults[fault]).join(" und ")}`,
    fix: locks(facts),
  }),
  ca_profile_unknown: ({ ca, profile, offered }) => ({
    message: `${ca} bietet das Profil ${profile} nicht an`,
    fix:
      offered.length === 0
        ? "Sie hat keine Profile: Entfernen Sie acme-profile, oder profile in issuers."
        : `Setzen Sie acme-profile, oder profile in issuers, auf eines von ${offered.join(", ")}.`,
  }),
  ca_partly: ({ issuers }) => ({
    message: issuers.map(issuerLine).join(";\n"),
    fix: "Bis sie wieder funktioniert, werden Zertifikate bei den anderen bestellt.",
  }),
  ca_answers: ({ issuers }) => ({ message: issuers.map(issuerLine).join(";\n") }),
  hosts_unneeded: () => ({ message: "Für sie wird kein Zertifikat bestellt" }),
  hosts_internal: () => ({
    message: "Ihre Zertifikate kommen von der internen Zertifizierungsstelle",
  }),
  hosts_ready: ({ hosts }) => ({
    message: `${hosts.join(" und ")} können Zertifikate bekommen`,
  }),
  hosts_blocked: ({ hosts }) => ({
    message: hosts
      .map(
        ({ name, faults }) =>
          `${name}: ${faults.map((fault) => FAULTS[fault] ?? fault).join(", ")}`,
      )
      .join("; "),
    fix: "Prüfen Sie die Adressen und CAA-Einträge dieser Namen.",
  }),
  certificates_none: () => ({ message: "Noch keine" }),
  certificates_ordered: () => ({ message: "Noch keine; der Server bestellt sie" }),
  certificates_valid: (facts) => ({ message: certificates(facts) }),
  certificates_expired: ({ expired, ...facts }) => ({
    message: `${certificates(facts)}; abgelaufen: ${number(expired)}`,
    fix: "`petstore certs list` zeigt, welche. `petstore certs renew HOST` bestellt sofort oder nennt den Grund, warum es nicht geht.",
  }),
  certificates_overdue: ({ count, overdue, names, since, notAfter }) => ({
    message: `Überfällige Zertifikate seit ${dateTime(since)}: ${number(overdue)} von ${number(count)} (${names.join(", ")}${overdue > names.length ? " und andere" : ""}); das erste läuft am ${dateTime(notAfter)} ab`,
    fix: "`petstore certs renew HOST` bestellt eines davon sofort oder nennt den Grund, warum es nicht geht. Die anderen Prüfungen zeigen, ob mit der Zertifizierungsstelle, den Resolvern und der Uhr alles stimmt.",
  }),
  certificates_not_servable: ({ names, count }) => ({
    message: `Zertifikate, die nicht vorgelegt werden können: ${number(count)} (${names.join(", ")})`,
    fix: "Der Server hat andere bestellt. Kommen sie nicht an, zeigt `petstore certs renew HOST` den Grund.",
  }),
  domains_none: () => ({ message: "Noch keine" }),
  domains_unseen: () => ({
    message: "Noch keine angesehen; der Server sieht einmal am Tag nach",
  }),
  domains_stay: () => ({ message: "Alle führen hierher" }),
  domains_drift: ({ count }) => ({
    message: `${plural(count, { one: "1 Domain führt", other: `${number(count)} Domains führen` })} woandershin; die Inhaber wissen es`,
  }),
  drift_stands_still: ({ looks, bad }) => ({
    message: `${number(bad)} der letzten ${number(looks)} Domains scheinen woandershin zu führen. Die Ursache liegt also hier; keine davon wird freigegeben`,
    fix: "Prüfen Sie die Resolver, das Netzwerk und die Einträge des CNAME-Ziels. Sind die Domains wirklich umgezogen, entfernen Sie sie.",
  }),
  hosts_drift: ({ names }) => ({
    message: `Ohne die DNS-Einträge, die da waren: ${names.join(", ")}`,
    fix: "Korrigieren Sie die Adresseinträge dieser Namen.",
  }),
};

function issuerLine({ ca, account, caa, profile, problem }: IssuerState): string {
  if (problem !== null) return problem.startsWith(ca) ? problem : `${ca}: ${problem}`;
  return [
    `${ca} antwortet`,
    account === null ? "noch kein Konto" : `Konto ${account}`,
    ...(caa.length === 0 ? [] : [`CAA ${caa.join(", ")}`]),
    ...(profile === null ? [] : [`Profil ${profile}`]),
  ].join(", ");
}

const FAULTS: Readonly<Partial<Record<HostFault, string>>> = {
  no_record: "keine Adresse gefunden",
  caa_forbids: "ein CAA-Eintrag verbietet das Zertifikat",
  caa_error: "die CAA-Einträge lassen sich nicht lesen",
  ca_unavailable: "die Zertifizierungsstelle nennt ihren Namen für CAA-Einträge nicht",
  unknown: "unbekannt",
};

function running({ pid, address }: CheckFacts["server_ready"]): string {
  return `Prozess ${pid} auf ${address}`;
}

function total({ files, bytes: size }: CheckFacts["files_in_database"]): string {
  return `${plural(files, { one: "1 Datei", other: `${number(files)} Dateien` })}, ${bytes(size)}`;
}

function until({ path, notAfter }: CheckFacts["own_certificate_valid"]): string {
  return `${path}, gültig bis ${dateTime(notAfter)}`;
}

function certificates({ count, notAfter }: CheckFacts["certificates_valid"]): string {
  return plural(count, {
    one: `1 Zertifikat; es läuft am ${dateTime(notAfter)} ab`,
    other: `${number(count)} Zertifikate; das erste läuft am ${dateTime(notAfter)} ab`,
  });
}

function backup({ at, to, bytes: size, rehearsed }: GoodBackup): string {
  const trial = rehearsed ? "probeweise wiederhergestellt" : "nicht probeweise wiederhergestellt";
  return `${dateTime(at)} in ${to}, ${bytes(size)}, ${trial}`;
}

function backups({ good, nextAt, failed }: CheckFacts["backups_fresh"]): string {
  return `${backup(good)}; nächste am ${dateTime(nextAt)}; \`petstore restore ${shellWord(good.to)}\` stellt sie wieder her${why(failed)}`;
}

function why(failed: CheckFacts["backups_none"]["failed"]): string {
  return failed === undefined
    ? ""
    : `; der letzte Versuch ist am ${dateTime(failed.at)} fehlgeschlagen: ${failed.reason}`;
}

const mailFaults: Readonly<Record<MailFault, string>> = {
  unreachable: "ist nicht erreichbar",
  timeout: "antwortet nicht rechtzeitig",
  cut: "beendet die Verbindung",
  tls: "bietet keine vertrauenswürdige Verschlüsselung an",
  credentials: "lehnt die Anmeldung ab",
  sender: "lehnt den Absender ab",
  busy: "bittet um einen späteren Versuch",
  protocol: "antwortet nicht wie ein Mailserver",
  recipient: "lehnt den Empfänger ab",
  content: "lehnt die Mail ab",
};

const CHECK_ADDRESS =
  "Prüfen Sie Host und Port in smtp-url: Port 465 braucht smtps://, andere Ports smtp://. Vielleicht sperrt auch eine Firewall den Port.";

const mailFixes: Readonly<Record<MailFault, string>> = {
  unreachable: CHECK_ADDRESS,
  timeout: CHECK_ADDRESS,
  cut: CHECK_ADDRESS,
  tls: "Tragen Sie einen Hostnamen ein, der im Zertifikat des Servers steht. Für einen Server ohne TLS ergänzen Sie ?tls=optional in smtp-url.",
  credentials:
    "Korrigieren Sie Benutzer und Passwort in smtp-url. Sonderzeichen werden prozentkodiert, zum Beispiel %2F für /.",
  sender: "Setzen Sie mail-from auf eine Adresse, von der dieser Benutzer senden darf.",
  busy: "Die Mails warten und werden später verschickt. Bleibt es dabei, fragen Sie den Betreiber des Mailservers.",
  protocol: CHECK_ADDRESS,
  recipient: "Prüfen Sie die Adresse.",
  content: "Fragen Sie den Betreiber des Mailservers, was er ablehnt.",
};

/** Says which records to enter. */
function locks({ records, complete }: CheckFacts["caa_lock_none"]): string {
  const entered =
    records.length === 1
      ? `Damit nur das Konto dieses Dienstes erlaubt ist, legen Sie genau diesen Eintrag an: ${records.join("")}`
      : `Damit nur die Konten dieses Dienstes erlaubt sind, legen Sie genau diese Einträge an: ${records.join(" und ")}`;
  return complete
    ? `${entered}.`
    : `${entered}; darin fehlt accounturi, bis das Konto angelegt ist: durch die erste Bestellung oder durch \`petstore certs account replace\`.`;
}

const lockFaults: Readonly<Record<LockFault, string>> = {
  other_issuer: "erlauben die Zertifizierungsstelle nicht",
  other_account: "erlauben nur ein anderes Konto",
  letter_case:
    "weichen in der Groß- und Kleinschreibung ab, die Zertifizierungsstellen genau vergleichen",
  missing_method: "erlauben nicht alle Prüfverfahren dieses Dienstes",
  malformed: "sind ungültig oder enthalten einen unbekannten kritischen Eintrag",
};
