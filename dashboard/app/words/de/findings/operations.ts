import {
  isInternal,
  type FactsOf,
  type FindingWording,
} from "../../../../../domains/view/texts.ts";
import { dateTime } from "../../format.ts";
import { adding, atProvider, listed, quoted } from "./records.ts";

/** Names the server that was asked about a name. */
const ASKED = {
  above: (name: string) => `Die Nameserver über ${name}`,
  of: (name: string) => `Der Server von ${name}`,
  resolver: (name: string) => `Auf die Frage nach ${name}: Der Resolver dieses Dienstes`,
} as const;

const ASKING_AGAIN =
  "Sie müssen nichts ändern: Das heißt nicht, dass ein Eintrag falsch ist. Die Prüfung wird automatisch wiederholt.";

/** Texts about name servers and resolvers, in German. */
export const servers = {
  not_delegated: ({ registrable }) => ({
    observed: `Die Domain ${registrable} ist nicht registriert oder hat keine Nameserver.`,
    expected: `${registrable} ist registriert, und Nameserver sind für sie eingetragen.`,
    fix: `Prüfen Sie, ob ${registrable} richtig geschrieben ist. Wenn ja, sehen Sie bei Ihrem Registrar nach, ob die Domain bezahlt ist und Nameserver hat.`,
  }),
  delegation_broken: ({ zone, atRegistrar, servers: broken }) => ({
    observed: `${atRegistrar ? "Ihr Registrar" : `Die Zone über ${zone}`} nennt für ${zone}: ${listed(broken.map(({ name }) => name))}. ${
      broken.length === 1 ? "Dieser Nameserver führt" : "Keiner dieser Nameserver führt"
    } die Zone${broken.length === 1 ? " nicht" : ""}: ${listed(broken.map(silenceOf))}.`,
    expected: `Jeder genannte Nameserver führt die Zone ${zone}.`,
    fix: `Tragen Sie ${placeOf(zone, atRegistrar)} die Nameserver ein, die Ihr DNS-Anbieter für ${zone} angibt. Sind sie schon eingetragen, legen Sie beim DNS-Anbieter die Zone ${zone} an. Meldet der DNS-Anbieter eine Störung, warten Sie: Die Prüfung wird automatisch wiederholt.`,
  }),
  resolver_unreachable: ({ hostname }) => ({
    observed: `DNS-Anfragen dieses Dienstes bleiben ohne Antwort; über ${hostname} ist deshalb nichts bekannt.`,
    expected: "Eine Antwort von dem Resolver, den der Betreiber dieses Dienstes eingerichtet hat.",
    fix: "Sie müssen nichts ändern: Ihre Einträge und Ihre Nameserver sind nicht die Ursache. Wenn das so bleibt, wenden Sie sich an den Betreiber dieses Dienstes.",
  }),
  dnssec_unchecked: ({ zone }) => ({
    observed: `Die Zone ${zone} ist signiert, aber kein Resolver dieses Dienstes prüft Signaturen. Sind sie ungültig, erhalten die meisten Besucher und alle Zertifizierungsstellen keine Antwort.`,
    expected: "Gültige Signaturen, die auch dieser Dienst prüft.",
    fix: "Sie müssen nichts ändern: Die Zertifizierungsstelle prüft die Signaturen selbst. Meldet sie ein Problem mit DNSSEC, muss Ihr DNS-Anbieter die Signaturen berichtigen. Der Betreiber dieses Dienstes kann einen Resolver einstellen, der Signaturen prüft.",
  }),
  ns_disagree: ({ fqdn, type, values, behind, ahead }) => ({
    observed: `${listed(ahead)} ${ahead.length === 1 ? "hat" : "haben"} ${kindOf(type)} von ${fqdn} schon neu; ${listed(behind)} ${
      values.length === 0
        ? `${behind.length === 1 ? "hat" : "haben"} noch nichts`
        : `${behind.length === 1 ? "sagt" : "sagen"} noch ${listed(values)}`
    }.`,
    expected: "Alle Nameserver der Domain sagen dasselbe.",
    fix: `Warten Sie ein paar Minuten: Die Server kopieren voneinander. Bleibt es eine Stunde so, fragen Sie den DNS-Anbieter, warum ${listed(behind)} ${behind.length === 1 ? "hinterherhinkt" : "hinterherhinken"}.`,
  }),
  propagating: ({ type, stale, until }) => ({
    observed: stale
      .map(({ vantage, values, until: forgottenAt }) => {
        const old = values.length === 0 ? "eine leere Antwort" : listed(values);
        const kind = type === undefined ? "" : ` die alten ${type}-Einträge`;
        return `${isInternal(vantage) ? "Ein Resolver dieses Dienstes" : `Der Resolver ${vantage}`} hat bis ${dateTime(forgottenAt)} noch${kind} ${old} im Cache.`;
      })
      .join(" "),
    expected:
      type === undefined
        ? "Der neue Eintrag, wie ihn die Nameserver der Domain haben."
        : `Die neuen ${type}-Einträge, wie sie die Nameserver der Domain haben.`,
    fix: `Sie müssen nichts ändern. Die letzte alte Antwort läuft am ${dateTime(until)} ab; das Zertifikat muss darauf nicht warten.`,
  }),
  lame_server: ({ zone, atRegistrar, servers: broken }) => ({
    observed: `Nicht jeder Nameserver, der für ${zone} eingetragen ist, führt die Zone: ${listed(broken.map(silenceOf))}. Anfragen, die dorthin gehen, scheitern oder dauern länger.`,
    expected: `Jeder genannte Nameserver führt die Zone ${zone}.`,
    fix: `Entfernen Sie ${listed(broken.map(({ name }) => name))} ${placeOf(zone, atRegistrar)} und aus den NS-Einträgen der Zone, oder fragen Sie den DNS-Anbieter, warum ${zone} dort fehlt.`,
  }),
  dns_unreachable: ({ name, whose, reason, explanation }) => ({
    observed: `${whose === undefined ? silent(name, reason) : `${ASKED[whose](name)} ${SILENCES[reason][whose === "above" ? 1 : 0]}`}${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: `${ASKING_AGAIN}${
      whose === undefined
        ? ` Wenn das so bleibt, fragen Sie den DNS-Anbieter nach ${germanList(name)}.`
        : whose === "resolver"
          ? " Wenn das so bleibt, wenden Sie sich an den Betreiber dieses Dienstes."
          : ""
    }`,
  }),
  servfail: ({ name, explanation }) => ({
    observed: `Auf die Frage nach ${name} hat ein Server einen Fehler gemeldet${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: `${ASKING_AGAIN} Wenn das so bleibt, fragen Sie den DNS-Anbieter, warum seine Server bei ${name} versagen.`,
  }),
  dnssec_bogus: ({ zone, explanation }) => ({
    observed: `${zone} ist signiert (DNSSEC), und die Signaturen passen nicht${explained(explanation)}. Resolver, die sie prüfen, bekommen keine Antwort, auch die der Zertifizierungsstellen.`,
    expected: "Gültige Signaturen, oder keine und keinen DS-Eintrag beim Registrar.",
    fix: `Ist das DNS von ${zone} zu einem anderen Anbieter umgezogen, löschen Sie beim Registrar den alten DS-Eintrag (oft heißt das dort DNSSEC). Sonst bitten Sie den DNS-Anbieter, die Zone neu zu signieren.`,
  }),
  caa_error: ({ name, reason, explanation }) => ({
    observed: `Auf die Frage nach den CAA-Einträgen von ${name}: Der Server ${SILENCES[reason][0]}${explained(explanation)}.`,
    expected:
      "Eine Antwort, auch wenn es keine CAA-Einträge gibt. Ohne Antwort wird kein Zertifikat ausgestellt.",
    fix:
      reason === "cname_loop" || reason === "cname_too_long"
        ? `Berichtigen Sie die CNAME-Einträge von ${name}: Zertifizierungsstellen folgen ihnen, um CAA-Einträge zu suchen.`
        : `${ASKING_AGAIN} Wenn das so bleibt, fragen Sie den DNS-Anbieter von ${name}, warum seine Server Fragen nach CAA-Einträgen nicht beantworten.`,
  }),
} satisfies Partial<FindingWording>;

/** Why a server gave no answer, as a predicate for one server and for several. */
const SILENCES: Readonly<
  Record<FactsOf<"dns_unreachable">["reason"], readonly [one: string, several: string]>
> = {
  timeout: ["hat nicht rechtzeitig geantwortet", "haben nicht rechtzeitig geantwortet"],
  unreachable: ["war nicht erreichbar", "waren nicht erreichbar"],
  servfail: ["hat einen Fehler gemeldet", "haben einen Fehler gemeldet"],
  refused: ["hat die Antwort verweigert", "haben die Antwort verweigert"],
  malformed: ["hat eine unlesbare Antwort gesendet", "haben unlesbare Antworten gesendet"],
  lame: [
    "führt die Zone nicht, für die er eingetragen ist",
    "führen die Zone nicht, für die sie eingetragen sind",
  ],
  forbidden_address: [
    "hat eine Adresse außerhalb des öffentlichen Internets",
    "haben Adressen außerhalb des öffentlichen Internets",
  ],
  cname_loop: [
    "hat CNAME-Einträge geliefert, die im Kreis führen",
    "haben CNAME-Einträge geliefert, die im Kreis führen",
  ],
  cname_too_long: [
    "hat zu viele CNAME-Einträge hintereinander geliefert",
    "haben zu viele CNAME-Einträge hintereinander geliefert",
  ],
  unresolved: ["hat keine Adresse", "haben keine Adresse"],
  unlearned: ["ließ sich nicht nachschlagen", "ließen sich nicht nachschlagen"],
};

function silenceOf({ name, reason }: FactsOf<"lame_server">["servers"][number]): string {
  return `${name} ${SILENCES[reason][0]}`;
}

/** Where the name servers of a zone are set. */
function placeOf(zone: string, atRegistrar: boolean): string {
  return atRegistrar ? "bei Ihrem Registrar" : `dort, wo das DNS über ${zone} verwaltet wird,`;
}

/** One server, or several, which the service lists in English, and why they gave no answer. */
function silent(names: string, reason: keyof typeof SILENCES): string {
  const [one, several] = SILENCES[reason];
  const list = germanList(names);
  return `${list} ${list === names ? one : several}`;
}

/** Translates a list that the service wrote in English; a single name stays the same. */
function germanList(names: string): string {
  const [, front, last] = /^(.+) and (.+)$/.exec(names) ?? [];
  return front === undefined || last === undefined
    ? names
    : `${front} und ${last.replace(/^(\d+) more$/, "$1 weitere")}`;
}

function kindOf(type: FactsOf<"ns_disagree">["type"]): string {
  return type === "address" ? "die Adresse" : `den ${type}-Eintrag`;
}

/** Formats a server's explanation (RFC 8914). */
function explained(explanation: FactsOf<"servfail">["explanation"]): string {
  if (explanation === undefined) return "";
  const { code, text } = explanation;
  return text === "" ? ` (Fehler ${code})` : ` („${text}“, Fehler ${code})`;
}

/** Texts about certificates, their preconditions and the check from outside, in German. */
export const certificates = {
  taken: ({ hostname }) => ({
    observed: `${hostname} gehört hier einem anderen Konto.`,
    expected: "Eine Domain gehört einem Konto.",
    fix: "Wenn die Domain Ihnen gehört, beanspruchen Sie sie mit dem angezeigten TXT-Eintrag. Wenn eine Kollegin sie hinzugefügt hat, bitten Sie sie, die Domain zu entfernen.",
  }),
  account_suspended: ({ hostname, since, readBy }) => ({
    observed: `Das Konto ist ${since === undefined ? "" : `seit ${dateTime(since)} `}gesperrt. Besucher von ${hostname} sehen keine Seite.`,
    expected: "Ein aktives Konto.",
    fix:
      readBy === "operator"
        ? "Sollen die Domains des Kontos wieder antworten, heben Sie die Sperre auf."
        : "Fragen Sie den Betreiber dieses Dienstes, warum das Konto gesperrt ist. Lassen Sie die DNS-Einträge, wie sie sind: Sobald die Sperre aufgehoben ist, antwortet die Domain wieder.",
  }),
  project_deleted: ({ hostname, project, since, restorableUntil, readBy }) => ({
    observed: `Das Projekt ${project} wurde am ${dateTime(since)} gelöscht. Besucher von ${hostname} sehen keine Seite.`,
    expected: "Ein Projekt, das die Website zeigt.",
    fix:
      restorableUntil !== undefined
        ? `Bis ${dateTime(restorableUntil)} lässt sich das Projekt mit seinen Domains wiederherstellen.`
        : readBy === "operator"
          ? "Das Projekt lässt sich nicht wiederherstellen. Der Inhaber kann die Domain einem anderen Projekt hinzufügen."
          : "Das Projekt lässt sich nicht wiederherstellen. Fügen Sie die Domain einem anderen Projekt hinzu.",
  }),
  plan_required: ({ plan, hostname, until, readBy }) => ({
    observed: `Das Konto hat den Tarif ${plan}, der keine eigenen Domains enthält.${
      hostname === undefined || until === undefined
        ? ""
        : ` ${hostname} antwortet bis ${dateTime(until)}; das Zertifikat wird nicht erneuert.`
    }`,
    expected: "Der Tarif Pro oder ein höherer, der eigene Domains enthält.",
    fix:
      readBy === "operator"
        ? "Soll das Konto seine Domains behalten, geben Sie ihm den Tarif Pro oder einen höheren."
        : "Wechseln Sie in den Tarif Pro oder einen höheren.",
  }),
  deploy_required: ({ project, hostname }) => ({
    observed:
      hostname === undefined
        ? `${project} wurde noch nicht veröffentlicht.`
        : `Von ${project} ist nichts veröffentlicht. Besucher von ${hostname} sehen keine Seite, und das Zertifikat wird nicht erneuert.`,
    expected: "Eine veröffentlichte Version, damit die Domain etwas zu zeigen hat.",
    fix: "Veröffentlichen Sie das Projekt zuerst: mit eigenen Seiten oder mit der Tierseite.",
  }),
  caa_forbids: (facts) =>
    "message" in facts
      ? {
          observed: `${issuerOf(facts)} meldet, dass CAA-Einträge das Zertifikat verbieten: ${quoted(facts.message)}`,
          expected: "CAA-Einträge, die das Zertifikat erlauben, oder keine.",
          fix: "Prüfen Sie bei Ihrem DNS-Anbieter die CAA-Einträge der Domain und ihrer übergeordneten Domains: Einer muss die Zertifizierungsstelle nennen. Dieser Dienst sieht keine, die das Zertifikat verbieten; vielleicht wurden sie vor Kurzem geändert, oder die Nameserver sind sich nicht einig. Wählen Sie danach „Erneut prüfen“.",
        }
      : {
          observed: `Die CAA-Einträge bei ${facts.at} (${listed(facts.records)}) ${why(facts)}.`,
          expected: `${facts.issuer} darf Zertifikate für die Domain ausstellen.`,
          fix: caaFix(facts),
        },
  ca_rejected_name: (facts) => ({
    observed: `${issuerOf(facts)} stellt für diesen Namen keine Zertifikate aus: ${quoted(facts.message)}`,
    expected: "Ein Name, für den Zertifizierungsstellen ausstellen.",
    fix: "Verwenden Sie eine andere Domain, oder bitten Sie den Betreiber dieses Dienstes, bei der Zertifizierungsstelle nachzufragen.",
  }),
  ca_paused: (facts) => ({
    observed: `Nach zu vielen Fehlschlägen stellt ${issuerIn(facts)} für diesen Namen nichts mehr aus: ${quoted(facts.message)}`,
    expected: "Eine Bestätigung bei der Zertifizierungsstelle, dass die Ursache behoben ist.",
    fix: "Beheben Sie die anderen Befunde, und wenden Sie sich dann an den Betreiber dieses Dienstes, der das bestätigen muss.",
  }),
  ca_account_deactivated: (facts) => ({
    observed: `${issuerOf(facts)} meldet, dass das Konto dieses Dienstes deaktiviert ist: ${quoted(facts.message)}`,
    expected: "Ein aktives Konto bei der Zertifizierungsstelle.",
    fix: "Ihre Domain ist in Ordnung. Der Betreiber dieses Dienstes muss ein neues Konto anlegen: petstore certs account replace",
  }),
  ca_terms_changed: (facts) => ({
    observed: `${issuerOf(facts)} hat ihre Bedingungen geändert und stellt nichts aus, bis sie angenommen sind: ${quoted(facts.message)}`,
    expected: "Der Betreiber dieses Dienstes hat die neuen Bedingungen angenommen.",
    fix: `Ihre Domain ist in Ordnung. Der Betreiber dieses Dienstes muss ${
      facts.helpUrl === undefined
        ? "die neuen Bedingungen lesen"
        : `${facts.helpUrl} öffnen und den Anweisungen folgen`
    }. Genügt das nicht, nimmt ein neues Konto sie an: petstore certs account replace`,
  }),
  ca_account_refused: (facts) => ({
    observed: `${issuerOf(facts)} lehnt das Konto dieses Dienstes ab: ${quoted(facts.message)}`,
    expected: "Ein Konto und Einstellungen, die die Zertifizierungsstelle annimmt.",
    fix: "Ihre Domain ist in Ordnung. Der Betreiber dieses Dienstes muss acme-email, acme-eab-kid und acme-eab-hmac-key prüfen und sein Konto ansehen: petstore certs account show",
  }),
  validation_failed: (facts) => ({
    observed: `${issuerOf(facts)} hat die Domain geprüft und diesen Dienst nicht gefunden: ${quoted(facts.message)}`,
    expected: "Die Domain führt von überall zu diesem Dienst, über IPv4 und über IPv6.",
    fix: "Beheben Sie die anderen Befunde, und wählen Sie „Erneut prüfen“. Wenn es keine gibt, prüfen Sie, ob eine Firewall manche Länder blockiert: Zertifizierungsstellen prüfen aus mehreren.",
  }),
  ca_rate_limited: (facts) => ({
    observed: `${issuerOf(facts)} bittet zu warten: ${quoted(facts.message)}`,
    expected: "Das Zertifikat wird nach der Wartezeit bestellt.",
    fix: again(facts.until),
  }),
  ca_unavailable: (facts) => ({
    observed: `${issuerOf(facts)} ist nicht erreichbar oder meldet eine Störung: ${quoted(facts.message)}`,
    expected: "Das Zertifikat wird bestellt, sobald die Zertifizierungsstelle wieder funktioniert.",
    fix: again(facts.retryAt),
  }),
  stalled_30m: ({ verifiedAt, message }) => ({
    observed: `Die Domain wurde am ${dateTime(verifiedAt)} bestätigt, und es gibt noch kein Zertifikat.${
      message === undefined ? "" : ` Die Zertifizierungsstelle sagte zuletzt: ${quoted(message)}`
    }`,
    expected: "Ein Zertifikat nach ein paar Minuten.",
    fix: "Beheben Sie die anderen Befunde, falls es welche gibt, und wählen Sie „Erneut prüfen“.",
  }),
  http01_unreachable: ({ url, message }) => ({
    observed: `Eine Anfrage an ${url} hat diesen Dienst nicht erreicht: ${message}.`,
    expected: "Dieser Dienst antwortet auf Port 80 und Port 443.",
    fix: "Wenn Besucher die Website öffnen können, ist nichts zu tun: Oft erreicht ein Server seine eigene öffentliche Adresse nicht. Sonst öffnen Sie Port 80 in der Firewall, und beenden Sie jeden anderen Server, der dort antwortet.",
  }),
  redirect_loop_at_proxy: ({ hostname, network = "Proxy" }) => ({
    observed: `Besucher von https://${hostname}/ werden immer wieder zur selben Adresse weitergeleitet, und zwar von: ${network}.`,
    expected: "Der Proxy spricht diesen Dienst über HTTPS an.",
    fix:
      network === "Cloudflare"
        ? "Öffnen Sie bei Cloudflare SSL/TLS, und ändern Sie den Modus von „Flexible“ auf „Full (strict)“."
        : "Richten Sie den Proxy so ein, dass er diesen Dienst über HTTPS anspricht, nicht über unverschlüsseltes HTTP.",
  }),
  not_servable: ({ hostname, message }) => ({
    observed: `Dieser Dienst kann das Zertifikat von ${hostname} nicht vorlegen: ${quoted(message)} Besucher sehen keine Seite.`,
    expected: "Ein vollständiges Zertifikat mit seinem Schlüssel.",
    fix: "Bei Ihrem DNS-Anbieter ist nichts zu tun: Ein anderes Zertifikat wird automatisch bestellt. Bleibt es eine Stunde so, melden Sie es dem Betreiber dieses Dienstes.",
  }),
  overdue: ({ hostname, since, until, expired, retryAt, message, readBy }) => ({
    observed: `${
      expired
        ? `Das Zertifikat von ${hostname} ist am ${dateTime(until)} abgelaufen: Browser warnen Besucher, und die meisten können die Website nicht öffnen.`
        : `Das Zertifikat von ${hostname} sollte seit ${dateTime(since)} erneuert sein. Es läuft am ${dateTime(until)} ab.`
    }${message === undefined ? "" : ` Der letzte Versuch schlug fehl: ${quoted(message)}`}`,
    expected: "Ein neues Zertifikat wenige Minuten nach dem Termin der Erneuerung.",
    fix: `Beheben Sie die anderen Befunde, falls es welche gibt, und wählen Sie „Erneut prüfen“.${
      readBy === "operator"
        ? " Unter „System“ steht, woran es liegt."
        : " Gibt es keine, sagen Sie dem Betreiber dieses Dienstes Bescheid."
    }${retryAt === undefined ? "" : ` Am ${dateTime(retryAt)} wird es automatisch noch einmal versucht.`}`,
  }),
  redirect_target_removed: ({ from, to }) => ({
    observed: `${from} leitet zu ${to} weiter, und diese Domain wurde aus dem Projekt entfernt. Bis auf Weiteres zeigt ${from} die Website selbst.`,
    expected: "Eine Weiterleitung zu einer Domain des Projekts.",
    fix: "Wählen Sie ein anderes Ziel, oder lassen Sie die Domain selbst die Website zeigen.",
  }),
} satisfies Partial<FindingWording>;

/** The service's text for an unknown certificate authority. */
const SOME_ISSUER = "The certificate authority";

function issuerOf({ issuer }: { readonly issuer: string }): string {
  return issuer === SOME_ISSUER ? "Die Zertifizierungsstelle" : issuer;
}

function issuerIn({ issuer }: { readonly issuer: string }): string {
  return issuer === SOME_ISSUER ? "die Zertifizierungsstelle" : issuer;
}

function again(at: number | undefined): string {
  return at === undefined
    ? "Es wird automatisch noch einmal versucht."
    : `Am ${dateTime(at)} wird es automatisch noch einmal versucht.`;
}

/** Facts about records that this service sees. */
type CaaSeen = Exclude<FactsOf<"caa_forbids">, { readonly message: string }>;

function why({ reason, issuer }: CaaSeen): string {
  switch (reason) {
    case "other_issuer":
      return `erlauben ${issuer} das Ausstellen von Zertifikaten nicht`;
    case "other_account":
      return `erlauben ${issuer} das Ausstellen nur für ein anderes Konto`;
    case "other_method":
      return `erlauben ${issuer} das Ausstellen nur mit einem Prüfverfahren, das dieser Dienst nicht verwendet`;
    case "critical_tag":
      return "enthalten einen kritischen Eintrag unbekannter Art";
    case "malformed":
      return `nennen ${issuer} in ungültiger Form`;
    default:
      return reason satisfies never;
  }
}

function caaFix({ reason, wanted, at, ours, remedy, alias }: CaaSeen): string {
  if (ours) {
    return "Bei Ihrem DNS-Anbieter ist nichts zu tun: Die Einträge gehören zu diesem Dienst, und sein Betreiber muss sie ändern.";
  }
  switch (remedy) {
    case undefined:
      return reason === "critical_tag"
        ? `${atProvider(wanted)} Löschen Sie den CAA-Eintrag von ${at}, der als kritisch markiert und weder issue noch issuewild ist.`
        : `${adding(wanted)} Behalten Sie die vorhandenen CAA-Einträge.`;
    case "precede":
      return `${adding(wanted)} Für ${wanted.fqdn} und alle Namen darunter hat er Vorrang vor den Einträgen bei ${at}; legen Sie deshalb auch für jede andere Zertifizierungsstelle, die Sie dort verwenden, einen an.`;
    case "remove":
      return `${atProvider(wanted)} Löschen Sie die CAA-Einträge von ${at}: Neben dem CNAME-Eintrag, den der Name braucht, sind keine erlaubt.`;
    case "ask":
      return alias === undefined
        ? `Die Einträge bei ${at} gelten, und neben dem CNAME-Eintrag, den die Domain braucht, können Sie keinen anlegen. Bitten Sie den Betreiber von ${at} um den CAA-Eintrag ${wanted.value}, oder den Betreiber dieses Dienstes um CAA-Einträge am Ziel Ihres CNAME-Eintrags: Diese haben Vorrang.`
        : `Wegen des CNAME-Eintrags von ${alias} gelten die Einträge bei ${at}, und kein CAA-Eintrag von Ihnen kann das ändern. Ersetzen Sie diesen CNAME-Eintrag, oder bitten Sie den Betreiber von ${at} um den CAA-Eintrag ${wanted.value}. CAA-Einträge am Ziel Ihres eigenen CNAME-Eintrags hätten Vorrang: Der Betreiber dieses Dienstes kann sie anlegen.`;
    default:
      return remedy satisfies never;
  }
}
