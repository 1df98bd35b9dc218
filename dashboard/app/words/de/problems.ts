import type { Words } from "../en/index.ts";

export const problems: Words["problems"] = {
  unavailable:
    "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
  internal_error:
    "Bei uns ist etwas schiefgegangen. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.",
  rate_limited: "Das war zu oft. Warten Sie eine Minute und versuchen Sie es noch einmal.",
  insufficient_role: "Ihre Rolle erlaubt das nicht. Wer Inhaber des Kontos ist, kann es.",
  not_found: "Das gibt es nicht: Es wurde gelöscht, oder die Adresse ist vertippt.",
};
