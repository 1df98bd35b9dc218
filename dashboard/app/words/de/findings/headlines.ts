import type { HeadlineWording } from "../../../../../domains/texts.ts";
import { dateTime } from "../../format.ts";
import { quoted } from "./text.ts";

/** How a domain is, in German. */
export const headlines: HeadlineWording = {
  asking: ({ unicode }) => ({
    headline: `Das DNS von ${unicode} wird abgefragt.`,
    nextAction: "Geben Sie die Einträge unten dort ein, wo das DNS der Domain verwaltet wird.",
  }),
  blocked: (_, { observed, fix }) => ({ headline: observed, nextAction: fix }),
  propagating: ({ unicode, until }) => ({
    headline:
      until === undefined
        ? `Die Einträge von ${unicode} sind richtig; manche Resolver merken sich noch die alten.`
        : `Die Einträge von ${unicode} sind richtig; am ${dateTime(until)} vergisst der letzte Resolver die alten.`,
    nextAction: null,
  }),
  unanswered: ({ unicode }) => ({
    headline: `Das DNS von ${unicode} war nicht zu befragen. Es wird automatisch noch einmal versucht.`,
    nextAction: null,
  }),
  watching: ({ unicode }) => ({
    headline: `Die Einträge von ${unicode} werden von selbst immer wieder gesucht.`,
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
  live: ({ unicode, leadsTo, until, finding }, { fix }) => ({
    headline:
      `https://${unicode} ist live${until === undefined ? "" : ` bis ${dateTime(until)}`}` +
      `${leadsTo === undefined ? "" : ` und führt zu ${leadsTo}`}.`,
    nextAction: finding === undefined ? null : fix,
  }),
  claimed: ({ unicode, until }) => ({
    headline: `Ein anderes Konto hat ${unicode}. Sie haben bewiesen, dass es Ihre Domain ist; am ${dateTime(until)} kommt sie zu Ihnen.`,
    nextAction: "Lassen Sie den Eintrag mit dem Nachweis bis dahin stehen.",
  }),
  lapsed: ({ unicode }) => ({
    headline: `${unicode} antwortet nicht: Der Tarif des Kontos enthält keine eigenen Domains mehr. Der Name bleibt für Sie reserviert.`,
    nextAction:
      "Wechseln Sie in den Tarif Pro oder einen höheren: Dann antwortet die Domain sofort wieder.",
  }),
  drifting: ({ unicode }, { observed, fix }) => ({
    headline: `${unicode} antwortet noch, aber das Zertifikat lässt sich nicht erneuern. ${observed}`,
    nextAction: fix,
  }),
  certificate_ending: ({ unicode, endsAt, retryAt }) => ({
    headline: `Das Zertifikat von ${unicode} endet am ${dateTime(endsAt)}, und ein neues gibt es noch nicht.`,
    nextAction: retry(retryAt),
  }),
  certificate_ended: ({ unicode, endsAt, retryAt }) => ({
    headline: `Das Zertifikat von ${unicode} ist am ${dateTime(endsAt)} abgelaufen.`,
    nextAction: retry(retryAt),
  }),
  issuance_failed: ({ unicode, message, retryAt }) => ({
    headline: `Für ${unicode} gibt es noch kein Zertifikat: ${quoted(message)}`,
    nextAction: retry(retryAt),
  }),
  issuance_stalled: ({ unicode, retryAt }) => ({
    headline: `${unicode} ist bestätigt, und es gibt noch kein Zertifikat.`,
    nextAction: retry(retryAt),
  }),
  given_up: ({ unicode, unanswered }) => ({
    headline: unanswered
      ? `Das DNS von ${unicode} war zwei Tage lang nicht zu befragen.`
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
};

function retry(at: number | undefined): string {
  return at === undefined
    ? "Wählen Sie „Erneut prüfen“, um es noch einmal zu versuchen."
    : `Nichts: Am ${dateTime(at)} wird es noch einmal versucht. Mit „Erneut prüfen“ geht es früher.`;
}
