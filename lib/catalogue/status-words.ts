import { wordForm } from "../model/text.ts";
import { petStatuses, type PetStatus } from "./model.ts";

type StatusWords = Readonly<Record<PetStatus, string>>;

/** The words for each status in the dashboard and on sites, by language. Files may use any of them. */
export const statusWords: Readonly<Record<"en" | "de", StatusWords>> = {
  en: { available: "Available", pending: "Reserved", sold: "Adopted" },
  de: { available: "Verfügbar", pending: "Reserviert", sold: "Vermittelt" },
};

/** The words on sites, for visitors. */
export const siteStatusWords: typeof statusWords = {
  en: statusWords.en,
  de: { ...statusWords.de, available: "Sucht ein Zuhause" },
};

const byForm: ReadonlyMap<string, PetStatus> = new Map(
  petStatuses.flatMap((status) => {
    const all = [...Object.values(statusWords), ...Object.values(siteStatusWords)];
    const words = [status, ...all.map((one) => one[status])];
    return words.map((word) => [wordForm(word), status] as const);
  }),
);

/** Returns the status that a word names in any language; case, spaces and invisible characters do not count. */
export function statusNamed(word: string): PetStatus | undefined {
  return byForm.get(wordForm(word));
}
