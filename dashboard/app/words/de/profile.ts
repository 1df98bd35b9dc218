import type { ProfileWords } from "../en/profile.ts";
import { plural } from "../format.ts";

export const profile: ProfileWords = {
  title: "Ihr Profil",
  about: "Ihr Name, Ihre Anmeldung und Ihre Sitzungen.",
  you: {
    title: "Sie",
    email: "E-Mail-Adresse",
    emailHint:
      "Damit melden Sie sich an. Um sie zu ändern, lassen Sie sich von einem Inhaber oder Betreiber mit der neuen hinzufügen.",
    role: "Rolle",
    roleIn: (role, account) => `${role}, ${account}`,
    name: "Ihr Name",
    nameHint: "Erscheint bei dem, was Sie ändern. Optional.",
    save: "Name speichern",
    saved: "Ihr Name wurde gespeichert.",
  },
  password: {
    title: "Passwort",
    about: "Ein neues Passwort meldet alle anderen Browser ab. Passkeys bleiben gültig.",
    current: "Jetziges Passwort",
    wrong: "Falsches Passwort.",
    fresh: "Neues Passwort",
    hint: "Mindestens 12 Zeichen. Vier Wörter, die nichts miteinander zu tun haben, sind gut.",
    show: "Passwort anzeigen",
    action: "Passwort ändern",
    changed: "Ihr Passwort wurde geändert. Alle anderen Browser wurden abgemeldet.",
    faults: {
      malformed: "Entfernen Sie die nicht unterstützten Zeichen.",
      too_short: "Verwenden Sie mindestens 12 Zeichen.",
      too_long: "Verwenden Sie höchstens 200 Zeichen.",
      repeats: "Zu leicht zu erraten: Vermeiden Sie Wiederholungen und Reihen.",
      common: "Zu leicht zu erraten: Verwenden Sie seltenere Wörter.",
    },
    good: "Starkes Passwort.",
  },
  passkeys: {
    title: "Passkeys",
    about:
      "Melden Sie sich mit Fingerabdruck, Gesicht oder Geräte-PIN an statt mit einem Passwort.",
    none: "Noch keine Passkeys",
    add: "Passkey hinzufügen",
    here: (origin) =>
      `Passkeys brauchen einen Hostnamen mit HTTPS, oder localhost. Unter ${origin} funktionieren sie nicht.`,
    unsupported: "Dieser Browser unterstützt keine Passkeys.",
    columns: {
      name: "Passkey",
      added: "Hinzugefügt",
      used: "Zuletzt benutzt",
      actions: "Aktionen",
    },
    name: "Name",
    nameHint: "Das Gerät oder die App, in der der Passkey gespeichert ist.",
    defaultName: (system) => `Auf ${system}`,
    anyDevice: "diesem Gerät",
    next: "Weiter",
    added: (name) => `Der Passkey ${name} wurde hinzugefügt.`,
    removeLabel: (name) => `Passkey entfernen: ${name}`,
    remove: {
      action: "Passkey entfernen",
      title: (name) => `Den Passkey ${name} entfernen?`,
      text: "Sie können sich damit nicht mehr anmelden. Löschen Sie ihn auch auf Ihrem Gerät, sonst bietet es ihn weiter an.",
      done: (name) => `Der Passkey ${name} wurde entfernt.`,
    },
  },
  sessions: {
    title: "Sitzungen",
    about: "Wenn Sie eine Sitzung nicht kennen, melden Sie sie ab, und ändern Sie Ihr Passwort.",
    this: "Dieser Browser",
    columns: { browser: "Browser", address: "Adresse", seen: "Zuletzt aktiv", actions: "Aktionen" },
    browserOn: (browser, system) => `${browser} auf ${system}`,
    unknown: "Unbekannter Browser",
    since: (when) => `angemeldet ${when}`,
    end: "Abmelden",
    endLabel: (browser) => `${browser} abmelden`,
    ended: (browser) => `${browser} wurde abgemeldet.`,
    endOthers: {
      action: "Alle anderen abmelden",
      title: "Alle anderen Browser abmelden?",
      text: (count) =>
        plural(Number(count), {
          one: "Ein anderer Browser muss sich neu anmelden.",
          other: `${count} andere Browser müssen sich neu anmelden.`,
        }),
      done: "Alle anderen Browser wurden abgemeldet.",
    },
  },
  mails: {
    title: "E-Mail-Benachrichtigungen",
    about: "Wählen Sie, welche E-Mails Sie bekommen. Passwort-Links werden immer verschickt.",
    turnedOn: (what) => `Eingeschaltet: ${what}.`,
    turnedOff: (what) => `Ausgeschaltet: ${what}.`,
    kinds: {
      domain_attention: "Domains, die Aufmerksamkeit brauchen",
      certificates_overdue: "Überfällige Zertifikate",
      backup_failed: "Fehlgeschlagene Backups",
      quota_reached: "80 % und 100 % der API-Anfragen eines Tages verbraucht",
      webhook_disabled: "Deaktivierte Webhooks",
      new_device: "Anmeldungen mit einem neuen Browser",
    },
  },
  reset: {
    first: "Wählen Sie Ihr Passwort",
    again: "Wählen Sie ein neues Passwort",
    welcome: (name) => `Willkommen, ${name}.`,
    goodFor: (time) => `Dieser Link gilt bis ${time}.`,
    ends: "Das beendet alle Ihre Sitzungen und entfernt alle Ihre Passkeys.",
    action: "Passwort setzen und anmelden",
    done: "Ihr Passwort wurde gesetzt.",
    missing: "Unvollständiger Link",
    missingText: "Der Link endet mit einem # und einem langen Code. Öffnen Sie den ganzen Link.",
    bad: "Dieser Link gilt nicht mehr",
    badText:
      "Ein Link gilt einmal und höchstens einen Tag; ein neuerer Link macht ihn ungültig. Bitten Sie um einen neuen.",
    signIn: "Anmelden",
  },
  request: {
    about:
      "Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine E-Mail mit einem Link, um ein neues Passwort zu wählen.",
    action: "Link schicken",
    sent: "Sehen Sie in Ihr Postfach",
    sentText: (email) =>
      `Falls ${email} zu einem Mitglied gehört, ist eine E-Mail mit einem Link unterwegs. Der Link gilt einmal, eine Stunde lang. Falls nichts ankommt, sehen Sie im Spam-Ordner nach, oder fragen Sie einen Inhaber Ihres Kontos.`,
  },
};
