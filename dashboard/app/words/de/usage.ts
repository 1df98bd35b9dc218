import type { UsageWords } from "../en/usage.ts";
import { number, percent, time } from "../format.ts";

export const usage: UsageWords = {
  title: "Nutzung",
  about:
    "Wie viel Ihre API-Schlüssel anfragen, und wie viel von Ihrem Tarif das ist. Die Seite aktualisiert sich automatisch.",
  used: "Aktueller Verbrauch",
  paces: {
    idle: "In der letzten Stunde wurde nichts angefragt.",
    usedUp: (resetAt) =>
      `Das Tageslimit ist aufgebraucht. Ab ${time(resetAt)} werden Anfragen wieder angenommen.`,
    reached: (at) =>
      `Geht es so weiter, ist das Tageslimit bald erreicht: Ab ${time(at)} werden Anfragen dann abgewiesen.`,
    lasts: (share) => `Geht es so weiter, werden ${percent(share)} des Tageslimits gebraucht.`,
  },
  byKeyEach: "Die Limits gelten für jeden Schlüssel einzeln.",
  requests: "Anfragen",
  period: "Zeitraum",
  periods: { minute: "1 Stunde", day: "30 Tage" },
  key: "API-Schlüssel",
  allKeys: "Alle Schlüssel",
  outcomes: {
    answered: "Erfolgreich",
    refused: "Abgewiesen (4xx)",
    limited: "Über dem Limit (429)",
    failed: "Fehlgeschlagen (5xx)",
  },
  chart: { minute: "Anfragen pro Minute", day: "Anfragen pro Tag" },
  now: { minute: "jetzt", day: "heute" },
  summary: (when, { answered, refused, limited, failed }) =>
    `${when}: ${number(answered)} erfolgreich, ${number(refused)} abgewiesen, ${number(limited)} über dem Limit, ${number(failed)} fehlgeschlagen`,
  limitLine: (limit, by) =>
    by === "minute" ? `Limit ${number(limit)} pro Minute` : `Limit ${number(limit)} pro Tag`,
  limitMeans: {
    minute:
      "Eine Minute des Limits beginnt mit ihrer ersten Anfrage; ein Balken ist eine Minute der Uhr.",
    day: "Ein Tag des Limits beginnt mit seiner ersten Anfrage und dauert 24 Stunden; ein Balken ist ein Tag in UTC.",
  },
  limitAbove: (limit, by) =>
    by === "minute"
      ? `Das Limit von ${number(limit)} pro Minute liegt weit über dem, was hier zu sehen ist.`
      : `Das Limit von ${number(limit)} pro Tag liegt weit über dem, was hier zu sehen ist.`,
  empty: "Noch keine Anfragen",
  emptyText:
    "Sobald ein Programm einen Schlüssel benutzt, sehen Sie es hier binnen ein, zwei Sekunden.",
  toKeys: "Zu den API-Schlüsseln",
  asTable: "Als Tabelle anzeigen",
  when: { minute: "Minute", day: "Tag (UTC)" },
  total: "Gesamt",
  byKey: "Nach Schlüssel",
  byOperation: "Nach Operation",
  operation: "Operation",
  unknownOperation: "keine bekannte Operation",
  deletedKey: "gelöschter Schlüssel",
  plan: (plan) => `Ihr Tarif: ${plan}`,
  allows: (perMinute, perDay) =>
    `${number(perMinute)} Anfragen pro Minute und ${number(perDay)} pro Tag, für alle Schlüssel einer Umgebung zusammen.`,
  next: {
    free: "Pro erlaubt 300 pro Minute und 10.000 pro Tag, und eigene Domains für Ihre Websites.",
    pro: "Business erlaubt 1.000 pro Minute und 100.000 pro Tag.",
    business: "Enterprise erlaubt, was Sie vereinbaren.",
    enterprise: "Ihre Limits sind vereinbart; sie lassen sich neu vereinbaren.",
  },
  askOperator: "Den Tarif ändert, wer diesen Dienst betreibt. Er gilt sofort.",
  changePlan: "Tarif ändern",
  advice:
    "Programme, die die Header X-RateLimit-Remaining und Retry-After lesen, laufen in kein Limit hinein.",
};
