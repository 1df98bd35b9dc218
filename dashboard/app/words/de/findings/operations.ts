import type { FactsOf, FindingWording } from "../../../../../domains/texts.ts";
import { dateTime } from "../../format.ts";
import { adding, atProvider, listed, quoted } from "./records.ts";

const WHOSE = { above: "Der Server über ", of: "Der Server von " } as const;

const ASKING_AGAIN =
  "Sie müssen nichts ändern: Das heißt nicht, dass ein Eintrag falsch ist. Die Prüfung wird automatisch wiederholt.";

/** Texts about name servers and resolvers, in German. */
export const servers = {
  not_delegated: ({ registrable }) => ({
    observed: `Niemand kennt die Domain ${registrable}: Sie hat keine Nameserver.`,
    expected: `${registrable} ist registriert, und Nameserver sind für sie eingetragen.`,
    fix: `Prüfen Sie, ob ${registrable} richtig geschrieben ist. Wenn ja, sehen Sie bei Ihrem Registrar nach, ob die Domain bezahlt ist und Nameserver hat.`,
  }),
  delegation_broken: ({ zone, atRegistrar, servers: broken }) => ({
    observed: `${atRegistrar ? "Ihr Registrar" : `Die Zone über ${zone}`} nennt für ${zone}: ${listed(broken.map(({ name }) => name))}. ${
      broken.length === 1 ? "Dieser Nameserver führt" : "Keiner dieser Nameserver führt"
    } die Zone${broken.length === 1 ? " nicht" : ""}: ${listed(
      broken.map(({ name, reason }) => `${name} ${SILENCES[reason]}`),
    )}.`,
    expected: `Jeder genannte Nameserver führt die Zone ${zone}.`,
    fix: `Tragen Sie ${
      atRegistrar ? "bei Ihrem Registrar" : `dort, wo das DNS über ${zone} verwaltet wird,`
    } die Nameserver ein, die Ihr DNS-Anbieter für ${zone} angibt. Sind sie schon eingetragen, legen Sie beim DNS-Anbieter die Zone ${zone} an. Meldet der DNS-Anbieter eine Störung, warten Sie: Die Prüfung wird automatisch wiederholt.`,
  }),
  resolver_unreachable: ({ hostname }) => ({
    observed: `DNS-Anfragen dieses Dienstes bleiben ohne Antwort; über ${hostname} ist deshalb nichts bekannt.`,
    expected: "Eine Antwort von dem Resolver, den der Betreiber dieses Dienstes eingerichtet hat.",
    fix: "Sie müssen nichts ändern: Ihre Einträge und Ihre Nameserver sind nicht die Ursache. Wenn das so bleibt, wenden Sie sich an den Betreiber dieses Dienstes.",
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
        const old = values.length === 0 ? "dass es nichts gab" : listed(values);
        const kind = type === undefined ? "" : ` die alten ${type}-Einträge`;
        return `Der Resolver ${vantage} merkt sich bis ${dateTime(forgottenAt)}${kind}: ${old}.`;
      })
      .join(" "),
    expected:
      type === undefined
        ? "Der neue Eintrag, wie ihn die Nameserver der Domain haben."
        : `Die neuen ${type}-Einträge, wie sie die Nameserver der Domain haben.`,
    fix: `Sie müssen nichts ändern. Die letzte alte Antwort läuft am ${dateTime(until)} ab; das Zertifikat muss darauf nicht warten.`,
  }),
  dns_unreachable: ({ name, whose, reason, explanation }) => ({
    observed: `${whose === undefined ? eachOf(name) : WHOSE[whose] + name} ${SILENCES[reason]}${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: ASKING_AGAIN,
  }),
  servfail: ({ name, explanation }) => ({
    observed: `Nach ${name} gefragt, meldete ein Server einen eigenen Fehler${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: `${ASKING_AGAIN} Wenn das so bleibt, fragen Sie den DNS-Anbieter, warum seine Server bei ${name} versagen.`,
  }),
  dnssec_bogus: ({ zone, explanation }) => ({
    observed: `${zone} ist signiert (DNSSEC), und die Signaturen passen nicht${explained(explanation)}. Wer sie prüft, bekommt keine Antwort, auch Zertifizierungsstellen nicht.`,
    expected: "Gültige Signaturen, oder keine und keinen DS-Eintrag beim Registrar.",
    fix: `Ist das DNS von ${zone} zu einem anderen Anbieter umgezogen, löschen Sie beim Registrar den alten DS-Eintrag (oft heißt das dort DNSSEC). Sonst bitten Sie den DNS-Anbieter, die Zone neu zu signieren.`,
  }),
  caa_error: ({ name, reason, explanation }) => ({
    observed: `Nach den CAA-Einträgen von ${name} gefragt: Der Server ${SILENCES[reason]}${explained(explanation)}.`,
    expected:
      "Eine Antwort, und sei es, dass es keine gibt. Ohne sie wird kein Zertifikat ausgestellt.",
    fix: `${ASKING_AGAIN} Wenn das so bleibt, fragen Sie den DNS-Anbieter von ${name}, warum seine Server Fragen nach CAA-Einträgen nicht beantworten.`,
  }),
} satisfies Partial<FindingWording>;

const SILENCES: Readonly<Record<FactsOf<"dns_unreachable">["reason"], string>> = {
  timeout: "antwortete nicht rechtzeitig",
  unreachable: "war nicht zu erreichen",
  servfail: "meldete einen eigenen Fehler",
  refused: "wollte nicht antworten",
  malformed: "antwortete etwas, das sich nicht lesen lässt",
  lame: "hat die Zone nicht, für die er genannt ist",
  forbidden_address: "hat eine Adresse, die nicht im öffentlichen Internet liegt",
  cname_loop: "antwortete mit Einträgen, die im Kreis führen",
  cname_too_long: "antwortete mit zu vielen Einträgen hintereinander",
  unresolved: "hat keine Adresse",
  unlearned: "war nicht nachzuschlagen",
};

/** One server, or several, which the service lists in English: `Jeder von a, b und 3 weiteren`. */
function eachOf(names: string): string {
  const [all, front, last] = /^(.+) and (.+)$/.exec(names) ?? [names];
  if (front === undefined || last === undefined) return all;
  return `Jeder von ${front} und ${last.replace(/^(\d+) more$/, "$1 weiteren")}`;
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
    fix: "Ist sie Ihre, dann beanspruchen Sie sie: Legen Sie den TXT-Eintrag an, der dabeisteht; er beweist es. Hat eine Kollegin sie hinzugefügt, bitten Sie sie, sie zu entfernen.",
  }),
  plan_required: ({ plan }) => ({
    observed: `Das Konto hat den Tarif ${plan}.`,
    expected: "Der Tarif Pro oder ein höherer: Eigene Domains gehören dazu.",
    fix: "Wechseln Sie in den Tarif Pro oder einen höheren.",
  }),
  deploy_required: ({ project }) => ({
    observed: `Von ${project} ist noch nichts veröffentlicht.`,
    expected: "Eine veröffentlichte Version, damit die Domain etwas zu zeigen hat.",
    fix: "Veröffentlichen Sie das Projekt zuerst: mit eigenen Seiten oder mit der fertigen Tierseite.",
  }),
  caa_forbids: (facts) =>
    "message" in facts
      ? {
          observed: `${issuerOf(facts)} sagt, dass CAA-Einträge das Ausstellen verbieten: ${quoted(facts.message)}`,
          expected: "CAA-Einträge, die das Zertifikat erlauben, oder keine.",
          fix: "Sehen Sie bei Ihrem DNS-Anbieter die CAA-Einträge der Domain und der Namen darüber an: Einer muss die Zertifizierungsstelle nennen. Dieser Dienst sieht keine, die es verbieten: Vielleicht wurden sie vor Kurzem geändert, oder manche Nameserver haben andere. Wählen Sie danach „Erneut prüfen“.",
        }
      : {
          observed: `Die CAA-Einträge bei ${facts.at} (${listed(facts.records)}) ${why(facts)}.`,
          expected: `${facts.issuer} darf Zertifikate für die Domain ausstellen.`,
          fix: facts.ours
            ? "Bei Ihrem DNS-Anbieter nichts: Die Einträge gehören zu diesem Dienst, und wer ihn betreibt, muss sie ändern."
            : caaFix(facts),
        },
  ca_rejected_name: (facts) => ({
    observed: `${issuerOf(facts)} stellt für diesen Namen keine Zertifikate aus: ${quoted(facts.message)}`,
    expected: "Ein Name, für den Zertifizierungsstellen ausstellen.",
    fix: "Nehmen Sie eine andere Domain, oder schreiben Sie denen, die diesen Dienst betreiben; sie können bei der Zertifizierungsstelle nachfragen.",
  }),
  ca_paused: (facts) => ({
    observed: `Nach zu vielen Fehlschlägen stellt ${issuerIn(facts)} für diesen Namen nichts mehr aus: ${quoted(facts.message)}`,
    expected: "Jemand sagt ihr, dass die Ursache behoben ist.",
    fix:
      facts.helpUrl === undefined
        ? "Beheben Sie, was sonst gefunden wurde, und schreiben Sie dann denen, die diesen Dienst betreiben."
        : `Beheben Sie, was sonst gefunden wurde; öffnen Sie dann ${facts.helpUrl}, und folgen Sie der Seite. Wählen Sie danach „Erneut prüfen“.`,
  }),
  ca_account_deactivated: (facts) => ({
    observed: `${issuerOf(facts)} meldet, dass das Konto dieses Dienstes deaktiviert ist: ${quoted(facts.message)}`,
    expected: "Ein aktives Konto bei der Zertifizierungsstelle.",
    fix: "An Ihrer Domain ist nichts falsch. Wer diesen Dienst betreibt, muss ein neues Konto anlegen: petstore certs account replace",
  }),
  ca_terms_changed: (facts) => ({
    observed: `${issuerOf(facts)} hat ihre Bedingungen geändert und stellt nichts aus, bis sie angenommen sind: ${quoted(facts.message)}`,
    expected: "Wer diesen Dienst betreibt, hat die Bedingungen angenommen.",
    fix: `An Ihrer Domain ist nichts falsch. Wer diesen Dienst betreibt, muss ${
      facts.helpUrl === undefined
        ? "die neuen Bedingungen lesen"
        : `${facts.helpUrl} öffnen und der Seite folgen`
    }. Genügt das nicht, nimmt ein neues Konto sie an: petstore certs account replace`,
  }),
  ca_account_refused: (facts) => ({
    observed: `${issuerOf(facts)} lehnt das Konto dieses Dienstes ab: ${quoted(facts.message)}`,
    expected: "Ein Konto und Einstellungen, die die Zertifizierungsstelle annimmt.",
    fix: "An Ihrer Domain ist nichts falsch. Wer diesen Dienst betreibt, muss petstore certs account show aufrufen und acme-email, acme-eab-kid und acme-eab-hmac-key prüfen.",
  }),
  validation_failed: (facts) => ({
    observed: `${issuerOf(facts)} hat die Domain angesehen und diesen Dienst nicht gefunden: ${quoted(facts.message)}`,
    expected: "Die Domain führt von überall zu diesem Dienst, über IPv4 und über IPv6.",
    fix: "Beheben Sie, was sonst gefunden wurde, und wählen Sie „Erneut prüfen“. Wurde nichts gefunden, lässt vielleicht eine Firewall nur manche Länder durch: Zertifizierungsstellen sehen aus mehreren nach.",
  }),
  ca_rate_limited: (facts) => ({
    observed: `${issuerOf(facts)} bittet zu warten: ${quoted(facts.message)}`,
    expected: "Das Zertifikat wird bestellt, wenn das vorbei ist.",
    fix: again(facts.until),
  }),
  ca_unavailable: (facts) => ({
    observed: `${issuerOf(facts)} ist nicht zu erreichen oder gestört: ${quoted(facts.message)}`,
    expected: "Das Zertifikat wird bestellt, wenn sie wieder arbeitet.",
    fix: again(facts.retryAt),
  }),
  stalled_30m: ({ verifiedAt, message }) => ({
    observed: `Die Domain wurde am ${dateTime(verifiedAt)} bestätigt, und es gibt noch kein Zertifikat.${
      message === undefined ? "" : ` Die Zertifizierungsstelle sagte zuletzt: ${quoted(message)}`
    }`,
    expected: "Ein Zertifikat nach ein paar Minuten.",
    fix: "Beheben Sie, was sonst gefunden wurde, und wählen Sie „Erneut prüfen“.",
  }),
  http01_unreachable: ({ url, message }) => ({
    observed: `Von hier aus gesehen antwortet unter ${url} nicht dieser Dienst: ${message}.`,
    expected: "Dieser Dienst antwortet auf Port 80 und Port 443.",
    fix: "Kommen Besucher an, dann nichts: Oft erreicht ein Server seine eigene öffentliche Adresse nicht. Sonst öffnen Sie Port 80 in der Firewall, und schalten Sie ab, was an seiner Stelle antwortet.",
  }),
  redirect_loop_at_proxy: ({ hostname, network = "der Proxy" }) => ({
    observed: `Nach https://${hostname}/ gefragt, schickt ${network} Besucher immer wieder an dieselbe Adresse zurück.`,
    expected: "Der Proxy spricht mit diesem Dienst HTTPS.",
    fix:
      network === "Cloudflare"
        ? "Öffnen Sie bei Cloudflare SSL/TLS, und ändern Sie den Modus von „Flexible“ auf „Full (strict)“."
        : "Lassen Sie den Proxy diesen Dienst über HTTPS ansprechen, nicht über unverschlüsseltes HTTP.",
  }),
  redirect_target_removed: ({ from, to }) => ({
    observed: `${from} leitet zu ${to} weiter, und diese Domain wurde aus dem Projekt entfernt.`,
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
    ? "Sie müssen nichts tun: Es wird automatisch noch einmal versucht."
    : `Sie müssen nichts tun: Am ${dateTime(at)} wird es automatisch noch einmal versucht.`;
}

/** Facts about records that this service sees. */
type CaaSeen = Exclude<FactsOf<"caa_forbids">, { readonly message: string }>;

function why({ reason, issuer }: CaaSeen): string {
  switch (reason) {
    case "other_issuer":
      return `nennen ${issuer} nicht und verbieten ihr so das Ausstellen`;
    case "other_account":
      return `erlauben ${issuer} das Ausstellen nur für ein anderes Konto`;
    case "other_method":
      return `erlauben ${issuer} das Ausstellen nur nach einem Nachweis, der hier nicht benutzt wird`;
    case "critical_tag":
      return "enthalten einen, der verstanden werden muss und es nicht wird";
    case "malformed":
      return `nennen ${issuer} so, dass es sich nicht lesen lässt`;
    default:
      return reason satisfies never;
  }
}

function caaFix(facts: CaaSeen): string {
  const { reason, wanted, at } = facts;
  if (reason === "critical_tag") {
    return `${atProvider(wanted)} Löschen Sie den CAA-Eintrag von ${at}, der als kritisch markiert und weder issue noch issuewild ist.`;
  }
  return `${adding(wanted)} Behalten Sie die, die schon da sind.`;
}
