import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

import { unreachable } from "./api.ts";
import { toast } from "./components/toasts.tsx";
import { chooseTheme, chosenTheme, languages, themes } from "./state/preferences.ts";
import { chooseLanguage, language, problemText, words } from "./words/words.ts";

/** Language and theme, remembered by this browser. */
export function Preferences(): JSX.Element {
  const { shell } = words();
  const theme = useSignal(chosenTheme());
  return (
    <div class="preferences">
      <Choice
        label={shell.language}
        value={language()}
        options={languages}
        names={shell.languages}
        areLanguages
        onChoose={(chosen, select) => {
          chooseLanguage(chosen).catch(() => {
            select.value = language();
            toast(problemText(unreachable));
          });
        }}
      />
      <Choice
        label={shell.theme}
        value={theme.value}
        options={themes}
        names={shell.themes}
        onChoose={(chosen) => {
          theme.value = chosen;
          chooseTheme(chosen);
        }}
      />
    </div>
  );
}

function Choice<Value extends string>({
  label,
  value,
  options,
  names,
  areLanguages = false,
  onChoose,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  /** Each option is written in the language that it names. */
  readonly areLanguages?: boolean;
  readonly onChoose: (value: Value, select: HTMLSelectElement) => void;
}): JSX.Element {
  return (
    <label>
      <span class="out-of-sight">{label}</span>
      <select
        class="input"
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen !== undefined) onChoose(chosen, currentTarget);
        }}
      >
        {options.map((one) => (
          <option key={one} value={one} lang={areLanguages ? one : undefined}>
            {names[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
