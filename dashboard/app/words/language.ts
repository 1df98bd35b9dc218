import { signal } from "@preact/signals";

import type { Language } from "../state/language.ts";

const shown = signal<Language>("en");

/** The language that is shown. Read while rendering, it renders anew when the language changes. */
export function language(): Language {
  return shown.value;
}

/** For `speak` alone, which has the words as well. */
export function showLanguage(tongue: Language): void {
  shown.value = tongue;
}
