import type { Mistake } from "./mistakes.ts";
import type { RecordFault } from "../../testing/domains/sandbox/registrar-zone.ts";

/** The texts of the registrar's pages. */
export interface RegistrarWords {
  readonly language: string;
  readonly slogan: string;
  readonly records: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly actions: string;
  readonly edit: string;
  readonly remove: string;
  readonly add: string;
  readonly addRecord: string;
  readonly save: string;
  readonly cancel: string;
  readonly nameHint: string;
  readonly removed: string;
  readonly saved: string;
  readonly faults: Readonly<Record<RecordFault, string>>;
  readonly demo: string;
  readonly nothingAsked: string;
  readonly addDomain: (domain: string) => string;
  readonly asks: (domain: string) => string;
  readonly copy: string;
  readonly copied: string;
  readonly check: string;
  readonly mistakesTitle: string;
  readonly mistakesHint: string;
  readonly mistakes: Readonly<Record<Mistake, string>>;
  readonly mistaken: string;
  readonly live: (domain: string) => string;
  readonly visit: string;
  readonly warning: string;
  readonly root: string;
  readonly people: (password: string) => string;
  readonly linkOver: string;
  readonly linkOverText: string;
  readonly missing: string;
  readonly refused: string;
}

const en: RegistrarWords = {
  language: "en",
  slogan: "Domains since this morning",
  records: "DNS records",
  name: "Name",
  type: "Type",
  value: "Value",
  actions: "Actions",
  edit: "Edit",
  remove: "Delete",
  add: "Add record",
  addRecord: "New record",
  save: "Save record",
  cancel: "Cancel",
  nameHint: "We append the domain to the name. Enter @ for the domain itself.",
  removed: "The record is deleted.",
  saved: "The record is saved.",
  faults: {
    label: "A name consists of letters, digits and hyphens, with dots between its parts.",
    address: "Enter an IP address: IPv4 for A, IPv6 for AAAA.",
    target: "Enter a domain name as the target.",
    text: "Enter a text of 1 to 500 characters.",
    mail: "Enter a number and a mail server, such as 10 mail.example.org.",
    authority: 'Enter a CAA record, such as 0 issue "ca.example.org".',
    beside_alias:
      "A CNAME record cannot stand beside other records of the same name, or at the domain itself.",
    full: "A domain has at most 50 records.",
  },
  demo: "Demo helper",
  nothingAsked: "Petstore asks for no record yet.",
  addDomain: (domain) => `Add ${domain} in the dashboard, then come back`,
  asks: (domain) => `Petstore asks for this record, for ${domain}`,
  copy: "Copy into the form",
  copied: "The form is filled in. Add the record, or change it first.",
  check: "See what Petstore says",
  mistakesTitle: "Make a mistake",
  mistakesHint: "One click enters it for you. Petstore then explains what is wrong.",
  mistakes: {
    doubled: "Enter the whole name, so that the domain is in it twice",
    typo: "Swap two characters of the value",
    old_address: "Keep the address of the old site",
    beside: "Add the new address and keep the old one",
    caa: "Enter the record, and forbid Petstore's CA in a CAA record",
  },
  mistaken: "The mistake is entered.",
  live: (domain) => `${domain} is live`,
  visit: "Visit the site",
  warning:
    "Your browser warns you, because it does not know the demo's certificate authority. Continue anyway: only this machine is involved.",
  root: "Download the root certificate",
  people: (password) =>
    `If the dashboard asks for your password, it is ${password}. Grace (grace@brightside.example, owner) and Linus (linus@brightside.example, staff) have the same.`,
  linkOver: "This link has been used",
  linkOverText: "It works once. The terminal in which the demo runs shows another one.",
  missing: "Page not found",
  refused: "The request came from another site.",
};

const de: RegistrarWords = {
  language: "de",
  slogan: "Domains seit heute Morgen",
  records: "DNS-Einträge",
  name: "Name",
  type: "Typ",
  value: "Wert",
  actions: "Aktionen",
  edit: "Bearbeiten",
  remove: "Löschen",
  add: "Eintrag hinzufügen",
  addRecord: "Neuer Eintrag",
  save: "Eintrag speichern",
  cancel: "Abbrechen",
  nameHint: "Wir hängen die Domain an den Namen an. @ steht für die Domain selbst.",
  removed: "Der Eintrag ist gelöscht.",
  saved: "Der Eintrag ist gespeichert.",
  faults: {
    label: "Ein Name besteht aus Buchstaben, Ziffern und Bindestrichen, mit Punkten dazwischen.",
    address: "Geben Sie eine IP-Adresse ein: IPv4 bei A, IPv6 bei AAAA.",
    target: "Geben Sie als Ziel einen Domainnamen ein.",
    text: "Geben Sie einen Text von 1 bis 500 Zeichen ein.",
    mail: "Geben Sie eine Zahl und einen Mailserver ein, etwa 10 mail.example.org.",
    authority: 'Geben Sie einen CAA-Eintrag ein, etwa 0 issue "ca.example.org".',
    beside_alias:
      "Ein CNAME-Eintrag darf nicht neben anderen Einträgen desselben Namens stehen und nicht bei der Domain selbst.",
    full: "Eine Domain hat höchstens 50 Einträge.",
  },
  demo: "Hilfe der Demo",
  nothingAsked: "Petstore verlangt noch keinen Eintrag.",
  addDomain: (domain) => `Fügen Sie ${domain} im Dashboard hinzu und kommen Sie dann zurück`,
  asks: (domain) => `Petstore verlangt diesen Eintrag, für ${domain}`,
  copy: "In das Formular übernehmen",
  copied: "Das Formular ist ausgefüllt. Fügen Sie den Eintrag hinzu oder ändern Sie ihn vorher.",
  check: "Nachsehen, was Petstore sagt",
  mistakesTitle: "Einen Fehler machen",
  mistakesHint: "Ein Klick trägt ihn für Sie ein. Petstore erklärt dann, was nicht stimmt.",
  mistakes: {
    doubled: "Den ganzen Namen eintragen, sodass die Domain doppelt darin steht",
    typo: "Zwei Zeichen des Werts vertauschen",
    old_address: "Die Adresse der alten Website behalten",
    beside: "Die neue Adresse eintragen und die alte behalten",
    caa: "Den Eintrag anlegen und Petstores Zertifizierungsstelle in einem CAA-Eintrag verbieten",
  },
  mistaken: "Der Fehler ist eingetragen.",
  live: (domain) => `${domain} ist live`,
  visit: "Website besuchen",
  warning:
    "Ihr Browser warnt, weil er die Zertifizierungsstelle der Demo nicht kennt. Fahren Sie trotzdem fort: Nur dieser Rechner ist beteiligt.",
  root: "Stammzertifikat herunterladen",
  people: (password) =>
    `Fragt das Dashboard nach Ihrem Passwort, lautet es ${password}. Grace (grace@brightside.example, Inhaberin) und Linus (linus@brightside.example, Mitarbeit) haben dasselbe.`,
  linkOver: "Dieser Link wurde schon benutzt",
  linkOverText: "Er gilt einmal. Das Terminal, in dem die Demo läuft, zeigt einen neuen.",
  missing: "Seite nicht gefunden",
  refused: "Die Anfrage kam von einer anderen Website.",
};

/** Returns the texts for the first language of an `Accept-Language` header that is German or English. */
export function wordsFor(accepted: string | null): RegistrarWords {
  const first = accepted?.split(",").find((one) => /^\s*(de|en)\b/i.test(one));
  return first?.trim().toLowerCase().startsWith("de") === true ? de : en;
}
