import { chosenLanguage, paintTheme, store, stored } from "../app/state/preferences.ts";
import { sampleLanguages } from "../reference/model/call.ts";

// Runs before the first paint, so that nothing flashes or moves.
paintTheme();

const sample = sampleLanguages.find((language) => language === stored("sample"));
if (sample !== undefined) document.documentElement.dataset["sample"] = sample;

const german = document.querySelector<HTMLLinkElement>('link[rel=alternate][hreflang="de"]');
if (german !== null) openInLanguage(german);

/** Opens the German page for readers of German, unless they chose the English one. */
function openInLanguage({ href }: HTMLLinkElement): void {
  const english = document.documentElement.lang === "en";
  const { searchParams } = new URL(location.href);
  if (searchParams.get("language") === "en") store("help-language", "en");
  else if (!english) store("help-language", null);
  else if (stored("help-language") !== "en" && chosenLanguage() === "de") {
    location.replace(href + location.hash);
  }
}
