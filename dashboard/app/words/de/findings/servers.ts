import type { FactsOf, FindingWording } from "../../../../../domains/texts.ts";
import { dateTime } from "../../format.ts";
import { listed } from "./text.ts";

const WHOSE = { above: "Der Server über ", of: "Der Server von " } as const;

const ASKING_AGAIN =
  "Zu ändern ist nichts: Das heißt nicht, dass ein Eintrag falsch ist. Wir fragen noch einmal.";

/** What is said of name servers and resolvers, in German. */
export const servers: Pick<
  FindingWording,
  | "caa_error"
  | "delegation_broken"
  | "dns_unreachable"
  | "dnssec_bogus"
  | "not_delegated"
  | "ns_disagree"
  | "propagating"
  | "resolver_unreachable"
  | "servfail"
> = {
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
    observed: `Dieser Dienst kann das DNS gerade nicht befragen; über ${hostname} war deshalb nichts zu erfahren.`,
    expected: "Eine Antwort von dem Resolver, den der Betreiber dieses Dienstes eingerichtet hat.",
    fix: "Zu ändern ist nichts: Ihre Einträge und Ihre Nameserver sind nicht die Ursache. Die Prüfung wird automatisch wiederholt. Bleibt es so, sagen Sie es dem Betreiber dieses Dienstes.",
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
    fix: `Zu ändern ist nichts. Die letzte alte Antwort ist am ${dateTime(until)} vergessen; das Zertifikat muss darauf nicht warten.`,
  }),
  dns_unreachable: ({ name, whose, reason, explanation }) => ({
    observed: `${whose === undefined ? eachOf(name) : WHOSE[whose] + name} ${SILENCES[reason]}${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: ASKING_AGAIN,
  }),
  servfail: ({ name, explanation }) => ({
    observed: `Nach ${name} gefragt, meldete ein Server einen eigenen Fehler${explained(explanation)}.`,
    expected: "Eine Antwort.",
    fix: `${ASKING_AGAIN} Bleibt es so, fragen Sie den DNS-Anbieter, warum seine Server bei ${name} versagen.`,
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
    fix: `${ASKING_AGAIN} Bleibt es so, fragen Sie den DNS-Anbieter von ${name}, warum seine Server Fragen nach CAA-Einträgen nicht beantworten.`,
  }),
};

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

/** What a server added to explain itself (RFC 8914), in its own words. */
function explained(explanation: FactsOf<"servfail">["explanation"]): string {
  if (explanation === undefined) return "";
  const { code, text } = explanation;
  return text === "" ? ` (Fehler ${code})` : ` („${text}“, Fehler ${code})`;
}
