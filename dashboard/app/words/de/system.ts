import type { AdministrationWords } from "../administration-words.ts";
import { number, plural } from "../format.ts";

export const system: AdministrationWords["system"] = {
  title: "System",
  about: "Der Zustand dieser Installation, wie ihn auch petstore doctor zeigt.",
  look: "Noch einmal nachsehen",
  fine: "Alles ist, wie es sein soll.",
  wrong: (failed, warnings) =>
    [
      failed > 0
        ? plural(failed, {
            one: "1 Sache geht nicht",
            other: `${number(failed)} Sachen gehen nicht`,
          })
        : "",
      warnings > 0
        ? plural(warnings, {
            one: "1 sollten Sie sich ansehen",
            other: `${number(warnings)} sollten Sie sich ansehen`,
          })
        : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
  checks: "Prüfungen",
  skipped: (count) =>
    plural(count, {
      one: "1 Prüfung, auf die es hier nicht ankommt",
      other: `${number(count)} Prüfungen, auf die es hier nicht ankommt`,
    }),
  states: {
    ok: "In Ordnung",
    warning: "Ansehen",
    failed: "Geht nicht",
    skipped: "Übersprungen",
  },
  facts: "Diese Installation",
  version: "Version",
  running: "Läuft seit",
  address: "Adresse",
  baseDomain: "Basisdomain",
  certificates: "Zertifikate",
  aboutCertificates: "Für die Domains aller Projekte. Sie werden von selbst erneuert.",
  noCertificates: "Noch kein Zertifikat",
  noCertificatesText: "Sobald ein Projekt eine eigene Domain hat, steht ihr Zertifikat hier.",
  certificate: {
    domain: "Domain",
    issuer: "Aussteller",
    expires: "Läuft ab",
    renews: "Wird erneuert",
    state: "Zustand",
    actions: "Aktionen",
  },
  valid: "Gültig",
  expiresSoon: "Läuft bald ab",
  expired: "Abgelaufen",
  failing: "Erneuern misslingt",
  renew: "Jetzt erneuern",
  renewTitle: (domain) => `Das Zertifikat von ${domain} jetzt erneuern?`,
  renewText:
    "Es wird rechtzeitig von selbst erneuert. Eine zusätzliche Bestellung zählt bei den Limits der Zertifizierungsstelle mit. Das jetzige bleibt, bis das nächste da ist.",
  renewing: (domain) => `Das nächste Zertifikat von ${domain} wird bestellt.`,
  ours: "dieser Dienst",
  settings: "Einstellungen",
  aboutSettings:
    "Sie werden dort geändert, wo das Programm gestartet wird: durch Optionen, Umgebung oder Konfigurationsdatei.",
  allSettings: (count) => `Alle ${number(count)} Einstellungen`,
  setting: { name: "Einstellung", value: "Wert", origin: "Woher" },
  origins: { flag: "Option", environment: "Umgebung", file: "Datei", default: "Vorgabe" },
  unset: "nicht gesetzt",
};
