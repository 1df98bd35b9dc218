import { batch, signal } from "@preact/signals";

import {
  chosenLanguage,
  paintLanguage,
  rememberLanguage,
  type Language,
} from "../state/language.ts";
import { isolating } from "./isolated.ts";
import { showLanguage } from "./language.ts";
import type { Words } from "./en/index.ts";

export type { Words } from "./en/index.ts";
export { language } from "./language.ts";

const loaders: Readonly<Record<Language, () => Promise<{ readonly words: Words }>>> = {
  en: () => import("./en/index.ts"),
  de: () => import("./de/index.ts"),
};

const current = signal<Words | undefined>(undefined);

/** Loads the words of a language and shows everything in it. */
export async function speak(tongue: Language = chosenLanguage()): Promise<void> {
  const loaded = await loaders[tongue]();
  batch(() => {
    current.value = isolating(loaded.words);
    showLanguage(tongue);
  });
  paintLanguage(tongue);
}

/** The same, for whoever chose it: it is remembered. */
export async function chooseLanguage(tongue: Language): Promise<void> {
  await speak(tongue);
  rememberLanguage(tongue);
}

/** The words of the language that is shown. Read while rendering, it renders anew when the language changes. */
export function words(): Words {
  if (current.value === undefined) throw new Error("There are no words before `speak`.");
  return current.value;
}
