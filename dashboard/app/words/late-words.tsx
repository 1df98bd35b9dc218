import { signal } from "@preact/signals";
import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { Bones } from "../components/bones.tsx";
import type { Language } from "../state/language.ts";
import { isolating } from "./isolated.ts";
import { language } from "./language.ts";

/** Words that only some views say: fetched when the first of those is opened. */
export interface LateWords<Words> {
  /** In the language that is shown; only below `within`. */
  readonly words: () => Words;
  /** A view that says them, shown once they are there. */
  readonly within: <Props extends object>(View: ComponentType<Props>) => FunctionComponent<Props>;
}

export function lateWords<Words>(
  loaders: Readonly<Record<Language, () => Promise<Words>>>,
): LateWords<Words> {
  const current = signal<Words | undefined>(undefined);
  return {
    words: () => {
      if (current.value === undefined) throw new Error("These words were not loaded.");
      return current.value;
    },
    within: (View) =>
      function Within(props) {
        const tongue = language();
        const [lost, setLost] = useState<unknown>(undefined);
        useEffect(() => {
          // Until they have come, those of the language before are shown.
          loaders[tongue]().then((loaded) => {
            current.value = isolating(loaded);
          }, setLost);
        }, [tongue]);
        // As code that cannot be had: the page offers to be loaded again.
        if (lost !== undefined) throw lost;
        return current.value === undefined ? <Bones lines={8} /> : <View {...props} />;
      },
  };
}
