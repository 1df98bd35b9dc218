import { batch, signal } from "@preact/signals";
import {
  chosenLanguage,
  paintLanguage,
  rememberLanguage,
  type Language,
} from "../state/preferences.ts";
import { prepared } from "./isolated.ts";
import { language, showLanguage, relative } from "./format.ts";
import type { Words } from "./en/index.ts";
import type { Problem } from "../../../lib/base/problem.ts";
import { MINUTE_MS, SECOND_MS, systemClock } from "../../../lib/base/clock.ts";

export type { Words } from "./en/index.ts";
export { language };

const loaders: Readonly<Record<Language, () => Promise<{ readonly words: Words }>>> = {
  en: () => import("./en/index.ts"),
  de: () => import("./de/index.ts"),
};

const current = signal<Words | undefined>(undefined);

/** The language asked for last. */
let wanted: Language | undefined;

/** Loads and shows a language, unless another one is asked for before it is loaded. */
export async function speak(chosen: Language = chosenLanguage()): Promise<void> {
  wanted = chosen;
  const loaded = await loaders[chosen]();
  if (wanted !== chosen) return;
  batch(() => {
    current.value = prepared(loaded.words);
    showLanguage(chosen);
  });
  paintLanguage(chosen);
}

/** Shows the language that the user chose, and remembers the one that is shown. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  await speak(chosen);
  rememberLanguage(language());
}

/** The words in the current language. Components that read them render again when it changes. */
export function words(): Words {
  if (current.value === undefined) throw new Error("There are no words before `speak`.");
  return current.value;
}

/** Describes a refusal in the user's language, or in the service's words if we have none for its code. */
export function problemText({ code, message, retryAfterSeconds }: Problem): string {
  const { common, problems } = words();
  if (code === "rate_limited" && retryAfterSeconds !== undefined) {
    return common.tooOften(away(retryAfterSeconds * SECOND_MS));
  }
  return problems[code] ?? message;
}

/** Describes a refusal with the service's first detail, which is more precise, but only in English. */
export function inDetail(problem: Problem): string {
  const detail = problem.errors?.[0]?.message;
  const text = problemText(problem);
  if (detail === undefined) return text;
  return text === problem.message ? detail : `${text} (${detail})`;
}

/** `in 40 seconds`, `in 14 minutes`: rounded up. */
function away(ms: number): string {
  const now = systemClock.now();
  return relative(now + (ms > MINUTE_MS ? Math.ceil(ms / MINUTE_MS) * MINUTE_MS : ms), now);
}
