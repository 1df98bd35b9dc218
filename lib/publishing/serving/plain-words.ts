import type { SiteLanguage } from "../model/project.ts";
import type { PlainPage } from "./plain-page.ts";

/** The plain pages, which visitors see where neither a deploy nor the storefront has a page, by name, with their status. */
const statuses = {
  notHere: 404,
  nothingYet: 404,
  readOnly: 405,
  tooSlow: 408,
  tooLarge: 413,
  tooLong: 414,
  noForm: 415,
  foreignForm: 403,
  broken: 500,
  later: 503,
} as const;

/** The name of a plain page. */
export type PlainName = keyof typeof statuses;

type PlainWords = Readonly<Record<PlainName, readonly [title: string, text?: string]>> & {
  /** The link to the site's first page. */
  readonly home: string;
};

/** The texts by language. They are not escaped. */
const words: Readonly<Record<SiteLanguage, PlainWords>> = {
  en: {
    notHere: ["Page not found", "The address may be misspelled, or the page has moved."],
    nothingYet: ["Nothing published yet", "The owner of this address has not published a site."],
    readOnly: ["This page is read-only"],
    tooSlow: ["The form did not arrive completely", "Go back, and send it again."],
    tooLarge: ["This is too long", "Go back, and shorten your message."],
    tooLong: ["This address is too long"],
    noForm: ["This is not a form", "Send the form from its page."],
    foreignForm: [
      "This form is not from this site",
      "Open the animal’s page here, and send the form from there.",
    ],
    broken: ["Something went wrong", "The error was logged. Try again later."],
    later: ["This page is temporarily unavailable", "Please try again in a moment."],
    home: "Go to the home page",
  },
  de: {
    notHere: [
      "Seite nicht gefunden",
      "Vielleicht enthält die Adresse einen Tippfehler, oder die Seite ist umgezogen.",
    ],
    nothingYet: [
      "Noch nichts veröffentlicht",
      "Unter dieser Adresse wurde noch keine Website veröffentlicht.",
    ],
    readOnly: ["Diese Seite lässt sich nur lesen"],
    tooSlow: [
      "Das Formular ist nicht vollständig angekommen",
      "Gehen Sie zurück, und senden Sie es noch einmal.",
    ],
    tooLarge: ["Das ist zu lang", "Gehen Sie zurück, und kürzen Sie Ihre Nachricht."],
    tooLong: ["Diese Adresse ist zu lang"],
    noForm: ["Das ist kein Formular", "Senden Sie das Formular von seiner Seite aus."],
    foreignForm: [
      "Dieses Formular ist nicht von dieser Website",
      "Öffnen Sie hier die Seite des Tiers, und senden Sie das Formular von dort aus.",
    ],
    broken: [
      "Etwas ist schiefgegangen",
      "Der Fehler wurde aufgezeichnet. Versuchen Sie es später noch einmal.",
    ],
    later: [
      "Diese Seite ist vorübergehend nicht verfügbar",
      "Bitte versuchen Sie es gleich noch einmal.",
    ],
    home: "Zur Startseite",
  },
  es: {
    notHere: [
      "Página no encontrada",
      "Puede que la dirección tenga un error o que la página haya cambiado de lugar.",
    ],
    nothingYet: [
      "Aún no hay nada publicado",
      "En esta dirección todavía no se ha publicado ningún sitio.",
    ],
    readOnly: ["Esta página es de solo lectura"],
    tooSlow: ["El formulario no ha llegado completo", "Vuelva atrás y envíelo de nuevo."],
    tooLarge: ["Es demasiado largo", "Vuelva atrás y acorte su mensaje."],
    tooLong: ["Esta dirección es demasiado larga"],
    noForm: ["Esto no es un formulario", "Envíe el formulario desde su página."],
    foreignForm: [
      "Este formulario no es de este sitio",
      "Abra aquí la página del animal y envíe el formulario desde ella.",
    ],
    broken: ["Algo ha salido mal", "El error ha quedado registrado. Inténtelo más tarde."],
    later: [
      "Esta página no está disponible en este momento",
      "Inténtelo de nuevo dentro de un momento.",
    ],
    home: "Ir a la página de inicio",
  },
  fr: {
    notHere: [
      "Page introuvable",
      "L’adresse contient peut-être une erreur, ou la page a été déplacée.",
    ],
    nothingYet: ["Rien n’est encore publié", "Aucun site n’a encore été publié à cette adresse."],
    readOnly: ["Cette page est en lecture seule"],
    tooSlow: ["Le formulaire n’est pas arrivé en entier", "Revenez en arrière et renvoyez-le."],
    tooLarge: ["C’est trop long", "Revenez en arrière et raccourcissez votre message."],
    tooLong: ["Cette adresse est trop longue"],
    noForm: ["Ceci n’est pas un formulaire", "Envoyez le formulaire depuis sa page."],
    foreignForm: [
      "Ce formulaire ne vient pas de ce site",
      "Ouvrez ici la page de l’animal et envoyez le formulaire depuis celle-ci.",
    ],
    broken: ["Une erreur s’est produite", "Elle a été enregistrée. Réessayez plus tard."],
    later: ["Cette page est momentanément indisponible", "Veuillez réessayer dans un instant."],
    home: "Aller à la page d’accueil",
  },
};

/** Returns a plain page in a language. */
export function plainPageIn(name: PlainName, language: SiteLanguage): PlainPage {
  const { home, [name]: said } = words[language];
  const [title, text] = said;
  return {
    language,
    status: statuses[name],
    title,
    ...(text === undefined ? {} : { text }),
    ...(name === "notHere" ? { link: { href: "/", text: home } } : {}),
  };
}
