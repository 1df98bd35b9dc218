import type { FactsOf, FindingWording } from "../../../../../domains/texts.ts";
import { dateTime } from "../../format.ts";
import { adding, atProvider, listed, quoted } from "./text.ts";

/** What is said of certificates, of the look from outside and of what must be there before, in German. */
export const certificates: Pick<
  FindingWording,
  | "ca_account_deactivated"
  | "ca_account_refused"
  | "ca_paused"
  | "ca_rate_limited"
  | "ca_rejected_name"
  | "ca_terms_changed"
  | "ca_unavailable"
  | "caa_forbids"
  | "deploy_required"
  | "http01_unreachable"
  | "plan_required"
  | "redirect_loop_at_proxy"
  | "redirect_target_removed"
  | "stalled_30m"
  | "taken"
  | "validation_failed"
> = {
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
          fix: "Sehen Sie bei Ihrem DNS-Anbieter die CAA-Einträge der Domain und der Namen darüber an: Einer muss die Zertifizierungsstelle nennen. Sie wurden vor Kurzem geändert, oder manche Nameserver haben andere. Wählen Sie danach „Erneut prüfen“.",
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
    observed: `${issuerOf(facts)} hat das Konto dieses Dienstes geschlossen: ${quoted(facts.message)}`,
    expected: "Ein Konto, das Zertifikate bestellen darf.",
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
    expected: "Alle Welt erreicht diesen Dienst unter der Domain, über IPv4 und über IPv6.",
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
    observed: `${from} führt zu ${to}, und diese Domain wurde entfernt.`,
    expected: "Sie führt zu einer Domain des Projekts.",
    fix: "Wählen Sie eine andere Domain, zu der sie führt, oder lassen Sie sie selbst die Website zeigen.",
  }),
};

/** What stands where nobody knows which authority it is. */
const SOME_ISSUER = "The certificate authority";

function issuerOf({ issuer }: { readonly issuer: string }): string {
  return issuer === SOME_ISSUER ? "Die Zertifizierungsstelle" : issuer;
}

function issuerIn({ issuer }: { readonly issuer: string }): string {
  return issuer === SOME_ISSUER ? "die Zertifizierungsstelle" : issuer;
}

function again(at: number | undefined): string {
  return at === undefined
    ? "Zu tun ist nichts: Es wird von selbst noch einmal versucht."
    : `Zu tun ist nichts: Am ${dateTime(at)} wird es von selbst noch einmal versucht.`;
}

/** Of records that we saw. */
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
