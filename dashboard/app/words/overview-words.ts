import type { overview } from "./en/overview.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** How an account stands, and what happened lately. */
export type OverviewWords = typeof overview;

export const overviewWords: LateWords<OverviewWords> = lateWords<OverviewWords>({
  en: async () => (await import("./en/overview.ts")).overview,
  de: async () => (await import("./de/overview.ts")).overview,
});
