import type { SiteLanguage } from "../../model/project.ts";

/** The texts of the enquiry form in English. */
const english = {
  ask: (name: string): string => `Ask about ${name}`,
  intro: (site: string): string => `${site} answers by email.`,
  name: "Your name",
  email: "Your email address",
  phone: "Your phone number (optional)",
  message: "Your message",
  consent: (site: string, days: string): string =>
    `${site} may store what I enter here to answer my enquiry. It is deleted after ${days} days at the latest.`,
  send: "Send enquiry",
  back: (name: string): string => `Back to ${name}`,
  trap: "Leave this field empty",
  faults: {
    name: { missing: "Enter your name.", invalid: "Enter a name of at most 120 characters." },
    email: {
      missing: "Enter your email address.",
      invalid: "Enter an email address such as kim@example.com.",
    },
    phone: { missing: "", invalid: "Enter a phone number of at most 40 characters, or none." },
    message: {
      missing: "Write a message.",
      invalid: "Write a message of at most 4,000 characters.",
    },
    consent: { missing: "Please tick this box, so that we may answer.", invalid: "" },
  },
  faulty: "Your enquiry was not sent yet. Please correct the marked fields.",
  again: "Your enquiry was not sent yet. Please check it, and send it again in a few seconds.",
  refused:
    "Your enquiry was not sent: too many enquiries have arrived. Your text is still here. Please try again later, or contact us in another way.",
  sentTitle: "Thank you",
  sent: "We have received your enquiry and will answer by email.",
};

/** The texts of the enquiry form in one language. */
export type EnquiryWords = typeof english;

const german: EnquiryWords = {
  ask: (name) => `Nach ${name} fragen`,
  intro: (site) => `${site} antwortet per E-Mail.`,
  name: "Ihr Name",
  email: "Ihre E-Mail-Adresse",
  phone: "Ihre Telefonnummer (freiwillig)",
  message: "Ihre Nachricht",
  consent: (site, days) =>
    `${site} darf meine Angaben speichern, um meine Anfrage zu beantworten. Sie werden spätestens nach ${days} Tagen gelöscht.`,
  send: "Anfrage senden",
  back: (name) => `Zurück zu ${name}`,
  trap: "Dieses Feld bitte leer lassen",
  faults: {
    name: {
      missing: "Geben Sie Ihren Namen ein.",
      invalid: "Geben Sie einen Namen mit höchstens 120 Zeichen ein.",
    },
    email: {
      missing: "Geben Sie Ihre E-Mail-Adresse ein.",
      invalid: "Geben Sie eine E-Mail-Adresse wie kim@example.com ein.",
    },
    phone: {
      missing: "",
      invalid: "Geben Sie eine Telefonnummer mit höchstens 40 Zeichen ein oder keine.",
    },
    message: {
      missing: "Schreiben Sie eine Nachricht.",
      invalid: "Schreiben Sie eine Nachricht mit höchstens 4.000 Zeichen.",
    },
    consent: { missing: "Bitte stimmen Sie zu, damit wir antworten dürfen.", invalid: "" },
  },
  faulty:
    "Ihre Anfrage ist noch nicht gesendet. Bitte korrigieren Sie die gekennzeichneten Felder.",
  again:
    "Ihre Anfrage ist noch nicht gesendet. Bitte prüfen Sie sie, und senden Sie sie in einigen Sekunden noch einmal.",
  refused:
    "Ihre Anfrage ist nicht gesendet: Es sind zu viele Anfragen eingegangen. Ihr Text ist noch da. Bitte versuchen Sie es später noch einmal, oder melden Sie sich auf anderem Weg.",
  sentTitle: "Vielen Dank",
  sent: "Ihre Anfrage ist angekommen. Wir antworten per E-Mail.",
};

const spanish: EnquiryWords = {
  ask: (name) => `Preguntar por ${name}`,
  intro: (site) => `${site} responde por correo electrónico.`,
  name: "Tu nombre",
  email: "Tu correo electrónico",
  phone: "Tu teléfono (opcional)",
  message: "Tu mensaje",
  consent: (site, days) =>
    `${site} puede guardar mis datos para responder a mi consulta. Se borran como máximo a los ${days} días.`,
  send: "Enviar consulta",
  back: (name) => `Volver a ${name}`,
  trap: "Deja este campo vacío",
  faults: {
    name: {
      missing: "Escribe tu nombre.",
      invalid: "Escribe un nombre de 120 caracteres como máximo.",
    },
    email: {
      missing: "Escribe tu correo electrónico.",
      invalid: "Escribe un correo electrónico como kim@example.com.",
    },
    phone: {
      missing: "",
      invalid: "Escribe un teléfono de 40 caracteres como máximo, o ninguno.",
    },
    message: {
      missing: "Escribe un mensaje.",
      invalid: "Escribe un mensaje de 4000 caracteres como máximo.",
    },
    consent: { missing: "Marca esta casilla para que podamos responder.", invalid: "" },
  },
  faulty: "Tu consulta aún no se ha enviado. Corrige los campos marcados.",
  again: "Tu consulta aún no se ha enviado. Revísala y vuelve a enviarla dentro de unos segundos.",
  refused:
    "Tu consulta no se ha enviado: han llegado demasiadas consultas. Tu texto sigue aquí. Inténtalo más tarde o ponte en contacto de otra manera.",
  sentTitle: "Gracias",
  sent: "Hemos recibido tu consulta y responderemos por correo electrónico.",
};

const french: EnquiryWords = {
  ask: (name) => `Poser une question sur ${name}`,
  intro: (site) => `${site} répond par e-mail.`,
  name: "Votre nom",
  email: "Votre adresse e-mail",
  phone: "Votre numéro de téléphone (facultatif)",
  message: "Votre message",
  consent: (site, days) =>
    `${site} peut conserver mes données pour répondre à ma demande. Elles sont supprimées au plus tard au bout de ${days} jours.`,
  send: "Envoyer la demande",
  back: (name) => `Revenir à ${name}`,
  trap: "Laissez ce champ vide",
  faults: {
    name: {
      missing: "Indiquez votre nom.",
      invalid: "Indiquez un nom de 120 caractères au maximum.",
    },
    email: {
      missing: "Indiquez votre adresse e-mail.",
      invalid: "Indiquez une adresse e-mail telle que kim@example.com.",
    },
    phone: {
      missing: "",
      invalid: "Indiquez un numéro de 40 caractères au maximum, ou laissez ce champ vide.",
    },
    message: {
      missing: "Écrivez un message.",
      invalid: "Écrivez un message de 4\u202f000 caractères au maximum.",
    },
    consent: { missing: "Cochez cette case pour que nous puissions répondre.", invalid: "" },
  },
  faulty: "Votre demande n’est pas encore envoyée. Corrigez les champs signalés.",
  again:
    "Votre demande n’est pas encore envoyée. Vérifiez-la, puis renvoyez-la dans quelques secondes.",
  refused:
    "Votre demande n’a pas été envoyée\u00a0: trop de demandes sont arrivées. Votre texte est toujours là. Réessayez plus tard ou contactez-nous autrement.",
  sentTitle: "Merci",
  sent: "Nous avons bien reçu votre demande et répondrons par e-mail.",
};

/** The texts of the enquiry form by language. */
export const enquiryWords: Readonly<Record<SiteLanguage, EnquiryWords>> = {
  en: english,
  de: german,
  es: spanish,
  fr: french,
};
