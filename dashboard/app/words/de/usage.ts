import type { UsageWords } from "../en/usage.ts";
import { number, percent, time } from "../format.ts";

export const usage: UsageWords = {
  title: "Nutzung",
  about:
    "Wie viel Ihre API-Schlüssel anfragen, und wie viel von Ihrem Tarif das ist. Die Seite bleibt von selbst aktuell.",
  used: "Bisher verbraucht",
  paces: {
    idle: "In der letzten Stunde wurde nichts angefragt.",
    usedUp: (resetAt) =>
      `Das Tageslimit ist aufgebraucht. Ab ${time(resetAt)} werden Anfragen wieder angenommen.`,
    reached: (at) =>
      `Geht es so weiter, ist das Tageslimit bald erreicht: Ab ${time(at)} werden Anfragen dann abgewiesen.`,
    lasts: (share) => `Geht es so weiter, werden ${percent(share)} des Tageslimits gebraucht.`,
  },
  byKeyEach: "Jeder Schlüssel hat diese Limits für sich.",
  requests: "Anfragen",
  period: "Zeitraum",
  periods: { minute: "1 Stunde", day: "30 Tage" },
  key: "API-Schlüssel",
  allKeys: "Alle Schlüssel",
  endings: {
    answered: "Beantwortet",
    refused: "Abgewiesen (4xx)",
    limited: "Über dem Limit (429)",
    failed: "Fehlgeschlagen (5xx)",
  },
  chart: { minute: "Anfragen pro Minute", day: "Anfragen pro Tag" },
  now: { minute: "jetzt", day: "heute" },
  told: (when, { answered, refused, limited, failed }) =>
    `${when}: ${number(answered)} beantwortet, ${number(refused)} abgewiesen, ${number(limited)} über dem Limit, ${number(failed)} fehlgeschlagen`,
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
  empty: "Es wurde noch nichts angefragt",
  emptyText:
    "Sobald ein Programm einen Schlüssel benutzt, sehen Sie es hier binnen ein, zwei Sekunden.",
  toKeys: "Zu den API-Schlüsseln",
  asTable: "Dasselbe als Tabelle",
  when: { minute: "Minute", day: "Tag (UTC)" },
  total: "Alle",
  byKey: "Nach Schlüssel",
  byOperation: "Nach Operation",
  operation: "Operation",
  unknownOperation: "keine bekannte Operation",
  goneKey: "ein Schlüssel, der nicht mehr aufgeführt ist",
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
