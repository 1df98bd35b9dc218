import { chosenLanguage, paintTheme, store, stored } from "../app/state/preferences.ts";
import { sampleLanguages } from "../reference/model/call.ts";

// Runs before the first paint, so that nothing flashes or moves.
paintTheme();

const sample = sampleLanguages.find((language) => language === stored("sample"));
if (sample !== undefined) document.documentElement.dataset["sample"] = sample;

const { dataset, lang } = document.documentElement;
if (lang === "de") store("help-language", null);
else if (dataset["german"] !== undefined) openInLanguage(dataset["german"]);

/** Opens the German page for readers of German, unless they chose the English one. */
function openInLanguage(german: string): void {
  const { search, hash } = location;
  if (search === "?language=en") store("help-language", "en");
  else if (stored("help-language") !== "en" && chosenLanguage() === "de") {
    location.replace(german + hash);
  }
}
