import { englishNotices, germanNotices } from "./notice-words.ts";

/** A language that mails are written in. */
export type MailLanguage = "en" | "de";

/** Returns the language of a mail for a reader of `tag` (BCP 47). */
export function mailLanguageOf(tag: string): MailLanguage {
  return /^de(?:-|$)/i.test(tag) ? "de" : "en";
}

/** The English words of all mails. Names and times arrive as they are shown; `host` is where the dashboard is. */
const english = {
  greeting: (name: string) => (name === "" ? "Hello," : `Hello ${name},`),
  invitation: {
    subject: (place: string) => `Your invitation to ${place}`,
    by: (inviter: string, place: string) => `${inviter} has invited you to ${place}.`,
    plain: (place: string) => `You are invited to ${place}.`,
    account: (account: string, host: string) => `${account} on ${host}`,
    action: "Choose a password",
    once: (until: string) => `The link works once, until ${until}.`,
    unexpected: "If you did not expect this invitation, ignore this mail.",
  },
  reset: {
    subject: (host: string) => `Choose a new password for ${host}`,
    asked: (host: string) => `You asked to choose a new password for ${host}.`,
    action: "Choose a new password",
    once: (until: string) =>
      `The link works once, until ${until}. A new password signs you out everywhere and removes your passkeys.`,
    unexpected: "If you did not ask for this, ignore this mail. Your password stays the same.",
  },
  enquiry: {
    subject: (animal: string | undefined, site: string) =>
      animal === undefined ? `Enquiry to ${site}` : `Enquiry about ${animal}`,
    asked: (name: string, animal: string | undefined, site: string) =>
      animal === undefined
        ? `${name} sent an enquiry on ${site}:`
        : `${name} sent an enquiry about ${animal} on ${site}:`,
    name: "Name",
    email: "Email",
    phone: "Phone",
    action: "Open the enquiry",
    reply: (name: string) => `If you reply to this mail, your reply goes to ${name}.`,
  },
  overdue: {
    subject: (first: string, others: number) =>
      others === 0
        ? `Certificate overdue: ${first}`
        : `Certificates overdue: ${first} and ${others} more`,
    subjectExpired: (first: string, others: number) =>
      others <= 0
        ? `Certificate expired: ${first}`
        : `Certificates expired: ${first} and ${others} more`,
    observed: (count: number) =>
      count === 1
        ? "A certificate should have been renewed by now, and it has not been:"
        : `${count} certificates should have been renewed by now, and they have not been:`,
    domains: "Domains",
    more: (count: number) => `and ${count} more`,
    first: "The first expires on",
    expiredOn: "The first expired on",
    notYet:
      "Visitors notice nothing until then. After that, browsers warn them, and most cannot open the site.",
    expired: (count: number, overdue: number) =>
      overdue === 1
        ? "It has expired: browsers warn visitors, and most cannot open the site."
        : count === 1
          ? "One of them has expired: browsers warn visitors, and most cannot open the site."
          : `${count} of them have expired: browsers warn visitors, and most cannot open the sites.`,
    owner:
      "The page of each domain says what is wrong and what to do. If you cannot correct it there, tell the operator of this service.",
    operator:
      "Run petstore doctor on the server: it says what is wrong. petstore certs renew HOST orders a certificate now, or says why it cannot.",
    action: "Open the dashboard",
    stage: (stage: 1 | 2 | 3 | 4) =>
      ({
        1: "Orders are retried automatically. You get another mail when half of the time to the expiry has passed.",
        2: "Orders are retried automatically. You get one more mail before the certificate expires.",
        3: "Orders are retried automatically. You get one last mail if the certificate expires.",
        4: "Orders are retried automatically. This is the last mail about it.",
      })[stage],
  },
  test: {
    subject: (host: string) => `Test mail from ${host}`,
    works: (host: string) =>
      `${host} can send mail. This is a test; you do not need to do anything.`,
    action: "Open the dashboard",
  },
  notices: englishNotices,
  environments: { production: "Production", staging: "Staging" },
  /** Ends a mail whose text was cut. */
  more: "The text continues in the dashboard.",
  /** Ends a mail of a kind that its reader can turn off. */
  unsubscribe: "To get no more mails of this kind, open this page and confirm:",
};

/** The words of a language. */
export type MailWords = typeof english;

/** The German words of all mails. */
const german: MailWords = {
  greeting: (name) => (name === "" ? "Guten Tag," : `Guten Tag ${name},`),
  invitation: {
    subject: (place) => `Ihre Einladung zu ${place}`,
    by: (inviter, place) => `${inviter} hat Sie zu ${place} eingeladen.`,
    plain: (place) => `Sie sind zu ${place} eingeladen.`,
    account: (account, host) => `${account} auf ${host}`,
    action: "Passwort wählen",
    once: (until) => `Der Link funktioniert einmal, bis ${until}.`,
    unexpected: "Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese Mail.",
  },
  reset: {
    subject: (host) => `Neues Passwort für ${host}`,
    asked: (host) => `Sie möchten ein neues Passwort für ${host} wählen.`,
    action: "Neues Passwort wählen",
    once: (until) =>
      `Der Link funktioniert einmal, bis ${until}. Mit dem neuen Passwort werden Sie überall abgemeldet, und Ihre Passkeys werden entfernt.`,
    unexpected:
      "Wenn Sie das nicht angefordert haben, ignorieren Sie diese Mail. Ihr Passwort bleibt, wie es ist.",
  },
  enquiry: {
    subject: (animal, site) =>
      animal === undefined ? `Anfrage an ${site}` : `Anfrage zu ${animal}`,
    asked: (name, animal, site) =>
      animal === undefined
        ? `${name} hat über ${site} eine Anfrage geschickt:`
        : `${name} hat über ${site} eine Anfrage zu ${animal} geschickt:`,
    name: "Name",
    email: "E-Mail",
    phone: "Telefon",
    action: "Anfrage öffnen",
    reply: (name) => `Wenn Sie auf diese Mail antworten, geht die Antwort an ${name}.`,
  },
  overdue: {
    subject: (first, others) =>
      others === 0
        ? `Zertifikat überfällig: ${first}`
        : `Zertifikate überfällig: ${first} und ${others} weitere`,
    subjectExpired: (first, others) =>
      others <= 0
        ? `Zertifikat abgelaufen: ${first}`
        : `Zertifikate abgelaufen: ${first} und ${others} weitere`,
    observed: (count) =>
      count === 1
        ? "Ein Zertifikat sollte längst erneuert sein und ist es nicht:"
        : `${count} Zertifikate sollten längst erneuert sein und sind es nicht:`,
    domains: "Domains",
    more: (count) => `und ${count} weitere`,
    first: "Das erste läuft ab am",
    expiredOn: "Das erste ist abgelaufen am",
    notYet:
      "Bis dahin merken Besucher nichts. Danach warnen Browser sie, und die meisten können die Website nicht öffnen.",
    expired: (count, overdue) =>
      overdue === 1
        ? "Es ist abgelaufen: Browser warnen Besucher, und die meisten können die Website nicht öffnen."
        : count === 1
          ? "Eines davon ist abgelaufen: Browser warnen Besucher, und die meisten können die Website nicht öffnen."
          : `${count} davon sind abgelaufen: Browser warnen Besucher, und die meisten können die Websites nicht öffnen.`,
    owner:
      "Auf der Seite jeder Domain steht, woran es liegt und was zu tun ist. Wenn Sie dort nichts beheben können, sagen Sie dem Betreiber dieses Dienstes Bescheid.",
    operator:
      "Führen Sie auf dem Server petstore doctor aus: Der Befehl zeigt, woran es liegt. petstore certs renew HOST bestellt ein Zertifikat sofort oder nennt den Grund, warum es nicht geht.",
    action: "Dashboard öffnen",
    stage: (stage) =>
      ({
        1: "Es wird automatisch weiter versucht. Sie bekommen noch eine Mail, wenn die halbe Zeit bis zum Ablauf vorbei ist.",
        2: "Es wird automatisch weiter versucht. Sie bekommen noch eine Mail, bevor das Zertifikat abläuft.",
        3: "Es wird automatisch weiter versucht. Sie bekommen noch eine letzte Mail, falls das Zertifikat abläuft.",
        4: "Es wird automatisch weiter versucht. Dies ist die letzte Mail dazu.",
      })[stage],
  },
  test: {
    subject: (host) => `Testmail von ${host}`,
    works: (host) => `${host} kann Mails verschicken. Dies ist ein Test; Sie müssen nichts tun.`,
    action: "Dashboard öffnen",
  },
  notices: germanNotices,
  environments: { production: "Produktion", staging: "Staging" },
  more: "Der Text geht im Dashboard weiter.",
  unsubscribe:
    "Wenn Sie solche Mails nicht mehr bekommen möchten, öffnen Sie diese Seite und bestätigen Sie es:",
};

/** The words of each language. */
export const mailWords: Readonly<Record<MailLanguage, MailWords>> = { en: english, de: german };
