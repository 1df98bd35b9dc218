/** Reads a preference of this browser; null if it is not set or storage is disabled. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`petstore-${name}`);
  } catch {
    // Storage is disabled: preferences last for this visit.
    return null;
  }
}

export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`petstore-${name}`);
    else localStorage.setItem(`petstore-${name}`, value);
  } catch {
    // As above.
  }
}

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The chosen theme; default: the system's. */
export function chosenTheme(): Theme {
  return themes.find((theme) => theme === stored("theme")) ?? "system";
}

/** Saves and applies a theme. */
export function chooseTheme(theme: Theme): void {
  store("theme", theme === "system" ? null : theme);
  paintTheme();
}

/** Applies the theme to the page. */
export function paintTheme(): void {
  const theme = chosenTheme();
  const shown = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
}

/** Follows changes of the system's theme. */
export function followSystemTheme(): void {
  dark.addEventListener("change", paintTheme);
}

export const languages = ["en", "de"] as const;
export type Language = (typeof languages)[number];

/** The chosen language, otherwise the first of the browser's that we have, otherwise English. */
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

/** Sets the language of the document. */
export function paintLanguage(language: Language = chosenLanguage()): void {
  document.documentElement.lang = language;
}
