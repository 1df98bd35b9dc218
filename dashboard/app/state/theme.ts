import { stored, store } from "./stored.ts";

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
