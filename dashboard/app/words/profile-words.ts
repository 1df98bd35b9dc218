import type { profile } from "./en/profile.ts";
import { lateWords, type LateWords } from "./late-words.tsx";

/** What only the views of one's own things say, and the page behind a link to a password. */
export type ProfileWords = typeof profile;

export const profileWords: LateWords<ProfileWords> = lateWords<ProfileWords>({
  en: async () => (await import("./en/profile.ts")).profile,
  de: async () => (await import("./de/profile.ts")).profile,
});
