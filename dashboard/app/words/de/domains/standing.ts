import type { standing as English } from "../../en/domains/standing.ts";

export const standing: typeof English = {
  statuses: {
    awaiting_dns: "Wartet auf DNS",
    checking: "Wird geprüft",
    verified: "Bestätigt",
    issuing: "Zertifikat unterwegs",
    live: "Live",
    attention: "Braucht Aufmerksamkeit",
    removed: "Entfernt",
  },
  stages: {
    asked: "Nameserver gefragt",
    verified: "Einträge bestätigt",
    certified: "Zertifikat ausgestellt",
    tried: "Zertifikat erprobt",
    live: "Live",
  },
  stageStates: {
    done: "erledigt",
    current: "läuft",
    stuck: "angehalten",
    ahead: "steht noch aus",
  },
  progress: "Fortschritt",
  asking: "Die Nameserver werden gefragt. Das dauert bis zu zehn Sekunden.",
  liveness: {
    connecting: "Wird verbunden",
    live: "Immer aktuell",
    polling: "Fragt alle 20 Sekunden nach",
  },
  checked: "Nachgesehen",
  neverChecked: "Noch nicht nachgesehen",
  nextCheck: "Das nächste Mal in",
  nextCheckNow: "jetzt",
  noNextCheck: "Von selbst wird nicht mehr nachgesehen: Wählen Sie „Prüfen“.",
};
