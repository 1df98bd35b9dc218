import type { renew as english } from "../en/renewal.ts";

export const renew: typeof english = {
  action: "Zertifikat erneuern",
  title: (name) => `Zertifikat für ${name} jetzt erneuern?`,
  text: "Zertifikate werden automatisch erneuert. Eine zusätzliche Bestellung zählt zu den Limits der Zertifizierungsstelle. Das jetzige Zertifikat gilt, bis das neue ausgestellt ist.",
  done: (name) => `Ein neues Zertifikat für ${name} wird bestellt.`,
};
