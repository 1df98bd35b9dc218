import type { administration } from "./en/administration.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** What only the views of accounts, people, tokens and the system say. */
export type AdministrationWords = typeof administration;

export const administrationWords: LateWords<AdministrationWords> = lateWords<AdministrationWords>({
  en: async () => (await import("./en/administration.ts")).administration,
  de: async () => (await import("./de/administration.ts")).administration,
});
