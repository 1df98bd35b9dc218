import type { setup } from "./en/setup.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** What only the wizard of the first start says. */
export type SetupWords = typeof setup;

export const setupWords: LateWords<SetupWords> = lateWords<SetupWords>({
  en: async () => (await import("./en/setup.ts")).setup,
  de: async () => (await import("./de/setup.ts")).setup,
});
