import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { unreachable } from "./api.ts";
import { toast } from "./components/toasts.tsx";
import { languages, chosenTheme, chooseTheme, themes } from "./state/preferences.ts";
import { said, chooseLanguage, language, words } from "./words/words.ts";

/** Language and theme, for everybody who looks at the dashboard; remembered by this browser. */
export function Preferences(): JSX.Element {
  const { shell } = words();
  const theme = useSignal(chosenTheme());
  return (
    <div class="preferences">
      <label>
        <span class="out-of-sight">{shell.language}</span>
        <select
          class="input"
          value={language()}
          onChange={(event) => {
            const chosen = languages[event.currentTarget.selectedIndex];
            if (chosen === undefined) return;
            const { currentTarget } = event;
            chooseLanguage(chosen).catch(() => {
              currentTarget.value = language();
              toast(said(unreachable));
            });
          }}
        >
          {languages.map((one) => (
            <option key={one} value={one} lang={one}>
              {shell.languages[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="out-of-sight">{shell.theme}</span>
        <select
          class="input"
          value={theme.value}
          onChange={(event) => {
            const chosen = themes[event.currentTarget.selectedIndex];
            if (chosen === undefined) return;
            theme.value = chosen;
            chooseTheme(chosen);
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {shell.themes[one]}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
