import type { ProfileWords } from "../en/profile.ts";
import { plural } from "../format.ts";

export const profile: ProfileWords = {
  title: "Ihr Profil",
  about: "Wie Sie sich anmelden, und wo Sie angemeldet sind.",
  you: {
    title: "Sie",
    email: "E-Mail-Adresse",
    emailHint:
      "Damit melden Sie sich an. Sie bleibt, wie sie ist; ein Inhaber oder Betreiber kann eine andere hinzufügen.",
    role: "Rolle",
    roleIn: (role, account) => `${role}, ${account}`,
    name: "Ihr Name",
    nameHint: "Er steht bei dem, was Sie tun. Darf leer sein.",
    saved: "Ihr Name ist gespeichert.",
  },
  password: {
    title: "Passwort",
    about: (passkeys) =>
      `Ein neues Passwort meldet alle anderen Browser ab. ${
        passkeys === 0
          ? "Sie haben keine Passkeys."
          : plural(passkeys ?? 2, {
              one: "Ihr Passkey bleibt gültig.",
              other: "Ihre Passkeys bleiben gültig.",
            })
      }`,
    current: "Jetziges Passwort",
    wrong: "Das Passwort stimmt nicht.",
    fresh: "Neues Passwort",
    hint: "Mindestens 12 Zeichen. Vier Wörter, die nichts miteinander zu tun haben, sind gut.",
    show: "Eingabe anzeigen",
    action: "Passwort ändern",
    changed: "Das Passwort ist geändert. Alle anderen Browser wurden abgemeldet.",
    faults: {
      malformed: "Es enthält ein Zeichen, das sich nicht übertragen lässt.",
      too_short: "Es braucht mindestens 12 Zeichen.",
      too_long: "Es darf höchstens 200 Zeichen haben.",
      repeats: "Zu leicht zu erraten: Es wiederholt sich oder zählt hoch.",
      common: "Zu leicht zu erraten: Nehmen Sie weniger gängige Wörter.",
    },
    good: "Starkes Passwort.",
  },
  passkeys: {
    title: "Passkeys",
    about:
      "Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder PIN Ihres Geräts an. Sie müssen sich nichts merken, und bei uns gibt es nichts zu stehlen.",
    none: "Noch kein Passkey",
    add: "Passkey hinzufügen",
    here: (origin) =>
      `Passkeys gehören zu einer Adresse mit Namen, über HTTPS oder auf localhost. Unter ${origin} gibt es keine.`,
    unsupported: "Dieser Browser kennt keine Passkeys.",
    columns: {
      name: "Passkey",
      added: "Hinzugefügt",
      used: "Zuletzt benutzt",
      actions: "Aktionen",
    },
    name: "Name",
    nameHint: "Woran Sie ihn wiedererkennen: wo er aufbewahrt wird.",
    defaultName: (system) => `Auf ${system}`,
    anyDevice: "diesem Gerät",
    next: "Weiter",
    added: (name) => `Der Passkey ${name} ist hinzugefügt.`,
    remove: "Entfernen",
    removeTitle: (name) => `Den Passkey ${name} entfernen?`,
    removeText:
      "Damit kann sich niemand mehr anmelden. Löschen Sie ihn auch auf dem Gerät, das ihn sonst weiter anbietet.",
    removed: (name) => `Der Passkey ${name} ist entfernt.`,
  },
  sessions: {
    title: "Sitzungen",
    about:
      "Wenn Sie eine Sitzung nicht wiedererkennen, melden Sie sie ab, und ändern Sie Ihr Passwort.",
    this: "Dieser Browser",
    columns: { browser: "Browser", address: "Adresse", seen: "Zuletzt da", actions: "Aktionen" },
    browserOn: (browser, system) => `${browser} auf ${system}`,
    unknown: "Unbekannter Browser",
    since: (when) => `angemeldet ${when}`,
    end: "Abmelden",
    endLabel: (browser) => `${browser} abmelden`,
    ended: (browser) => `${browser} ist abgemeldet.`,
    endOthers: "Alle anderen abmelden",
    endOthersTitle: "Alle anderen Browser abmelden?",
    endOthersText: (count) =>
      plural(count, {
        one: "Ein anderer Browser muss sich neu anmelden.",
        other: `${count} andere Browser müssen sich neu anmelden.`,
      }),
    othersEnded: "Alle anderen Browser sind abgemeldet.",
  },
  reset: {
    first: "Wählen Sie Ihr Passwort",
    again: "Wählen Sie ein neues Passwort",
    welcome: (name) => `Willkommen, ${name}.`,
    goodFor: (time) => `Der Link gilt bis ${time}.`,
    ends: "Alle Ihre Sitzungen enden, und alle Ihre Passkeys werden entfernt.",
    action: "Speichern und anmelden",
    done: "Ihr Passwort ist gesetzt.",
    missing: "Unvollständiger Link",
    missingText: "Der Link endet mit einem # und einem langen Code. Öffnen Sie den ganzen Link.",
    bad: "Dieser Link gilt nicht mehr",
    badText:
      "Ein Link gilt einmal, einen Tag lang, und nur solange es keinen neueren gibt. Lassen Sie sich einen anderen geben.",
    signIn: "Anmelden",
  },
};
