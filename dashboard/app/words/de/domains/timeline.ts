import { number } from "../../format.ts";
import type { timeline as English } from "../../en/domains/timeline.ts";

export const timeline: typeof English = {
  timeline: "Was geschehen ist",
  kinds: {
    added: "Hinzugefügt",
    blocked: "Nachgesehen, noch nicht richtig",
    verified: "Bestätigt",
    contested: "Von einem anderen Konto beansprucht",
    lost: "An ein anderes Konto gegangen",
    issuing: "Zertifikat bestellt",
    issued: "Zertifikat ausgestellt",
    renewed: "Zertifikat erneuert",
    live: "Live",
    failed: "Die Zertifizierungsstelle hat abgelehnt",
    stalled: "Nach 30 Minuten kein Zertifikat",
    expiring: "Das Zertifikat läuft bald ab",
    lapsed: "Nicht mehr im Tarif enthalten",
    resumed: "Wieder im Tarif enthalten",
    stopped: "Nicht mehr erreichbar",
    changed: "Geändert",
    refused: "Abgelehnt",
    removed: "Entfernt",
  },
  showAll: (count) => `Alle ${number(count)} anzeigen`,
};
