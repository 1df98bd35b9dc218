import { plural } from "../format.ts";

/** What is somebody's own: their name, password, passkeys and sessions, and the page behind a link to a password. */
export const profile = {
  title: "Your profile",
  about: "How you sign in, and where you are signed in.",
  you: {
    title: "You",
    email: "Email address",
    emailHint: "You sign in with it. It stays as it is; an owner or operator can add another one.",
    role: "Role",
    roleIn: (role: string, account: string) => `${role} of ${account}`,
    name: "Your name",
    nameHint: "Written where it says who did something. May be empty.",
    saved: "Your name is saved.",
  },
  password: {
    title: "Password",
    about: (passkeys: number | undefined) =>
      `A new one signs all other browsers out. Passkeys stay: you have ${passkeys === 0 ? "none" : (passkeys ?? "…")}.`,
    current: "Current password",
    wrong: "This is not your current password.",
    fresh: "New password",
    hint: "12 characters at least. Four words that have nothing to do with each other make a good one.",
    show: "Show what is typed",
    action: "Change password",
    changed: "The password is changed. All other browsers were signed out.",
    faults: {
      malformed: "It holds a character that cannot be sent.",
      too_short: "It needs 12 characters at least.",
      too_long: "It may have 200 characters at most.",
      repeats: "It repeats itself or counts up. Programs that guess try that first.",
      common: "It is made of words that are guessed first.",
    },
    good: "Nobody guesses that soon.",
  },
  passkeys: {
    title: "Passkeys",
    about:
      "A passkey signs you in with the fingerprint, face or PIN of your device. There is nothing to remember, and nothing to steal from us.",
    none: "No passkey yet",
    add: "Add a passkey",
    here: (origin: string) =>
      `Passkeys belong to an address with a name, over HTTPS or at localhost. At ${origin} there are none.`,
    unsupported: "This browser knows no passkeys.",
    columns: { name: "Passkey", added: "Added", used: "Last used", actions: "Actions" },
    name: "Name",
    nameHint: "By which you know it again: where it is kept.",
    defaultName: (system: string) => `On ${system}`,
    anyDevice: "this device",
    next: "Continue",
    added: (name: string) => `The passkey ${name} is added.`,
    remove: "Remove",
    removeTitle: (name: string) => `Remove the passkey ${name}?`,
    removeText:
      "Nobody can sign in with it any more. Delete it on the device as well, which would go on offering it.",
    removed: (name: string) => `The passkey ${name} is removed.`,
  },
  sessions: {
    title: "Where you are signed in",
    about: "Something here that is not you? Sign it out, and change your password.",
    this: "This browser",
    columns: { browser: "Browser", address: "Address", seen: "Last seen", actions: "Actions" },
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: "Unknown browser",
    since: (when: string) => `signed in ${when}`,
    end: "Sign out",
    endLabel: (browser: string) => `Sign out ${browser}`,
    ended: (browser: string) => `${browser} is signed out.`,
    endOthers: "Sign out all others",
    endOthersTitle: "Sign out all other browsers?",
    endOthersText: (count: number) =>
      plural(count, {
        one: "One other browser has to sign in again.",
        other: `${count} other browsers have to sign in again.`,
      }),
    othersEnded: "All other browsers are signed out.",
  },
  reset: {
    first: "Choose your password",
    again: "Choose a new password",
    welcome: (name: string) => `Welcome, ${name}.`,
    goodFor: (time: string) => `The link is good until ${time}.`,
    ends: "All browsers that are signed in have to sign in again, and all your passkeys are removed.",
    action: "Set password and sign in",
    done: "Your password is set.",
    missing: "This page needs a link",
    missingText: "The link ends in a long word after a #. Open it whole.",
    bad: "This link is not good any more",
    badText:
      "A link is good once, for a day, and only as long as no newer one was made. Ask whoever gave it to you for another one.",
    signIn: "Sign in",
  },
};

export type ProfileWords = typeof profile;
