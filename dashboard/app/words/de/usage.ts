import type { UsageWords } from "../en/usage.ts";
import { dateTime, number, percent } from "../format.ts";

export const usage: UsageWords = {
  title: "Nutzung",
  about: "API-Anfragen nach Schlüssel, und die Limits Ihres Tarifs. Aktualisiert sich automatisch.",
  used: "Aktueller Verbrauch",
  paces: {
    idle: "Keine Anfragen in der letzten Stunde.",
    usedUp: (resetAt) =>
      `Das Tageslimit ist aufgebraucht. Es wird am ${dateTime(resetAt)} zurückgesetzt.`,
    reached: (at) =>
      `Bei diesem Tempo erreichen Sie das Tageslimit am ${dateTime(at)}. Weitere Anfragen werden dann abgewiesen.`,
    lasts: (share) => `Bei diesem Tempo verbrauchen Sie ${percent(share)} des Tageslimits.`,
  },
  byKeyEach: "Die Limits gelten für jeden Schlüssel einzeln.",
  requests: "Anfragen",
  toRequests: "API-Anfragen anzeigen",
  period: "Zeitraum",
  periods: { minute: "Letzte Stunde", day: "Letzte 30 Tage" },
  key: "API-Schlüssel",
  allKeys: "Alle Schlüssel",
  outcomes: {
    answered: "Erfolgreich",
    refused: "Abgewiesen (4xx)",
    limited: "Begrenzt (429)",
    failed: "Fehlgeschlagen (5xx)",
  },
  chart: { minute: "Anfragen pro Minute", day: "Anfragen pro Tag" },
  now: { minute: "jetzt", day: "heute" },
  summary: (when, { answered, refused, limited, failed }) =>
    `${when}: ${number(answered)} erfolgreich, ${number(refused)} abgewiesen, ${number(limited)} begrenzt, ${number(failed)} fehlgeschlagen`,
  limitLine: (limit, by) =>
    by === "minute" ? `Limit ${number(limit)} pro Minute` : `Limit ${number(limit)} pro Tag`,
  limitMeans: {
    minute:
      "Jeder Balken steht für eine Minute nach der Uhr. Das Limit zählt 60 Sekunden ab der ersten Anfrage.",
    day: "Jeder Balken steht für einen Tag in UTC. Das Limit zählt 24 Stunden ab der ersten Anfrage.",
  },
  limitAbove: (limit, by) =>
    by === "minute"
      ? `Das Limit, ${number(limit)} pro Minute, liegt über dem oberen Rand dieses Diagramms.`
      : `Das Limit, ${number(limit)} pro Tag, liegt über dem oberen Rand dieses Diagramms.`,
  empty: "Noch keine Anfragen",
  emptyText: "Anfragen erscheinen hier nach ein bis zwei Sekunden.",
  toKeys: "API-Schlüssel anzeigen",
  asTable: "Als Tabelle anzeigen",
  when: { minute: "Minute", day: "Tag (UTC)" },
  total: "Gesamt",
  byKey: "Nach Schlüssel",
  byOperation: "Nach Operation",
  operation: "Operation",
  unknownOperation: "Unbekannte Operation",
  deletedKey: "Gelöschter Schlüssel",
  users: "Benutzer Ihrer Anwendung",
  plan: (plan) => `Ihr Tarif: ${plan}`,
  allows: (perMinute, perDay) =>
    `${number(perMinute)} Anfragen pro Minute und ${number(perDay)} pro Tag, gemeinsam für alle Schlüssel einer Umgebung.`,
  next: {
    free: "Pro erlaubt 300 Anfragen pro Minute, 10.000 pro Tag und eigene Domains.",
    pro: "Business erlaubt 1.000 Anfragen pro Minute und 100.000 pro Tag.",
    business: "Die Limits von Enterprise sind verhandelbar.",
    enterprise: "Ihre Limits sind individuell vereinbart.",
  },
  askOperator:
    "Wenden Sie sich an den Betreiber dieses Dienstes, um den Tarif zu ändern. Er gilt sofort.",
  changePlan: "Tarif ändern",
  advice:
    "Programme, die die Header X-RateLimit-Remaining und Retry-After lesen, überschreiten keine Limits.",
};
