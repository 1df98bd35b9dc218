import type { Words } from "../en/index.ts";
import { duration } from "../format.ts";

/** `30 Tagen` of `30 Tage`. */
function inDative(told: string): string {
  return told.replace(/(?<=Tag|Monat|Jahr)e$/, "en");
}

export const common: Words["common"] = {
  cancel: "Abbrechen",
  save: "Speichern",
  saved: "Gespeichert.",
  delete: "Löschen",
  undo: "Rückgängig",
  close: "Schließen",
  done: "Fertig",
  retry: "Noch einmal versuchen",
  loading: "Wird geladen",
  tooOften: (when) => `Das war zu oft. Versuchen Sie es ${when} noch einmal.`,
  readOn: "Was bedeutet das?",
  more: (what) => `Mehr zu ${what}`,
  loadMore: "Mehr anzeigen",
  copy: (what) => `${what} kopieren`,
  copied: "Kopiert",
  notCopied:
    "Dieser Browser lässt uns nicht kopieren. Bitte markieren Sie den Text und kopieren Sie ihn selbst.",
  typeToConfirm: (word) => `Zur Bestätigung ${word} eingeben`,
  kept: "Ich habe es sicher aufbewahrt",
  never: "nie",
  unknown: "unbekannt",
  yes: "Ja",
  no: "Nein",
  production: "Produktion",
  staging: "Staging",
  environment: "Umgebung",
  lifetime: { label: "Läuft ab", never: "Nie", after: (ms) => `In ${inDative(duration(ms))}` },
  plans: { free: "Free", pro: "Pro", business: "Business", enterprise: "Enterprise" },
  roles: {
    operator: "Betreiber",
    owner: "Inhaber",
    staff: "Mitarbeit",
    viewer: "Nur ansehen",
  },
  statuses: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
};
