import type { ProofWords } from "../en/proof.ts";

export const proof: ProofWords = {
  title: "Bestätigen Sie, dass Sie es sind",
  about:
    "Ihre Anmeldung ist eine Weile her, und das hier reicht weiter als anderes. So verschafft sich niemand, der an Ihren Browser kommt, einen eigenen Zugang. Danach werden Sie 15 Minuten lang nicht wieder gefragt.",
  passkey: "Passkey benutzen",
  password: "Ihr Passwort",
  wrong: "Das ist nicht Ihr Passwort.",
  action: "Bestätigen",
};
