import type { HeadlineWording, ReadBy, Retried } from "../../../../domains/view/texts.ts";
import type { DomainWords } from "../en/domain-words.ts";
import { dateTime } from "../format.ts";
import { share, view } from "./domains.ts";
import { certificates, servers } from "./findings/operations.ts";
import { quoted, records } from "./findings/records.ts";

/** Titles of the findings, in German. */
const titles: DomainWords["titles"] = {
  taken: "Ein anderes Konto hat die Domain",
  account_suspended: "Das Konto ist gesperrt",
  project_deleted: "Das Projekt wurde gelöscht",
  plan_required: "Der Tarif enthält keine eigenen Domains",
  deploy_required: "Vom Projekt ist nichts veröffentlicht",
  not_delegated: "Die Domain ist nicht registriert oder hat keine Nameserver",
  dnssec_bogus: "Die DNSSEC-Signaturen sind ungültig",
  name_doubled: "Der Name des Eintrags enthält die Domain doppelt",
  apex_needs_alias: "Die Domain selbst braucht einen ALIAS-Eintrag",
  no_record: "Es gibt noch keinen Eintrag",
  cname_loop: "Die CNAME-Einträge führen im Kreis",
  cname_too_long: "Zu viele CNAME-Einträge hintereinander",
  cname_mismatch: "Der CNAME-Eintrag führt woandershin",
  cname_coexists: "Andere Einträge vertragen sich nicht mit dem CNAME-Eintrag",
  conflicting_a: "Ein A-Eintrag führt woandershin",
  conflicting_aaaa: "Ein AAAA-Eintrag führt woandershin",
  extra_address: "Eine Adresse zu viel",
  aaaa_elsewhere: "Die IPv6-Adresse führt woandershin",
  proxied: "Vor der Domain steht ein Proxy",
  dangling_target: "Der Eintrag führt zu einem Namen ohne Adresse",
  ns_disagree: "Die Nameserver sind sich noch nicht einig",
  ownership_missing: "Der Eintrag mit dem Nachweis fehlt",
  ownership_mismatch: "Der Eintrag mit dem Nachweis hat den falschen Wert",
  caa_forbids: "CAA-Einträge verbieten das Zertifikat",
  ca_rejected_name: "Die Zertifizierungsstelle lehnt den Namen ab",
  ca_paused: "Die Zertifizierungsstelle hat die Domain ausgesetzt",
  ca_account_deactivated: "Das Konto dieses Dienstes bei der Zertifizierungsstelle ist deaktiviert",
  ca_terms_changed: "Die Zertifizierungsstelle hat neue Bedingungen",
  ca_account_refused: "Die Zertifizierungsstelle lehnt das Konto dieses Dienstes ab",
  not_servable: "Das Zertifikat kann nicht vorgelegt werden",
  redirect_target_removed: "Das Ziel der Weiterleitung wurde entfernt",
  overdue: "Das Zertifikat ist überfällig",
  stalled_30m: "Nach 30 Minuten kein Zertifikat",
  validation_failed: "Die Zertifizierungsstelle hat diesen Dienst nicht gefunden",
  ca_rate_limited: "Die Zertifizierungsstelle bittet zu warten",
  ca_unavailable: "Die Zertifizierungsstelle ist nicht zu erreichen",
  http01_unreachable: "Die Domain ist über unverschlüsseltes HTTP nicht zu erreichen",
  redirect_loop_at_proxy: "Ein Proxy leitet im Kreis",
  delegation_broken: "Keiner der genannten Nameserver führt die Domain",
  resolver_unreachable: "Dieser Dienst kann das DNS nicht abfragen",
  dnssec_unchecked: "Die DNSSEC-Signaturen wurden nicht geprüft",
  lame_server: "Ein eingetragener Nameserver führt die Domain nicht",
  dns_unreachable: "Ein Nameserver hat nicht geantwortet",
  servfail: "Ein Nameserver meldet einen Fehler",
  caa_error: "Die CAA-Einträge ließen sich nicht lesen",
  apex_cname_breaks_mail: "Ein CNAME-Eintrag würde E-Mails an die Domain aufhalten",
  cname_chain: "Der CNAME-Eintrag führt über einen anderen Namen hierher",
  wildcard_match: "Ein Platzhalter-Eintrag antwortet für jeden Namen",
  propagating: "Manche Resolver haben noch die alte Antwort im Cache",
  cname_found: "Der CNAME-Eintrag ist richtig",
  flattened: "Die Adressen sind richtig",
  ownership_found: "Der Eintrag mit dem Nachweis ist richtig",
};

/** Texts of the headlines, in German. */
const headlines: HeadlineWording = {
  asking: ({ unicode }) => ({
    headline: `Das DNS von ${unicode} wird geprüft.`,
    nextAction: "Geben Sie die Einträge unten bei Ihrem DNS-Anbieter ein.",
  }),
  blocked: (_, { observed, fix }) => ({ headline: observed, nextAction: fix }),
  propagating: ({ unicode, until }) => ({
    headline:
      until === undefined
        ? `Die Einträge von ${unicode} sind richtig; manche Resolver haben noch die alten im Cache.`
        : `Die Einträge von ${unicode} sind richtig; am ${dateTime(until)} laufen die letzten alten im Cache ab.`,
    nextAction: null,
  }),
  unanswered: ({ unicode }) => ({
    headline: `Das DNS von ${unicode} ließ sich nicht abfragen. Die Prüfungen laufen automatisch weiter.`,
    nextAction: null,
  }),
  watching: ({ unicode }) => ({
    headline: `Die Einträge von ${unicode} werden automatisch geprüft.`,
    nextAction: null,
  }),
  verified: ({ unicode }) => ({
    headline: `${unicode} ist bestätigt. Als Nächstes kommt das Zertifikat.`,
    nextAction: null,
  }),
  issuing: ({ unicode }) => ({
    headline: `${unicode} ist bestätigt, und das Zertifikat wird ausgestellt. Das dauert meist ein paar Minuten.`,
    nextAction: null,
  }),
  live: ({ unicode, leadsTo, awaits, finding }, { fix }) => ({
    headline:
      `https://${unicode} ist online` +
      `${leadsTo === undefined ? "" : ` und leitet zu ${leadsTo} weiter`}.` +
      (awaits === undefined
        ? ""
        : ` Bis ${awaits} die Website zeigt, zeigt diese Domain sie selbst.`),
    nextAction: finding === undefined ? null : fix,
  }),
  claimed: ({ unicode, until }) => ({
    headline: `Ein anderes Konto hat ${unicode}. Sie haben bewiesen, dass es Ihre Domain ist; am ${dateTime(until)} kommt sie zu Ihnen.`,
    nextAction: "Lassen Sie den Eintrag mit dem Nachweis bis dahin stehen.",
  }),
  lapsed: ({ unicode, readBy }) => ({
    headline: `${unicode} antwortet nicht: Der Tarif des Kontos enthält keine eigenen Domains mehr. Der Name bleibt reserviert.`,
    nextAction:
      readBy === "operator"
        ? "Soll das Konto eigene Domains haben, geben Sie ihm den Tarif Pro oder einen höheren: Dann antwortet die Domain sofort wieder."
        : "Wechseln Sie in den Tarif Pro oder einen höheren: Dann antwortet die Domain sofort wieder.",
  }),
  drifting: ({ unicode }, { observed, fix }) => ({
    headline: `${unicode} antwortet noch, aber das Zertifikat lässt sich nicht erneuern. ${observed}`,
    nextAction: fix,
  }),
  moved: ({ unicode, since, releasedAt }, { observed, fix }) => ({
    headline:
      `${unicode} führt seit ${dateTime(since)} woandershin; das Zertifikat wird nicht mehr erneuert. ${observed}`.trimEnd(),
    nextAction: `${fix === "" ? "" : `Wenn die Domain hierher führen soll: ${fix} `}Sonst entfernen Sie die Domain; am ${dateTime(releasedAt)} wird sie automatisch entfernt.`,
  }),
  certificate_ending: ({ unicode, endsAt, ...retried }) => ({
    headline: `Das Zertifikat von ${unicode} endet am ${dateTime(endsAt)}, und ein neues gibt es noch nicht.`,
    nextAction: overdue(retried),
  }),
  certificate_ended: ({ unicode, endsAt, ...retried }) => ({
    headline: `Das Zertifikat von ${unicode} ist am ${dateTime(endsAt)} abgelaufen. Die meisten Besucher können die Website nicht öffnen.`,
    nextAction: overdue(retried),
  }),
  issuance_failed: ({ unicode, message, ...retried }) => ({
    headline: `Für ${unicode} gibt es noch kein Zertifikat: ${quoted(message)}`,
    nextAction: retry(retried),
  }),
  issuance_stalled: ({ unicode, ...retried }) => ({
    headline: `${unicode} ist bestätigt, und es gibt noch kein Zertifikat.`,
    nextAction: retry(retried),
  }),
  given_up: ({ unicode, unanswered }) => ({
    headline: unanswered
      ? `Das DNS von ${unicode} ließ sich zwei Tage lang nicht abfragen.`
      : `Die Einträge von ${unicode} wurden zwei Tage lang gesucht und nicht gefunden.`,
    nextAction: "Geben Sie die Einträge unten ein, und wählen Sie „Prüfen“.",
  }),
  removed: ({ unicode, removedAt, returnsUntil }) => ({
    headline: `${unicode} wurde am ${dateTime(removedAt)} entfernt und antwortet nicht mehr.`,
    nextAction:
      returnsUntil === undefined
        ? null
        : `Bis ${dateTime(returnsUntil)} können Sie die Domain wieder hinzufügen; ihr Zertifikat hat sie dann sofort.`,
  }),
  released: ({ unicode, removedAt, returnsUntil }) => ({
    headline: `${unicode} führte 30 Tage lang woandershin. Die Domain wurde am ${dateTime(removedAt)} entfernt und antwortet nicht mehr.`,
    nextAction: `Wenn sie hierher führen soll, fügen Sie sie wieder hinzu. Bis ${dateTime(returnsUntil)} bleiben ihre Einträge dieselben.`,
  }),
};

function overdue({ retryAt, limited, readBy }: Retried & ReadBy): string {
  const next =
    retryAt === undefined
      ? ""
      : ` Am ${dateTime(retryAt)} wird es automatisch noch einmal versucht.`;
  if (readBy === "operator") {
    return `Sehen Sie unter „System“ nach, woran es liegt, und wählen Sie „Erneut prüfen“.${next}`;
  }
  return limited === true
    ? `Sagen Sie dem Betreiber dieses Dienstes Bescheid.${next}`
    : `Wählen Sie „Erneut prüfen“. Hilft das nicht, sagen Sie dem Betreiber dieses Dienstes Bescheid.${next}`;
}

function retry({ retryAt, limited }: Retried): string {
  if (retryAt === undefined) return "Wählen Sie „Erneut prüfen“, um es noch einmal zu versuchen.";
  const wait = `Nichts zu tun: Am ${dateTime(retryAt)} wird es noch einmal versucht.`;
  return limited === true ? wait : `${wait} Mit „Erneut prüfen“ geht es früher.`;
}

export const domainWords: DomainWords = {
  view,
  share,
  titles,
  findings: { ...records, ...servers, ...certificates },
  headlines,
  notes: { cloudflare: "Stellen Sie „Proxy status“ auf „DNS only“." },
};
