/** What this browser remembers for itself; where it may remember nothing, nothing is remembered. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`petstore-${name}`);
  } catch {
    // Storage is forbidden here: every choice holds for this visit.
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

/** What was chosen, or the system's. */
export function chosenTheme(): Theme {
  return themes.find((theme) => theme === stored("theme")) ?? "system";
}

/** Chooses, remembers and paints. */
export function chooseTheme(theme: Theme): void {
  store("theme", theme === "system" ? null : theme);
  paintTheme();
}

/** Puts the theme on the page. */
export function paintTheme(): void {
  const theme = chosenTheme();
  const shown = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
}

/** Follows the system when it goes from day to night. */
export function followSystemTheme(): void {
  dark.addEventListener("change", paintTheme);
}

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
