import type { importing } from "./en/importing.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** What only the import of animals says. */
export type ImportingWords = typeof importing;

export const importingWords: LateWords<ImportingWords> = lateWords<ImportingWords>({
  en: async () => (await import("./en/importing.ts")).importing,
  de: async () => (await import("./de/importing.ts")).importing,
});
