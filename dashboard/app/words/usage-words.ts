import type { usage } from "./en/usage.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** What only the view of what was asked says. */
export type UsageWords = typeof usage;

export const usageWords: LateWords<UsageWords> = lateWords<UsageWords>({
  en: async () => (await import("./en/usage.ts")).usage,
  de: async () => (await import("./de/usage.ts")).usage,
});
