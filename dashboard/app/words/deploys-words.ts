import type { deploys } from "./en/deploys.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** Sending a site, and what becomes of it. */
export type DeploysWords = typeof deploys;

export const deploysWords: LateWords<DeploysWords> = lateWords<DeploysWords>({
  en: async () => (await import("./en/deploys.ts")).deploys,
  de: async () => (await import("./de/deploys.ts")).deploys,
});
