import type { Words } from "../en/index.ts";

export const signIn: Words["signIn"] = {
  title: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  show: "Passwort anzeigen",
  action: "Anmelden",
  wrong: "E-Mail-Adresse oder Passwort stimmt nicht.",
  or: "oder",
  passkey: "Mit Passkey anmelden",
  passkeyFaults: {
    cancelled:
      "Es wurde kein Passkey ausgewählt. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
    unsupported: "Dieser Browser kennt keine Passkeys. Nehmen Sie Ihr Passwort.",
    known: "Dieses Gerät hat schon einen Passkey für Sie.",
    broken:
      "Der Passkey ließ sich hier nicht benutzen. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.",
  },
  forgotten: "Passwort vergessen?",
  forgottenText:
    "Ein Inhaber Ihres Kontos oder der Betreiber macht Ihnen im Dashboard einen Link, mit dem Sie ein neues wählen. Wir verschicken keine E-Mails.",
  forgottenOperator: "Betreiber machen ihn auf dem Rechner, auf dem Petstore läuft:",
  command: "Befehl",
  nobody: {
    title: "Noch kann sich niemand anmelden",
    text: "Wer den Einrichtungslink öffnet, wird der erste Betreiber. Der Link steht dort, wo Petstore gestartet wurde; einen neuen macht dieser Befehl:",
  },
  unsafe: {
    title: "Öffnen Sie diese Seite über HTTPS oder auf dem Rechner selbst",
    text: "Was Sie hier eingeben, könnte unterwegs jeder mitlesen. Anmelden geht über HTTPS; ohne nur auf dem Rechner, auf dem Petstore läuft.",
    secure: "Über HTTPS versuchen",
    operator:
      "Sie betreiben diesen Dienst? Geben Sie ihm ein Zertifikat, oder überlassen Sie HTTPS einem Proxy und tragen Sie ihn in trusted-proxies ein.",
  },
};
