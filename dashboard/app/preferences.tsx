import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";

import { call, unreachable } from "./api.ts";
import { toast } from "./components/toasts.tsx";
import { me } from "./state/me.ts";
import { chooseTheme, chosenTheme, languages, stored, themes } from "./state/preferences.ts";
import { chooseLanguage, language, problemText, words } from "./words/words.ts";

/** Language and theme, remembered by this browser; the language also by the service, for the member's mails. */
export function Preferences(): JSX.Element {
  const { shell } = words();
  const who = me.value?.member;
  useEffect(() => {
    // What the member chose in another browser, or in this one before they signed in.
    const own = languages.find((one) => one === who?.language);
    if (own !== undefined) void chooseLanguage(own);
    else if (stored("language") !== null) keepLanguage();
  }, [who?.id]);
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
          chooseLanguage(chosen).then(keepLanguage, () => {
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

function keepLanguage(): void {
  if (me.peek()?.member !== undefined) void call("PATCH /me", { body: { language: language() } });
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
