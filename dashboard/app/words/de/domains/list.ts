import { number } from "../../format.ts";
import type { list as English } from "../../en/domains/list.ts";

export const list: typeof English = {
  title: "Domains",
  actions: "Was sich tun lässt",
  details: "Einträge und Einzelheiten",
  visit: "Besuchen",

  noneTitle: "Noch keine Domain",
  noneText:
    "Fügen Sie Ihre hinzu, geben Sie bei Ihrem DNS-Anbieter einen Eintrag ein, und die Website ist da, mit HTTPS.",
  domain: "Domain",
  role: "Was sie tut",
  status: "Zustand",
  primary: "Zeigt die Website",
  primaryBadge: "Hauptdomain",
  leadsTo: (to) => `Führt zu ${to}`,
  twin: (name) =>
    `Besucher tippen beides: Fügen Sie auch ${name} hinzu, und lassen Sie sie hierher führen.`,
  addTwin: (name) => `${name} hinzufügen`,
  limit: (count) => `${number(count)} von 100 Domains`,
};
