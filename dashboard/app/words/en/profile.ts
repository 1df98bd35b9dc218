import { plural } from "../format.ts";

/** The words of the profile page and of the page that sets a password. */
export const profile = {
  title: "Your profile",
  about: "Your name, sign-in methods and sessions.",
  you: {
    title: "You",
    email: "Email address",
    emailHint:
      "You sign in with this address. To change it, ask an owner or operator to add you with the new one.",
    role: "Role",
    roleIn: (role: string, account: string) => `${role} of ${account}`,
    name: "Your name",
    nameHint: "Shown next to what you change. Optional.",
    save: "Save name",
    saved: "Saved your name.",
  },
  password: {
    title: "Password",
    about: "Changing your password signs out all other browsers. Passkeys keep working.",
    current: "Current password",
    wrong: "Incorrect password.",
    fresh: "New password",
    hint: "At least 12 characters. Four unrelated words work well.",
    show: "Show password",
    action: "Change password",
    changed: "Changed your password. All other browsers are signed out.",
    faults: {
      malformed: "Remove the unsupported characters.",
      too_short: "Use at least 12 characters.",
      too_long: "Use at most 200 characters.",
      repeats: "Too easy to guess: avoid repetitions and sequences.",
      common: "Too easy to guess: use less common words.",
    },
    good: "Strong password.",
  },
  passkeys: {
    title: "Passkeys",
    about: "Sign in with your fingerprint, face or device PIN instead of a password.",
    none: "No passkeys yet",
    add: "Add passkey",
    here: (origin: string) =>
      `Passkeys need a host name with HTTPS, or localhost. They do not work at ${origin}.`,
    unsupported: "This browser does not support passkeys.",
    columns: { name: "Passkey", added: "Added", used: "Last used", actions: "Actions" },
    name: "Name",
    nameHint: "The device or app that stores the passkey.",
    defaultName: (system: string) => `On ${system}`,
    anyDevice: "this device",
    next: "Continue",
    added: (name: string) => `Added the passkey ${name}.`,
    removeLabel: (name: string) => `Remove passkey ${name}`,
    remove: {
      action: "Remove passkey",
      title: (name: string) => `Remove the passkey ${name}?`,
      text: "You can no longer sign in with it. Delete it on your device too, or the device will keep offering it.",
      done: (name: string) => `Removed the passkey ${name}.`,
    },
  },
  sessions: {
    title: "Sessions",
    about: "If you do not recognize a session, sign it out and change your password.",
    this: "This browser",
    columns: { browser: "Browser", address: "Address", seen: "Last seen", actions: "Actions" },
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: "Unknown browser",
    since: (when: string) => `signed in ${when}`,
    end: "Sign out",
    endLabel: (browser: string) => `Sign out ${browser}`,
    ended: (browser: string) => `Signed out ${browser}.`,
    endOthers: {
      action: "Sign out all others",
      title: "Sign out all other browsers?",
      text: (count: string) =>
        plural(Number(count), {
          one: "One other browser has to sign in again.",
          other: `${count} other browsers have to sign in again.`,
        }),
      done: "Signed out all other browsers.",
    },
  },
  mails: {
    title: "Email notifications",
    about: "Choose which emails you get. Password links are always sent.",
    turnedOn: (what: string) => `Turned on: ${what}.`,
    turnedOff: (what: string) => `Turned off: ${what}.`,
    kinds: {
      domain_attention: "Domains that need attention",
      certificates_overdue: "Overdue certificates",
      backup_failed: "Failed backups",
      quota_reached: "80% and 100% of a day's API requests used",
      webhook_disabled: "Disabled webhooks",
      new_device: "Sign-ins with a new browser",
    },
  },
  reset: {
    first: "Choose your password",
    again: "Choose a new password",
    welcome: (name: string) => `Welcome, ${name}.`,
    goodFor: (time: string) => `This link expires on ${time}.`,
    ends: "This ends all your sessions and removes all your passkeys.",
    action: "Set password and sign in",
    done: "Your password is set.",
    missing: "Incomplete link",
    missingText: "The link ends with a # and a long code. Open the whole link.",
    bad: "This link is no longer valid",
    badText:
      "A link works once. It expires after a day at most, or when a newer link is created. Ask the sender for a new one.",
    signIn: "Sign in",
  },
  request: {
    about: "Enter your email address. You get an email with a link to choose a new password.",
    action: "Send link",
    sent: "Check your email",
    sentText: (email: string) =>
      `If ${email} belongs to a member, an email with a link is on its way. The link works once, for an hour. If nothing arrives, look in your spam folder, or ask an owner of your account.`,
  },
};

export type ProfileWords = typeof profile;
