import type { findings as English } from "../../en/domains/findings.ts";

export const findings: typeof English = {
  findings: "Was gefunden wurde",
  severities: { blocking: "Hält auf", warning: "Gut zu wissen" },
  observed: "Gesehen",
  expected: "Sollte sein",
  fix: "Was zu tun ist",
  saidBy: (servers) => `laut ${servers}`,
  andMore: (count) => `${count} weitere`,
  openPage: "Seite der Zertifizierungsstelle öffnen",

  stalled: "Nach 30 Minuten kein Zertifikat",
  stalledText: "Daran liegt es meistens. Wir haben jeden Punkt noch einmal angesehen.",
  stalledChecks: {
    verifies: "Die Domain ist noch bestätigt",
    caa: "CAA-Einträge erlauben das Zertifikat",
    authority: "Die Zertifizierungsstelle hat nicht abgelehnt",
  },
  stalledStates: { ok: "Ja", no: "Nein", unknown: "Nicht bekannt" },
};
