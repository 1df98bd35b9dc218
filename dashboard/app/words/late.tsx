import { signal } from "@preact/signals";
import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Bones } from "../components/feedback.tsx";
import type { Language } from "../state/preferences.ts";
import { prepared } from "./isolated.ts";
import { language } from "./format.ts";

/** A catalogue that only some views need, loaded when the first of them is opened. */
interface LateWords<Words> {
  /** The words in the current language; only below `within`. */
  readonly words: () => Words;
  /** Wraps a view so that it renders once the words are loaded. */
  readonly within: <Props extends object>(View: ComponentType<Props>) => FunctionComponent<Props>;
}

/**
 * Loads a catalogue with the first view that needs it; `name` is its export in the loaded modules. A catalogue of one view is
 * declared in the view's file, which the first page does not load.
 */
export function lateWords<Name extends string, Words>(
  name: Name,
  loaders: Readonly<Record<Language, () => Promise<Readonly<Record<Name, Words>>>>>,
): LateWords<Words> {
  const current = signal<Words | undefined>(undefined);
  return {
    words: () => {
      if (current.value === undefined) throw new Error("These words were not loaded.");
      return current.value;
    },
    within: (View) =>
      function Within(props) {
        const chosen = language();
        const [failure, setFailure] = useState<unknown>(undefined);
        useEffect(() => {
          // Until then the previous language stays.
          loaders[chosen]().then((loaded) => {
            // The language may have changed meanwhile, and its words arrived first.
            if (language() === chosen) current.value = prepared(loaded[name]);
          }, setFailure);
        }, [chosen]);
        // The error boundary offers to reload the page.
        if (failure !== undefined) throw failure;
        return current.value === undefined ? <Bones lines={8} /> : <View {...props} />;
      },
  };
}

export const administrationWords = lateWords("administration", {
  en: () => import("./en/administration.ts"),
  de: () => import("./de/administration.ts"),
});

export const animalWords = lateWords("animal", {
  en: () => import("./en/animal.ts"),
  de: () => import("./de/animal.ts"),
});

export const animalsWords = lateWords("animals", {
  en: () => import("./en/animals.ts"),
  de: () => import("./de/animals.ts"),
});

export const domainWords = lateWords("domainWords", {
  en: () => import("./en/domain-words.ts"),
  de: () => import("./de/domain-words.ts"),
});

export const overviewWords = lateWords("overview", {
  en: () => import("./en/overview.ts"),
  de: () => import("./de/overview.ts"),
});

export const profileWords = lateWords("profile", {
  en: () => import("./en/profile.ts"),
  de: () => import("./de/profile.ts"),
});
