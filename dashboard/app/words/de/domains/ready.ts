import type { ready as English } from "../../en/domains/ready.ts";

export const ready: typeof English = {
  readyTitle: "Bevor Sie beginnen",
  readyText: "Drei Dinge müssen da sein. Zwei davon sehen wir selbst.",
  ready: {
    plan: "Ein bezahlter Tarif, Pro oder höher",
    dns: "Zugang zu den DNS-Einstellungen Ihrer Domain",
    deploy: "Ein veröffentlichtes Projekt",
  },
  readyStates: { met: "Vorhanden", unmet: "Fehlt", yours: "Bei Ihnen" },
  planMet: (plan) => `Das Konto hat den Tarif ${plan}.`,
  planUnmet: (plan) => `Das Konto hat den Tarif ${plan}. Eigene Domains gibt es ab Pro.`,
  planAction: "Zu den Tarifen",
  planChange: "Tarif ändern",
  planAsk: "Wer diesen Dienst betreibt, kann ihn ändern.",
  suspended: "Das Konto ist gesperrt; wer diesen Dienst betreibt, kann die Sperre aufheben.",
  dnsText:
    "Sie bekommen einen Eintrag, den Sie dort eingeben, wo die Domain gekauft wurde oder wo ihre Nameserver sind. Kümmert sich jemand anderes darum, sollte diese Person erreichbar sein.",
  dnsAction: "So geht das",
  deployMet: (when) => `Zuletzt veröffentlicht: ${when}.`,
  deployUnmet: "Noch ist nichts veröffentlicht; die Domain hätte nichts zu zeigen.",
  deployAction: "Zu den Versionen",
  starterAction: "Tierseite veröffentlichen",
  starterDone: "Die Tierseite ist online.",
};
