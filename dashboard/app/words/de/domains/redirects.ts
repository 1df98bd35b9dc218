import type { redirects as English } from "../../en/domains/redirects.ts";

export const redirects: typeof English = {
  redirects: "Hauptdomain und Weiterleitungen",
  redirectsText:
    "Eine Domain zeigt die Website. Die anderen führen zu ihr: Pfad und Parameter bleiben erhalten, und Suchmaschinen erfahren, welche zählt.",
  from: "Von",
  to: "Nach",
  code: "Status",
  codes: {
    301: "301, dauerhaft",
    302: "302, vorübergehend",
    307: "307, vorübergehend, behält die Methode",
    308: "308, dauerhaft, behält die Methode",
  },
  redirectFaults: {
    cycle: ({ from, over }) =>
      `${over} führt zu ${from}: Besucher kämen im Kreis. Machen Sie die zur Hauptdomain, die die Website zeigt.`,
    chain: ({ from, over, to }) =>
      `${from} würde zu ${over} führen, und diese weiter zu ${to}. Lassen Sie ${from} gleich zu ${to} führen.`,
  },
  primaryOf: "Hauptdomain",
  noPrimary: "Keine: Wählen Sie, welche die Website zeigt.",
  saved: "Gespeichert.",
  nowPrimary: (name) => `${name} zeigt jetzt die Website.`,
  askPrimary: (name) => `Soll ${name} die Website zeigen?`,
  askPrimaryText: (name) =>
    `Die anderen führen dann zu ${name}. Beide antworten die ganze Zeit; niemand sieht einen Fehler.`,
};
