import type { ProofWords } from "../en/proof.ts";

export const proof: ProofWords = {
  title: "Identität bestätigen",
  about:
    "Diese Aktion ist sicherheitskritisch, und Ihre Anmeldung ist eine Weile her. Danach werden Sie 15 Minuten lang nicht erneut gefragt.",
  passkey: "Passkey benutzen",
  password: "Passwort",
  wrong: "Falsches Passwort.",
  action: "Identität bestätigen",
};
