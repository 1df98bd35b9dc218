import { normalized } from "../../../base/normalized.ts";
import type { Words } from "./en.ts";

/** French. Typographic rules: a no-break space (U+00A0) before a colon, and curved apostrophes. */
export const french: Words = {
  heading: "Ils cherchent un foyer",
  skip: "Aller au contenu",
  filters: "Filtrer",
  everyCategory: "Tous les animaux",
  moreCategories: "Plus de catégories",
  everyStatus: "Tous les statuts",
  status: { available: "À l’adoption", pending: "Réservé", sold: "Adopté" },
  count: (count, written) => (count < 2 ? `${written} animal` : `${written} animaux`),
  back: "Tous les animaux",
  pages: "Pages",
  newer: "Précédent",
  older: "Suivant",
  photoOf: (name) => `Photo ${of(name)}`,
  empty: "Aucun animal ne cherche de foyer en ce moment. Revenez bientôt.",
  emptyHere: "Aucun animal ici en ce moment.",
  showAll: "Voir tous les animaux",
  since: (date) => `Chez nous depuis le ${date}`,
  adoptHeading: (name) => `Rencontrer ${name}`,
  adopt: {
    available: "",
    pending: "Quelqu’un s’intéresse déjà à cet animal.",
    sold: "Cet animal a trouvé un foyer.",
  },
  invite: {
    available: "Contactez-nous pour convenir d’une visite.",
    pending: "Contactez-nous pour figurer sur la liste d’attente.",
    sold: "",
  },
  write: "Nous écrire",
  call: "Appeler",
  subject: (name, id) => `À propos ${of(name)} (n° ${id})`,
  more: "D’autres animaux",
  contact: "Contact",
  phone: "Téléphone",
  email: "E-mail",
  address: "Adresse",
  hours: "Horaires d’ouverture",
  website: "Site web",
  notFoundTitle: "Page introuvable",
  notFound: "Cette page n’existe pas, ou l’animal a trouvé un foyer.",
  seeAllAt: (title) => `Tous les animaux\u00a0: ${title}`,
  help: "Nous aider",
  donate: "Faire un don",
  visit: "Prendre rendez-vous",
};

/** `de Rex`, `d’Ada` */
function of(name: string): string {
  return /^[aeiouœæ]/i.test(normalized(name, "NFD")) ? `d’${name}` : `de ${name}`;
}
