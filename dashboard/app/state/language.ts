import { stored, store } from "./stored.ts";

export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** What was chosen, else the first of the browser's own that there is, else English. */
export function chosenLanguage(): Language {
  const wanted = [stored("language") ?? "", ...navigator.languages];
  for (const tag of wanted) {
    const found = languages.find((language) => tag.toLowerCase().split("-")[0] === language);
    if (found !== undefined) return found;
  }
  return "en";
}

export function rememberLanguage(language: Language): void {
  store("language", language);
}

/** Tells the browser which language the page is in. */
export function paintLanguage(language: Language = chosenLanguage()): void {
  document.documentElement.lang = language;
}
